//! The cases as JavaScript runs them.

// The functions are reached from JavaScript, not from Rust.
#![allow(unreachable_pub)]

use wasm_bindgen::prelude::wasm_bindgen;

use crate::cases::{CASES, Work};

/// The cases and their sizes, as `name size` a line.
#[wasm_bindgen]
pub fn cases() -> String {
    CASES
        .iter()
        .flat_map(|case| case.sizes.map(|size| format!("{} {size}\n", case.name)))
        .collect()
}

/// Work on an input of one size.
#[wasm_bindgen]
pub struct Prepared(Work);

#[wasm_bindgen]
impl Prepared {
    /// Makes the input; undefined where there is no such case.
    pub fn of(name: &str, size: usize) -> Option<Self> {
        let case = CASES.iter().find(|case| case.name == name)?;
        (case.prepare)(size).map(Self)
    }

    /// Does the work once; answers the size of what it made.
    pub fn run(&mut self) -> usize {
        (self.0)()
    }
}

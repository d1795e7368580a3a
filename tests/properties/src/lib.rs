//! What must hold for any input, one function for each seam at which something comes in from outside: [`core`] for the
//! rules, `host` (feature `host`) for what reads bytes and answers messages.
//!
//! A property takes bytes, whatever they are, and panics where it does not hold. The fuzz targets of `fuzz/` call these
//! functions with inputs of their own; the inputs worth keeping are in `tests/corpus/`, one file for each property, and are
//! tried by [`Property::replay`] in every test run, those of core as WebAssembly too. `docs/fuzzing.md` says more.

// A property says that it does not hold by failing.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    reason = "to fail is what these functions are for"
)]

pub mod core;
pub mod corpus;
#[cfg(feature = "host")]
pub mod host;
mod parts;
pub mod read_back;

use std::panic::{AssertUnwindSafe, catch_unwind};

/// As WebAssembly that is not optimised every input takes long, so that each fourth must do there. The page's modules, which
/// are, are given all of them in `web/tests/corpus.test.ts`.
const EVERY: usize = if cfg!(target_arch = "wasm32") { 4 } else { 1 };

/// A property with the inputs that it is tried on in every test run.
#[derive(Clone, Copy)]
pub struct Property {
    /// Its name, which is that of its module, its fuzz target and its file in `tests/corpus/`.
    pub name: &'static str,
    /// Panics where the property does not hold for an input.
    pub check: fn(&[u8]),
    /// The text of its file in `tests/corpus/`.
    pub corpus: &'static str,
}

impl Property {
    /// Tries the inputs of the corpus, as WebAssembly each fourth; fails with the number of the line for which the property does not hold.
    pub fn replay(&self) {
        let file = format!("tests/corpus/{}.txt", self.name);
        let inputs = match corpus::read(self.corpus) {
            Ok(inputs) => inputs,
            Err(line) => panic!("{file}:{line}: not an input as `corpus::write` writes one"),
        };
        assert!(!inputs.is_empty(), "{file} holds no input");
        for (index, input) in inputs.iter().enumerate().step_by(EVERY) {
            // The panic has said already what does not hold.
            let holds = catch_unwind(AssertUnwindSafe(|| (self.check)(input))).is_ok();
            assert!(holds, "{file}:{}: the property does not hold", index + 1);
        }
    }
}

/// Tries the inputs of the property of this name; panics where there is none of it.
pub fn replay(properties: &[Property], name: &str) {
    let property = properties.iter().find(|property| property.name == name);
    property.expect("a property of this name").replay();
}

/// Lists properties, each with its module of the same name and its file of the corpus.
macro_rules! properties {
    ($($name:ident)*) => {
        $(pub mod $name;)*

        /// Every property of this module.
        pub const ALL: &[crate::Property] = &[$(crate::Property {
            name: stringify!($name),
            check: $name::check,
            corpus: include_str!(concat!("../../corpus/", stringify!($name), ".txt")),
        },)*];
    };
}
pub(crate) use properties;

//! What Toolgate's core is measured with: [`inputs`] of any size, made by one generator, and the work on them as
//! [`cases`]. The same cases run natively under criterion (`benches/core.rs`), counted by the instruction and the
//! allocation (`src/bin/count.rs`), and as WebAssembly in Node and in a browser (`wasm.rs`).

pub mod cases;
pub mod inputs;
#[cfg(feature = "wasm")]
mod wasm;

pub use cases::{CASES, Case};

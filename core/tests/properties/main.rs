//! What must hold for any input: tried on many that a small generator makes, the same ones at each run.

// Tests say what they expect by failing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod aliases;
mod form;
mod large;
mod model_text;
mod odd_input;
mod partners;
mod random;

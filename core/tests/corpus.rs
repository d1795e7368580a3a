//! The inputs of `tests/corpus/` that are core's: what must hold for any input holds for these, natively and as WebAssembly.
//! See `docs/fuzzing.md`.

use toolgate_properties::{core, each_of_core, replay};

/// Declares a test for each property.
macro_rules! tests {
    ($($name:ident)*) => {
        $(
            #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
            #[cfg_attr(not(target_arch = "wasm32"), test)]
            fn $name() {
                replay(core::ALL, stringify!($name));
            }
        )*
    };
}

each_of_core!(tests);

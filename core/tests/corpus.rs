//! The inputs of `tests/corpus/` that are core's: what must hold for any input holds for these, natively and as WebAssembly.
//! See `docs/fuzzing.md`.

/// Declares a test for each property of core.
macro_rules! properties {
    ($($name:ident)*) => {
        $(
            #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
            #[cfg_attr(not(target_arch = "wasm32"), test)]
            fn $name() {
                replay(stringify!($name));
            }
        )*

        const TESTS: &[&str] = &[$(stringify!($name),)*];
    };
}

properties! {
    alias
    catalog
    form
    import
    json
    legacy
    mask
    outcome
    page
    schema
}

fn replay(name: &str) {
    for property in toolgate_properties::core::ALL {
        if property.name == name {
            property.replay();
        }
    }
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn every_property_is_tried() {
    let names: Vec<&str> = toolgate_properties::core::ALL
        .iter()
        .map(|property| property.name)
        .collect();
    assert_eq!(names, TESTS);
}

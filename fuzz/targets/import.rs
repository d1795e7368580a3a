//! Feeds anything to the property `import`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| toolgate_properties::core::import::check(input));

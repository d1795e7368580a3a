//! Feeds anything to the property `catalog`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| toolgate_properties::core::catalog::check(input));

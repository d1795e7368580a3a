//! Feeds anything to the property `json`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| toolgate_properties::core::json::check(input));

//! Feeds anything to the property `legacy`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| toolgate_properties::core::legacy::check(input));

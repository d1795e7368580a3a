//! Feeds anything to the property `mask`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| toolgate_properties::core::mask::check(input));

//! Feeds anything to the property `form`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| toolgate_properties::core::form::check(input));

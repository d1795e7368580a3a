//! Feeds anything to the property `bridge`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| toolgate_properties::host::bridge::check(input));

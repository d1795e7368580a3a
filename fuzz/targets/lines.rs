//! Feeds anything to the property `lines`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| toolgate_properties::host::lines::check(input));

//! Feeds anything to the property `page`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| toolgate_properties::core::page::check(input));

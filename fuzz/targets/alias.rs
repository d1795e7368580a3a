//! Feeds anything to the property `alias`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| toolgate_properties::core::alias::check(input));

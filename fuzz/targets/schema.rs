//! Feeds anything to the property `schema`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| toolgate_properties::core::schema::check(input));

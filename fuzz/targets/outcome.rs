//! Feeds anything to the property `outcome`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| toolgate_properties::core::outcome::check(input));

//! Feeds anything to the property `messages`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| toolgate_properties::host::messages::check(input));

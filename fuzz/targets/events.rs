//! Feeds anything to the property `events`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| toolgate_properties::host::events::check(input));

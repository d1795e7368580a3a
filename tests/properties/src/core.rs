//! The properties of core, natively and as WebAssembly.

/// Gives their names to a macro, one after the other.
#[macro_export]
macro_rules! each_of_core {
    ($then:ident) => {
        $then! { alias catalog form import json legacy mask outcome page schema }
    };
}

use crate::properties;
each_of_core!(properties);

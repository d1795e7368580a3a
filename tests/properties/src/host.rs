//! The properties of the host: what reads the bytes of servers and files, and what answers messages.

mod served;

/// Gives their names to a macro, one after the other.
#[macro_export]
macro_rules! each_of_host {
    ($then:ident) => {
        $then! { bridge events files lines messages }
    };
}

use crate::properties;
each_of_host!(properties);

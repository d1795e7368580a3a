//! The types of the bridge's methods, for the generator of the page's typed method map: each name with its parameters
//! and its result, as the dispatcher's own table has them.

pub use super::methods::visit;

/// What is told of each method in turn.
pub trait MethodVisitor {
    /// One method: its name, the type of its parameters, the type of its result.
    fn method<P: ts_rs::TS + 'static, R: ts_rs::TS + 'static>(&mut self, name: &'static str);
}

//! Speech without quotation marks: whose words the draft tells.

pub mod speaker;

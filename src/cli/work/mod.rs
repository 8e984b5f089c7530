//! Works on stories without a screen, until they end or wait for an editor, and prints the results.

pub mod batch;
pub(crate) mod deciding;
pub mod interrupt;
pub(crate) mod measures;
pub(crate) mod papers;
pub(crate) mod patience;
pub(crate) mod results;
pub(crate) mod signing;
pub(crate) mod spending;
pub mod worked;

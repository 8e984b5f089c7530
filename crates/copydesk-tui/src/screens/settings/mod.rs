//! The settings that the screen can change: your name, the model, the colours, the mouse, the bell. The first start asks for some.

pub(crate) mod answer;
pub mod model;
#[cfg(test)]
mod tests;
pub mod update;

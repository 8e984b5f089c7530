//! The settings that the screen can change: your name, the model, what new stories begin with, the targets, the screen itself.
//! The first start asks for some.

pub(crate) mod answer;
pub mod model;
pub(crate) mod targets;
#[cfg(test)]
mod tests;
pub mod update;

pub(crate) use model::{
    Asked, ChoosableModel, FirstStory, FoundServer, MeasuredModel, Measuring, ModelAt, NewSettings, NewTarget,
    SeenSettings, ServerAt, TargetChoice,
};

pub mod alarm;
pub mod alarms;
pub mod background;
pub(crate) mod clipboard;
pub mod error;
pub mod events;
mod notification;
pub(crate) mod outside;
pub mod screen;
pub(crate) mod tty;
pub(crate) mod variable;

pub(crate) use alarm::{Alarm, Stop};
pub(crate) use alarms::Alarms;
pub(crate) use error::ScreenError;
pub(crate) use screen::HeldScreen;
pub(crate) use tty::Tty;

pub mod alarms;
pub mod clipboard;
pub mod events;
pub mod outside;
pub mod screen;
pub mod tty;

//! The roof: the command line. `commands/` has a file for each command, with its arguments; `intake/` reads what a person hands in;
//! `work/` works on stories until they end or wait; `wiring/` is the only place that knows every room and puts the adapters into the desk.

mod commands;
mod entry;
mod exit;
mod handed_over;
mod intake;
mod wiring;
mod work;

pub use entry::main;
pub use exit::Exit;

//! The roof: the command line. Each command has a file in `commands/`, with its arguments. The code in `intake/` reads
//! what a person hands in; the code in `work/` works on stories until they end or wait. Only `wiring/` knows every
//! room, and puts the adapters into the desk.

mod commands;
mod entry;
mod exit;
pub mod handed_over;
pub mod intake;
mod prelude;
pub mod wiring;
pub mod work;

pub use entry::{ConfigArgs, main, start};
pub use exit::{Exit, WrongUse, wrong_use};

//! Copydesk's entry: everything else is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(copydesk::cli::main(std::env::args_os()).code())
}

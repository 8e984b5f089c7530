//! Who reads files: processes of this same program, which can do nothing else.

use std::{
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
};

use crate::{
    config::Settings,
    knowledge::reading::{self, ReaderPool},
};

/// The first argument of a process that reads files.
pub(crate) const READ_FILES: &str = "read-files";

/// Whether the configuration allows readers that cannot be confined, as soon as it is read.
static WITHOUT_SANDBOX: AtomicBool = AtomicBool::new(false);

/// From now on, files are read by processes that start when the first file needs one.
pub(crate) fn start_when_needed() {
    reading::read_by(ReaderPool::new(program, || WITHOUT_SANDBOX.load(Ordering::Relaxed)));
}

/// Tells the readers what the configuration says.
pub(crate) fn configure(settings: &Settings) {
    WITHOUT_SANDBOX.store(settings.reading.without_sandbox, Ordering::Relaxed);
}

/// This program, also if its file has been replaced since it was started.
fn program() -> Command {
    let own = if cfg!(target_os = "linux") {
        "/proc/self/exe".into()
    } else {
        std::env::current_exe().unwrap_or_else(|_| "copydesk".into())
    };
    let mut program = Command::new(own);
    program.arg(READ_FILES);
    program
}

//! An editor's seat: the real binary in a terminal, in a newsroom.

use super::{
    newsroom::Newsroom,
    terminal::{Program, Terminal},
};

impl Terminal {
    /// Starts the program in `newsroom`; the size is rows, then columns.
    pub fn start(newsroom: &Newsroom, arguments: &[&str], rows: u16, cols: u16) -> Self {
        Self::start_with(newsroom, arguments, rows, cols, &[])
    }

    /// Likewise, with more of an environment: `EDITOR`, `NO_COLOR`.
    pub fn start_with(
        newsroom: &Newsroom,
        arguments: &[&str],
        rows: u16,
        cols: u16,
        environment: &[(&str, &str)],
    ) -> Self {
        let home = newsroom.path().join("home").into_os_string();
        let more = environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).into()));
        let program = Program {
            path: env!("CARGO_BIN_EXE_copydesk").into(),
            arguments: newsroom.trust_of_server().iter().chain(arguments).map(Into::into).collect(),
            folder: newsroom.path().to_owned(),
            environment: std::iter::once(("HOME".to_owned(), home)).chain(more).collect(),
        };
        Self::run(&program, rows, cols)
    }
}

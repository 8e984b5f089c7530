//! Something that the screen has to act on or to show.

/// Something that the screen has to act on or to show.
#[derive(Debug, PartialEq, Eq)]
pub enum Alarm {
    /// The program is to end now. It has `DEADLINE` for that.
    Stop(Stop),
    /// The program was stopped and continues: the terminal is taken over again, and what stands on it is unknown.
    Continued,
    /// A part of the program panicked: the message in one line. The terminal is in order.
    Panicked(String),
}

/// Who asked the program to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The terminal was closed (SIGHUP). Nothing is drawn any more.
    HangUp,
    /// The system or a person (SIGTERM).
    Terminate,
    /// SIGINT or SIGQUIT from elsewhere: on this terminal, Ctrl-C is a key.
    Interrupt,
}

//! Asks the terminal for its background colour (OSC 11), before the screen is opened.

/// Whether the terminal's background is light; none if it does not say. Many terminals do not know the question, but all know the one
/// behind it (DA1), so their answer to that ends the wait. One that answers neither is waited for half a second.
#[cfg(unix)]
pub fn is_light() -> Option<bool> {
    use std::{
        io::{self, IsTerminal as _, Write as _},
        time::Instant,
    };

    use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    let (stdin, mut stdout) = (io::stdin(), io::stdout());
    if !stdin.is_terminal() || !stdout.is_terminal() || enable_raw_mode().is_err() {
        return None;
    }
    let asked = stdout.write_all(b"\x1b]11;?\x1b\\\x1b[c").and_then(|()| stdout.flush());
    let began = Instant::now();
    let mut heard = Vec::new();
    while asked.is_ok() && !is_whole(&heard) && heard.len() < MOST {
        let Some(left) = PATIENCE.checked_sub(began.elapsed()) else { break };
        let wait = Timespec { tv_sec: 0, tv_nsec: i64::from(left.subsec_nanos()) };
        let mut terminal = [PollFd::new(&stdin, PollFlags::IN)];
        if !matches!(poll(&mut terminal, Some(&wait)), Ok(ready) if ready > 0) {
            break;
        }
        let mut some = [0; 64];
        match rustix::io::read(&stdin, &mut some) {
            Ok(read) if read > 0 => heard.extend(some.iter().take(read)),
            _ => break,
        }
    }
    // The screen that opens next sets the line anew.
    let _ = disable_raw_mode();
    light(&heard)
}

/// Elsewhere terminals are not asked.
#[cfg(not(unix))]
pub fn is_light() -> Option<bool> {
    None
}

/// How long a terminal is waited for that answers nothing.
#[cfg(unix)]
const PATIENCE: std::time::Duration = std::time::Duration::from_millis(500);

/// Most bytes that are read: a person may be typing.
#[cfg(unix)]
const MOST: usize = 4096;

/// Whether the answer to the second question is there: `ESC [ ? ... c`.
fn is_whole(heard: &[u8]) -> bool {
    let text = String::from_utf8_lossy(heard);
    text.split("\x1b[?")
        .skip(1)
        .any(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').starts_with('c'))
}

/// Whether the colour in `ESC ] 11 ; rgb:RRRR/GGGG/BBBB` is light; none if there is none. Each channel has one to four hexadecimal digits.
fn light(heard: &[u8]) -> Option<bool> {
    let text = String::from_utf8_lossy(heard);
    let (_, rest) = text.split_once("\x1b]11;rgb")?;
    let (_, colour) = rest.split_once(':')?;
    let colour: String = colour.chars().take_while(|c| c.is_ascii_hexdigit() || *c == '/').collect();
    let channels: Option<Vec<f64>> = colour.split('/').take(3).map(channel).collect();
    let [red, green, blue] = channels?.try_into().ok()?;
    // The brightness that an eye sees, by ITU-R BT.601.
    Some(0.299 * red + 0.587 * green + 0.114 * blue > 0.5)
}

/// A channel from 0 to 1.
fn channel(digits: &str) -> Option<f64> {
    let length = u32::try_from(digits.len()).ok().filter(|length| (1..=4).contains(length))?;
    let value = u32::from_str_radix(digits, 16).ok()?;
    Some(f64::from(value) / f64::from(16_u32.pow(length) - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_terminals_answer_is_read() {
        let said = |text: &str| light(text.as_bytes());
        assert_eq!(said("\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;22c"), Some(true));
        assert_eq!(said("\x1b]11;rgb:1e1e/1e1e/2e2e\x07"), Some(false));
        assert_eq!(said("typed\x1b]11;rgba:ee/ee/d5/ff\x07"), Some(true));
        assert_eq!(said("\x1b]11;rgb:0/0/0\x07"), Some(false));
        for nothing in
            ["", "\x1b[?62;22c", "\x1b]11;rgb:zz", "\x1b]11;rgb:ffff/ffff", "\x1b]11;rgb:12345/0/0", "q\x1b]11;?"]
        {
            assert_eq!(said(nothing), None, "{nothing:?}");
        }
    }

    #[test]
    fn the_answer_to_the_second_question_ends_the_wait() {
        assert!(is_whole(b"\x1b]11;rgb:0/0/0\x07\x1b[?62;22c"));
        assert!(is_whole(b"\x1b[?6c"));
        assert!(!is_whole(b"\x1b]11;rgb:0/0/0\x07\x1b[?62;22"));
        assert!(!is_whole(b"abc"));
    }
}

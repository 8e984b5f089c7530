//! Copying by the terminal itself (OSC 52): works over SSH, and the text stays when the program ends. Whether the terminal
//! took it, no terminal says.

use std::io;

use base64::{Engine as _, engine::general_purpose::STANDARD};

use copydesk_text::count;

/// Most bytes of a text that are sent to a terminal; many take no more, and some take none of a longer one.
pub const MOST_BYTES: usize = 100_000;

/// Whether the terminal is one of tmux's.
pub(crate) fn in_tmux() -> bool {
    crate::terminal::variable::variable("TMUX").is_some_and(|value| !value.is_empty())
}

/// Copies a text with `write`, and says how it went.
pub(crate) fn copy(text: &str, tmux: bool, write: impl FnOnce(&[u8]) -> io::Result<()>) -> String {
    if text.is_empty() {
        return "there is nothing to copy here".to_owned();
    }
    if text.len() > MOST_BYTES {
        let (kilobytes, most) = (text.len().div_ceil(1000), MOST_BYTES / 1000);
        return format!(
            "not copied: {kilobytes} kB is too much for a terminal (at most {most} kB); save it as a file instead"
        );
    }
    if let Err(error) = write(sequence(text, tmux).as_bytes()) {
        return format!("not copied: the terminal does not take it ({error})");
    }
    let passed_on = if tmux { "; in tmux this needs `set -g set-clipboard on`" } else { "" };
    format!("{} sent to the terminal's clipboard{passed_on}", count(text.chars().count(), "character"))
}

/// The escape sequence. tmux takes it itself with `set-clipboard on`; with `allow-passthrough on` it hands the wrapped one
/// to the terminal around it (escapes doubled). Which is set cannot be seen from here, so it gets both.
fn sequence(text: &str, tmux: bool) -> String {
    let plain = format!("\x1b]52;c;{}\x07", STANDARD.encode(text));
    if tmux { format!("{plain}\x1bPtmux;{}\x1b\\", plain.replace('\x1b', "\x1b\x1b")) } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copied(text: &str, tmux: bool) -> (String, String) {
        let mut sent = String::new();
        let how = copy(text, tmux, |bytes| {
            sent = String::from_utf8(bytes.to_vec()).unwrap();
            Ok(())
        });
        (how, sent)
    }

    #[test]
    fn a_text_goes_to_the_terminal_in_base_64() {
        let (how, sent) = copied("Ein Völkchen\n", false);
        assert_eq!(sent, "\x1b]52;c;RWluIFbDtmxrY2hlbgo=\x07");
        assert_eq!(how, "13 characters sent to the terminal's clipboard");
    }

    #[test]
    fn tmux_gets_it_for_itself_and_to_pass_on() {
        let (how, sent) = copied("a", true);
        assert_eq!(sent, "\x1b]52;c;YQ==\x07\x1bPtmux;\x1b\x1b]52;c;YQ==\x07\x1b\\");
        assert_eq!(how, "1 character sent to the terminal's clipboard; in tmux this needs `set -g set-clipboard on`");
    }

    #[test]
    fn what_cannot_be_copied_says_why_and_sends_nothing() {
        assert_eq!(copied("", false), ("there is nothing to copy here".to_owned(), String::new()));
        let (how, sent) = copied(&"x".repeat(MOST_BYTES + 1), false);
        assert_eq!(sent, "");
        assert_eq!(how, "not copied: 101 kB is too much for a terminal (at most 100 kB); save it as a file instead");
        assert!(copied(&"x".repeat(MOST_BYTES), false).0.starts_with("100000 characters sent"));
        let failed = copy("a", false, |_| Err(io::Error::other("it is gone")));
        assert_eq!(failed, "not copied: the terminal does not take it (it is gone)");
    }
}

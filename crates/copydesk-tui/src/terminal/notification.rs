//! A notification of the desktop, by OSC 9 or, in terminals that know only that, OSC 777.

use copydesk_text::sanitise;

/// Most characters of a notification.
const LONGEST: usize = 120;

/// The escape sequence; none for a terminal that would print it. tmux hands it on if it may.
pub(crate) fn sequence(text: &str, terminal: &str, tmux: bool) -> Option<String> {
    if matches!(terminal, "" | "dumb" | "linux") {
        return None;
    }
    // A semicolon would begin another parameter.
    let text = sanitise::excerpt(text, LONGEST).replace(';', ",");
    let knows_777 = ["rxvt", "foot"].iter().any(|name| terminal.starts_with(name));
    let plain = if knows_777 {
        format!("\x1b]777;notify;Copydesk;{text}\x07")
    } else {
        // With a word before it, no story's title is one of OSC 9's numbered commands.
        format!("\x1b]9;Copydesk: {text}\x07")
    };
    Some(if tmux { format!("\x1bPtmux;{}\x1b\\", plain.replace('\x1b', "\x1b\x1b")) } else { plain })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notification_carries_no_sequence_of_its_own_and_is_short() {
        assert_eq!(
            sequence("4;1;50 \x1b]52;c;eA==\x07waits\u{9d}", "xterm-256color", false).unwrap(),
            "\x1b]9;Copydesk: 4,1,50 waits\x07"
        );
        assert_eq!(sequence("a", "foot", false).unwrap(), "\x1b]777;notify;Copydesk;a\x07");
        assert_eq!(sequence("a", "tmux-256color", true).unwrap(), "\x1bPtmux;\x1b\x1b]9;Copydesk: a\x07\x1b\\");
        assert!(sequence(&"long ".repeat(2_000), "xterm", false).unwrap().len() < 200);
        assert_eq!((sequence("a", "linux", false), sequence("a", "dumb", false)), (None, None));
    }
}

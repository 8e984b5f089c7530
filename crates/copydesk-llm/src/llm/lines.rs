//! Splits the bytes of a body into lines, reading each byte once.
//!
//! This is done here rather than by a crate. The maintained one (eventsource-stream 0.2) panics at a byte order mark. It also searches a
//! long line from its beginning at every packet.

use super::broken::{Broken, MOST_TEXT};

#[derive(Default)]
pub(super) struct LineSplitter {
    /// The bytes of the line that has not ended yet.
    open: Vec<u8>,
    /// Whether a line was read already. The first one may begin with a byte order mark.
    begun: bool,
    /// Whether the last byte was a CR, which a LF may follow.
    after_cr: bool,
}

impl LineSplitter {
    /// The lines that `packet` completes, without their line ends (CR, LF or CR LF, as the format of server-sent events has them).
    pub(super) fn take(&mut self, packet: &[u8]) -> Result<Vec<Vec<u8>>, Broken> {
        let mut lines = Vec::new();
        let mut rest = packet;
        if std::mem::take(&mut self.after_cr) {
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        while let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (line, after) = rest.split_at(end);
            self.open.extend_from_slice(line);
            lines.push(self.close());
            let behind = after.get(1..).unwrap_or_default();
            let is_cr = after.first() == Some(&b'\r');
            self.after_cr = is_cr && behind.is_empty();
            rest = if is_cr { behind.strip_prefix(b"\n").unwrap_or(behind) } else { behind };
        }
        self.open.extend_from_slice(rest);
        if self.open.len() > MOST_TEXT { Err(Broken::TooLarge) } else { Ok(lines) }
    }

    /// The first byte that can be seen of the line that has not ended yet.
    pub(super) fn begins_with(&self) -> Option<u8> {
        self.open.iter().find(|byte| byte.is_ascii_graphic()).copied()
    }

    /// Takes the bytes after the last line end.
    pub(super) fn close(&mut self) -> Vec<u8> {
        let mut line = std::mem::take(&mut self.open);
        if !std::mem::replace(&mut self.begun, true) && line.starts_with(b"\xEF\xBB\xBF") {
            line.drain(..3);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(packets: &[&[u8]]) -> Vec<String> {
        let mut lines = LineSplitter::default();
        let taken = packets.iter().flat_map(|packet| lines.take(packet).unwrap_or_default());
        taken.map(|line| String::from_utf8(line).unwrap()).collect()
    }

    #[test]
    fn a_line_is_put_together_from_its_packets() {
        assert_eq!(lines(&[b"da", b"ta: \xE2\x80", b"\x94\r", b"\n\nx\n"]), ["data: \u{2014}", "", "x"]);
        assert_eq!(lines(&[b"\xEF\xBB", b"\xBFdata: 1\n\xEF\xBB\xBFx\n"]), ["data: 1", "\u{FEFF}x"]);
        assert_eq!(lines(&[b"a\rb\r", b"c\r\n\r\nd\n"]), ["a", "b", "c", "", "d"]);
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let mut lines = LineSplitter::default();
        assert!(lines.take(&vec![b'x'; MOST_TEXT]).is_ok());
        assert!(matches!(lines.take(b"x"), Err(Broken::TooLarge)));
    }
}

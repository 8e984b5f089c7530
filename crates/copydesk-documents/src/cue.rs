//! Cues of captions with both their times, for a transcript that a person edits and plays beside its recording.

use std::{fmt::Write as _, ops::Range};

use super::{
    cues::{is_time, plain},
    unsure::{CLOSE, OPEN, TAGS},
};
use copydesk_text::sanitise;

/// The latest time that a cue can have, in milliseconds: readers of captions take two digits of hours.
pub const LATEST: u32 = 100 * 3_600_000 - 1;

/// Words and when they are said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cue {
    /// From the recording's beginning, in milliseconds, at most [`LATEST`].
    pub start: u32,
    /// Likewise; not before `start`.
    pub end: u32,
    /// Who speaks, as a server tells voices apart; none if it does not. It is no person's name.
    pub voice: Option<String>,
    /// In one line, without markup.
    pub words: String,
    /// The bytes of `words` that the recogniser was unsure of, in their order.
    pub unsure: Vec<Range<usize>>,
}

/// The cues of a file of captions, `WebVTT` or `SubRip`, in its order; those without words are left out.
pub fn parse_cues(text: &str) -> Vec<Cue> {
    let mut cues: Vec<Cue> = Vec::new();
    let mut inside = false;
    for line in text.lines().map(str::trim) {
        if let Some((start, end)) = times(line) {
            inside = true;
            cues.push(Cue { start, end: end.max(start), voice: None, words: String::new(), unsure: Vec::new() });
        } else if line.is_empty() {
            inside = false;
        } else if let Some(cue) = cues.last_mut().filter(|_| inside) {
            let (voice, words) = plain(line);
            let words = words.replace([OPEN, CLOSE], "");
            cue.voice = cue.voice.take().or(voice);
            cue.words = sanitise::one_line(&format!("{} {words}", cue.words));
        }
    }
    cues.retain(|cue| !sanitise::is_blank(&cue.words));
    cues
}

/// Both times of a cue's head.
fn times(line: &str) -> Option<(u32, u32)> {
    let (start, end) = line.split_once("-->").filter(|_| is_time(line))?;
    Some((milliseconds(start)?, milliseconds(end.split_whitespace().next()?)?))
}

/// `01:02:03.250`, `02:03,250`.
fn milliseconds(time: &str) -> Option<u32> {
    let (whole, fraction) = time.trim().split_once(['.', ',']).unwrap_or((time.trim(), "0"));
    let mut all = 0u64;
    for part in whole.split(':') {
        all = all.checked_mul(60)?.checked_add(part.parse().ok()?)?;
    }
    let thousandths = format!("{:0<3}", fraction.get(..3).unwrap_or(fraction)).parse::<u64>().ok()?;
    u32::try_from(all.checked_mul(1000)?.checked_add(thousandths)?.min(u64::from(LATEST))).ok()
}

/// A file of captions (`WebVTT`) with a comment at its head. Another voice begins with a dash: a reader takes that as another turn, and
/// no server's label as a person's name.
pub fn web_vtt(comment: &str, cues: &[Cue]) -> String {
    let mut text = format!("WEBVTT\n\nNOTE\n{}\n", sanitise::one_line(comment).replace("-->", "->"));
    let mut voice = None;
    for cue in cues {
        let words = marked(cue);
        let dash = if cue.voice.is_some() && cue.voice != voice { "- " } else { "" };
        voice.clone_from(&cue.voice);
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{} --> {}\n{dash}{words}\n", code(cue.start), code(cue.end));
    }
    text
}

/// The words of a cue as markup.
fn marked(cue: &Cue) -> String {
    let escaped =
        |text: Option<&str>| text.unwrap_or_default().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mut out = String::with_capacity(cue.words.len());
    let mut from = 0;
    for unsure in &cue.unsure {
        out.push_str(&escaped(cue.words.get(from..unsure.start)));
        out.push_str(TAGS.0);
        out.push_str(&escaped(cue.words.get(unsure.clone())));
        out.push_str(TAGS.1);
        from = unsure.end;
    }
    out.push_str(&escaped(cue.words.get(from..)));
    out
}

fn code(milliseconds: u32) -> String {
    let seconds = milliseconds / 1000;
    format!("{:02}:{:02}:{:02}.{:03}", seconds / 3600, seconds / 60 % 60, seconds % 60, milliseconds % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadingPurpose, read};

    fn cue(start: u32, end: u32, voice: Option<&str>, words: &str) -> Cue {
        Cue { start, end, voice: voice.map(str::to_owned), words: words.into(), unsure: Vec::new() }
    }

    #[test]
    fn cues_are_read_with_both_times_from_either_form() {
        let srt = "1\r\n00:00:01,000 --> 00:00:04,250\r\nGood <i>evening</i>\r\n&amp; so on.\r\n\r\n2\r\n01:00:05,000 --> 01:00:04,000\r\nThank you.\r\n";
        let wanted = [cue(1000, 4250, None, "Good evening & so on."), cue(3_605_000, 3_605_000, None, "Thank you.")];
        assert_eq!(parse_cues(srt), wanted);
        let vtt = "WEBVTT\n\nNOTE no cue\n\n00:01.000 --> 00:02.5 align:start\n<v Anna>Yes.</v>\n\n00:03.000 --> 00:04.000\n\n";
        assert_eq!(parse_cues(vtt), [cue(1000, 2500, Some("Anna"), "Yes.")]);
        assert_eq!(parse_cues("No captions --> here"), []);
        let late = parse_cues(
            "99999999:00:00.000 --> 99999999999999999999:00:00.000\nx\n\n900:00:00.000 --> 900:00:01.000\ny",
        );
        assert_eq!(late, [cue(LATEST, LATEST, None, "y")]);
    }

    #[test]
    fn what_is_written_is_read_again_as_a_source() {
        let cues = [
            cue(1000, 2500, Some("SPEAKER_00"), "The bill --> is <b>5 & 6."),
            cue(2500, 4000, Some("SPEAKER_00"), "We pay."),
            cue(LATEST, LATEST, Some("SPEAKER_01"), "No."),
        ];
        let vtt = web_vtt("Made of a --> b.mp3,\nby hand", &cues);
        assert!(
            vtt.starts_with("WEBVTT\n\nNOTE\nMade of a -> b.mp3, by hand\n\n00:00:01.000 --> 00:00:02.500\n- The"),
            "{vtt}"
        );
        let document = read("talk.vtt", vtt.as_bytes(), ReadingPurpose::Source).unwrap();
        assert_eq!(document.text, "[00:00:01] The bill --> is <b>5 & 6. We pay.\n\n[99:59:59] No.");
    }

    #[test]
    fn unsure_words_are_marked_in_the_file_and_not_in_the_source() {
        let dock =
            Cue { unsure: std::iter::once(4..13).collect(), ..cue(10_400, 12_000, None, "the fairy dog, & then") };
        let cues = [cue(0, 1000, None, "We met at"), dock, cue(12_000, 14_000, None, "home.")];
        let vtt = web_vtt("Made", &cues);
        assert!(vtt.contains("\nthe <c.unsure>fairy dog</c>, &amp; then\n"), "{vtt}");
        let document = read("talk.vtt", vtt.as_bytes(), ReadingPurpose::Source).unwrap();
        assert_eq!(document.text, "[00:00:00] We met at the fairy dog, & then home.");
        let told = |document: &crate::Document| {
            let words = document.unsure.iter();
            words.map(|words| (document.text[words.start..words.end].to_owned(), words.seconds)).collect::<Vec<_>>()
        };
        assert_eq!(told(&document), [("fairy dog".to_owned(), 10)]);
        // A person who has listened takes the mark out. What is never closed, or closed alone, marks nothing.
        let vtt =
            vtt.replace("<c.unsure>fairy dog</c>", "ferry dock</c> <c.loud>now</c>").replace("home", "<c.unsure>home");
        let document = read("talk.vtt", vtt.as_bytes(), ReadingPurpose::Source).unwrap();
        assert_eq!(document.text, "[00:00:00] We met at the ferry dock now, & then home.");
        assert_eq!(told(&document), []);
    }
}

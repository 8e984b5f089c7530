//! Captions: `WebVTT` (W3C) and `SubRip`, read by one reader, since files in the wild mix the two.
//!
//! A cue is a slice of time, not of speech: a sentence, and so a quotation, runs over several. Their words are put together turn by
//! turn, each under the time code at which it begins; numbers, other time codes, settings and markup go.

use super::{
    kind::DocumentKind,
    transcript::{self, Turns},
    unreadable::Unreadable,
    unsure::{CLOSE, OPEN, TAGS},
};

/// The words of all cues, with marks around those that the recogniser was unsure of.
///
/// # Errors
/// If there is no cue.
pub(super) fn turns(text: &str) -> Result<Turns, Unreadable> {
    let mut turns = Turns::default();
    let mut last = None;
    let mut cues = 0usize;
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let growing = grows(&lines);
    let mut inside = false;
    let mut skipping = false;
    for (place, line) in lines.iter().enumerate() {
        let next_is_time = lines.get(place + 1).is_some_and(|next| is_time(next));
        let after_blank = place == 0 || lines.get(place - 1).is_some_and(|before| before.is_empty());
        if is_time(line) {
            (inside, skipping) = (true, false);
            turns.at(transcript::seconds(line));
            cues += 1;
        } else if line.is_empty() {
            skipping = false;
        } else if after_blank && is_block(line) {
            (inside, skipping) = (false, true);
        } else if !inside || skipping || (next_is_time && (after_blank || is_number(line))) {
            // The file's head, a comment's text, a cue's number or name.
        } else {
            said(line, growing, &mut turns, &mut last);
        }
    }
    if cues == 0 {
        let message = "it has no cue (a line such as 00:00:01.000 --> 00:00:04.000)".into();
        return Err(Unreadable::Broken { kind: DocumentKind::Captions, message });
    }
    Ok(turns)
}

fn is_number(line: &str) -> bool {
    !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_block(line: &str) -> bool {
    ["NOTE", "STYLE", "REGION", "WEBVTT"].iter().any(|word| {
        line.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
    })
}

pub(super) fn is_time(line: &str) -> bool {
    let Some((from, to)) = line.split_once("-->") else { return false };
    let stamp = |text: &str| {
        let text = text.split_whitespace().next().unwrap_or_default();
        text.contains(':') && text.chars().all(|c| c.is_ascii_digit() || matches!(c, ':' | '.' | ','))
    };
    stamp(from) && stamp(to)
}

/// Whether the cues grow: each repeats words of the one before, and adds some.
fn grows(lines: &[&str]) -> bool {
    let mut before: Vec<String> = Vec::new();
    let (mut pairs, mut grown) = (0usize, 0usize);
    for line in lines.iter().filter(|line| line.contains(char::is_alphabetic) && !is_time(line)) {
        let words: Vec<String> = plain(line).1.split_whitespace().map(str::to_lowercase).collect();
        let same = repeated(&before, &words);
        pairs += 1;
        // A line that comes again as a whole rolls. The end of a longer one shows that it grew.
        let end = same > 1 && same == words.len() && same < before.len();
        grown += usize::from(end || same > 0 && same < words.len() && (same > 1 || same == before.len()));
        before = words;
    }
    grown >= GROWN && grown * 3 >= pairs
}

/// So many cues must grow before all are taken to.
const GROWN: usize = 3;

/// How many of the first words repeat the last ones before.
fn repeated(before: &[String], words: &[String]) -> usize {
    let most = before.len().min(words.len()).min(MOST_REPEATED);
    (1..=most).rev().find(|count| before.ends_with(words.get(..*count).unwrap_or_default())).unwrap_or_default()
}

/// A cue repeats at most so many words.
const MOST_REPEATED: usize = 40;

/// A line of a cue. Live captions roll: each cue repeats the line before it. Another voice may say the same words.
fn said(line: &str, growing: bool, turns: &mut Turns, last: &mut Option<(Option<String>, String)>) {
    let (name, words) = plain(line);
    let words = words.trim();
    if words.is_empty() || last.as_ref().is_some_and(|last| last.0 == name && last.1 == words) {
        return;
    }
    let before = last.replace((name.clone(), words.to_owned()));
    if let Some(name) = &name {
        turns.begin(Some(name));
    }
    // `>>` and a dash begin somebody else's words.
    let own = words.trim_start_matches(">>").trim_start();
    let dashed = own.strip_prefix("- ").or_else(|| own.strip_prefix("– ")).unwrap_or(own).trim_start();
    if name.is_none() && dashed.len() < words.len() {
        turns.begin(None);
    }
    let of = |text: &str| text.split_whitespace().map(str::to_lowercase).collect::<Vec<String>>();
    let same = before.filter(|_| growing).map_or(0, |(_, before)| repeated(&of(&before), &of(dashed)));
    turns.say(&dashed.split_whitespace().skip(same).collect::<Vec<&str>>().join(" "));
}

/// A cue's line without its markup, and the voice that it names. Marks stand around unsure words.
pub(super) fn plain(line: &str) -> (Option<String>, String) {
    let mut voice = None;
    let mut out = String::with_capacity(line.len());
    // Only tags make marks.
    let line = line.replace([OPEN, CLOSE], "");
    let mut rest = line.as_str();
    let mut marked = false;
    // Past the last of them no end is looked for: hostile lines open thousands.
    let (last_angle, last_brace) = (line.rfind('>'), line.rfind('}'));
    let ends = |last: Option<usize>, tail: &str| last.is_some_and(|last| last >= line.len() - tail.len());
    while let Some(at) = rest.find(['<', '{', '&']) {
        let (before, tail) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let close = match tail.chars().next() {
            Some('<') if ends(last_angle, tail) => tail.find('>'),
            Some('{') if tail.starts_with("{\\") && ends(last_brace, tail) => tail.find('}'),
            Some('&') => tail.bytes().take(7).position(|byte| byte == b';'),
            _ => None,
        };
        let tag = close.and_then(|end| tail.get(1..end));
        let (Some(close), Some(tag)) = (close, tag) else {
            // A bare `<` or `&` of the words.
            let first = tail.chars().next().map_or(0, char::len_utf8);
            out.push_str(tail.get(..first).unwrap_or_default());
            rest = tail.get(first..).unwrap_or_default();
            continue;
        };
        if tail.starts_with('&') {
            out.push_str(match tag {
                "amp" => "&",
                "lt" => "<",
                "gt" => ">",
                "quot" => "\"",
                "#39" | "apos" => "'",
                "nbsp" => " ",
                _ => "",
            });
        } else if let Some(named) = tag.strip_prefix('v').and_then(|rest| rest.split_once([' ', '\t']))
            && (named.0.is_empty() || named.0.starts_with('.'))
        {
            voice = Some(named.1.trim().to_owned());
        } else if !marked && TAGS.0.get(1..TAGS.0.len() - 1) == Some(tag) {
            out.push(OPEN);
            marked = true;
        } else if marked && TAGS.1.get(1..TAGS.1.len() - 1) == Some(tag) {
            out.push(CLOSE);
            marked = false;
        }
        rest = tail.get(close + 1..).unwrap_or_default();
    }
    out.push_str(rest);
    (voice, out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, Unreadable> {
        turns(text).map(|turns| turns.text)
    }

    #[test]
    fn a_sentence_over_two_cues_is_one_and_its_speaker_stays() {
        let vtt = "WEBVTT - Meeting\nKind: captions\n\nNOTE made by hand\nof 12 people\n\nintro\n00:01.000 --> 00:04.000 align:start\n\
                   <v.loud Inez Calloway>In eleven years I have\n\n2\n00:04.000 --> 00:06.500\n<v Inez Calloway>not <i>once</i> got &amp; so on.</v>\n\n\
                   00:07.000 --> 00:08.000\n<v dennis pruitt>5 &lt; 6</v>\n";
        let wanted =
            "[00:00:01] Inez Calloway: In eleven years I have not once got & so on.\n\n[00:00:07] Dennis Pruitt: 5 < 6";
        assert_eq!(read(vtt).as_deref(), Ok(wanted));
        let srt = "1\r\n00:00:01,000 --> 00:00:04,000\r\nINEZ CALLOWAY: In eleven years\r\nI have\r\n\r\n2\r\n00:00:04,000 --> 00:00:06,500\r\n\
                   {\\an8}not once.\r\n\r\n3\r\n00:00:07,000 --> 00:00:08,000\r\n- Really?\r\n";
        assert_eq!(
            read(srt).as_deref(),
            Ok("[00:00:01] INEZ CALLOWAY: In eleven years I have not once.\n\n[00:00:07] Really?")
        );
    }

    #[test]
    fn rolling_captions_say_each_line_once() {
        let vtt = "WEBVTT\n\n00:00.000 --> 00:02.000\nwe have a quorum\n\n00:02.000 --> 00:04.000\nwe have a quorum\nof seven\n\n\
                   00:04.000 --> 00:06.000\nof seven\n1958\n";
        assert_eq!(read(vtt).as_deref(), Ok("[00:00:00] we have a quorum of seven 1958"));
    }

    #[test]
    fn captions_that_grow_say_each_word_once() {
        let cue = |at: usize, words: &str| format!("00:0{at}.000 --> 00:0{}.000\n{words}\n\n", at + 1);
        let cues = ["so we", "so we voted", "so we voted on the gate", "on the gate and on", "and on the wall."];
        let vtt: String = cues.iter().enumerate().map(|(at, words)| cue(at, words)).collect();
        assert_eq!(
            read(&format!("WEBVTT\n\n{vtt}")).as_deref(),
            Ok("[00:00:00] so we voted on the gate and on the wall.")
        );
        let plain: String =
            ["No, no.", "No, I think,", "I think so."].iter().enumerate().map(|(at, words)| cue(at, words)).collect();
        assert_eq!(read(&format!("WEBVTT\n\n{plain}")).as_deref(), Ok("[00:00:00] No, no. No, I think, I think so."));
    }

    #[test]
    fn what_two_voices_say_alike_is_said_twice() {
        let vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Anna Voss>I do not recall that.</v>\n\n00:02.000 --> 00:03.000\n\
                   <v Bert Tull>I do not recall that.</v>\n\n00:03.000 --> 00:04.000\n<v Bert Tull>I do not recall that.</v>\n";
        let wanted = "[00:00:01] Anna Voss: I do not recall that.\n\n[00:00:02] Bert Tull: I do not recall that.";
        assert_eq!(read(vtt).as_deref(), Ok(wanted));
    }

    #[test]
    fn each_paragraph_of_unnamed_voices_has_the_time_at_which_it_begins() {
        let sentence = "We have the money for the park and nobody will take it away from us. ".repeat(9);
        let vtt = format!(
            "WEBVTT\n\n00:01.000 --> 00:02.000\n{sentence}\n\n01:02:03.500 --> 01:02:04.000\nThank you.\n\n:9 --> :9\n- No code.\n"
        );
        let wanted = format!("[00:00:01] {}\n\n[01:02:03] Thank you.\n\nNo code.", sentence.trim());
        assert_eq!(read(&vtt), Ok(wanted));
    }

    #[test]
    fn what_is_opened_and_never_closed_is_read_in_one_pass() {
        let begun = std::time::Instant::now();
        for open in ["&", "<", "{\\"] {
            let words = open.repeat(1 << 20);
            assert_eq!(plain(&words), (None, words));
        }
        // Some tenths of a second; it was minutes when each looked for its end.
        assert!(begun.elapsed() < std::time::Duration::from_secs(20));
    }

    #[test]
    fn a_file_without_cues_says_so() {
        assert!(read("WEBVTT\n\nHello").is_err_and(|error| error.to_string().contains("it has no cue")));
    }
}

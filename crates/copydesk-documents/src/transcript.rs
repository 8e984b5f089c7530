//! Transcripts, turn by turn, in the form that the proof reads: `[00:00:12] NAME: words`, a paragraph a turn.
//!
//! A text that is a transcript with time codes in square brackets is left as it is. The proof reads those itself, and
//! so each span stays a range of the file's own bytes. Other forms (`00:12 NAME` above the words, `NAME (0:05)`, bare
//! time codes) are written anew. The code of a turn is the time at which it begins, so that a person can listen to a
//! passage. Codes within a turn go, because they would cut a quotation.

use super::unsure::OPEN;
use copydesk_text::{capital, sentences::speaker};

/// A turn of many cues without speakers gets a new paragraph after the first sentence that ends past so many bytes.
const LONG: usize = 600;

/// Any turn gets a new paragraph, for its time code, after the first sentence that ends so many seconds past the last
/// code.
const APART: u32 = 10;

/// The turns of a recording, as they are put together.
#[derive(Debug, Default)]
pub(super) struct Turns {
    pub(super) text: String,
    /// Where the open turn begins in the text.
    open: usize,
    name: Option<String>,
    /// How far the recording is, in seconds.
    now: Option<u32>,
    /// The last code that was written.
    told: Option<u32>,
    /// The time of each mark of unsure words in the text.
    pub(super) unsure: Vec<u32>,
}

impl Turns {
    /// The recording has come so far; a code that cannot be read is none.
    pub fn at(&mut self, seconds: Option<u32>) {
        self.now = seconds;
    }

    /// Somebody speaks; nobody's name if it is not known who.
    pub fn begin(&mut self, name: Option<&str>) {
        let name = name.map(named).filter(|name| !name.is_empty());
        if name.is_some() && name == self.name {
            return;
        }
        self.paragraph();
        if let Some(name) = &name {
            self.time();
            self.text.push_str(name);
            self.text.push(':');
        }
        self.name = name;
    }

    /// Words of whoever speaks; they may begin with the name of somebody else.
    pub fn say(&mut self, words: &str) {
        let words = words.trim();
        let (name, words) = match speaker(words) {
            Some(label) => {
                let rest = words.get(label.end..).unwrap_or_default().trim_start_matches(['*', '_']);
                (words.get(label), rest.strip_prefix(':').unwrap_or(rest).trim_start_matches(['*', '_']).trim())
            }
            None => (None, words),
        };
        if let Some(name) = name {
            self.begin(Some(name));
        }
        if words.is_empty() {
            return;
        }
        let over = self.text.ends_with(['.', '!', '?', '”', '"', '…']);
        let long = self.name.is_none() && self.text.len() - self.open > LONG;
        let apart = self.now.zip(self.told).is_some_and(|(now, told)| now >= told.saturating_add(APART));
        if over && (long || apart) {
            match self.name.take() {
                None => self.paragraph(),
                name => self.begin(name.as_deref()),
            }
        }
        if self.text.len() == self.open {
            self.time();
        } else {
            self.text.push(' ');
        }
        let now = self.now.unwrap_or_default();
        self.unsure.extend(words.chars().filter(|c| *c == OPEN).map(|_| now));
        self.text.push_str(words);
    }

    /// The code at the head of a turn: in no text is `[00:01:02]` a figure of the story.
    fn time(&mut self) {
        if let Some(now) = self.now {
            let code = format!("[{:02}:{:02}:{:02}] ", now / 3600, now / 60 % 60, now % 60);
            self.text.push_str(&code);
        }
        self.told = self.now;
    }

    fn paragraph(&mut self) {
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.open = self.text.len();
    }
}

/// A name as a label has it: in one line, each word with a capital, no colon.
fn named(name: &str) -> String {
    let words = name.trim_matches(|c: char| c.is_whitespace() || c == ':').replace(':', " ");
    words.split_whitespace().map(capital).collect::<Vec<String>>().join(" ")
}

/// The transcript in the newsroom's form; none if the text is no transcript, or is in that form.
pub(super) fn read(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let marks: Vec<Option<Mark<'_>>> = lines.iter().map(|line| mark(line)).collect();
    let bare: Vec<&Mark<'_>> = marks.iter().flatten().filter(|mark| !mark.bracketed).collect();
    if bare.len() < 2 || !bare.iter().zip(bare.iter().skip(1)).all(|(one, two)| one.seconds <= two.seconds) {
        return None;
    }
    // An excerpt begins anywhere; but with hours, minutes, seconds and a label on most lines it is nothing else.
    let names = |own: &&&Mark<'_>| own.name.is_some() && bare.iter().filter(|mark| mark.name == own.name).count() > 1;
    let labelled = |mark: &&&Mark<'_>| match mark.words {
        "" => false,
        words => mark.hours && (mark.name.is_some() || speaker(words).is_some()) || names(mark),
    };
    let excerpt = bare.iter().filter(labelled).count() * 2 > lines.len();
    // A recording begins in its first minute, and somebody speaks in it; a timetable or a list of results does not.
    let begins = bare.first().is_some_and(|first| first.seconds < 60);
    let turns = (0..).zip(&marks).filter(|(_, mark)| mark.as_ref().is_some_and(|mark| !mark.bracketed));
    let worded = turns.filter(|(place, _)| is_worded(&lines, &marks, *place)).count();
    if !(excerpt || begins && worded * 2 > bare.len()) {
        return None;
    }
    // Meeting programs set the name by itself below the code, above the words.
    let is_bare = |place: usize| {
        let mark = marks.get(place).and_then(Option::as_ref);
        mark.is_some_and(|mark| mark.name.is_none() && mark.words.is_empty())
    };
    let named_below = (0..lines.len()).filter(|place| is_bare(*place)).all(|place| {
        let plain = |place: usize| marks.get(place).is_some_and(Option::is_none);
        plain(place + 1) && plain(place + 2) && lines.get(place + 1).is_some_and(|line| is_name(line))
    });
    let mut turns = Turns::default();
    for (place, (line, mark)) in lines.iter().zip(&marks).enumerate() {
        match mark {
            // Nobody speaks: it may be a result, and no figure is taken out of it.
            Some(Mark { name: Some(_), words: "", .. }) if marks.get(place + 1).is_none_or(Option::is_some) => {
                turns.begin(None);
                turns.at(None);
                turns.say(line);
            }
            Some(mark) => {
                turns.at(Some(mark.seconds));
                if let Some(name) = mark.name {
                    turns.begin(Some(name));
                }
                turns.say(mark.words);
            }
            None if named_below && place.checked_sub(1).is_some_and(&is_bare) => turns.begin(Some(line)),
            None => turns.say(line),
        }
    }
    Some(turns.text)
}

/// Whether somebody speaks at the mark at `place`, in its line or below it: a label, a sentence's end or three words. `USA` under a
/// swimmer's time is none of these.
fn is_worded(lines: &[&str], marks: &[Option<Mark<'_>>], place: usize) -> bool {
    let own = marks.get(place).and_then(Option::as_ref).map_or("", |mark| mark.words);
    let after = |place| lines.get(place..).unwrap_or_default().iter().zip(marks.get(place..).unwrap_or_default());
    let below = after(place + 1).take_while(|(_, mark)| mark.is_none()).map(|(line, _)| *line);
    let mut words = 0;
    [own].into_iter().chain(below).any(|line| {
        words += line.split_whitespace().count();
        words >= 3 || line.ends_with(['.', '!', '?', '…', '”', '"']) || speaker(line).is_some()
    })
}

/// A line with a time code.
#[derive(Debug, PartialEq)]
struct Mark<'l> {
    seconds: u32,
    /// Whether the code has hours.
    hours: bool,
    /// In square brackets at the line's beginning, as the proof reads it.
    bracketed: bool,
    name: Option<&'l str>,
    words: &'l str,
}

/// `00:12:03 NAME: words`, `00:12 NAME`, `00:12`, `NAME (0:12)`, `NAME 0:12`, `[00:12] words`.
fn mark(line: &str) -> Option<Mark<'_>> {
    // Most lines of a source have no code.
    if !line.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let line = line.trim();
    let bracketed = line.starts_with('[');
    if let Some(Code { seconds, hours, rest }) = code(line.trim_start_matches(['[', '('])) {
        // A range's second code.
        let rest = rest.trim_start_matches([']', ')']).trim_start();
        let dash = rest.trim_start_matches(['-', '–', '—', '>']).trim_start();
        let until = dash.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ':' | '.'));
        let rest = match code(dash).filter(|_| dash.len() < rest.len()) {
            Some(code) => code.rest,
            None if until.is_empty() => "",
            None => rest,
        };
        let rest = rest.trim_start_matches([']', ')']).trim_start();
        let (name, words) = match rest {
            "" => (None, ""),
            rest if speaker(rest).is_some() => (None, rest),
            rest if is_name(rest) => (Some(rest), ""),
            rest if bracketed => (None, rest),
            _ => return None,
        };
        return Some(Mark { seconds, hours, bracketed, name, words });
    }
    // The time code behind the name, before the words: `NAME (0:12): words`.
    if let Some((name, rest)) = line.split_once([' ', '\t']).and_then(|_| line.split_once(['(', '[']))
        && let Some(Code { seconds, hours, rest }) = code(rest)
        && let until = rest.trim_start_matches([' ', '-', '–', '—', '>'])
        && let rest = code(until).filter(|_| until.len() < rest.len()).map_or(rest, |code| code.rest)
        && let Some(behind) = rest.strip_prefix([')', ']'])
        && let words = behind.trim_start_matches([':', ' ', '-', '–', '—'])
        && !words.is_empty()
        && is_name(name.trim_end_matches([' ', '\t', '-', '–', '—', ':', ',']))
    {
        let name = name.trim_end_matches([' ', '\t', '-', '–', '—', ':', ',']);
        return Some(Mark { seconds, hours, bracketed: false, name: Some(name), words });
    }
    let inner = line.trim_end_matches(':').trim_end_matches([')', ']']);
    let (name, time) = inner.rsplit_once([' ', '(', '[', '\t'])?;
    let Code { seconds, hours, rest } = code(time)?;
    let name = name.trim_end_matches(['(', '[', ' ', '\t', '-', '–', '—', ':', ',', '|']).trim_end();
    (rest.is_empty() && is_name(name)).then_some(Mark { seconds, hours, bracketed: false, name: Some(name), words: "" })
}

/// Whether a line could be a label without its colon.
fn is_name(text: &str) -> bool {
    text.len() <= 60 && !text.ends_with(['.', '!', '?', ',']) && speaker(&format!("{text}:")).is_some()
}

/// A time code and what follows it.
struct Code<'t> {
    seconds: u32,
    hours: bool,
    rest: &'t str,
}

/// The seconds of a time code at the beginning of a text; none if it is no such code.
pub(super) fn seconds(text: &str) -> Option<u32> {
    code(text).map(|code| code.seconds)
}

/// A time code at the beginning of a text: `0:05`, `00:12:03`, `00:12:03.250`. Tenths and hundredths are a stopwatch's.
fn code(text: &str) -> Option<Code<'_>> {
    let end = text.find(|c: char| !c.is_ascii_digit() && !matches!(c, ':' | '.' | ',')).unwrap_or(text.len());
    let (time, rest) = text.split_at_checked(end)?;
    let (whole, fraction) = time.trim_end_matches(['.', ',', ':']).split_once(['.', ',']).unwrap_or((time, "000"));
    if fraction.len() < 3 && !rest.trim_start().starts_with("-->") {
        return None;
    }
    let whole = whole.trim_end_matches(['.', ',', ':']);
    let parts: Vec<&str> = whole.split(':').collect();
    let mut seconds = 0u32;
    for (place, part) in parts.iter().enumerate() {
        if part.len() > 2 || part.is_empty() || (place > 0 && part.len() != 2) {
            return None;
        }
        seconds = seconds * 60 + part.parse::<u32>().ok()?;
    }
    // `10:30 a.m.` is a time of day.
    let day = rest.trim_start().to_lowercase();
    let of_day = ["a.m", "p.m", "am ", "pm ", "o’clock", "uhr"].iter().any(|word| day.starts_with(word));
    ((2..=3).contains(&parts.len()) && !of_day).then_some(Code { seconds, hours: parts.len() == 3, rest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_of_marking_a_turn_ends_as_a_speakers_paragraph() {
        let wanted =
            "[00:00:01] VOSS: Good evening. I have not once got to the pond.\n\n[00:00:09] ANA REYES: Thank you.";
        for text in [
            "00:00:01 VOSS: Good evening. I have not once\n00:00:04 VOSS: got to the pond.\n00:00:09 ANA REYES: Thank you.",
            "00:01 VOSS\nGood evening. I have not once\ngot to the pond.\n\n00:09 ANA REYES\nThank you.\n",
            "VOSS (0:01):\nGood evening. I have not once got\nto the pond.\n\nANA REYES (0:09):\nThank you.",
            "VOSS  0:01\nGood evening. I have not once got to the pond.\n\nANA REYES  0:09\nThank you.",
            "VOSS (00:01): Good evening. I have not once\nVOSS [00:04] got to the pond.\nANA REYES (00:09) - Thank you.",
            "VOSS | 0:01\nGood evening. I have not once\nVOSS | 0:04\ngot to the pond.\nANA REYES | 0:09\nThank you.",
            "VOSS (0:01 - 0:04): Good evening. I have not once\nVOSS (0:04 - 0:09): got to the pond.\nANA REYES (0:09 - 0:10): Thank you.",
            "0:00:01.5 --> 0:00:04.0\nVOSS\nGood evening. I have not once\n0:00:04.0 --> 0:00:09.1\nVOSS\ngot to the pond.\n0:00:09.1 --> 0:00:10.0\nANA REYES\nThank you.",
            "0:01\nVOSS: Good evening. I have not once\n0:04\ngot to the pond.\n0:09\nANA REYES: Thank you.",
        ] {
            assert_eq!(read(text).as_deref(), Some(wanted), "{text:?}");
        }
    }

    #[test]
    fn a_long_turn_says_its_time_again_where_a_sentence_has_ended() {
        let mut turns = Turns::default();
        for (seconds, words) in
            [(1, "VOSS: Good evening."), (9, "We vote."), (12, "It is"), (30, "late."), (31, "Thanks.")]
        {
            turns.at(Some(seconds));
            turns.say(words);
        }
        let wanted =
            "[00:00:01] Voss: Good evening. We vote.\n\n[00:00:12] Voss: It is late.\n\n[00:00:31] Voss: Thanks.";
        assert_eq!(turns.text.replace("VOSS", "Voss"), wanted);
    }

    #[test]
    fn an_excerpt_begins_anywhere() {
        let text = "00:14:05 VOSS: I have not once\n00:14:09 VOSS: got to the pond\nin my life.";
        assert_eq!(read(text).as_deref(), Some("[00:14:05] VOSS: I have not once got to the pond in my life."));
    }

    #[test]
    fn a_code_without_words_stays() {
        let text = "VOSS 0:01\nGood evening to you.\nREYES 0:09\nThank you.\nCaeleb Dressel 0:47";
        let wanted = "[00:00:01] VOSS: Good evening to you.\n\n[00:00:09] REYES: Thank you.\n\nCaeleb Dressel 0:47";
        assert_eq!(read(text).as_deref(), Some(wanted));
    }

    #[test]
    fn what_the_proof_reads_itself_and_what_is_no_transcript_stay() {
        for text in [
            "[00:01] VOSS: Good evening.\n[00:05] TULL: Thanks.",
            "9:00 Welcome\nThe mayor speaks.\n10:30 Lunch\nIn the hall.",
            "0:05 a.m. The doors shut.\n0:10 a.m. The doors open.",
            "Caeleb Dressel 0:47.02\nThe American won by a hand.\nKyle Chalmers 0:47.08\nThe Australian was second.",
            "Caeleb Dressel 0:47\nUSA\nKyle Chalmers 0:48\nAustralia",
            "0:47 Caeleb Dressel\n0:48 Kyle Chalmers",
            "09:00 MAYOR: Welcome to all.\n10:00 COUNCIL: The vote.",
            "The score was 2:10 and then\n3:10.",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }
}

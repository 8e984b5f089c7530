//! How long a meeting or a call lasted, by the times at which its record begins and ends.
//!
//! Why: minutes and transcripts give the two times, and a reporter the time between.

use crate::{
    reading::{Figure, FigureKind, ParsedText},
    sources::{
        SourceArchive,
        derivation::{Derivation, shown},
    },
    words::{WordList, list::words},
};

/// Events that last.
static EVENTS: WordList = words("call meeting hearing session briefing conference debate sitting interview");

/// Words of the sentence that says when it began, and when it ended.
static BEGINS: WordList = words("order convened began begins opened commenced started");
static ENDS: WordList = words("adjourned ended ends concluded closed recessed end");

/// The event is at most so many words behind its length.
const REACH: usize = 4;

/// A line with a time and at most so many other words gives the time of the text.
const ALONE: usize = 3;

/// A length is off by so many minutes, or by so much of itself.
const MINUTES: f64 = 2.0;
const ROUNDED: f64 = 0.15;

/// The first and the last time of a text.
pub struct Lasting<'s> {
    pub source: usize,
    pub from: &'s Figure,
    pub to: &'s Figure,
    pub minutes: f64,
}

impl Lasting<'_> {
    /// Whether it lasted so many minutes, as one says it.
    pub fn fits(&self, minutes: f64) -> bool {
        (self.minutes - minutes).abs() <= MINUTES.max(ROUNDED * self.minutes.min(minutes))
    }
}

/// How many minutes the draft says that something lasted: `a 26-minute call`, `a hearing of two hours`.
pub fn length_told(reading: &ParsedText<'_>, figure: &Figure) -> Option<f64> {
    let line = reading.line_of(&figure.tokens);
    let word = |at: usize| reading.tokens.get(at).filter(|token| token.line == line).map_or("", |token| &token.word);
    let end = figure.tokens.end;
    let unit = match word(end) {
        "minute" | "minutes" => 1.0,
        "hour" | "hours" => 60.0,
        _ => return None,
    };
    let behind = (end + 1..end + 1 + REACH).any(|at| EVENTS.contains(word(at)));
    let start = figure.tokens.start;
    let of = start.checked_sub(2).is_some_and(|at| EVENTS.contains(word(at)) && word(at + 1) == "of");
    (figure.kind == FigureKind::Count && (behind || of)).then_some(figure.value * unit)
}

/// The times at which the text `source` begins and ends, if it says both.
pub fn lasted<'s>(source: usize, reading: &'s ParsedText<'_>) -> Option<Lasting<'s>> {
    let tells = |time: &&Figure, list: &WordList| {
        let line = reading.line_of(&time.tokens);
        let words = reading.line_tokens(line);
        words.len() <= time.tokens.len() + ALONE || words.iter().any(|token| list.contains(&token.word))
    };
    let mut times = reading.figures.iter().filter(|figure| figure.kind == FigureKind::Time && figure.half_day);
    let from = times.next().filter(|time| tells(time, &BEGINS))?;
    let to = times.next_back().filter(|time| tells(time, &ENDS))?;
    let minutes = (to.value - from.value).rem_euclid(1_440.0);
    (minutes > 0.0).then_some(Lasting { source, from, to, minutes })
}

/// How the length of what a text records follows from its times.
pub fn derived(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, figure: &Figure) -> Option<Derivation> {
    let minutes = length_told(reading, figure)?;
    archive.readings.iter().enumerate().find_map(|(at, text)| {
        let found = lasted(at, text).filter(|found| found.fits(minutes))?;
        let line = text.line_of(&found.to.tokens);
        let note = format!("From {} to {}.", shown(text, found.from), shown(text, found.to));
        Derivation::of(text, at, line..line + 1, note)
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::rules_of;

    #[test]
    fn a_record_says_how_long_it_lasted() {
        let stamped = "Call on the harbour\n\n2:10 P.M. EST\n\nWe speak of the pier. The boat of 8 p.m. is late.\n\n2:52 P.M. EST";
        let minutes = "The board was called to order at 6:00 p.m. on the pier.\n\nIt adjourned at 8:05 p.m.";
        for (fine, source) in [
            ("They spoke on a 42-minute call.", stamped),
            ("It was a meeting of two hours.", minutes),
            ("It was a two-hour board meeting.", minutes),
            ("The pier is 36 minutes away.", stamped),
        ] {
            assert!(!rules_of(fine, source).contains(&"number.worked".to_owned()), "{fine}");
        }
        for (wrong, source) in
            [("They spoke on a 36-minute call.", stamped), ("It was a meeting of three hours.", minutes)]
        {
            assert_eq!(rules_of(wrong, source), ["number.worked"], "{wrong}");
        }
    }
}

//! Dates and times of day.

use crate::{
    reading::{Figure, FigureKind, Token, Zone},
    words::calendar::{self, small_ordinal},
};
use copydesk_text::words::{NumberWord, number_word};

/// The month that a word names, from 1.
pub fn month(token: &Token) -> Option<u32> {
    calendar::month(&token.word, token.capital)
}

/// The weekday that a word names, Monday 0.
pub fn weekday(token: &Token) -> Option<u8> {
    calendar::weekday(&token.word, token.capital)
}

fn day(token: &Token) -> Option<u32> {
    let digits = token.word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ending = token.word.get(digits.len()..)?;
    if !matches!(ending, "" | "st" | "nd" | "rd" | "th") || digits.len() > 2 {
        return None;
    }
    digits.parse().ok().filter(|day| (1..=31).contains(day))
}

fn year(token: &Token) -> Option<u32> {
    (token.word.len() == 4).then(|| token.word.parse().ok()).flatten().filter(|year| (1500..2100).contains(year))
}

/// Reads a date: `Thursday, October 22, 2026`, `22 October`, `Oct. 22`, `April 2027`, `2026-10-22`.
pub fn date(text: &str, tokens: &[Token], index: usize) -> Option<Figure> {
    let token = |at: usize| tokens.get(at);
    let close = |at: usize| {
        let (Some(a), Some(b)) = (token(at), token(at + 1)) else { return false };
        text.get(a.end..b.start).is_some_and(|gap| gap.len() <= 3 && !gap.contains([';', ':', '(', '!', '?', '/']))
    };
    let first = token(index)?;
    if let Some(figure) = in_digits(text, tokens, index) {
        return Some(figure);
    }
    let named = weekday(first).filter(|_| close(index));
    let at = index + usize::from(named.is_some());
    let at = if named.is_some() && token(at).is_some_and(|t| t.word == "the") { at + 1 } else { at };
    // "In August, 18 were above the limit": a comma may separate a month from its year, but not from its day.
    let joined = |at: usize| {
        let gap = token(at).zip(token(at + 1)).and_then(|(one, other)| text.get(one.end..other.start));
        gap.is_some_and(|gap| !gap.contains(','))
    };
    let (month, day, mut end) = read_day(&token, &close, &joined, at)?;
    let year = token(end).filter(|_| close(end - 1)).and_then(year);
    if year.is_some() {
        end += 1;
    }
    let last = token(end - 1)?;
    let year = year.or_else(|| token(at).and_then(self::year));
    let value = f64::from(month * 100 + day);
    let mut found = Figure { year, ..Figure::new(FigureKind::Date, value, index..end, first.start..last.end) };
    found.written.weekday = named;
    Some(found)
}

/// Words before a day in two numbers.
const DATES: [&str; 9] = ["since", "on", "until", "from", "before", "after", "notes", "dated", "till"];

/// Reads `03/12/2024`, `3.12.2024` and `12-03-2024`. Its text does not tell the month from the day if both can be either.
fn in_digits(text: &str, tokens: &[Token], index: usize) -> Option<Figure> {
    let first = tokens.get(index)?;
    let rest = text.get(first.start..)?;
    let end = rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, '/' | '.' | '-'))).unwrap_or(rest.len());
    let written = rest.get(..end)?.trim_end_matches(['/', '.', '-']);
    let mark = written.chars().find(|c| !c.is_ascii_digit())?;
    let numbers = written.split(mark).map(|number| number.parse::<u32>().ok()).collect::<Option<Vec<u32>>>()?;
    let before = index.checked_sub(1).and_then(|at| tokens.get(at)).map_or("", |token| token.word.as_str());
    let (one, two, year) = match *numbers.as_slice() {
        [one, two, year @ 1500..2100] => (one, two, Some(year)),
        // "On leave since 4/11", as notes have it; 2/3 of them are no day.
        [two, one] if mark == '/' && DATES.contains(&before) => (one, two, None),
        _ => return None,
    };
    let date = |month: u32, day: u32| {
        ((1..=12).contains(&month) && (1..=31).contains(&day)).then(|| f64::from(month * 100 + day))
    };
    let (value, other) = match (date(two, one), date(one, two)) {
        // Points stand behind the day.
        (Some(value), other) => (value, other.filter(|_| one != two && mark != '.')),
        (None, other) => (other?, None),
    };
    let end = first.start + written.len();
    let behind = tokens.get(index..)?.partition_point(|token| token.start < end) + index;
    let mut found = Figure { year, ..Figure::new(FigureKind::Date, value, index..behind, first.start..end) };
    found.written.other = other;
    Some(found)
}

fn read_day<'a>(
    token: &impl Fn(usize) -> Option<&'a Token>,
    close: &impl Fn(usize) -> bool,
    joined: &impl Fn(usize) -> bool,
    at: usize,
) -> Option<(u32, u32, usize)> {
    if let Some(month) = month(token(at)?) {
        let next = token(at + 1).filter(|_| close(at));
        return match (next.and_then(day).filter(|_| joined(at)), next.and_then(year)) {
            (Some(day), _) => Some((month, day, at + 2)),
            (None, Some(_)) => Some((month, 0, at + 1)),
            _ => alone(token, joined, at).map(|end| (month, 0, end)),
        };
    }
    if let (Some(_), Some(month), Some(day)) = (
        year(token(at)?).filter(|_| close(at) && close(at + 1)),
        token(at + 1).filter(|t| t.word.len() == 2).and_then(|t| t.word.parse().ok()),
        token(at + 2).filter(|t| t.word.len() == 2).and_then(day),
    ) {
        return (1..=12).contains(&month).then_some((month, day, at + 3));
    }
    let (day, at) = match day(token(at)?) {
        Some(day) => (day, at),
        None => ordinal_day(token, close, at)?,
    };
    close(at).then_some(())?;
    let named = if token(at + 1).is_some_and(|t| matches!(&*t.word, "of" | "de")) { at + 2 } else { at + 1 };
    let month = month(token(named)?).filter(|_| joined(named - 1))?;
    Some((month, day, named + 1))
}

/// The day of `the first of September` and `the twenty-first of May`, and the index of its last word.
fn ordinal_day<'a>(
    token: &impl Fn(usize) -> Option<&'a Token>,
    close: &impl Fn(usize) -> bool,
    at: usize,
) -> Option<(u32, usize)> {
    let small = |at: usize| small_ordinal(&token(at)?.word);
    let (tens, last) = match &*token(at)?.word {
        "twenty" if close(at) => (20, at + 1),
        "thirty" if close(at) => (30, at + 1),
        _ => (0, at),
    };
    let day = tens + small(last).filter(|day| tens == 0 || *day < 10)?;
    token(last + 1).filter(|of| of.word == "of" && day <= 31).map(|_| (day, last))
}

/// The end of a month without day and year, if it is plainly one: `in May`, `last August`, `May last year`.
fn alone<'a>(token: &impl Fn(usize) -> Option<&'a Token>, joined: &impl Fn(usize) -> bool, at: usize) -> Option<usize> {
    let word = |at: usize| token(at).map_or("", |token| token.word.as_str());
    let line = token(at)?.line;
    let behind = matches!(word(at + 1), "last" | "this" | "next" | "that") && word(at + 2) == "year" && joined(at);
    let before = at.checked_sub(1).filter(|before| token(*before).is_some_and(|token| token.line == line));
    let told = before.is_some_and(|before| {
        matches!(
            word(before),
            "in" | "last" | "this" | "next" | "since" | "until" | "during" | "early" | "late" | "mid"
        )
    });
    // "By August Wilson"
    let names = token(at + 1).is_some_and(|next| next.capital && !next.stop && next.line == line && joined(at));
    (token(at)?.capital && (behind || told && !names)).then_some(if behind { at + 3 } else { at + 1 })
}

/// Reads a time of day: `8:20 a.m.`, `16:00`, `10 p.m.`, `7.30pm`, `noon`, `five o'clock`.
pub fn time(text: &str, tokens: &[Token], index: usize) -> Option<Figure> {
    let token = tokens.get(index)?;
    let make = |minutes: f64, half_day: bool, end: usize| {
        let bytes = token.start..tokens.get(end.checked_sub(1)?)?.end;
        Some(Figure { half_day, ..Figure::new(FigureKind::Time, minutes, index..end, bytes) })
    };
    let next = tokens.get(index + 1);
    if let Some(minutes) = named_hour(&token.word) {
        return make(minutes, true, index + 1);
    }
    if let Some(minutes) = next.and_then(|next| named_hour(&next.word))
        && matches!(token.stem.as_str(), "12" | "12:00")
    {
        return make(minutes, true, index + 2);
    }
    let close = |words: usize| {
        let row = tokens.get(index..index + words).unwrap_or_default();
        let gap = |pair: &[Token]| matches!(pair, [one, two] if text.get(one.end..two.start).is_some_and(|gap| !gap.contains(',')));
        row.windows(2).all(gap)
    };
    // "A quarter past eleven"
    let article = usize::from(token.word == "a");
    let spoken = spoken(tokens, index + article).map(|(minutes, words)| (minutes, words + article));
    if let Some((minutes, words)) = spoken.filter(|(_, words)| close(*words)) {
        let half_day = tokens.get(index + words - 1).is_some_and(|hour| named_hour(&hour.word).is_some());
        return make(minutes, half_day, index + words);
    }
    if next.is_some_and(|t| t.word == "o'clock") {
        let hour: f64 = token.stem.parse().ok()?;
        let half = part_of_day(tokens, index + 2, hour);
        let hour = half.map_or(hour, |half| hour % 12.0 + f64::from(half));
        return make(hour * 60.0, half.is_some(), index + 2);
    }
    let hours = usize::from(next.is_some_and(|next| matches!(&*next.word, "hrs" | "hours")));
    let whole = apart(tokens, index).filter(|_| close(3)).map(|minutes| (minutes, index + 3));
    let whole = whole.or_else(|| Some((military(text, tokens, index)?, index + 1 + hours)));
    if let Some((minutes, end)) = whole.or_else(|| Some((at_an_hour(tokens, index)?, index + 1))) {
        return make(minutes, true, end);
    }
    let digits = token.word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let glued = token.word.get(digits.len()..)?;
    let (hour, minute, mut end) = if let Some((hour, minute)) = digits.split_once('.').filter(|(_, m)| m.len() == 2) {
        (hour, minute, index + 1)
    } else if text.get(token.end..).is_some_and(|rest| rest.starts_with(':')) && glued.is_empty() {
        (digits, next.filter(|t| t.start == token.end + 1)?.word.get(..2)?, index + 2)
    } else {
        (digits, "00", index + 1)
    };
    let (hour, minute): (u32, u32) = (hour.parse().ok()?, minute.parse().ok()?);
    if hour > 24 || minute > 59 {
        return None;
    }
    let last = tokens.get(end - 1)?;
    let mut end_byte = last.end;
    let told = last.word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let mut half = half_day(told);
    if half.is_none() {
        let tail: String = text.get(end_byte..)?.chars().take(6).collect::<String>().to_lowercase();
        let trimmed = tail.trim_start();
        let mark = ["a.m.", "p.m.", "am", "pm", "a.m", "p.m"].into_iter().find(|mark| trimmed.starts_with(mark));
        if let Some(mark) = mark
            && !trimmed.get(mark.len()..).is_some_and(|rest| rest.starts_with(char::is_alphabetic))
        {
            end_byte += (tail.len() - trimmed.len()) + mark.len();
            half = half_day(mark);
        }
        while tokens.get(end).is_some_and(|t| t.start < end_byte) {
            end += 1;
        }
    }
    half = half.or_else(|| part_of_day(tokens, end, f64::from(hour)));
    let colon = end > index + 1 && text.get(token.end..).is_some_and(|rest| rest.starts_with(':'));
    // "At 00.48": a zero is before hours of a clock of 24 hours alone.
    let before = index.checked_sub(1).and_then(|at| tokens.get(at)).map_or("", |token| token.word.as_str());
    let at = matches!(before, "at" | "by" | "from" | "until" | "before" | "after" | "since");
    let zero = at && digits.len() == 5 && digits.starts_with('0');
    if half.is_none() && !colon && !zero {
        return None;
    }
    let hour = match half {
        Some(12) => hour % 12 + 12,
        Some(_) => hour % 12,
        None => hour % 24,
    };
    // "12:00" is noon on a clock of 24 hours and, without a word of the night, on one of twelve.
    let whole = hour == 12 && minute == 0;
    let half_day = half.is_some() || zero || hour > 12 || hour == 0 || whole;
    let mut found = Figure { end: end_byte, ..make(f64::from(hour * 60 + minute), half_day, end)? };
    found.written.zone = zone(text, tokens, end);
    Some(found)
}

/// The minutes of `14 h 15`, but not of `3 h 40 min`.
fn apart(tokens: &[Token], index: usize) -> Option<f64> {
    let [hours, h, minutes, ..] = tokens.get(index..)? else { return None };
    let lasts = tokens.get(index + 3).is_some_and(|unit| matches!(&*unit.word, "min" | "mins" | "minutes"));
    if h.word != "h" || minutes.word.len() != 2 || lasts {
        return None;
    }
    let (hours, minutes): (u32, u32) = (hours.word.parse().ok()?, minutes.word.parse().ok()?);
    (hours < 24 && minutes < 60).then(|| f64::from(hours * 60 + minutes))
}

/// The minutes of `1300 hrs`, `1300 hours`, `13h30`, and of `0412` if a line of a log begins with it.
fn military(text: &str, tokens: &[Token], index: usize) -> Option<f64> {
    let token = tokens.get(index)?;
    let behind = tokens.get(index + 1).filter(|next| text.get(token.end..next.start).is_some_and(|gap| gap.len() < 3));
    // "1545  Two cars collided"
    let parted = text
        .get(token.end..)
        .is_some_and(|rest| rest.starts_with("  ") && rest.trim_start().starts_with(char::is_uppercase));
    let logged = (token.word.starts_with('0') || parted && !in_a_time_line(text, token))
        && text.get(..token.start).is_some_and(|head| head.is_empty() || head.ends_with('\n'))
        && text.get(token.end..).is_some_and(|rest| rest.starts_with([' ', ':', '\t']));
    let (hour, minute) = match token.word.split_once('h') {
        Some(parts) => parts,
        None if token.word.len() == 4
            && (logged || behind.is_some_and(|next| matches!(&*next.word, "hrs" | "hours"))) =>
        {
            token.word.split_at_checked(2)?
        }
        None => return None,
    };
    let (hour, minute): (u32, u32) =
        (hour.parse().ok()?, if minute.len() == 2 { minute.parse().ok()? } else { return None });
    (hour <= 24 && minute < 60).then(|| f64::from(hour % 24 * 60 + minute))
}

/// Whether a number that begins a line can be a year, and those that begin the lines beside it can too: 1999, 2007, 2016.
fn in_a_time_line(text: &str, token: &Token) -> bool {
    let year = |line: &str| {
        let digits = line.get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
        digits.map(|digits| ("1800".."2100").contains(&digits))
    };
    let lines = |from: usize, to: usize| text.get(from..to).unwrap_or_default().lines().filter_map(year);
    let from = text.floor_char_boundary(token.start.saturating_sub(BESIDE));
    let to = text.ceil_char_boundary(token.end + BESIDE);
    lines(token.start, to).all(|year| year) && lines(from, token.start).all(|year| year)
}

/// Lines so many bytes before and behind are beside one.
const BESIDE: usize = 400;

/// The minutes of `at three in the morning`, but not of `three in the morning, two at night`.
fn at_an_hour(tokens: &[Token], index: usize) -> Option<f64> {
    let before = tokens.get(index.checked_sub(1)?)?;
    let told = matches!(&*before.word, "at" | "until" | "by" | "around" | "before" | "after");
    let Some(NumberWord::Unit(hour @ 1..=12)) = number_word(&tokens.get(index)?.word).filter(|_| told) else {
        return None;
    };
    let half = part_of_day(tokens, index + 1, f64::from(hour))?;
    Some(f64::from((hour % 12 + half) * 60))
}

/// 0 or 12, if the words behind a time say which half of the day it is in: `in the morning`, `at night`.
fn part_of_day(tokens: &[Token], end: usize, hour: f64) -> Option<u32> {
    let word = |at: usize| tokens.get(end + at).map_or("", |token| token.word.as_str());
    match (word(0), word(1), word(2)) {
        ("in", "the", "morning") => Some(0),
        ("in", "the", "afternoon" | "evening") => Some(12),
        ("at", "night", _) => Some(if (6.0..12.0).contains(&hour) { 12 } else { 0 }),
        _ => None,
    }
}

/// The zone behind a time.
fn zone(text: &str, tokens: &[Token], end: usize) -> Option<Zone> {
    let token = tokens.get(end)?;
    let gap = text.get(tokens.get(end.checked_sub(1)?)?.end..token.start)?;
    let next = tokens.get(end + 1).map_or("", |token| token.word.as_str());
    let bare = gap.trim_matches(['.', ' ', '(', '\u{A0}']);
    if !bare.trim_start_matches(|c: char| c.is_alphabetic() || c == '.').is_empty() {
        return None;
    }
    let (winter, summer, either) = (Some(false), Some(true), None);
    let (minutes, summer) = match text.get(token.start..token.end)? {
        "GMT" | "UTC" | "Z" | "WET" => (0, winter),
        "BST" => (0, summer),
        "CET" => (60, winter),
        "CEST" => (60, summer),
        "EET" => (120, winter),
        "EEST" => (120, summer),
        "ET" => (-300, either),
        "EST" => (-300, winter),
        "EDT" => (-300, summer),
        "CT" => (-360, either),
        "CST" => (-360, winter),
        "CDT" => (-360, summer),
        "MT" => (-420, either),
        "MST" => (-420, winter),
        "MDT" => (-420, summer),
        "PT" => (-480, either),
        "PST" => (-480, winter),
        "PDT" => (-480, summer),
        named => {
            let season = match next {
                "time" => either,
                "standard" | "mean" => winter,
                "daylight" | "summer" => summer,
                _ => return None,
            };
            let minutes = match named {
                "Greenwich" | "British" => 0,
                "Eastern" | "eastern" => -300,
                "Central" => -360,
                "Mountain" => -420,
                "Pacific" => -480,
                _ => return None,
            };
            (minutes, season)
        }
    };
    Some(Zone { minutes, summer })
}

/// The minutes of an hour that has a name of its own.
fn named_hour(word: &str) -> Option<f64> {
    match word {
        "noon" | "midday" => Some(720.0),
        "midnight" => Some(0.0),
        _ => None,
    }
}

/// Reads `half past seven`, `quarter to 8`, `ten past 6`: the minutes, and how many words it takes.
fn spoken(tokens: &[Token], index: usize) -> Option<(f64, usize)> {
    let minutes = match tokens.get(index)?.word.as_str() {
        "half" => 30.0,
        "quarter" => 15.0,
        _ => tokens.get(index)?.stem.parse::<f64>().ok().filter(|minutes| *minutes < 60.0)?,
    };
    let hour = tokens.get(index + 2)?;
    let before = tokens.get(index.saturating_sub(2)..index).unwrap_or_default();
    let digits = |at: usize| tokens.get(at).is_some_and(|token| token.word.starts_with(|c: char| c.is_ascii_digit()));
    let at = minutes < 30.0
        && !digits(index)
        && !digits(index + 2)
        && match before {
            [.., at] if at.word == "at" => true,
            [at, about] => {
                at.word == "at" && matches!(&*about.word, "about" | "around" | "roughly" | "nearly" | "almost")
            }
            _ => false,
        };
    let whole = named_hour(&hour.word);
    let hour = match whole {
        Some(minutes) => minutes,
        None => hour.stem.parse::<f64>().ok().filter(|hour| (1.0..=12.0).contains(hour))? * 60.0,
    };
    match tokens.get(index + 1)?.word.as_str() {
        "past" => Some((hour + minutes, 3)),
        "to" if whole.is_some() => Some(((hour - minutes).rem_euclid(1_440.0), 3)),
        // "Ten to twelve" can be a range, "at about ten to twelve" is none.
        "to" if matches!(tokens.get(index)?.word.as_str(), "half" | "quarter") || at => Some((hour - minutes, 3)),
        _ => None,
    }
}

/// 0 for the morning, 12 for the afternoon.
fn half_day(mark: &str) -> Option<u32> {
    match mark.replace('.', "").as_str() {
        "am" => Some(0),
        "pm" => Some(12),
        _ => None,
    }
}

/// The dates in digits of a text, with a stroke between their numbers and without leading zeros: `06.05.2021` is `6/5/2021`.
pub fn dates_in_digits(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !(c.is_ascii_digit() || matches!(c, '/' | '.' | '-'))).filter_map(|written| {
        let written = written.trim_matches(['/', '.', '-']);
        let numbers = written.split(['/', '.', '-']).map(|number| number.parse().ok());
        let numbers: Vec<u16> = numbers.collect::<Option<_>>()?;
        let [one, two, year] = *numbers.as_slice() else { return None };
        (one <= 31 && two <= 31).then(|| format!("{one}/{two}/{year}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::ParsedText;

    fn one(text: &str) -> Figure {
        ParsedText::new(text).figures.into_iter().next().unwrap()
    }

    #[test]
    fn one_day_in_many_forms() {
        let day = one("on Thursday, October 22, 2026");
        assert_eq!((day.value, day.year), (1022.0, Some(2026)));
        for other in [
            "October 22",
            "22 October 2026",
            "Oct. 22",
            "2026-10-22",
            "the 22nd of October",
            "22 october",
            "October 2026",
            "October, 2026",
            "22/10/2026",
            "10/22/2026",
            "22.10.2026",
        ] {
            assert!(day.same(&one(other)), "{other}: {:?}", one(other));
        }
        assert!(!day.same(&one("October 23")) && !day.same(&one("October 22, 2027")));
        assert!(!day.same(&one("Friday, October 22")) && !day.same(&one("Friday 22 October 2026")));
        assert!(one("3 December").same(&one("03/12/2024")) && one("March 12").same(&one("03/12/2024")));
        for none in ["Of the 18, August had most.", "they may 22 times", "May I ask", "by August Wilson"] {
            assert!(ParsedText::new(none).figures.iter().all(|figure| figure.kind != FigureKind::Date), "{none}");
        }
    }

    #[test]
    fn a_month_may_stand_alone() {
        for (text, shown) in [
            ("In August, 18 were above the limit.", "August"),
            ("It was promised in May last year.", "May last year"),
            ("They met last October.", "October"),
        ] {
            let reading = ParsedText::new(text);
            let date = reading.figures.iter().find(|figure| figure.kind == FigureKind::Date).unwrap();
            assert_eq!(reading.slice(date.start..date.end), shown);
        }
        assert!(one("in May").same(&one("May 2020")) && !one("in May").same(&one("in August")));
    }

    #[test]
    fn one_moment_in_two_zones() {
        let same = |one_text: &str, other: &str| one(one_text).same(&one(other));
        for utc in ["18:00 UTC", "19:00 UTC"] {
            assert!(same("2 p.m. Eastern time", utc) && same("2 p.m. ET", utc), "{utc}");
        }
        assert!(same("2 p.m. EDT", "18:00 UTC") && same("2 p.m. EST", "19:00 UTC") && same("3 p.m. BST", "14:00 GMT"));
        assert!(same("4 p.m. CEST", "14:00 UTC") && same("2 p.m. EDT", "2 p.m. Eastern time"));
        assert!(
            !same("2 p.m. EDT", "19:00 UTC") && !same("2 p.m. EST", "18:00 UTC") && !same("3 p.m. BST", "3 p.m. GMT")
        );
        assert!(!same("9 a.m. Central time", "9 a.m. Mountain time") && same("10 a.m. CT", "9 a.m. MT"));
    }

    #[test]
    fn one_time_in_many_forms() {
        for other in ["7:30 p.m.", "19:30", "7.30pm", "7:30 pm", "7:30", "half past seven", "7.30"] {
            assert!(one("7:30 p.m.").same(&one(other)), "{other}");
        }
        assert!(one("at 10 p.m. sharp").same(&one("22:00")) && one("five o’clock").same(&one("5 p.m.")));
        assert!(one("at six in the evening").same(&one("18:00")) && !one("by four in the morning").same(&one("16:00")));
        assert_eq!(one("Three in the morning group").kind, FigureKind::Count);
        assert!(one("at about ten to two").same(&one("1.50am")));
        assert!(one("at quarter to 8").same(&one("7:45")) && one("ten past six").same(&one("6:10 a.m.")));
        assert!(one("1 p.m.").same(&one("1300 hrs")) && one("1:30 p.m.").same(&one("13h30")));
        assert!(one("4.12 a.m.").same(&one("0412 Mayday received")) && !one("4.13 a.m.").same(&one("0412 Mayday")));
        assert!(one("midnight").same(&one("2400 hours")) && one("1300 boats").kind == FigureKind::Count);
        assert!(!one("7:30 p.m.").same(&one("7:30 a.m.")) && !one("7:30 p.m.").same(&one("7.75")));
    }
}

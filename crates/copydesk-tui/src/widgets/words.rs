//! Small formats: ages, times, tokens, cost. And cutting and wrapping text by its width on the screen.

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use ratatui::buffer::CellWidth as _;
use unicode_segmentation::UnicodeSegmentation as _;

use copydesk_config::Price;
use copydesk_newsroom::Step;
pub use copydesk_text::capital;
use copydesk_text::sanitise;

/// Columns that `text` takes; control characters are not drawn and take none.
pub fn width(text: &str) -> usize {
    graphemes(text).map(|(_, width)| width).sum()
}

fn graphemes(text: &str) -> impl DoubleEndedIterator<Item = (&str, usize)> {
    text.graphemes(true)
        .filter(|grapheme| !grapheme.contains(char::is_control))
        .map(|grapheme| (grapheme, usize::from(grapheme.cell_width())))
}

/// The first graphemes, as many as fit into `room`.
fn beginning<'t>(graphemes: impl Iterator<Item = (&'t str, usize)>, room: usize) -> impl Iterator<Item = &'t str> {
    graphemes.scan(room, |left, (grapheme, width)| {
        *left = left.checked_sub(width)?;
        Some(grapheme)
    })
}

/// A cut removes the whole word that it falls into, if no more columns than this stand before it. A longer word is cut itself.
const BEGUN: usize = 12;

/// `text` in at most `room` columns, with … if something was cut. A wide or combined character is never split, and a word only if it
/// is long for its room.
pub fn fit(text: &str, room: usize) -> String {
    if is_within(text, room) {
        return text.to_owned();
    }
    let mut cut: String = beginning(graphemes(text), room.saturating_sub(1)).collect();
    let begun =
        text.get(cut.len()..).is_some_and(|rest| !rest.starts_with(|next: char| next.is_whitespace() || next == '…'));
    let whole = cut.rsplit_once(' ').filter(|(whole, word)| begun && is_little(word, whole, room));
    if let Some(length) = whole.map(|(whole, _)| whole.len()) {
        cut.truncate(length);
    }
    let mut cut = cut.trim_end_matches(|mark: char| mark.is_whitespace() || "·–,;:(".contains(mark)).to_owned();
    if room > 0 {
        cut.push('…');
    }
    cut
}

/// Whether the begun word at a cut can go: enough is left without it.
fn is_little(word: &str, whole: &str, room: usize) -> bool {
    width(word) <= BEGUN && width(whole) * 3 >= room * 2
}

/// [`fit`] of a text from anywhere, in one line.
pub fn excerpt(text: &str, room: usize) -> String {
    fit(&sanitise::one_line(text), room)
}

/// Like [`fit`], but the end stays: for hosts and paths.
pub fn fit_end(text: &str, room: usize) -> String {
    if is_within(text, room) {
        return text.to_owned();
    }
    let mut kept: Vec<&str> = beginning(graphemes(text).rev(), room.saturating_sub(1)).collect();
    if room > 0 {
        kept.push("…");
    }
    kept.into_iter().rev().collect()
}

/// `text` with a capital at its start, unless it starts with a name such as `desk/park` or `park.md`.
pub fn sentence(text: String) -> String {
    let first = text.split_whitespace().next().unwrap_or_default();
    let word = first.trim_end_matches([',', ':', ';', '.']);
    if word.is_empty() || !text.starts_with(word) || !word.chars().all(char::is_alphabetic) {
        return text;
    }
    capital(&text)
}

/// Fewest columns of a channel that is cut: one letter of it says nothing.
const SHORTEST_CHANNEL: usize = 5;

/// The name of a story, `channel/slug`, in at most `room` columns: the slug stays readable. The channel is cut first, then left out. A slug
/// that is too long by itself loses its middle, because names of one day often begin alike.
pub fn fit_name(name: &str, room: usize) -> String {
    if is_within(name, room) {
        return name.to_owned();
    }
    let Some((channel, slug)) = name.split_once('/').filter(|_| room > 2) else { return fit_middle(name, room) };
    match room.saturating_sub(width(slug) + 1) {
        left @ SHORTEST_CHANNEL.. => format!("{}/{slug}", fit(channel, left)),
        _ => format!("…/{}", fit_middle(slug, room - 2)),
    }
}

/// Like [`fit`], but the beginning and the end stay.
fn fit_middle(text: &str, room: usize) -> String {
    let Some(left) = room.checked_sub(1).filter(|_| !is_within(text, room)) else { return fit(text, room) };
    let end = fit_end(text, left / 2 + 1);
    fit(text, left - left / 2 + 1) + end.trim_start_matches('…')
}

/// Whether it fits, without reading more of a long text than is needed to say so.
fn is_within(text: &str, room: usize) -> bool {
    graphemes(text).try_fold(room, |left, (_, width)| left.checked_sub(width)).is_some()
}

/// `text` in exactly `room` columns.
pub fn padded(text: &str, room: usize, right: bool) -> String {
    let text = fit(text, room);
    let space = " ".repeat(room.saturating_sub(width(&text)));
    if right { space + &text } else { text + &space }
}

/// `text` in lines of at most `room` columns, broken between words if they fit. Line feeds stay; indentation goes.
pub fn wrap(text: &str, room: usize) -> Vec<String> {
    if room == 0 {
        return Vec::new();
    }
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let (mut line, mut used) = (String::new(), 0);
        for word in paragraph.split_whitespace() {
            let needed = width(word);
            if used > 0 && used + 1 + needed <= room {
                line.push(' ');
                line.push_str(word);
                used += 1 + needed;
                continue;
            }
            if used > 0 {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            for (grapheme, width) in graphemes(word) {
                if used > 0 && used + width > room {
                    lines.push(std::mem::take(&mut line));
                    used = 0;
                }
                // A wide character in a pane of one column cannot be shown.
                if width <= room {
                    line.push_str(grapheme);
                    used += width;
                }
            }
        }
        lines.push(line);
    }
    lines
}

/// The first `rows` lines of [`wrap`]; the last one ends in … where more would follow.
pub fn wrap_to(text: &str, room: usize, rows: usize) -> Vec<String> {
    let mut lines = wrap(text, room);
    if lines.len() > rows {
        lines.truncate(rows);
        if let Some(last) = lines.last_mut() {
            *last = fit(&format!("{last}…"), room);
        }
    }
    lines
}

/// A name of the contract in plain words: `fact check`.
pub fn plain(name: &str) -> String {
    name.replace('_', " ")
}

/// The name of a style as forms show it: `SCIAM_MAGAZINE` is `Magazine`, `LONG_FORM` is `Long form`.
pub fn style(name: &str) -> String {
    let own = ["SCIAM_", "NATURE_"].iter().find_map(|house| name.strip_prefix(house)).unwrap_or(name);
    capital(&plain(own).to_lowercase())
}

pub use copydesk_newsroom::{age, seconds_since as since};
pub use copydesk_text::elapsed;

/// The time of day of `at` (ISO 8601), in the reader's time zone: `12:03:07`.
pub fn clock(at: &str) -> String {
    formatted(at, "%H:%M:%S")
}

/// Day and time of `at` (ISO 8601), in the reader's time zone: `6 Oct 2026 12:03`.
pub fn day_and_time(at: &str) -> String {
    formatted(at, "%-d %b %Y %H:%M")
}

/// The day of `at` (ISO 8601), in the reader's time zone: `6 Oct 2026`.
pub fn day(at: &str) -> String {
    formatted(at, "%-d %b %Y")
}

/// How long something took, from one time (ISO 8601) to another, as [`duration`].
pub fn took(from: &str, to: &str) -> Option<String> {
    let milliseconds = |at: &str| at.parse::<Timestamp>().ok().map(Timestamp::as_millisecond);
    let took = milliseconds(to)?.saturating_sub(milliseconds(from)?);
    Some(duration(u64::try_from(took).unwrap_or(0)))
}

/// Milliseconds: `0.4 s`, then as [`elapsed`].
pub fn duration(milliseconds: u64) -> String {
    match milliseconds {
        0..9_950 => format!("{}.{} s", (milliseconds + 50) / 1_000, (milliseconds + 50) % 1_000 / 100),
        _ => elapsed(milliseconds.saturating_add(500) / 1_000),
    }
}

/// The reason why a story did not succeed, as a journalist reads it: the stored text names the step and a setting by their keys.
pub fn failure(error: &str) -> String {
    let error = error.replace(" (editor_max_rounds)", "");
    let named = error.split_once(": ").and_then(|(step, why)| Some((step.parse::<Step>().ok()?, why)));
    named.map_or_else(|| error.clone(), |(step, why)| format!("{}: {why}", step.in_words()))
}

/// The day of a time in the reader's time zone.
pub fn date(at: Timestamp) -> Date {
    at.to_zoned(zone()).date()
}

fn formatted(at: &str, how: &str) -> String {
    at.parse::<Timestamp>().map_or_else(|_| at.to_owned(), |at| at.to_zoned(zone()).strftime(how).to_string())
}

/// The reader's time zone. The unit tests use UTC, so that their snapshots are the same everywhere.
pub fn zone() -> TimeZone {
    if cfg!(test) { TimeZone::UTC } else { TimeZone::system() }
}

/// Tokens: `940`, `1,234`, `12.3k`, `1.2M`.
pub fn tokens(count: u64) -> String {
    match count {
        0..10_000 => copydesk_text::thousands(count),
        10_000..1_000_000 => format!("{}.{}k", count / 1_000, count % 1_000 / 100),
        _ => format!("{}.{}M", count / 1_000_000, count % 1_000_000 / 100_000),
    }
}

/// `1 token`, `12.3k tokens`.
pub fn tokens_of(count: u64) -> String {
    format!("{} token{}", tokens(count), if count == 1 { "" } else { "s" })
}

/// The approximate cost of the tokens, if a price is configured: `USD 0.42`, or `USD 0.10-0.42` if models have different prices, because
/// the list does not know which model took which token.
pub fn cost(prompt: u64, completion: u64, prices: &[Price]) -> Option<String> {
    let first = prices.first()?;
    if prices.iter().any(|price| price.currency != first.currency) {
        return None;
    }
    let count = |tokens: u64| f64::from(u32::try_from(tokens).unwrap_or(u32::MAX)) / 1_000_000.0;
    let amounts = || {
        prices
            .iter()
            .map(|price| count(prompt) * price.prompt_per_million + count(completion) * price.completion_per_million)
    };
    let least = format!("{:.2}", amounts().fold(f64::INFINITY, f64::min));
    let most = format!("{:.2}", amounts().fold(0.0, f64::max));
    Some(if least == most {
        format!("{} {most}", first.currency)
    } else {
        format!("{} {least}-{most}", first.currency)
    })
}

pub use copydesk_text::count;

/// `texts` joined by a middle dot, empty ones left out.
pub fn dotted<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests;

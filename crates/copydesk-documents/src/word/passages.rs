//! Where words stand in the markup of a Word document: the text elements in their order, and the bytes of each.

use quick_xml::events::Event;

use super::archive::each_event;
use crate::{packed::said, unreadable::Unreadable};

/// From one place to another: the number of a text element, and a byte of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PassagePlace {
    pub(super) start: (usize, usize),
    pub(super) end: (usize, usize),
}

/// The text elements that count, numbered as they come.
#[derive(Debug, Default)]
pub(super) struct TextCount {
    /// The full name of a text element: those of formulas and drawings are none of Word's.
    name: Option<String>,
    skipped: usize,
    texts: usize,
    in_text: bool,
}

/// The prefix of an element's name, with its colon.
pub(super) fn prefix(name: &str) -> String {
    name.split_once(':').map_or_else(String::new, |(prefix, _)| format!("{prefix}:"))
}

/// Elements whose text is no part of the document as it stands.
fn is_skipped(name: &str) -> bool {
    matches!(name, "del" | "moveFrom" | "Fallback" | "instrText" | "delText")
}

impl TextCount {
    /// Takes the next event. Returns the number of the text element that it begins or ends, or stands in.
    pub(super) fn step(&mut self, event: &Event<'_>) -> Option<usize> {
        match event {
            Event::Start(tag) => {
                let name = tag.local_name();
                let full = tag.name();
                let own = self.name.get_or_insert_with(|| format!("{}t", prefix(full.as_ref())));
                if is_skipped(name.as_ref()) {
                    self.skipped += 1;
                } else if full.as_ref() == own.as_str() && self.skipped == 0 {
                    self.texts += 1;
                    self.in_text = true;
                }
                self.number()
            }
            Event::End(tag) => {
                let number = self.number();
                let name = tag.local_name();
                if is_skipped(name.as_ref()) {
                    self.skipped = self.skipped.saturating_sub(1);
                } else if self.name.as_deref() == Some(tag.name().as_ref()) {
                    self.in_text = false;
                }
                number
            }
            _ => self.number(),
        }
    }

    fn number(&self) -> Option<usize> {
        if self.in_text { self.texts.checked_sub(1) } else { None }
    }
}

/// The words of a document, each white space as one space.
#[derive(Debug, Default)]
pub(super) struct WordsInOrder {
    text: String,
    /// For each byte of `text` that begins a character: its text element, and its first and last byte there.
    places: Vec<(usize, (usize, usize, usize))>,
    /// The bytes of the first text element that has words.
    first: Option<(usize, usize)>,
}

impl WordsInOrder {
    pub(super) fn read(xml: &str) -> Result<Self, Unreadable> {
        let (mut walk, mut passages) = (TextCount::default(), Self::default());
        let mut within = 0;
        each_event(xml, |event| {
            let number = walk.step(&event);
            match &event {
                Event::Start(_) if number.is_some() => within = 0,
                // A paragraph, a tab and a line break part words.
                Event::End(tag) if tag.local_name().as_ref() == "p" => passages.part(),
                Event::Empty(tag) if matches!(tag.local_name().as_ref(), "tab" | "br" | "cr") => passages.part(),
                _ => {}
            }
            if let (Some(number), Some(said)) = (number, said(&event)) {
                passages.say(number, &mut within, &said);
            }
            Ok(())
        })?;
        Ok(passages)
    }

    fn part(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with(' ') {
            self.text.push(' ');
        }
    }

    fn say(&mut self, number: usize, within: &mut usize, said: &str) {
        for c in said.chars() {
            let from = *within;
            *within += c.len_utf8();
            if c.is_whitespace() {
                self.part();
                continue;
            }
            self.places.push((self.text.len(), (number, from, *within)));
            self.text.push(c);
            let first = self.first.get_or_insert((number, 0));
            if first.0 == number {
                first.1 = *within;
            }
        }
    }

    /// Where words stand for the time after `before` times; the last time, if they stand there less often.
    pub(super) fn find(&self, words: &str, before: usize) -> Option<PassagePlace> {
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        if words.is_empty() {
            return None;
        }
        let (at, _) = self.text.match_indices(&words).take(before.saturating_add(1)).last()?;
        let of = |byte: usize| {
            let index = self.places.partition_point(|(start, _)| *start <= byte).checked_sub(1)?;
            self.places.get(index).map(|(_, place)| *place)
        };
        let (first, last) = (of(at)?, of(at + words.len() - 1)?);
        Some(PassagePlace { start: (first.0, first.1), end: (last.0, last.2) })
    }

    /// The first words; nowhere, if there are none.
    pub(super) fn beginning(&self) -> PassagePlace {
        let (number, end) = self.first.unwrap_or((usize::MAX, 0));
        PassagePlace { start: (number, 0), end: (number, end) }
    }
}

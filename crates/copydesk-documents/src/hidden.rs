//! Text of a document that no reader sees. It is white on white, has letters of a hundredth of a point, stands beyond
//! the page's edge, is hidden by a page's markup, or is a comment. The sender of a file could otherwise decide what the
//! proof finds in it.

use std::collections::BTreeMap;

use copydesk_newsroom::HiddenText;
use copydesk_text::sanitise;

/// Most stretches that are kept.
const MOST: usize = 20;

/// Collects what is hidden while a document is read.
#[derive(Debug, Default)]
pub(super) struct Hidden {
    list: Vec<HiddenText>,
    /// The stretch that goes on.
    open: Option<(&'static str, String)>,
    /// Stretches beyond those that are kept, by how they are hidden.
    more: BTreeMap<&'static str, usize>,
}

impl Hidden {
    /// Adds to the stretch that is hidden in this way, or begins one.
    pub(super) fn say(&mut self, how: &'static str, text: &str) {
        if self.open.as_ref().is_some_and(|(open, _)| *open != how) {
            self.end();
        }
        let (_, open) = self.open.get_or_insert_with(|| (how, String::new()));
        // Only its beginning is shown.
        if open.len() < 8 * HiddenText::LONGEST {
            open.push_str(text.get(..text.len().min(8 * HiddenText::LONGEST)).unwrap_or(text));
        }
    }

    /// Ends the stretch that is open.
    pub(super) fn end(&mut self) {
        let Some((how, text)) = self.open.take() else { return };
        if sanitise::is_blank(&text) {
            return;
        }
        if self.list.len() < MOST {
            self.list.push(HiddenText { how: how.to_owned(), text: sanitise::excerpt(&text, HiddenText::LONGEST) });
        } else {
            *self.more.entry(how).or_default() += 1;
        }
    }

    pub(super) fn into_list(mut self) -> Vec<HiddenText> {
        self.end();
        let more = self.more.into_iter().map(|(how, count)| (how.to_owned(), format!("and {count} more")));
        self.list.extend(more.map(|(how, text)| HiddenText { how, text }));
        self.list
    }
}

/// Whether letters of this colour stand out from what is below them. Below this contrast (WCAG 2.2, 1.4.3 asks for 4.5), nobody reads.
pub(super) fn is_seen(letters: Rgb, below: Rgb) -> bool {
    const LEAST_CONTRAST: f64 = 1.1;
    let (one, two) = (letters.luminance() + 0.05, below.luminance() + 0.05);
    one.max(two) / one.min(two) >= LEAST_CONTRAST
}

/// The background of letters.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) enum Backdrop {
    #[default]
    Unsaid,
    /// A picture, or a colour that nobody knows.
    Unknown,
    Colour(Rgb),
}

impl Backdrop {
    /// The backdrop of a stated colour; unknown if the colour could not be read.
    pub(super) fn said(colour: Option<Rgb>) -> Self {
        colour.map_or(Self::Unknown, Self::Colour)
    }

    /// This, or the other if this is not said.
    pub(super) fn or(self, other: Self) -> Self {
        if self == Self::Unsaid { other } else { self }
    }

    /// The colour, if it is known; `page` has it if nothing is said.
    pub(super) fn on(self, page: Option<Rgb>) -> Option<Rgb> {
        match self {
            Self::Unsaid => page,
            Self::Unknown => None,
            Self::Colour(colour) => Some(colour),
        }
    }
}

/// A colour; each part from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rgb(pub(super) f64, pub(super) f64, pub(super) f64);

impl Rgb {
    pub(super) const WHITE: Self = Self(1.0, 1.0, 1.0);

    /// A colour as the web and Word write it: `#fff`, `ffffff`, `white`, `rgb(255, 255, 255)`.
    pub(super) fn parse(written: &str) -> Option<Self> {
        let written = written.trim().to_ascii_lowercase();
        match written.as_str() {
            "white" => return Some(Self::WHITE),
            "black" => return Some(Self(0.0, 0.0, 0.0)),
            _ => {}
        }
        if let Some(parts) = written.strip_prefix("rgb").and_then(|rest| rest.split_once('(')).map(|(_, rest)| rest) {
            let mut parts = parts.trim_end_matches(')').split([',', ' ', '/']).filter(|part| !part.is_empty());
            let mut part = || {
                let part = parts.next()?;
                let (number, whole) = part.strip_suffix('%').map_or((part, 255.0), |percent| (percent, 100.0));
                Some((number.parse::<f64>().ok()? / whole).clamp(0.0, 1.0))
            };
            return Some(Self(part()?, part()?, part()?));
        }
        let digits = written.strip_prefix('#').unwrap_or(&written);
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let value = |from: usize, long: usize| {
            let part = u8::from_str_radix(digits.get(from * long..(from + 1) * long)?, 16).ok()?;
            Some(f64::from(if long == 1 { part * 17 } else { part }) / 255.0)
        };
        let long = match digits.len() {
            3 | 4 => 1,
            6 | 8 => 2,
            _ => return None,
        };
        Some(Self(value(0, long)?, value(1, long)?, value(2, long)?))
    }

    /// Relative luminance (WCAG 2.2).
    fn luminance(self) -> f64 {
        let linear = |part: f64| if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) };
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_on_white_is_not_seen_and_grey_is() {
        let colour = |written| Rgb::parse(written).unwrap();
        for written in
            ["#fff", "FFFFFF", "white", "rgb(255, 255, 255)", "rgba(100% 100% 100% / 1)", "#fefefe", "#f8f8f8ff"]
        {
            assert!(!is_seen(colour(written), Rgb::WHITE), "{written}");
        }
        for written in ["#000", "black", "ddd", "rgb(200,200,200)", "#ff0000"] {
            assert!(is_seen(colour(written), Rgb::WHITE), "{written}");
        }
        assert!(is_seen(Rgb::WHITE, colour("#003366")));
        for written in ["auto", "#12345", "rgb(1,2)", "é", "currentcolor"] {
            assert_eq!(Rgb::parse(written), None, "{written}");
        }
    }

    #[test]
    fn many_stretches_are_counted() {
        let mut hidden = Hidden::default();
        for number in 0..MOST + 3 {
            hidden.say("white", &format!("{number} "));
            hidden.say("white", "words");
            hidden.end();
            hidden.say("white", " \n");
            hidden.end();
        }
        let list = hidden.into_list();
        assert_eq!(list.len(), MOST + 1);
        assert_eq!(
            (list[0].to_string(), list[MOST].to_string()),
            ("white: “0 words”".into(), "white: “and 3 more”".into())
        );
    }
}

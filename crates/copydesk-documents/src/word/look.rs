//! How the letters of a Word document look, as far as that decides whether anybody sees them.

use std::collections::HashMap;

use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};

use crate::{
    hidden::{Backdrop, Rgb, is_seen},
    markdown::STRUCK,
    packed::attribute,
};

/// How letters look.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Look {
    vanish: Option<bool>,
    struck: Option<bool>,
    /// Whether the letters are set high, as the number of a note is.
    pub(super) raised: Option<bool>,
    letters: Option<Rgb>,
    pub(super) below: Backdrop,
    half_points: Option<f64>,
}

impl Look {
    /// Letters of this size or less are no letters. Word's smallest is two.
    const TINY: f64 = 3.0;

    /// Takes in a property of letters. Returns false if the property does not change their look.
    pub(super) fn hear(&mut self, name: &str, tag: &BytesStart<'_>) -> bool {
        match name {
            "vanish" => self.vanish = Some(is_on(tag)),
            "strike" | "dstrike" => self.struck = Some(is_on(tag)),
            "vertAlign" => self.raised = Some(value(tag).as_deref() == Some("superscript")),
            "color" => {
                let theme = attribute(tag, "themeColor")
                    .is_some_and(|theme| matches!(theme.as_str(), "background1" | "light1"));
                self.letters = value(tag).as_deref().and_then(Rgb::parse).or_else(|| theme.then_some(Rgb::WHITE));
            }
            "sz" => self.half_points = value(tag).and_then(|value| value.parse().ok()),
            "highlight" => {
                // Its other colours are names that only Word knows.
                self.below = match value(tag).as_deref() {
                    None | Some("none") => Backdrop::Unsaid,
                    Some("white") => Backdrop::Colour(Rgb::WHITE),
                    Some(_) => Backdrop::Unknown,
                };
            }
            "shd" => self.below = shade(tag),
            _ => return false,
        }
        true
    }

    /// This over another.
    pub(super) fn over(self, other: Self) -> Self {
        Self {
            vanish: self.vanish.or(other.vanish),
            struck: self.struck.or(other.struck),
            raised: self.raised.or(other.raised),
            letters: self.letters.or(other.letters),
            below: self.below.or(other.below),
            half_points: self.half_points.or(other.half_points),
        }
    }

    /// How letters are hidden that look so on a page of a colour, if they are.
    pub(super) fn hides(self, page: Option<Rgb>) -> Option<&'static str> {
        if self.vanish == Some(true) {
            return Some("hidden letters");
        }
        if self.struck == Some(true) {
            return Some(STRUCK);
        }
        if self.half_points.is_some_and(|size| size <= Self::TINY) {
            return Some("letters too small to see");
        }
        let seen = self.letters.zip(self.below.on(page)).is_none_or(|(letters, below)| is_seen(letters, below));
        (!seen).then_some("letters in the colour of the page")
    }
}

/// Whether a property of letters that is on or off is on.
fn is_on(tag: &BytesStart<'_>) -> bool {
    value(tag).is_none_or(|value| !matches!(value.as_str(), "0" | "false" | "off"))
}

/// The colour of a shade; `auto` is none.
pub(super) fn shade(tag: &BytesStart<'_>) -> Backdrop {
    match attribute(tag, "fill").as_deref() {
        None | Some("auto") => Backdrop::Unsaid,
        Some(fill) => Backdrop::said(Rgb::parse(fill)),
    }
}

/// How the letters of each style look.
#[derive(Default)]
pub(super) struct Styles {
    by_name: HashMap<String, Style>,
    /// The look of all letters that no style changes.
    defaults: Look,
    /// The style of paragraphs that name none.
    plain: Option<String>,
}

#[derive(Default)]
struct Style {
    look: Look,
    /// The style that it is based on.
    base: Option<String>,
}

impl Styles {
    /// Reads `word/styles.xml`. Whatever is wrong with it, the document's text can be read.
    pub(super) fn read(xml: &str) -> Self {
        let mut reader = Reader::from_str(xml);
        let mut styles = Self::default();
        let mut open: Option<(String, Style)> = None;
        let mut in_defaults = false;
        while let Ok(event) = reader.read_event() {
            match event {
                Event::Start(tag) | Event::Empty(tag) => match tag.local_name().as_ref() {
                    "docDefaults" => in_defaults = true,
                    "style" => {
                        open = attribute(&tag, "styleId").map(|name| (name, Style::default()));
                        let is = |name: &str, values: &[&str]| {
                            attribute(&tag, name).is_some_and(|value| values.contains(&value.as_str()))
                        };
                        if is("type", &["paragraph"]) && is("default", &["1", "true", "on"]) {
                            styles.plain = attribute(&tag, "styleId");
                        }
                    }
                    "basedOn" => {
                        if let Some((_, style)) = &mut open {
                            style.base = value(&tag);
                        }
                    }
                    name => {
                        let look = match &mut open {
                            Some((_, style)) => Some(&mut style.look),
                            None => Some(&mut styles.defaults).filter(|_| in_defaults),
                        };
                        if let Some(look) = look {
                            look.hear(name, &tag);
                        }
                    }
                },
                Event::End(tag) if tag.local_name().as_ref() == "style" => styles.by_name.extend(open.take()),
                Event::End(tag) if tag.local_name().as_ref() == "docDefaults" => in_defaults = false,
                Event::Eof => break,
                _ => {}
            }
        }
        styles
    }

    /// The look of a style, with what it has from others.
    pub(super) fn named(&self, name: &str) -> Look {
        /// Most styles that are based on each other; Word allows eleven.
        const MOST: usize = 16;
        let first = self.by_name.get(name);
        let next = |style: &&Style| self.by_name.get(style.base.as_deref()?);
        std::iter::successors(first, next).take(MOST).fold(Look::default(), |look, style| look.over(style.look))
    }

    /// The look of letters that have no style of their own.
    pub(super) fn plain(&self) -> Look {
        self.plain.as_deref().map(|name| self.named(name)).unwrap_or_default().over(self.defaults)
    }
}

/// The `w:val` of an element.
pub(super) fn value(tag: &BytesStart<'_>) -> Option<String> {
    attribute(tag, "val")
}

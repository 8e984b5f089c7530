//! How a page's text looks, as far as that decides whether anybody sees it: the colour of letters and of what is below them, their size,
//! their place.
//!
//! Styles are read from the elements themselves and from the page's own sheet, there only of selectors of one name. Sheets in other files
//! are not there to be read.

use std::collections::HashMap;

use html5ever::tokenizer::Tag;

use super::{elements::VOID, unread::SkippedElement};
use crate::{
    hidden::{Backdrop, Rgb, is_seen},
    markdown::STRUCK,
};

/// Elements with a look of their own that may lie in each other.
const DEEPEST: usize = 256;
/// Most bytes of a page's own sheets.
const MOST_SHEET: usize = 1 << 20;
/// Letters of this size or less, in pixels, are no letters.
const TINY: f64 = 1.5;

const TINY_LETTERS: &str = "letters too small to see";
const SAME_COLOUR: &str = "letters in the colour of the page";
const HIDDEN_ELEMENT: &str = "a hidden element";
const OUTSIDE: &str = "text outside the page";

/// The looks of what is open.
#[derive(Default)]
pub(super) struct Looks {
    open: Vec<Look>,
    sheet: String,
    /// The style of each selector in the sheets (`p`, `.class`, `#id`).
    rules: HashMap<String, Style>,
}

struct Look {
    element: SkippedElement,
    letters: Rgb,
    below: Option<Rgb>,
    size: f64,
}

/// The style that a list of declarations sets.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Style {
    hides: Option<&'static str>,
    letters: Option<Rgb>,
    below: Backdrop,
    size: Option<Size>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Size {
    Pixels(f64),
    Share(f64),
}

impl Style {
    fn read(declarations: &str) -> Self {
        let mut style = Self::default();
        let lower = declarations.to_ascii_lowercase();
        let mut small = (false, false, false);
        for declaration in lower.split(';') {
            let Some((name, value)) = declaration.split_once(':') else { continue };
            let value = value.trim().trim_end_matches("!important").trim();
            let number = || pixels(value);
            match name.trim() {
                "display" if value == "none" => style.hides = Some(HIDDEN_ELEMENT),
                "visibility" if matches!(value, "hidden" | "collapse") => style.hides = Some(HIDDEN_ELEMENT),
                "opacity" if share(value).is_some_and(|share| share < 0.05) => style.hides = Some(HIDDEN_ELEMENT),
                "clip-path" if value.starts_with("inset(100%") || value.starts_with("circle(0") => {
                    style.hides = Some(HIDDEN_ELEMENT);
                }
                "text-decoration" | "text-decoration-line" if value.contains("line-through") => {
                    style.hides = Some(STRUCK);
                }
                "transform" if value.starts_with("scale(0)") => style.hides = Some(HIDDEN_ELEMENT),
                "text-indent" | "left" | "top" | "right" | "bottom" | "margin-left" | "margin-top"
                    if number().is_some_and(|number| number <= -500.0) =>
                {
                    style.hides = Some(OUTSIDE);
                }
                "width" | "max-width" => small.0 |= number().is_some_and(|number| number <= 1.0),
                "height" | "max-height" => small.1 |= number().is_some_and(|number| number <= 1.0),
                "overflow" => small.2 |= matches!(value, "hidden" | "clip"),
                "color" if value == "transparent" => style.hides = Some(HIDDEN_ELEMENT),
                "color" => style.letters = Rgb::parse(value).or(style.letters),
                "background" | "background-color" | "background-image" if !matches!(value, "none" | "transparent") => {
                    style.below = Backdrop::said(Rgb::parse(value));
                }
                "font-size" => style.size = size(value).or(style.size),
                "font" => style.size = value.split([' ', '/']).find_map(size).or(style.size),
                _ => {}
            }
        }
        if small.2 && (small.0 || small.1) {
            style.hides = Some(HIDDEN_ELEMENT);
        }
        style
    }

    /// Merges both styles; `over` has the last word.
    fn with(self, over: Self) -> Self {
        Self {
            hides: over.hides.or(self.hides),
            letters: over.letters.or(self.letters),
            below: over.below.or(self.below),
            size: over.size.or(self.size),
        }
    }
}

/// The number before a unit.
fn number(value: &str, unit: &str) -> Option<f64> {
    value.strip_suffix(unit)?.trim().parse().ok()
}

fn size(value: &str) -> Option<Size> {
    let share = number(value, "%").map(|percent| percent / 100.0).or_else(|| number(value, "em"));
    share.map(Size::Share).or_else(|| pixels(value).map(Size::Pixels))
}

fn pixels(value: &str) -> Option<f64> {
    number(value, "px").or_else(|| number(value, "pt").map(|points| points * 4.0 / 3.0)).or_else(|| {
        let other = ["rem", "em", "vw", "vh", "cm"].iter().find_map(|unit| number(value, unit));
        other.map(|number| number * 16.0).or_else(|| value.parse().ok().filter(|number| *number == 0.0))
    })
}

fn share(value: &str) -> Option<f64> {
    number(value, "%").map(|percent| percent / 100.0).or_else(|| value.parse().ok())
}

impl Looks {
    /// Adds to the page's own sheet.
    pub(super) fn sheet(&mut self, text: &str) {
        if self.sheet.len() + text.len() <= MOST_SHEET {
            self.sheet.push_str(text);
        }
    }

    /// The sheet is whole.
    pub(super) fn end_sheet(&mut self) {
        let sheet = std::mem::take(&mut self.sheet);
        for rule in sheet.split('}') {
            // The last brace opens the declarations; what is before it may be `@media … {`.
            let Some((before, declarations)) = rule.rsplit_once('{') else { continue };
            let selectors = before.rsplit_once('{').map_or(before, |(_, own)| own);
            let selectors = selectors.rsplit_once("*/").map_or(selectors, |(_, own)| own);
            // A rule for print hides nothing from a reader of the screen.
            if before.contains("@media") && before.contains("print") {
                continue;
            }
            let style = Style::read(declarations);
            if style == Style::default() {
                continue;
            }
            for selector in selectors.split(',').map(str::trim) {
                let name = selector.strip_prefix(['.', '#']).unwrap_or(selector);
                if !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_')) {
                    let known = self.rules.entry(selector.to_owned()).or_default();
                    *known = known.with(style);
                }
            }
        }
    }

    /// The style of an element, by the sheets and by its own attributes.
    fn style(&self, tag: &Tag) -> Style {
        let mut style = Style::default();
        let mut own = Style::default();
        let name: &str = tag.name.as_ref();
        if !self.rules.is_empty() {
            style = self.rules.get(name).copied().unwrap_or_default();
        }
        for attribute in &tag.attrs {
            let value = attribute.value.as_ref();
            match attribute.name.local.as_ref() {
                "class" if !self.rules.is_empty() => {
                    for class in value.split_ascii_whitespace().take(32) {
                        style = style.with(self.rules.get(&format!(".{class}")).copied().unwrap_or_default());
                    }
                }
                "id" if !self.rules.is_empty() => {
                    style = style.with(self.rules.get(&format!("#{value}")).copied().unwrap_or_default());
                }
                "bgcolor" => own.below = Backdrop::said(Rgb::parse(value)),
                "background" => own.below = Backdrop::Unknown,
                "color" if name == "font" => own.letters = Rgb::parse(value),
                "style" => own = own.with(Style::read(value)),
                _ => {}
            }
        }
        style.with(own)
    }

    /// How an element is hidden with all that is in it, if it is.
    pub(super) fn hides(&self, tag: &Tag) -> Option<&'static str> {
        let by_attribute = tag.attrs.iter().any(|attribute| match attribute.name.local.as_ref() {
            "hidden" => true,
            "aria-hidden" => attribute.value.trim().eq_ignore_ascii_case("true"),
            _ => false,
        });
        if by_attribute {
            Some(HIDDEN_ELEMENT)
        } else if matches!(tag.name.as_ref(), "s" | "del" | "strike") {
            Some(STRUCK)
        } else {
            self.style(tag).hides
        }
    }

    /// An element begins.
    pub(super) fn open(&mut self, tag: &Tag) {
        let name = tag.name.as_ref();
        for at in (0..self.open.len()).rev() {
            if self.open.get_mut(at).is_some_and(|look| look.element.ends_before(name)) {
                self.open.truncate(at);
            }
        }
        if VOID.contains(&name) {
            return;
        }
        let style = self.style(tag);
        if style.letters.is_none() && style.below == Backdrop::Unsaid && style.size.is_none() {
            return;
        }
        let (letters, below, size) = self
            .open
            .last()
            .map_or((Rgb(0.0, 0.0, 0.0), Some(Rgb::WHITE), 16.0), |look| (look.letters, look.below, look.size));
        let look = Look {
            element: SkippedElement::new(name),
            letters: style.letters.unwrap_or(letters),
            below: style.below.on(below),
            size: match style.size {
                Some(Size::Pixels(pixels)) => pixels,
                Some(Size::Share(share)) => share * size,
                None => size,
            },
        };
        if self.open.len() < DEEPEST {
            self.open.push(look);
        } else if let Some(last) = self.open.last_mut() {
            (last.letters, last.below, last.size) = (look.letters, look.below, look.size);
        }
    }

    /// An element ends.
    pub(super) fn shut(&mut self, name: &str) {
        for at in (0..self.open.len()).rev() {
            if self.open.get_mut(at).is_some_and(|look| look.element.ends_at(name).0) {
                self.open.truncate(at);
            }
        }
    }

    /// How what comes now is hidden, if it is.
    pub(super) fn now(&self) -> Option<&'static str> {
        let look = self.open.last()?;
        if look.size < TINY {
            return Some(TINY_LETTERS);
        }
        look.below.filter(|below| !is_seen(look.letters, *below)).map(|_| SAME_COLOUR)
    }
}

#[cfg(test)]
mod tests {
    use crate::{hidden::Hidden, web_page::read};

    fn shown(page: &str) -> (String, Vec<String>) {
        let mut hidden = Hidden::default();
        let text = read(page, &mut hidden);
        (
            text.split_whitespace().collect::<Vec<_>>().join(" "),
            hidden.into_list().iter().map(ToString::to_string).collect(),
        )
    }

    #[test]
    fn what_nobody_sees_is_set_apart() {
        for hidden in [
            "<span style=\"color:#fff\">not so</span>",
            "<span style='Color: White !important'>not so</span>",
            "<font color=white>not so</font>",
            "<div style='font-size:0'>not so</div>",
            "<span style='font-size:1px'>not so</span>",
            "<span style='font:0/0 a'>not so</span>",
            "<div style='display: none'>not so</div>",
            "<div style='opacity:0'>not so</div>",
            "<div hidden>not so</div>",
            "<span aria-hidden=true>not so</span>",
            "<span style='position:absolute;left:-9999px'>not so</span>",
            "<span style='width:1px;height:1px;overflow:hidden'>not so</span>",
            "<style>/* a */ .x, p.y { display:none }</style><b class='z x'>not so</b>",
            "<style>@media screen { #n { font-size: 0 } }</style><b id=n>not so</b>",
            "<div style='background:#000'><span style='color:#010101'>not so</span></div>",
            "<div style='color:#fff;background:#000'><div style='background:white'>not so</div></div>",
            "<div style='color:#fff'><div>not so</div></div>",
            "<ul><li style='color:#fff'>not so</li></ul>",
            "<ul><li style='color:#fff'>not so</ul>",
        ] {
            let page = format!("<p>They met.</p>{hidden}<p>They left.</p>");
            let (text, found) = shown(&page);
            assert_eq!(text, "They met. They left.", "{hidden}");
            assert!(found.len() == 1 && found[0].ends_with(": “not so”"), "{hidden}: {found:?}");
        }
    }

    #[test]
    fn what_is_seen_stays() {
        for seen in [
            "<div style='background:#036'><span style='color:#fff'>so it is</span></div>",
            "<div bgcolor=navy><font color=white>so it is</font></div>",
            "<div style='font-size:0'><p style='font-size:14px'>so it is</p></div>",
            "<p style='color:#fff'></p>so it is",
            "<style>.x { color: #fff; background: url(a.png) }</style><b class=x>so it is</b>",
            "<style>@media print { .x { display:none } }</style><b class=x>so it is</b>",
            "<p style='color:#fff'><p>so it is",
            "<p style='margin-left:-4px;font-size:90%;color:#333'>so it is",
            "<br style='font-size:0'>so it is",
        ] {
            assert_eq!(shown(seen), ("so it is".to_owned(), Vec::new()), "{seen}");
        }
    }
}

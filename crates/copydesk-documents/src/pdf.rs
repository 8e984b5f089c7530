//! PDF (ISO 32000): the text of each page, in the order in which it is drawn.
//!
//! The file is read by a library; what it calls out are glyphs with their place and, if the file's fonts tell, their letters.
//! [`lines`](super::lines) makes paragraphs of them. Artefacts of tagged files (running heads, page numbers) are left out.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
};

use hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps, InterpreterCache,
    InterpreterSettings, SoftMask,
    font::{Glyph, GlyphRun},
    hayro_cmap::BfString,
    hayro_syntax::{DecryptionError, LoadPdfError, Pdf, object::Dict},
    interpret_page,
    kurbo::{Affine, BezPath, Point, Rect},
};

use super::{
    bounds::MOST_TEXT,
    canvas::{Canvas, Sight},
    hidden::Hidden,
    hyphens,
    kind::DocumentKind,
    lines::{self, Letter},
    unreadable::Unreadable,
};
use copydesk_text::{count, places::PAGE_END};

/// The most pages that are read.
const MOST_PAGES: usize = 5_000;

/// The most letters that one page may have; a newspaper's has some thirty thousand.
const MOST_LETTERS: usize = 1 << 20;

/// Units of a font's own square (Type 1's, which the library turns the others into).
const EM: f64 = 1000.0;

/// The file's text, a blank line between paragraphs.
///
/// # Errors
/// If it is no PDF, is damaged, has a password, or holds no text.
pub(super) fn read(bytes: &[u8], notes: &mut Vec<String>, hidden: &mut Hidden) -> Result<String, Unreadable> {
    // The library is made not to panic on any file; should it do so on one, that one cannot be read.
    let pages =
        catch_unwind(AssertUnwindSafe(|| pages(bytes, hidden))).unwrap_or_else(|_| Err(broken("it is damaged")))?;
    if pages.iter().all(|page| page.paragraphs.is_empty()) {
        return Err(Unreadable::NoText { pages: pages.len() });
    }
    let empty: Vec<String> = (1..)
        .zip(&pages)
        .filter(|(_, page)| page.paragraphs.is_empty())
        .map(|(number, _): (usize, _)| number.to_string())
        .collect();
    match empty.as_slice() {
        [] => {}
        [one] => notes.push(format!("page {one} holds no text; it is perhaps a scan")),
        many => {
            let shown: Vec<&str> = many.iter().take(12).map(String::as_str).collect();
            let more = match many.len() - shown.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            notes.push(format!("pages {}{more} hold no text; they are perhaps scans", shown.join(", ")));
        }
    }
    let unknown: usize = pages.iter().map(|page| page.unknown).sum();
    if unknown > 0 {
        notes.push(format!("its fonts do not say what {} are; they are shown as �", count(unknown, "letter")));
    }
    if pages.iter().any(|page| page.recognised > 0) {
        notes.push(
            "its words lie invisibly over pictures, as text recognition writes them: compare them with the pictures"
                .into(),
        );
    }
    if pages.len() == MOST_PAGES {
        notes.push(format!("only its first {MOST_PAGES} pages were read"));
    }
    Ok(joined(pages))
}

/// The pages' paragraphs, with a mark where a page ends and another begins. One that ends in mid-sentence goes on where the next page begins
/// in small letters.
fn joined(pages: Vec<Page>) -> String {
    let mut paragraphs: Vec<String> = Vec::new();
    // The ends of pages above the paragraph that comes next.
    let mut ends = String::new();
    for page in pages {
        let mut own = page.paragraphs.into_iter();
        if let Some(first) = own.next() {
            match paragraphs.last_mut() {
                Some(last) if goes_on(last, &first) => {
                    let from = last.len();
                    lines::join(last, &first);
                    // A divided word belongs to the page on which it begins.
                    let behind = last.get(from..).and_then(|rest| rest.find(' ')).map_or(last.len(), |at| from + at);
                    last.insert_str(behind, &ends);
                    ends.clear();
                }
                Some(last) => {
                    last.push_str(&std::mem::take(&mut ends));
                    paragraphs.push(first);
                }
                None => paragraphs.push(std::mem::take(&mut ends) + &first),
            }
            paragraphs.extend(own);
        }
        ends.push_str(PAGE_END);
    }
    hyphens::settled(&paragraphs.join("\n\n"))
}

fn goes_on(last: &str, first: &str) -> bool {
    !last.ends_with(['.', '!', '?', '”', '"', ':']) && first.starts_with(char::is_lowercase)
}

struct Page {
    paragraphs: Vec<String>,
    /// Glyphs whose letters the file does not tell.
    unknown: usize,
    /// Letters that lie invisibly over a picture.
    recognised: usize,
}

fn broken(message: &str) -> Unreadable {
    Unreadable::Broken { kind: DocumentKind::Pdf, message: message.into() }
}

fn pages(bytes: &[u8], hidden: &mut Hidden) -> Result<Vec<Page>, Unreadable> {
    let pdf = Pdf::new(bytes.to_vec()).map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => Unreadable::Encrypted,
        LoadPdfError::Decryption(_) => broken("it is protected in a way that cannot be opened"),
        LoadPdfError::Invalid => broken("it is damaged, or no PDF"),
    })?;
    let cache = InterpreterCache::new();
    let mut read = Vec::new();
    let mut length = 0usize;
    for page in pdf.pages().iter().take(MOST_PAGES) {
        let mut context = Context::new(
            Affine::IDENTITY,
            Rect::new(0.0, 0.0, 1.0, 1.0),
            &cache,
            pdf.xref(),
            InterpreterSettings::default(),
        );
        let mut drawn = Drawn { canvas: Canvas::of(page.intersected_crop_box()), ..Drawn::default() };
        interpret_page(page, &mut context, &mut drawn);
        for (how, letters) in &drawn.unseen {
            hidden.say(how, &lines::paragraphs(letters).join(" "));
            hidden.end();
        }
        let paragraphs = lines::paragraphs(&drawn.letters);
        length += paragraphs.iter().map(String::len).sum::<usize>();
        if length > MOST_TEXT || drawn.letters.len() == MOST_LETTERS {
            return Err(Unreadable::TooMuch { what: "text", most: MOST_TEXT });
        }
        read.push(Page { paragraphs, unknown: drawn.unknown, recognised: drawn.recognised });
    }
    Ok(read)
}

/// The letters of a page and their background.
#[derive(Default)]
struct Drawn {
    letters: Vec<Letter>,
    unknown: usize,
    recognised: usize,
    /// The background of the letters.
    canvas: Canvas,
    /// Letters that nobody sees, by how they are hidden.
    unseen: BTreeMap<&'static str, Vec<Letter>>,
    /// The marked stretches that are open, and how many of them are artefacts.
    marked: Vec<bool>,
}

impl Device<'_> for Drawn {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, '_>, props: DrawProps<'_>, mode: &DrawMode) {
        if self.marked.contains(&true) {
            return;
        }
        let drawn = self.letters.len();
        let ink = Canvas::ink(&props.paint);
        for glyph in run.glyphs() {
            if self.letters.len() + self.unseen.values().map(Vec::len).sum::<usize>() >= MOST_LETTERS {
                return;
            }
            let place = props.transform * glyph.transform();
            let origin = place * Point::ORIGIN;
            let unit = place * Point::new(EM, 0.0) - origin;
            let size = unit.hypot();
            if !(size.is_finite() && size > 0.0 && origin.is_finite()) {
                continue;
            }
            let width = advance(glyph).map_or(0.5, |width| f64::from(width) / EM) * size;
            let text = match glyph.as_unicode() {
                Some(BfString::Char(c)) => letters(&c.to_string()),
                Some(BfString::String(text)) => letters(&text),
                None => {
                    self.unknown += 1;
                    "\u{FFFD}".to_owned()
                }
            };
            let sight = self.canvas.sight(origin, size, ink, matches!(mode, DrawMode::Invisible));
            let letters = match sight {
                Sight::Hidden(how) => self.unseen.entry(how).or_default(),
                Sight::Recognised => {
                    self.recognised += 1;
                    &mut self.letters
                }
                Sight::Seen => &mut self.letters,
            };
            letters.push(Letter { text, x: origin.x, y: origin.y, along: (unit.x / size, unit.y / size), width, size });
        }
        let (before, own) = self.letters.split_at_checked(drawn).unwrap_or_default();
        if is_drawn_twice(before, own) {
            self.letters.truncate(drawn);
        }
    }

    fn begin_marked_content(&mut self, tag: &[u8], _: Option<&Dict<'_>>) {
        self.marked.push(tag == b"Artifact");
    }

    fn end_marked_content(&mut self) {
        self.marked.pop();
    }

    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'_>, mode: &DrawMode) {
        if matches!(mode, DrawMode::Fill(_) | DrawMode::FillAndStroke(..)) {
            self.canvas.fill(path, props.transform, Canvas::ink(&props.paint));
        }
    }

    fn push_clip_path(&mut self, _: &ClipPath) {}

    fn push_transparency_group(&mut self, opacity: f32, _: Option<SoftMask<'_>>, _: BlendMode) {
        self.canvas.opacities.push(opacity);
    }

    fn draw_image(&mut self, image: Image<'_, '_>, props: ImageDrawProps<'_>) {
        self.canvas.picture(image.width(), image.height(), props.transform);
    }

    fn pop_clip(&mut self) {}

    fn pop_transparency_group(&mut self) {
        self.canvas.opacities.pop();
    }
}

/// How far the next glyph stands from this one, in units of the font's square.
fn advance(glyph: &Glyph<'_>) -> Option<f32> {
    match glyph {
        Glyph::Outline(glyph) => glyph.advance_width(),
        Glyph::Type3(glyph) => glyph.advance_width(),
    }
}

/// Whether a run's letters stand where the ones before them do: bold type is often the same word drawn twice.
fn is_drawn_twice(before: &[Letter], run: &[Letter]) -> bool {
    let near = |(one, two): (&Letter, &Letter)| {
        let reach = 0.1 * two.size;
        one.text == two.text && (one.x - two.x).abs() < reach && (one.y - two.y).abs() < reach
    };
    before.len() >= run.len() && before.iter().rev().zip(run.iter().rev()).all(near)
}

/// Letters as they are typed: a ligature is a matter of the font.
fn letters(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            'ﬀ' => out.push_str("ff"),
            'ﬁ' => out.push_str("fi"),
            'ﬂ' => out.push_str("fl"),
            'ﬃ' => out.push_str("ffi"),
            'ﬄ' => out.push_str("ffl"),
            'ﬅ' | 'ﬆ' => out.push_str("st"),
            c => out.push(c),
        }
    }
    out
}

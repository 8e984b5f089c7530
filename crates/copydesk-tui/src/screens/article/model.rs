//! An article on the screen: its layout, its marks, the reader's place and the search.

use std::sync::Arc;

use ratatui::prelude::Line;

use crate::screens::article::signing::{self, SigningNote};
use crate::widgets::markdown::Rendered;
use crate::widgets::{FieldMark, ScrolledText, TextRole, Theme, ThemeName, page, ring};
use copydesk_newsroom::ArticleResponse;

/// An article with the reader's place in it.
#[derive(Debug, Clone, Default)]
pub struct Printed {
    article: Option<Arc<ArticleResponse>>,
    marks: Vec<FieldMark>,
    hits: Vec<FieldMark>,
    /// The hit that the search shows, as an index into `hits`.
    current: Option<usize>,
    /// The first line that is shown.
    top: usize,
    /// Lines of the pane, as it was drawn last.
    height: usize,
    /// The mark to bring into sight at the next drawing, as an index into marks and hits.
    wanted: Option<usize>,
    /// The mark that was brought into sight last; none after the reader has scrolled.
    held: Option<usize>,
    /// The notes below the article, if they are shown.
    notes: Arc<[SigningNote]>,
    laid: Option<ArticleLayout>,
}

/// The article as it was laid out last.
#[derive(Debug, Clone)]
struct ArticleLayout {
    width: u16,
    theme: ThemeName,
    with_notes: bool,
    /// Lines of the article alone.
    article: usize,
    rendered: Rendered,
}

impl Printed {
    /// Shows an article with its marks; a marked excerpt is brought into sight. If the article is the same, the reader's place
    /// stays. If the marks are the same too, nothing happens.
    pub fn set(&mut self, article: &ArticleResponse, marks: Vec<FieldMark>) {
        let same = self.article.as_deref() == Some(article);
        if same && self.marks == marks {
            return;
        }
        if !same {
            self.article = Some(Arc::new(article.clone()));
            self.top = 0;
            self.hits.clear();
            self.current = None;
        }
        self.wanted = marks.iter().position(|mark| mark.role == TextRole::Excerpt);
        self.marks = marks;
        self.held = None;
        self.laid = None;
    }

    /// Sets the notes that [`Self::lay`] can put below the article.
    pub fn set_notes(&mut self, notes: Arc<[SigningNote]>) {
        self.notes = notes;
        if self.laid.as_ref().is_some_and(|laid| laid.with_notes) {
            self.laid = None;
        }
    }

    pub fn clear(&mut self) {
        *self = Self { notes: Arc::clone(&self.notes), ..Self::default() };
    }

    pub fn article(&self) -> Option<&Arc<ArticleResponse>> {
        self.article.as_ref()
    }

    /// Lays the article out again if the pane has changed, with or without the notes. Returns the lines and the index of the
    /// first one that is shown.
    pub fn lay(&mut self, width: u16, height: u16, with_notes: bool, theme: &Theme) -> (&[Line<'static>], usize) {
        self.height = usize::from(height);
        let asked = (width, theme.name, with_notes);
        if !self.laid.as_ref().is_some_and(|laid| (laid.width, laid.theme, laid.with_notes) == asked) {
            self.lay_anew(width, with_notes, theme);
        }
        let first = self.wanted.take().and_then(|mark| {
            self.held = Some(mark);
            self.laid.as_ref()?.rendered.first_line_of(mark)
        });
        if let Some(first) = first {
            let margin = (self.height / 3).min(6);
            let in_sight = first >= self.top && first + 2 < self.top + self.height;
            if !in_sight {
                self.top = first.saturating_sub(margin);
            }
        }
        self.top = self.top.min(self.count().saturating_sub(self.height));
        let lines = self.laid.as_ref().map(|laid| laid.rendered.lines.as_slice()).unwrap_or_default();
        (lines, self.top)
    }

    fn lay_anew(&mut self, width: u16, with_notes: bool, theme: &Theme) {
        let before = self.laid.as_ref().map(|laid| (laid.width, laid.rendered.lines.len()));
        let mut rendered = match &self.article {
            Some(article) => Rendered::new(article, width, theme, &self.all_marks()),
            None => Rendered::default(),
        };
        let article = rendered.lines.len();
        if with_notes && self.article.is_some() {
            rendered.lines.push(Line::default());
            rendered.lines.push(Line::styled("─".repeat(usize::from(width.min(12))), theme.dim));
            rendered.lines.extend(signing::lines(&self.notes, width, theme));
        }
        // At another width the reader stays at the mark, or about as far down.
        if let Some((_, lines)) = before.filter(|(before, _)| *before != width) {
            self.wanted = self.wanted.or(self.held);
            self.top = self.top * rendered.lines.len() / lines.max(1);
        }
        self.laid = Some(ArticleLayout { width, theme: theme.name, with_notes, article, rendered });
    }

    /// Whether the article's last line was in sight at the last drawing.
    pub fn shows_end(&self) -> bool {
        self.laid.as_ref().is_some_and(|laid| laid.article > 0 && self.top + self.height >= laid.article)
    }

    /// Lines, as laid out last.
    fn count(&self) -> usize {
        self.laid.as_ref().map_or(0, |laid| laid.rendered.lines.len())
    }

    /// All marks: first those of the concerns, then the hits.
    fn all_marks(&self) -> Vec<FieldMark> {
        let mut marks = self.marks.clone();
        marks.extend(self.hits.iter().enumerate().map(|(place, hit)| FieldMark {
            role: if Some(place) == self.current { TextRole::CurrentHit } else { TextRole::Hit },
            ..hit.clone()
        }));
        marks
    }

    /// How far down the reader is, in percent.
    pub fn position(&self) -> usize {
        match self.count().saturating_sub(self.height) {
            0 => 100,
            last => self.top * 100 / last,
        }
    }

    /// Whether all of it is seen at once.
    pub fn is_all_seen(&self) -> bool {
        self.count() <= self.height
    }

    fn show_hit(&mut self) {
        self.wanted = self.current.map(|current| self.marks.len() + current);
        self.laid = None;
    }
}

impl ScrolledText for Printed {
    fn scroll_by(&mut self, lines: isize) {
        self.held = None;
        self.top = self.top.saturating_add_signed(lines).min(self.count().saturating_sub(self.height));
    }

    fn page_rows(&self) -> isize {
        isize::try_from(self.height.saturating_sub(1).max(1)).unwrap_or(1)
    }

    /// Searches every field, and shows the first hit.
    fn search(&mut self, query: &str) -> usize {
        let Some(article) = self.article.clone() else { return 0 };
        self.hits = article
            .fields()
            .into_iter()
            .flat_map(|(field, text)| {
                page::find(text, query).into_iter().map(move |range| FieldMark { field, range, role: TextRole::Hit })
            })
            .collect();
        self.current = (!self.hits.is_empty()).then_some(0);
        self.show_hit();
        self.hits.len()
    }

    fn go_to_hit(&mut self, next: bool) {
        self.current = self.current.map(|current| ring::step(current, if next { 1 } else { -1 }, self.hits.len()));
        self.show_hit();
    }

    fn end_search(&mut self) {
        self.hits.clear();
        self.current = None;
        self.laid = None;
    }

    fn hit(&self) -> Option<(usize, usize)> {
        self.current.map(|current| (current + 1, self.hits.len()))
    }

    fn selected(&self) -> Arc<str> {
        Arc::from(self.article().map_or("", |article| article.articleBody.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{screens::article::signing::Weight, widgets::theme::ThemeName};
    use copydesk_core::editorial::testing::article;

    fn long() -> ArticleResponse {
        let body: Vec<String> = (1..=40).map(|number| format!("Paragraph {number} of the story.")).collect();
        article(&body.join("\n\n"))
    }

    fn mark(article: &ArticleResponse, words: &str) -> FieldMark {
        let start = article.articleBody.find(words).unwrap();
        FieldMark { field: "articleBody", range: start..start + words.len(), role: TextRole::Excerpt }
    }

    fn shown(printed: &mut Printed, width: u16) -> Vec<String> {
        let (lines, top) = printed.lay(width, 8, false, &Theme::named(ThemeName::Dark));
        lines.iter().skip(top).take(8).map(ToString::to_string).collect()
    }

    #[test]
    fn the_excerpt_stays_in_sight_at_another_width_until_the_reader_goes_elsewhere() {
        let article = long();
        let mut printed = Printed::default();
        printed.set(&article, vec![mark(&article, "Paragraph 20")]);
        for width in [60, 9, 30] {
            assert!(shown(&mut printed, width).iter().any(|line| line.starts_with("Paragraph")), "{width}");
            assert!(shown(&mut printed, width).join(" ").contains("20"), "{width}");
        }
        printed.scroll_by(-1_000);
        assert_eq!(shown(&mut printed, 30)[0], "Headline");
        assert_eq!(shown(&mut printed, 60)[0], "Headline");
        // News that changes nothing does not move the page.
        printed.set(&article, vec![mark(&article, "Paragraph 20")]);
        assert_eq!(shown(&mut printed, 60)[0], "Headline");
        printed.set(&article, vec![mark(&article, "Paragraph 30")]);
        assert!(shown(&mut printed, 60).contains(&"Paragraph 30 of the story.".to_owned()));
    }

    #[test]
    fn what_should_be_known_stands_below_the_article_where_it_is_asked_for() {
        let mut printed = Printed::default();
        printed.set(&article("One paragraph."), Vec::new());
        printed.set_notes(Arc::from([SigningNote { weight: Weight::Open, text: "one concern is open".into() }]));
        let theme = Theme::named(ThemeName::Dark);
        let last = |printed: &mut Printed, with_notes| {
            let (lines, _) = printed.lay(40, 3, with_notes, &theme);
            lines.last().map(ToString::to_string)
        };
        assert_eq!(last(&mut printed, false).as_deref(), Some("One paragraph."));
        assert_eq!(last(&mut printed, true).as_deref(), Some("! one concern is open"));
        printed.clear();
        assert_eq!(last(&mut printed, true), None, "no article, nothing to sign");
    }
}

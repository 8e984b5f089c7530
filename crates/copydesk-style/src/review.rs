//! Everything that house style has to say of an article.

use super::{
    names::{Dictionary, names_in},
    note::{StyleNote, sort},
    page::ProsePage,
    readability::Readability,
    rules::Style,
    spelling,
};
use copydesk_newsroom::ArticleResponse;
use copydesk_text::spelling::HouseSpelling;

/// The review of an article by house style.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StyleReview {
    /// The notes, in the order of the article's fields.
    pub notes: Vec<StyleNote>,
    /// How hard it is to read; none if it has no word.
    pub readability: Option<Readability>,
}

impl StyleReview {
    /// Checks `article` against `style` and, if a spelling is given, against the rules of grammar and the dictionaries. Names and
    /// words that `dictionary` has are right as they are.
    pub fn new(
        article: &ArticleResponse,
        dictionary: &Dictionary,
        style: &Style,
        spelling: Option<HouseSpelling>,
    ) -> Self {
        let page = ProsePage::new(article);
        let names = names_in(&page, dictionary);
        let mut notes = style.notes(&page, &names);
        if let Some(spelling) = spelling {
            notes.extend(Style::grammar().notes(&page, &names));
            notes.extend(spelling::notes(&page, dictionary, spelling));
        }
        sort(&mut notes);
        Self { notes, readability: Readability::of(article) }
    }
}

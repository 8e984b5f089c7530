//! Notes that an editor accepts, put into the text.

use copydesk_newsroom::{ArticleResponse, PublishingNote};

/// Why notes cannot be put into a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotApply {
    /// The rule does not know what to write.
    #[error("note {0} names no words to write. Change the text yourself (edit FILE), or leave it")]
    NoWords(usize),
    /// The article has another text there.
    #[error("note {0} is about words that do not stand there any more")]
    Changed(usize),
    /// Two notes are about the same words.
    #[error("notes {0} and {1} are about the same words. Accept one of them")]
    Overlap(usize, usize),
}

/// The article with the notes of these numbers done.
///
/// # Errors
/// [`CannotApply`] if one of them cannot be done; then none is.
pub fn applied(article: &ArticleResponse, notes: &[(usize, &PublishingNote)]) -> Result<ArticleResponse, CannotApply> {
    let mut ordered = notes.to_vec();
    // From the end, so that the places before stay where they are.
    ordered.sort_by_key(|(_, note)| (note.field.as_str(), std::cmp::Reverse(note.start)));
    for pair in ordered.windows(2) {
        let [(later, after), (earlier, before)] = pair else { continue };
        let meets = before.end > after.start || before.start == after.start;
        if before.field == after.field && meets {
            return Err(CannotApply::Overlap(*earlier.min(later), *earlier.max(later)));
        }
    }
    let mut article = article.clone();
    for (number, note) in ordered {
        let words = note.replacement.as_ref().ok_or(CannotApply::NoWords(number))?;
        let text = article.field(&note.field).map(str::to_owned);
        let text = text.filter(|text| text.get(note.start..note.end) == Some(note.text.as_str()));
        let mut text = text.ok_or(CannotApply::Changed(number))?;
        text.replace_range(note.start..note.end, words);
        article = article.map(|name, old| if name == note.field { text.clone() } else { old.to_owned() });
    }
    Ok(article)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::article;
    use copydesk_newsroom::PublishingCheck;

    fn note(start: usize, text: &str, replacement: Option<&str>) -> PublishingNote {
        PublishingNote {
            check: PublishingCheck::Accessibility,
            field: "articleBody".into(),
            start,
            end: start + text.len(),
            text: text.into(),
            what: "It is spelt out aloud.".into(),
            fix: "Write it.".into(),
            replacement: replacement.map(str::to_owned),
            by_model: false,
        }
    }

    #[test]
    fn all_notes_are_done_or_none() {
        let draft = article("They came w/ tea w/o milk.");
        let (with, without) = (note(10, "w/", Some("with")), note(17, "w/o", Some("without")));
        let done = applied(&draft, &[(1, &with), (2, &without)]).unwrap();
        assert_eq!(done, ArticleResponse { articleBody: "They came with tea without milk.".into(), ..draft.clone() });
        assert_eq!(applied(&draft, &[(1, &with), (3, &with)]), Err(CannotApply::Overlap(1, 3)));
        assert_eq!(applied(&draft, &[(4, &note(10, "w/", None))]), Err(CannotApply::NoWords(4)));
        assert_eq!(applied(&done, &[(2, &without)]), Err(CannotApply::Changed(2)));
        assert_eq!(with.line(), "Accessibility, “w/”: It is spelt out aloud. Write it.");
    }
}

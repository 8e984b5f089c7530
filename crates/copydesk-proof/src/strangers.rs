//! The names of a text that no source has, also at the head of a sentence.
//!
//! The proof of a draft judges no single word there, because each has a capital. An answer of a model is short, and no person wrote it. So a word
//! at the head counts as a name if no dictionary has it in small letters.

use std::ops::Range;

use copydesk_newsroom::{ArticleResponse, Source};
use copydesk_text::spelling::is_word;

use crate::{
    reading::{Name, Token, opens},
    rules::name::not_found::{RULE, is_unknown, stranger},
    sources::{DraftField, ProofTexts, Spot},
    words::{COMMON, base, entries, is_title, names::names_no_person},
};

/// The rule of rows about such names in a draft.
pub const NAME_NOT_FOUND: &str = RULE.name;

/// The names of a text that none of the sources has in any form, in bytes and in order. Names in quotations are left out. Sources in another
/// language than English give none, because a capital says nothing there.
#[must_use]
pub fn strangers(text: &str, sources: &[Source]) -> Vec<Range<usize>> {
    let article = ArticleResponse { articleBody: text.to_owned(), ..ArticleResponse::default() };
    let texts = ProofTexts::new(&article, sources);
    if texts.foreign {
        return Vec::new();
    }
    let names = texts.names().filter(|Spot { field, item, .. }| is_strange(&texts, field, item));
    let mut found: Vec<Range<usize>> = names.map(|Spot { item, .. }| item.start..item.end).collect();
    found.sort_by_key(|range| range.start);
    found
}

fn is_strange(texts: &ProofTexts<'_>, field: &DraftField<'_>, name: &Name) -> bool {
    let Some(tokens) = field.reading.tokens.get(name.tokens.clone()) else { return false };
    if tokens.iter().any(Token::quoted) {
        return false;
    }
    let is_plain = |place: usize, token: &Token| {
        let word = base(&token.word);
        opens(&field.reading, name.tokens.start + place)
            && (is_word(word) || !entries(word).is_empty() || is_title(word) || word.ends_with("ly"))
    };
    // "Americans" names no more than "American" does.
    let is_common = |token: &Token| COMMON.contains(base(&token.word).trim_end_matches('s'));
    let strange = |(place, token): &(usize, &Token)| {
        let is_name = token.capital && !is_plain(*place, token) && !is_common(token);
        is_name && is_unknown(texts, &field.reading, token)
    };
    let unknown: Vec<&Token> = tokens.iter().enumerate().filter(strange).map(|(_, token)| token).collect();
    // "City Council" names nothing that "the council" does not.
    let is_kind = unknown.iter().all(|token| names_no_person(base(&token.word)));
    !unknown.is_empty() && !is_kind && stranger(texts, field, name, &unknown).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTES: &str = "The council of Eastbrook voted 7-2 on Tuesday to renovate Miller Park. Mayor Inez Calloway spoke for the \
                           Environmental Protection Agency. The Swedish engineers left early, and the plan costs $2.4 million.";

    fn found(text: &str) -> Vec<&str> {
        let sources = [Source { name: "Minutes".into(), text: MINUTES.into() }];
        strangers(text, &sources).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn a_name_that_no_source_has_is_found_wherever_it_stands() {
        for (text, names) in [
            ("The council of Eastbrook in Ohio voted 7-2.", &["Ohio"][..]),
            ("The plan in Ohio costs $2.4 million.", &["Ohio"]),
            ("Ohio approved the plan.", &["Ohio"]),
            ("Ohio's council approved the plan.", &["Ohio"]),
            ("Mayor Inez Calloway of Springfield spoke with Conrad Ohm.", &["Springfield", "Conrad Ohm"]),
            ("In Germany, Calloway met Harvard University.", &["Germany", "Harvard University"]),
        ] {
            assert_eq!(found(text), names, "{text}");
        }
    }

    #[test]
    fn a_name_of_the_sources_is_none_in_any_form() {
        for text in [
            "Ms. Calloway, the Calloways and Calloway’s aides met in Eastbrook's Miller Park.",
            "Inez Calloway is the mayor. She spoke for the EPA on Tuesday.",
            "Mayor Calloway, said the Environmental Protection Agency, left for Sweden.",
            "Yesterday the Council voted. Finally, Americans paid $2.4 million.",
            "However, Park visitors gained. Renovation costs $2.4 million.",
            "The City Council and the Parks Department of Eastbrook voted.",
            "He said “Ohio”.",
            "",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}

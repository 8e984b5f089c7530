//! The line about artificial intelligence in an exported article, for its readers.

use copydesk_newsroom::Disclosure;

/// The line that a reader sees; none if the newsroom discloses nothing. `signed_by`: the person who approved exactly this text.
#[must_use]
pub fn disclosure_line(disclosure: Disclosure, signed_by: Option<&str>) -> Option<String> {
    let made = match disclosure {
        Disclosure::None => return None,
        Disclosure::AiAssisted => "This article was made with the help of artificial intelligence (AI).",
        Disclosure::AiGenerated => "This article was written by artificial intelligence (AI).",
    };
    Some(match signed_by {
        Some(editor) => format!("{made} {editor} approved it for publication."),
        None => format!("{made} Nobody has approved it for publication yet."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_made_the_article_and_who_approved_it() {
        assert_eq!(disclosure_line(Disclosure::None, Some("Ada")), None);
        assert_eq!(
            disclosure_line(Disclosure::AiAssisted, Some("Ada")).unwrap(),
            "This article was made with the help of artificial intelligence (AI). Ada approved it for publication."
        );
        assert_eq!(
            disclosure_line(Disclosure::AiGenerated, None).unwrap(),
            "This article was written by artificial intelligence (AI). Nobody has approved it for publication yet."
        );
    }

    #[test]
    fn the_words_of_the_configuration_are_the_stored_ones() {
        for (name, disclosure) in Disclosure::ALL {
            assert_eq!((disclosure.name(), serde_json::to_value(disclosure).unwrap()), (name, name.into()));
            assert_eq!(disclosure.is_none(), disclosure == Disclosure::None);
        }
    }
}

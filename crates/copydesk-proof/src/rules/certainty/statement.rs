//! The repair of an overstatement: the source's own sentence, if it can stand alone.

use crate::rules::prelude::*;

/// A source's sentence in the form in which a draft can take it, in one line. None if its speaker says `I`, if a
/// quotation mark is left open, or if it refers back to something that the draft may not have.
pub fn of(archive: &SourceArchive<'_>, place: SourceLine) -> Option<String> {
    let text = archive.reading(place)?.line_text(place.line);
    if archive.line(place)?.label.is_some() || archive.tokens(place).iter().any(Token::quoted) {
        return None;
    }
    let line = one_line(text);
    if line.contains(['“', '”', '"', '[', ']', '(', '\u{2018}']) {
        return None;
    }
    let reading = ParsedText::new(&line);
    let speaks = |token: &Token| {
        let word = token.word.split('\'').next().unwrap_or_default();
        matches!(word, "i" | "we" | "my" | "our" | "me" | "us" | "you" | "your" | "mine" | "ours")
    };
    let named = |at: usize| reading.tokens.iter().take(at).skip(1).any(|token| token.capital);
    let points = |(at, token): (usize, &Token)| match token.word.as_str() {
        "this" | "these" | "those" => true,
        // In the draft, `she` would be the last woman before this sentence.
        "he" | "she" | "they" | "his" | "her" | "their" | "him" | "them" => !named(at),
        "it" | "its" | "and" | "but" | "so" | "also" | "there" => at == 0,
        "that" => at == 0 || at + 3 > reading.tokens.len(),
        _ => false,
    };
    let whole = line.starts_with(char::is_uppercase) && line.ends_with(['.', '!']);
    let stands = !reading.tokens.iter().any(speaks) && !reading.tokens.iter().enumerate().any(points);
    (whole && stands && reading.lines.len() == 1).then_some(line)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    #[test]
    fn what_a_speaker_says_of_himself_softens_the_sentence_and_stands_in_no_draft() {
        let repairs = |source: &str| {
            let draft = "The old mill will open in the spring of next year with eleven rooms.";
            check_texts(draft, source).into_iter().map(|f| f.replacement).collect::<Vec<_>>()
        };
        let plain = "The old mill could open in the spring of next year with eleven rooms.";
        assert_eq!(repairs(plain), [Some(plain.to_owned())]);
        for spoken in [
            "LUND: The old mill could open in the spring of next year with eleven rooms.",
            "I guess that the old mill could open in the spring of next year with eleven rooms.",
            "This old mill could open in the spring of next year with eleven rooms.",
        ] {
            // The draft's own sentence may be as open as that.
            assert_eq!(repairs(spoken), [Some(plain.to_owned())], "{spoken}");
        }
    }
}

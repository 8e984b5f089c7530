//! The text that speaks of itself: `The article continues with the following facts`.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    name: "comment.itself",
    kind: SpanKind::Support,
    standing: Standing::NotFound,
    concern_type: ConcernType::Editorializing,
    why: "The text speaks of itself instead of telling the story.",
    source: "An article, a text, a paragraph or a list of facts that discusses, continues or concludes, if no source has this word.",
    ..Rule::USUAL
};

/// The nouns with which a text refers to itself.
static ITSELF: WordList =
    words("article articles text paragraph paragraphs passage section summary story piece narrative facts points");

/// Words before it.
static BEFORE: WordList = words("the this our following above these");

/// The verbs with which a text refers to itself. A person in the story does most of these too, so the text must be their subject.
static TELLS: WordList = words(
    "continue continues conclude concludes highlight highlights discuss discusses describe describes mention mentions note notes \
     emphasize emphasizes emphasise emphasises provide provides cover covers focus focuses detail details outline outlines explore \
     explores begin begins end ends explain explains state states underscore underscores summarize summarizes summarise summarises \
     present presents are is",
);

/// The verb stands so near.
const NEAR: usize = 2;

/// Enters the words with which a sentence speaks of the text.
pub fn check(ledger: &mut LedgerWriter<'_, '_>, field: &DraftField<'_>, line: usize) {
    if !ledger.asks(&RULE) {
        return;
    }
    let tokens = field.reading.line_tokens(line);
    let archive = &ledger.texts.archive;
    for (at, pair) in tokens.windows(2).enumerate() {
        let [before, noun] = pair else { continue };
        let names_itself =
            ITSELF.contains(&noun.word) && BEFORE.contains(&before.word) && !noun.quoted() && !archive.has(&noun.word);
        let mut behind = tokens.get(at + 2..).unwrap_or_default().iter().take(NEAR);
        // “The following facts” speaks of the text without a verb.
        let last = match &*before.word {
            "following" | "above" => Some(noun),
            _ => behind.find(|token| TELLS.contains(&token.word)),
        };
        if let Some(end) = last.filter(|_| names_itself) {
            ledger.enter(Fault::new(&RULE, field, before.start..end.end).note(RULE.why.to_owned()));
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    fn found(draft: &str, source: &str) -> Vec<String> {
        let found = check_texts(draft, source).into_iter().filter(|found| found.rule == "comment.itself");
        found.map(|found| found.text).collect()
    }

    #[test]
    fn a_text_that_speaks_of_itself_is_found() {
        let source = "The council voted for a new dock.";
        assert_eq!(found("The article continues with the vote.", source), ["The article continues"]);
        assert_eq!(found("The council voted on the following facts.", source), ["following facts"]);
        assert_eq!(found("This piece also covers the vote.", source), ["This piece also covers"]);
    }

    #[test]
    fn an_article_that_the_source_speaks_of_is_not() {
        assert_eq!(found("The article describes a dock.", "Her article of 1931 was about the dock."), [""; 0]);
        assert_eq!(found("She wrote the article in May.", "The council voted for a new dock."), [""; 0]);
    }
}

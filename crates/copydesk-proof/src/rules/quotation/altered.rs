//! A quotation whose words differ from the source.
//!
//! Why: one changed word, and the speaker has said something else. The most similar passage gives the right words if
//! a whole sentence of it fits.

use crate::{
    reading::{Stream, resemblance::Resemblance},
    rules::{
        prelude::*,
        quotation::{not_found, pieces::pieces},
    },
};
use copydesk_text::capital;

pub static RULE: Rule = Rule {
    name: "quotation.altered",
    kind: SpanKind::Quotation,
    standing: Standing::Altered,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Block,
    why: "The source has other words here.",
    source: "Case, white space, typographic marks and Markdown may differ, and what an ellipsis or brackets leave out; the words may not.",
    measured: Some(Measured { right: 8248, of: 8248, on: "the quotation set" }),
};

/// The passage that a quotation most likely comes from.
pub fn nearest(texts: &ProofTexts<'_>, field: &DraftField<'_>, piece: &Range<usize>) -> Option<Resemblance> {
    let reading = &field.reading;
    let tokens: Vec<&Token> = reading.between(piece.start, piece.end).iter().filter(|token| !token.aside()).collect();
    let needle: Vec<u32> = tokens.iter().map(|token| texts.stream.look_up(&token.word)).collect();
    let near = texts.closest(&needle)?;
    let content = tokens.iter().filter(|token| !token.stop).count().max(1);
    let long = near.tokens.len() > tokens.len() * 2 + 4;
    // Common words match anywhere: more than half of the words must agree, and at least three.
    let enough = near.agreeing * 100 >= tokens.len() * 58 && near.agreeing >= content.min(3);
    (!long && enough).then_some(near)
}

/// The finding at words that no source has as they stand.
pub fn judge(texts: &ProofTexts<'_>, field: &DraftField<'_>, piece: Range<usize>) -> Fault {
    let reading = &field.reading;
    let near = nearest(texts, field, &piece);
    let Some((source, near)) = near.and_then(|near| Some((texts.archive.readings.get(near.source)?, near))) else {
        return Fault::new(&not_found::RULE, field, piece);
    };
    let stretch = sentence(&texts.stream, source, &near);
    let count = reading.between(piece.start, piece.end).len();
    let text = reading.slice(piece.clone());
    let ends = stretch.first().zip(stretch.last());
    let span = ends.and_then(|(first, last)| source.span_of(&(*first..last + 1)));
    let passage = span.clone().and_then(|span| texts.archive.span(near.source, span.start, span.end));
    // A whole sentence does not fit into a fragment of the draft's sentence, nor into an elision.
    let opens = text.starts_with(char::is_uppercase);
    let whole = opens && pieces(reading, piece.clone(), &texts.stream, true, false).plain();
    let room = stretch.len() <= count * 2 + 2;
    let behind = span.and_then(|span| source.text.get(span.end..)).unwrap_or_default();
    let stop = ["?", "!"].into_iter().find(|mark| behind.starts_with(*mark)).unwrap_or_default();
    let words = own_words(source, &stretch);
    let words = (whole && room && !words.is_empty()).then(|| dress(&words, stop, reading, &piece));
    let words = words.filter(|words| words != text);
    Fault::new(&RULE, field, piece).passage(passage).replacement(words)
}

/// The source's words that the quotation should have: the similar stretch, extended to its whole sentence within the
/// quotation marks.
fn sentence(stream: &Stream, reading: &ParsedText<'_>, near: &Resemblance) -> Vec<usize> {
    let voice = |at: usize| reading.tokens.get(at).map(|token| (token.line, token.quoted()));
    let further = |from: Option<&usize>, behind: bool| {
        let next = |at: &usize| {
            stream.beside(near.source, *at, behind).filter(|next| voice(*at).is_some() && voice(*next) == voice(*at))
        };
        std::iter::successors(from.and_then(next), next).collect::<Vec<usize>>()
    };
    let mut found = further(near.tokens.first(), false);
    found.reverse();
    found.extend(near.tokens.iter().filter(|at| reading.tokens.get(**at).is_some_and(|token| !token.aside())));
    found.extend(further(near.tokens.last(), true));
    found
}

/// The source's text for some of its words, in one line. If words between were left out, the pieces are joined.
fn own_words(reading: &ParsedText<'_>, tokens: &[usize]) -> String {
    let pieces: Vec<&[usize]> = tokens.chunk_by(|one, other| one + 1 == *other).collect();
    let text = pieces.iter().enumerate().filter_map(|(at, piece)| {
        let (first, last) = (reading.tokens.get(*piece.first()?)?, reading.tokens.get(*piece.last()?)?);
        // Keeps the comma or full stop of a piece before another one, but not its quotation mark.
        let tail = reading.text.get(last.end..).filter(|_| at + 1 < pieces.len()).unwrap_or_default();
        let marks = tail.len() - tail.trim_start_matches([',', '.', '!', '?', ';']).len();
        Some(reading.slice(first.start..last.end + marks))
    });
    one_line(&text.collect::<Vec<&str>>().join(" ").replace(['“', '”', '"'], ""))
}

/// The source's words with the draft's closing punctuation, or with the source's question mark.
fn dress(words: &str, stop: &str, reading: &ParsedText<'_>, piece: &Range<usize>) -> String {
    let last = reading.between(piece.start, piece.end).last().map_or(piece.end, |token| token.end);
    let tail = reading.text.get(last..piece.end).unwrap_or_default();
    // "Who pays?" for "Who paid,": the source's mark replaces the draft's comma or full stop.
    let tail = if stop.is_empty() { tail.to_owned() } else { tail.replacen([',', '.', '?', '!'], stop, 1) };
    format!("{}{tail}", capital(words))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    const SOURCE: &str = "Inez Calloway spoke in favor. \"I can get to the gate,\" she said. \"In eleven years I have not \
                          once got to the pond.\"\n\nVOSS: We vote on Thursday, and I would not call it a party.";

    fn rules(draft: &str) -> Vec<(String, String, Option<String>)> {
        check_texts(draft, SOURCE).into_iter().map(|f| (f.rule, f.text, f.replacement)).collect()
    }

    #[test]
    fn a_quotation_may_differ_in_case_typography_and_punctuation() {
        for fine in [
            "“In eleven years I have not once got to the pond,” Calloway said.",
            "Calloway said “I have not once got to the pond.”",
            "“I can get to the gate. In eleven years I have not once got to the pond,” Calloway said.",
            "“In eleven years … not once got to the pond,” Calloway said.",
            "“I would not call [the hearing] a party,” Voss said.",
        ] {
            assert_eq!(rules(fine), [], "{fine}");
        }
    }

    #[test]
    fn changed_words_are_altered_and_the_source_has_the_right_ones() {
        assert_eq!(
            rules("“In eleven years I have only once got to the pond,” Calloway said."),
            [(
                "quotation.altered".to_owned(),
                "In eleven years I have only once got to the pond,".to_owned(),
                Some("In eleven years I have not once got to the pond,".to_owned())
            )]
        );
    }

    #[test]
    fn quotations_in_single_marks_are_checked_as_those_in_double_ones() {
        for fine in [
            "‘In eleven years I have not once got to the pond,’ Calloway said.",
            "'In eleven years I have not once got to the pond,' Calloway said. \"I can get to the gate.\"",
            "The workers' union didn't go to the dogs' home of the '90s, Calloway said.",
        ] {
            assert!(rules(fine).iter().all(|(rule, ..)| !rule.starts_with("quotation")), "{fine}: {:?}", rules(fine));
        }
        for wrong in [
            "‘In eleven years I have only once got to the pond,’ Calloway said. “I can get to the gate.”",
            "'In eleven years I have only once got to the pond,' Calloway said of the workers' union.",
        ] {
            let found: Vec<String> = rules(wrong).into_iter().map(|(rule, ..)| rule).collect();
            assert!(found.contains(&"quotation.altered".to_owned()), "{wrong}: {found:?}");
        }
    }

    #[test]
    fn a_sentence_is_given_back_to_its_end() {
        assert_eq!(
            check_texts(
                "“The dogs are at school, and the cat too,” Brand said.",
                "BRAND: The dogs are at school, and the cat isn’t."
            )
            .into_iter()
            .map(|f| f.replacement)
            .collect::<Vec<_>>(),
            [Some("The dogs are at school, and the cat isn’t,".to_owned())]
        );
        // A fragment within the draft's own sentence cannot take a whole sentence of the source.
        let found = rules("In all those years she has “not even once got to the pond,” Calloway said.");
        assert_eq!(found.iter().map(|(_, _, new)| new.as_deref()).collect::<Vec<_>>(), [None]);
    }
}

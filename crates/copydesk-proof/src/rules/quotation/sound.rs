//! The row of a quotation that is in order.

use crate::{
    reading::StreamMatch,
    rules::{prelude::*, quotation::pieces::QuotePieces},
};

/// The row of a quotation that `passage` has: exactly, as part of a sentence, except for case and typography, or with
/// words left out or added.
pub fn row(texts: &ProofTexts<'_>, field: &DraftField<'_>, pieces: &QuotePieces, passage: &StreamMatch) -> Sound {
    let span = texts.archive.words(passage.source, &passage.whole());
    let words = |text: &str| text.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let said = words(&field.reading.words_of(pieces.range.clone()));
    let left_out = passage.parts.windows(2).any(|pair| matches!(pair, [one, two] if one.end < two.start));
    let standing = match (&span, texts.archive.readings.get(passage.source)) {
        (Some(span), Some(source)) if words(&span.text) == said => {
            let sentence = source.line_text(source.line_of(&passage.whole()));
            // A whole quotation of the source is whole, too, whatever introduces it.
            let at = source.quotations.partition_point(|quotation| quotation.end <= span.start);
            let quotation = source.quotations.get(at).filter(|quotation| quotation.start <= span.start);
            let quoted = quotation.map(|quotation| source.slice(quotation.start..quotation.end));
            let whole = |text: &str| words(text).len() <= said.len();
            if whole(sentence) || quoted.is_some_and(whole) { Standing::Verbatim } else { Standing::Partial }
        }
        _ if left_out || pieces.cuts.iter().any(|cut| cut.puts_in) => Standing::Elided,
        _ => Standing::Normalised,
    };
    Sound::new("quotation.carried", SpanKind::Quotation, standing, field, pieces.range.clone(), span)
}

#[cfg(test)]
mod tests {
    use crate::{check::ledger, rule::Gravity, testing::texts};
    use copydesk_newsroom::{SpanKind, Standing};

    const SOURCE: &str = "Inez Calloway spoke. “I can get… to the gate,” she said. “In eleven years I have not once got to the pond. \
                          Nobody has asked me.”";

    fn rows(draft: &str) -> Vec<(String, Standing)> {
        let (article, sources) = texts(draft, SOURCE);
        let rows = ledger(&article, &sources, Gravity::Concern).rows;
        rows.into_iter().filter(|row| row.kind == SpanKind::Quotation).map(|row| (row.text, row.standing)).collect()
    }

    #[test]
    fn a_quotation_says_how_its_source_has_it() {
        for (quoted, standing) in [
            ("In eleven years I have not once got to the pond.", Standing::Verbatim),
            ("I can get… to the gate,", Standing::Verbatim),
            ("I can get to the gate,", Standing::Normalised),
            ("I have not once got to the pond,", Standing::Partial),
            ("not once", Standing::Partial),
            ("in  eleven years I have *not* once got to the pond", Standing::Normalised),
            ("In eleven years [sic] I have not once got to the pond", Standing::Normalised),
            ("In eleven years … not once got to the pond", Standing::Elided),
            ("[I]n eleven years I have not once [really] got to the pond", Standing::Elided),
            ("some term", Standing::Unchecked),
        ] {
            assert_eq!(rows(&format!("Calloway: “{quoted}”")), [(quoted.to_owned(), standing)], "{quoted}");
        }
    }

    #[test]
    fn the_mark_of_a_footnote_leaves_nothing_out() {
        for (quoted, standing) in [
            ("In eleven years I have not once got to the pond.[^1]", Standing::Verbatim),
            ("In eleven years I have[^1] not once got to the pond.[2]", Standing::Verbatim),
            ("I have not once got to the pond,[2]", Standing::Partial),
            ("In eleven years … not once got to the pond.[^1]", Standing::Elided),
            ("In eleven years I have only once got to the pond.[^1]", Standing::Altered),
        ] {
            let draft = format!("Calloway: “{quoted}”\n\n## Notes\n\n[^1]: Talk.\n[2] Talk.\n");
            assert_eq!(rows(&draft), [(quoted.to_owned(), standing)], "{quoted}");
        }
    }

    #[test]
    fn the_intact_sentences_of_an_altered_quotation_have_rows_of_their_own() {
        assert_eq!(
            rows("“In eleven years I have only once got to the pond. Nobody has asked me,” Calloway said."),
            [
                ("In eleven years I have only once got to the pond.".to_owned(), Standing::Altered),
                ("Nobody has asked me,".to_owned(), Standing::Verbatim),
            ]
        );
    }

    #[test]
    fn an_open_mark_is_told_and_a_block_may_be_no_quotation() {
        // A block may be no quotation of anybody.
        let open = "“I can get to the gate, Calloway said, and went home.";
        assert_eq!(rows(open).iter().map(|(_, standing)| *standing).collect::<Vec<_>>(), [Standing::NotFound]);
        assert_eq!(rows("> Read more about the ponds of the county in our archive")[0].1, Standing::Unchecked);
        assert_eq!(rows("> In eleven years I have not once got\n> to the pond.")[0].1, Standing::Normalised);
        assert_eq!(rows("> In eleven years I have only once got to the pond.")[0].1, Standing::Altered);
    }
}

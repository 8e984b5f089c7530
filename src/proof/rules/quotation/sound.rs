//! A quotation in order: how the source has it, and where.

use std::ops::Range;

use crate::{
    newsroom::{SpanKind, Standing},
    proof::{
        ledger::Sound,
        reading::stream::StreamMatch,
        rules::quotation::pieces::QuotePieces,
        sources::{archive::SourceLine, texts::ProofTexts},
    },
};

/// The row of a quotation that `passage` carries: byte for byte, as a part of a sentence, but for case and typography, or with
/// something left out or put in.
pub fn row(
    desk: &ProofTexts<'_>,
    field: usize,
    range: &Range<usize>,
    pieces: &QuotePieces,
    passage: &StreamMatch,
) -> Sound {
    let span = desk.archive.words(passage.source, &passage.whole());
    let words = |text: &str| text.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let said = desk.fields.get(field).map(|field| words(field.reading.slice(range.clone()))).unwrap_or_default();
    let left_out = passage.parts.windows(2).any(|pair| matches!(pair, [one, two] if one.end < two.start));
    let place = desk.archive.readings.get(passage.source).map(|reading| SourceLine {
        source: passage.source,
        line: reading.tokens.get(passage.whole().start).map_or(0, |token| token.line),
    });
    let standing = match (&span, place) {
        (Some(span), Some(place)) if words(&span.text) == said => {
            let sentence = desk.archive.sentence(place).map(|sentence| words(&sentence.text).len());
            // All that stands between two marks there is whole, too, whatever leads to it.
            let quoted = desk.archive.readings.get(passage.source).and_then(|reading| {
                let at = reading.quotations.partition_point(|quotation| quotation.end <= span.start);
                let quotation = reading.quotations.get(at).filter(|quotation| quotation.start <= span.start)?;
                Some(words(reading.slice(quotation.start..quotation.end)).len())
            });
            if sentence.into_iter().chain(quoted).any(|whole| whole <= said.len()) {
                Standing::Verbatim
            } else {
                Standing::Partial
            }
        }
        _ if left_out || pieces.cuts.iter().any(|cut| cut.puts_in) => Standing::Elided,
        _ => Standing::Normalised,
    };
    Sound {
        kind: SpanKind::Quotation,
        standing,
        rule: "quotation.carried",
        field,
        start: range.start,
        end: range.end,
        passage: span,
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        newsroom::{SpanKind, Standing},
        proof::{check::ledger, rule::Gravity, trial::texts},
    };

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
    fn where_nobody_can_tell_what_is_quoted_nothing_is_said() {
        // A mark that never closes; a block that is no quotation of anybody.
        let open = "“I can get to the gate, Calloway said, and went home.";
        assert_eq!(rows(open).iter().map(|(_, standing)| *standing).collect::<Vec<_>>(), [Standing::Unchecked]);
        assert_eq!(rows("> Read more about the ponds of the county in our archive")[0].1, Standing::Unchecked);
        assert_eq!(rows("> In eleven years I have not once got\n> to the pond.")[0].1, Standing::Normalised);
        assert_eq!(rows("> In eleven years I have only once got to the pond.")[0].1, Standing::Altered);
    }
}

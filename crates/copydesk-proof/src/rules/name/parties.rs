//! Short forms of parties, as transcripts put them in brackets behind a name: `Tom Berg (Lab)`.

use crate::rules::prelude::*;

/// A short form has at least so many letters.
const SHORT: usize = 3;

/// And at most so many.
const LONG: usize = 5;

/// At most so many words in brackets stand between a name and the short form.
const REACH: usize = 10;

/// The short form in brackets behind a name, perhaps behind other brackets: `Tom Berg (Lund, North) (Lab)`. Folded.
fn behind(reading: &ParsedText<'_>, name: &Name) -> Option<String> {
    let rest = reading.text.get(name.end..)?;
    if !rest.starts_with(" (") {
        return None;
    }
    let tokens = reading.tokens.get(name.tokens.end..)?.iter().take(REACH);
    let (mut last, mut found) = (name.end, None);
    for token in tokens {
        let gap = reading.text.get(last..token.start)?;
        let first = last == name.end;
        if first && !gap.ends_with('(')
            || gap.contains(['.', ':', ';', '\n'])
            || !first && gap.contains(')') && !gap.contains('(')
        {
            break;
        }
        let alone = gap.ends_with('(') && reading.text.get(token.end..)?.starts_with(')');
        let short = alone && token.capital && (SHORT..=LONG).contains(&token.word.chars().count());
        found = if short { Some(token.word.to_string()) } else { found.filter(|_| !gap.contains('(')) };
        last = token.end;
    }
    found
}

/// Whether a source has a short form of a word alone in brackets behind a name: `(Lab)` for Labour.
pub fn shortened(texts: &ProofTexts<'_>, word: &str) -> bool {
    let of = |(text, names): (&ParsedText<'_>, &Vec<Name>)| -> Vec<String> {
        names.iter().filter(|name| name.titled).filter_map(|name| behind(text, name)).collect()
    };
    let labels = || texts.archive.readings.iter().zip(&texts.source_names).flat_map(of).collect();
    texts.party_labels(labels).iter().any(|label| word.starts_with(label.as_str()))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    #[test]
    fn every_name_of_a_long_draft_is_looked_up() {
        let source = "Ms. Ana Reyes (Lund, North) (Lab) spoke.";
        let names = ('a'..='z').flat_map(|one| ["Mor", "Tar", "Ves", "Zul"].map(|head| format!("{head}{one}m")));
        let names: Vec<String> = names.collect();
        let body = names.iter().map(|name| format!("Then {name} spoke of Labour.")).collect::<Vec<_>>().join("\n\n");
        let found: Vec<String> = check_texts(&body, source).into_iter().map(|finding| finding.text).collect();
        assert_eq!(found, names);
    }
}

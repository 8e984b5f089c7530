//! The fix of a wrong speaker: the right name in place of the wrong one.

use super::edit::{AskRules, Edit, holds};
use crate::{
    ledger::{Fault, LedgerWriter},
    reading::Name,
    rule::Gravity,
    sources::{DraftField, ProofTexts},
    words::{WordList, is_title, words},
};
use copydesk_newsroom::Finding;
use copydesk_text::tagger::Tag;

/// Words that show who a speaker is.
static GENDERED: WordList = words("he she him her his hers himself herself");

/// The finding at the name of a wrong speaker. The right name is its fix only if the paragraph is right and reads well with it.
pub fn tried_speaker(texts: &mut ProofTexts<'_>, mut finding: Finding, least: Gravity, ask: AskRules) -> Finding {
    let Some(at) = texts.fields.iter().position(|field| field.name == finding.field) else { return finding };
    let edit = texts.fields.get(at).and_then(|field| other_name(field, &finding));
    finding.replacement = None;
    let (Some(edit), Some(reading)) = (edit, texts.fields.get(at).map(|field| &field.reading)) else { return finding };
    // The name may give further words of the paragraph to its bearer.
    let within = reading.bytes_of(reading.paragraph(reading.line_at(finding.start))).unwrap_or_default();
    texts.keep_to(at, within.clone());
    let mut ledger = LedgerWriter::new(texts, false, least);
    ask(&mut ledger);
    let others: Vec<&Fault> = ledger.found.iter().filter(|fault| fault.rule.name != finding.rule).collect();
    if let Some(field) = texts.fields.get(at).filter(|field| holds(&ledger, field, (&edit, within), &others, ask)) {
        (finding.start, finding.end) = (edit.span.start, edit.span.end);
        field.reading.slice(edit.span).clone_into(&mut finding.text);
        finding.replacement = Some(edit.words);
    }
    finding
}

/// The right speaker's name in place of the wrong one's, with its title. None if other words describe the wrong speaker.
fn other_name(field: &DraftField<'_>, finding: &Finding) -> Option<Edit> {
    let (reading, words) = (&field.reading, finding.replacement.clone()?);
    let at = field.names.iter().position(|name| name.start == finding.start)?;
    let (name, line) = (field.names.get(at)?, reading.line_at(finding.start));
    let (own, grammar) = (reading.lines.get(line)?, reading.grammar(line));
    // The word before, if nothing but white space or the full stop of "Dr." parts them.
    let before = |at: usize| {
        let (before, token) = (reading.tokens.get(at.checked_sub(1)?)?, reading.tokens.get(at)?);
        let gap = reading.slice(before.end..token.start).trim_matches(['.', ' ', '\u{A0}']);
        (at > own.tokens.start && gap.is_empty()).then_some(before)
    };
    // "Mayor Ada Lee" is one name; "harbour master Ada Lee", "City Mayor Ada Lee", "Tom Berg and Ada Lee" say more.
    let title = before(name.tokens.start).filter(|token| is_title(&token.word));
    let first = name.tokens.start - usize::from(title.is_some());
    let described = before(first).is_some_and(|token| {
        let tag = grammar.tag(first - 1);
        let says = matches!(tag, Tag::Adjective | Tag::Determiner | Tag::Conjunction | Tag::Owner);
        token.capital || says || tag.is_noun()
    });
    let behind = reading.text.get(name.end..)?.trim_start_matches([',', ' ', '\u{A0}']);
    let says = matches!(grammar.tag(name.tokens.end), Tag::Past | Tag::Present | Tag::Participle | Tag::Adverb);
    let ends = behind.is_empty() || behind.starts_with(['.', ':', '“', '”', '"', '‘', '\n', '!', '?']);
    let goes_on = says && reading.slice(name.end..own.end).starts_with(' ');
    // A pronoun, or a later surname, may depend on the name.
    let last = reading.paragraph(line).end.checked_sub(1).and_then(|line| reading.lines.get(line))?.end;
    let mut rest = reading.between(own.start, last).iter().filter(|token| !token.quoted());
    let depends = rest.any(|token| GENDERED.contains(&token.word));
    let again = |other: &&Name| other.last() == name.last();
    let known = field.names.iter().take(at).filter(again).any(|other| other.words.len() > 1);
    let introduces = !known && field.names.iter().skip(at + 1).any(|other| again(&other));
    let there = reading.slice(own.start..own.end).contains(&words);
    let span = title.map_or(name.start, |title| title.start)..name.end;
    (!described && (ends || goes_on) && !depends && !introduces && !there).then_some(Edit { span, words })
}

#[cfg(test)]
mod tests {
    use crate::{
        check::at_the_name,
        testing::{check_texts, texts},
    };

    #[test]
    fn a_wrong_speaker_is_mended_at_the_name_alone() {
        let source = "Dale Nyberg and Ada Ruud met the mayor, Tom Berg.\n\nADA RUUD: We had no warning of the flood at all.\n\nDALE NYBERG: I drive a bus by day and by night.\n\n\
                      Later they saw Kim Lund and Bo Dahl. “It was late in the day,” she said.";
        let named = |draft: &str| {
            let (article, sources) = texts(draft, source);
            let found = check_texts(draft, source);
            assert!(
                found.iter().all(|found| found.rule == "quotation.speaker" && found.replacement.is_none()),
                "{found:?}"
            );
            let found = found.iter().filter_map(|finding| at_the_name(finding, &article, &sources));
            found.map(|found| (found.text, found.replacement)).collect::<Vec<_>>()
        };
        let words = "“We had no warning of the flood at all,”";
        for (rest, wrong) in [
            ("said Dale Nyberg.", "Dale Nyberg"),
            ("Nyberg said.", "Nyberg"),
            ("said Mayor Tom Berg.", "Mayor Tom Berg"),
            // Two quotations of one speaker are one error.
            ("Nyberg said. “No warning of the flood at all.”", "Nyberg"),
        ] {
            assert_eq!(named(&format!("{words} {rest}")), [(wrong.to_owned(), Some("Ada Ruud".to_owned()))], "{rest}");
        }
        for rest in [
            "said Dale Nyberg, who drives a bus.",
            "said Tom Berg, the mayor.",
            "said Tom Berg, adding that it was late.",
            "said City Mayor Tom Berg.",
            "bus driver Dale Nyberg said.",
            "Nyberg said. He drives a bus.",
            "said Dale Nyberg. The bus of Nyberg was late.",
            "Nyberg said. “I drive a bus by day and by night.”",
        ] {
            let found = named(&format!("{words} {rest}"));
            assert!(matches!(found.as_slice(), [(_, None)]), "{rest}: {found:?}");
        }
        // The draft names no person, or the source does not say who spoke.
        assert_eq!(named(&format!("{words} the mayor said.")), []);
        assert_eq!(named(&format!("{words} she said.")), []);
        assert_eq!(named("“It was late in the day,” Dale Nyberg said."), [("Dale Nyberg".to_owned(), None)]);
    }
}

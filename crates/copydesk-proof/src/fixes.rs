//! Fixes: what the proof offers to write instead of what it found. Each is tried before it is offered, and one error is one finding.
//!
//! A fix is tried on the draft: what depends on the change is mended, and the sentence is proved again against the same sources. A fix
//! that raises anything new is dropped, and the finding stays without one. Nothing here deletes words.

mod agreement;
mod edit;
mod speaker;

use std::{cmp::Reverse, iter, ops::Range};

use crate::{
    ledger::{Fault, LedgerWriter},
    reading::ParsedText,
    sources::DraftField,
};
use copydesk_newsroom::SpanKind;

use agreement::mended;
pub use edit::AskRules;
use edit::{Edit, holds, sentences};
pub use speaker::tried_speaker;

/// At most so many fixes of a draft are tried. Further findings have none.
const TRIED: usize = 64;

/// A sentence that replaces another may lose so many of its words.
const LOST: usize = 2;

/// Tries the fixes of all findings, and keeps one finding for each error.
pub fn settle(ledger: &mut LedgerWriter<'_, '_>, ask: AskRules) {
    let mut tried = 0;
    let edits: Vec<Option<Edit>> = (0..ledger.found.len())
        .map(|at| {
            tried += usize::from(ledger.found.get(at)?.replacement.is_some());
            (tried <= TRIED).then(|| tried_fix(ledger, at, ask)).flatten()
        })
        .collect();
    for (fault, edit) in ledger.found.iter_mut().zip(edits) {
        fault.replacement = None;
        if let Some(Edit { span, words }) = edit {
            (fault.start, fault.end, fault.replacement) = (span.start, span.end, Some(words));
        }
    }
    one_for_each_error(ledger);
}

/// The fix of a finding, if the draft's sentence is right and reads well with it.
fn tried_fix(ledger: &LedgerWriter<'_, '_>, at: usize, ask: AskRules) -> Option<Edit> {
    let fault = ledger.found.get(at)?;
    let field = ledger.texts.fields.get(fault.field)?;
    let reading = &field.reading;
    let edit = Edit { span: fault.start..fault.end, words: fault.replacement.clone()? };
    let edit = mended(reading, Some(edit).filter(|edit| keeps_the_rest(field, fault.kind, edit))?)?;
    let others = ledger.found.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other);
    // A quotation is proved as a whole, at its beginning.
    let mut within = sentences(reading, &edit.span);
    for quoted in reading.quotations.iter().filter(|q| q.start < edit.span.end && edit.span.start < q.end) {
        within = within.start.min(quoted.start)..within.end.max(quoted.end);
    }
    holds(ledger, field, (&edit, within), &others.collect::<Vec<_>>(), ask).then_some(edit)
}

/// Whether the new words have whatever else the old ones say: no sentence, figure or name goes with the error.
fn keeps_the_rest(field: &DraftField<'_>, kind: SpanKind, edit: &Edit) -> bool {
    let (old, span, new) = (&field.reading, &edit.span, ParsedText::new(&edit.words));
    let (words, figures) = (old.between(span.start, span.end), old.figures_between(span.start, span.end));
    let lines = old.lines.iter().filter(|line| span.contains(&line.start)).count();
    let lost = words.iter().filter(|token| !token.stop && new.tokens.iter().all(|other| other.stem != token.stem));
    let told = |word: &String| new.tokens.iter().any(|token| *token.word == **word);
    let mut names = field.names.iter().filter(|name| span.contains(&name.start));
    new.lines.len() >= lines
        && match kind {
            SpanKind::Number | SpanKind::Date | SpanKind::Name => new.figures.len() >= figures.len(),
            SpanKind::Quotation => lost.count() * 2 <= words.len(),
            _ => {
                let same = |figure| new.figures.iter().any(|other| other.same(figure));
                figures.iter().all(same) && names.all(|name| name.words.iter().all(told)) && lost.count() <= LOST
            }
        }
}

/// Keeps one finding if several are about the same words: the gravest, then one with a fix, then one with a passage.
fn one_for_each_error(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    let places = |fault: &Fault| iter::once(fault.start..fault.end).chain(fault.also.clone());
    let same = |one: &Fault, other: &Fault| {
        let Some(field) = texts.fields.get(one.field).filter(|_| one.field == other.field) else { return false };
        let (reading, line) = (&field.reading, |at: usize| field.reading.line_at(at));
        let holds = |outer: &Range<usize>, inner: &Range<usize>| {
            let inside = outer.start <= inner.start && inner.end <= outer.end;
            inside && (outer == inner || line(outer.start) == line(outer.end.saturating_sub(1)))
        };
        // Both numbers of a tally are one statement.
        let between = reading.slice(one.end.min(other.end)..one.start.max(other.start)).trim();
        let tally = |fault: &Fault| reading.figures_between(fault.start, fault.end).iter().any(|f| f.partner.is_some());
        matches!(between, "-" | "–" | "to") && tally(one) && tally(other)
            || places(one).any(|one| places(other).any(|other| holds(&one, &other) || holds(&other, &one)))
    };
    let mut kept: Vec<Fault> = Vec::new();
    let mut all = std::mem::take(&mut ledger.found);
    all.sort_by_key(|fault| {
        // A finding about a vote says more than one about its figures.
        let voted = fault.rule.name.starts_with("vote.");
        Reverse((fault.rule.gravity, fault.replacement.is_some(), fault.passage.is_some(), voted))
    });
    for fault in all {
        if kept.iter().any(|other| same(&fault, other)) {
            ledger.doubted.push((fault.field, fault.start..fault.end));
        } else {
            kept.push(fault);
        }
    }
    ledger.found = kept;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        rule::Gravity,
        rules::{number::contradicted, quotation::altered},
        sources::ProofTexts,
        testing::{check_texts, texts},
    };

    /// The draft with each fix in its place, the last one first, and how many findings it had.
    fn fixed(draft: &str, source: &str) -> (String, usize) {
        let (mut text, found) = (draft.to_owned(), check_texts(draft, source));
        for finding in found.iter().rev() {
            assert_eq!(draft.get(finding.start..finding.end), Some(finding.text.as_str()));
            assert_ne!(finding.replacement.as_deref(), Some(""));
            if let Some(new) = &finding.replacement {
                text.replace_range(finding.start..finding.end, new);
            }
        }
        (text, found.len())
    }

    #[test]
    fn a_fix_is_a_sentence_that_reads_and_raises_nothing() {
        let source = "The county sent 1 fire engine from Dunmore to the mill on Friday, May 3. The mill has a 8-year lease and owes \
                      £3.8 million to the bank. There were 6 geese on the lawn of the vicarage. Zoë Köhler-Ångström weighed 41 \
                      swans for the trust, and 14 of its swans were ill.";
        for (draft, right) in [
            (
                "The county sent seven fire engines from Dunmore to the mill.",
                "The county sent one fire engine from Dunmore to the mill.",
            ),
            ("There were 9 geese on the lawn of the vicarage.", "There were 6 geese on the lawn of the vicarage."),
            ("The mill has a 6-year lease.", "The mill has an 8-year lease."),
            ("The mill owes £2.8 million to the bank.", "The mill owes £3.8 million to the bank."),
            // Letters of several bytes.
            (
                "Zoë Köhler-Ångstrom weighed 41 swans for the trust.",
                "Zoë Köhler-Ångström weighed 41 swans for the trust.",
            ),
            // Two figures that were exchanged, and one that the sentence has twice.
            (
                "Zoë Köhler-Ångström weighed 14 swans for the trust, and 41 of its swans were ill.",
                "Zoë Köhler-Ångström weighed 41 swans for the trust, and 14 of its swans were ill.",
            ),
            (
                "On May 3 the 47 swans that Zoë Köhler-Ångström weighed for the trust were 47 swans.",
                "On May 3 the 41 swans that Zoë Köhler-Ångström weighed for the trust were 41 swans.",
            ),
        ] {
            assert_eq!(fixed(draft, source).0, right);
            assert_eq!(check_texts(right, source), [], "{right}");
        }
    }

    #[test]
    fn a_fix_that_raises_something_is_none() {
        let source = "Dale Nyberg and Ada Ruud met.\n\nADA RUUD: We had no warning of the flood at all.";
        // With the right spelling it is the wrong speaker.
        let found = check_texts("“We had no warning of the flood at all,” said Dale Nybergh.", source);
        let found: Vec<_> = found.into_iter().map(|found| (found.text, found.note, found.replacement)).collect();
        assert_eq!(found, [("Nybergh".to_owned(), "The sources write Nyberg.".to_owned(), None)]);
    }

    #[test]
    fn findings_about_the_same_words_are_one() {
        let (article, sources) =
            texts("The mill has a 6-year lease. It owes £2 million.", "The mill has an 8-year lease.");
        let read = ProofTexts::new(&article, &sources);
        let field = read.fields.iter().find(|field| field.is_body()).unwrap();
        let note = |rule, span: Range<usize>, new: Option<&str>| {
            Fault::new(rule, field, span.clone()).note(format!("{span:?}")).replacement(new.map(str::to_owned))
        };
        let kept = |faults: Vec<Fault>| {
            let mut ledger = LedgerWriter::new(&read, false, Gravity::Note);
            ledger.found = faults;
            one_for_each_error(&mut ledger);
            ledger.found.into_iter().map(|fault| fault.note).collect::<Vec<_>>()
        };
        let (concern, block) = (&contradicted::RULE, &altered::RULE);
        // The graver one, then the one with a fix; a finding in another sentence is another error.
        assert_eq!(kept(vec![note(concern, 0..28, Some("x")), note(block, 15..16, None)]), ["15..16"]);
        assert_eq!(kept(vec![note(concern, 0..28, None), note(concern, 15..16, Some("8"))]), ["15..16"]);
        assert_eq!(kept(vec![note(concern, 15..16, None), note(concern, 15..16, None)]), ["15..16"]);
        assert_eq!(kept(vec![note(concern, 0..48, None), note(concern, 15..16, None)]), ["0..48", "15..16"]);
        assert_eq!(kept(vec![note(concern, 4..8, None), note(concern, 15..16, None)]), ["4..8", "15..16"]);
        // Two quotations with one wrong speaker.
        let one = |span| note(concern, span, None).also(4..8);
        assert_eq!(kept(vec![one(13..14), one(20..27), note(block, 4..8, None)]), ["4..8"]);
    }

    #[test]
    fn a_fix_takes_nothing_else_along() {
        let draft = "Work will end in the spring of the year, and Ada Ruud paid $40 for 3 maps.";
        let (article, sources) = texts(draft, "Work may end in the spring of the year.");
        let read = ProofTexts::new(&article, &sources);
        let field = read.fields.iter().find(|field| field.is_body()).unwrap();
        let keeps = |words: &str| {
            keeps_the_rest(field, SpanKind::Certainty, &Edit { span: 0..draft.len(), words: words.to_owned() })
        };
        assert!(!keeps("Work may end in the spring of the year."));
        assert!(!keeps("Work may end in the spring of the year, and Ada Ruud paid for maps."));
        assert!(!keeps("Work may end in the spring of the year, and Ruud paid $40 for 3 maps."));
        assert!(keeps("Work may end in the spring of the year, and Ada Ruud paid $40 for 3 maps."));
    }
}

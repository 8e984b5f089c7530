//! What the rules share: the draft's fields as they are read, the sources' archive, and the ledger that they write to.

use std::ops::Range;

use crate::{
    newsroom::{self, LedgerRow, SourceSpan, SpanKind, Standing},
    proof::{
        rule::{Gravity, Rule},
        sources::texts::ProofTexts,
    },
};

/// What a rule found.
pub struct Fault {
    pub rule: &'static Rule,
    /// What the span is, where the rule judges more than one kind.
    pub kind: Option<SpanKind>,
    pub field: usize,
    pub start: usize,
    pub end: usize,
    pub note: String,
    pub passage: Option<SourceSpan>,
    pub replacement: Option<String>,
}

impl Fault {
    /// A finding of a rule in a field of the draft, with the rule's own reason.
    pub fn new(rule: &'static Rule, field: usize, span: Range<usize>) -> Self {
        let Range { start, end } = span;
        Self { rule, kind: None, field, start, end, note: rule.why.to_owned(), passage: None, replacement: None }
    }

    /// Says in other words than the rule's what is wrong here.
    pub fn note(self, note: String) -> Self {
        Self { note, ..self }
    }

    pub fn passage(self, passage: Option<SourceSpan>) -> Self {
        Self { passage, ..self }
    }

    pub fn replacement(self, replacement: Option<String>) -> Self {
        Self { replacement, ..self }
    }

    /// Nothing can take the place of the span: it goes.
    pub fn removable(self) -> Self {
        self.replacement(Some(String::new()))
    }
}

/// A span that a rule has looked at and has nothing against.
pub struct Sound {
    pub kind: SpanKind,
    pub standing: Standing,
    pub rule: &'static str,
    pub field: usize,
    pub start: usize,
    pub end: usize,
    pub passage: Option<SourceSpan>,
}

/// The rows so far; a stretch of the draft is found fault with once, by the rule that comes first.
pub struct LedgerWriter<'d, 'a> {
    pub desk: &'d ProofTexts<'a>,
    /// Whether what stands in order is asked for, too: where and how costs more than that it does.
    pub whole: bool,
    /// The least grave rules that are asked.
    least: Gravity,
    found: Vec<Fault>,
    /// With what is to be told of one.
    sound: Vec<(Sound, Option<String>)>,
}

impl<'d, 'a> LedgerWriter<'d, 'a> {
    pub fn new(desk: &'d ProofTexts<'a>, whole: bool, least: Gravity) -> Self {
        Self { desk, whole, least, found: Vec::new(), sound: Vec::new() }
    }

    /// Whether a stretch of a field touches one that is reported.
    pub fn taken(&self, field: usize, start: usize, end: usize) -> bool {
        self.found.iter().any(|found| found.field == field && found.start < end && start < found.end)
    }

    /// Whether half of a stretch, or more, is reported by one finding.
    pub fn covered(&self, field: usize, start: usize, end: usize) -> bool {
        self.found.iter().any(|found| {
            let common = found.end.min(end).saturating_sub(found.start.max(start));
            found.field == field && common * 2 >= end - start
        })
    }

    /// Whether a rule is asked at all, so that no work is done for one that is not.
    pub fn asks(&self, rule: &Rule) -> bool {
        rule.gravity >= self.least
    }

    /// Enters a finding of a rule that is asked about a whole sentence, in which a figure or a name may be reported already:
    /// for another passage.
    pub fn enter_around(&mut self, found: Fault) {
        let same = |other: &SourceSpan| {
            found
                .passage
                .as_ref()
                .is_some_and(|own| own.source == other.source && own.start < other.end && other.start < own.end)
        };
        let told = self.found.iter().any(|other| {
            let inside = other.field == found.field && other.start < found.end && found.start < other.end;
            inside && other.passage.as_ref().is_some_and(same)
        });
        if self.asks(found.rule) && !told && !self.covered(found.field, found.start, found.end) {
            self.found.push(found);
        }
    }

    /// Enters a finding of a rule that is asked, unless its stretch is reported already.
    pub fn enter(&mut self, found: Fault) {
        if self.asks(found.rule) && found.end > found.start && !self.taken(found.field, found.start, found.end) {
            self.found.push(found);
        }
    }

    /// Enters a span that stands in order, or that no rule can judge.
    pub fn pass(&mut self, sound: impl FnOnce() -> Sound) {
        self.pass_noted(|| (sound(), None));
    }

    /// The same, with a sentence on how it stands.
    pub fn pass_noted(&mut self, sound: impl FnOnce() -> (Sound, Option<String>)) {
        if self.whole {
            self.sound.push(sound());
        }
    }

    /// The rows in the order of the draft. A span that was found fault with is no sound one, whatever else was looked at in it.
    pub fn close(self) -> newsroom::Ledger {
        let Self { desk, found, sound, .. } = self;
        let mut rows: Vec<(usize, LedgerRow)> = Vec::new();
        for (sound, note) in sound {
            let at_fault = found.iter().any(|found| {
                found.field == sound.field
                    && kind_of(found) == sound.kind
                    && found.start < sound.end
                    && sound.start < found.end
            });
            if !at_fault {
                rows.extend(sound_row(desk, sound, note));
            }
        }
        rows.extend(found.into_iter().filter_map(|found| found_row(desk, found)));
        rows.sort_by_key(|(field, row)| (*field, row.start, row.kind, row.end));
        newsroom::Ledger { rows: rows.into_iter().map(|(_, row)| row).collect() }
    }
}

/// What a finding's span is.
fn kind_of(found: &Fault) -> SpanKind {
    found.kind.unwrap_or(found.rule.kind)
}

fn sound_row(desk: &ProofTexts<'_>, sound: Sound, note: Option<String>) -> Option<(usize, LedgerRow)> {
    let field = desk.fields.get(sound.field).filter(|_| sound.end > sound.start)?;
    let row = LedgerRow {
        kind: sound.kind,
        standing: sound.standing,
        rule: sound.rule.to_owned(),
        field: field.name.to_owned(),
        start: sound.start,
        end: sound.end,
        text: field.reading.text.get(sound.start..sound.end)?.to_owned(),
        concern_type: None,
        blocks: false,
        note,
        passage: sound.passage,
        replacement: None,
    };
    Some((sound.field, row))
}

fn found_row(desk: &ProofTexts<'_>, found: Fault) -> Option<(usize, LedgerRow)> {
    let kind = kind_of(&found);
    let field = desk.fields.get(found.field)?;
    let row = LedgerRow {
        kind,
        standing: found.rule.standing,
        concern_type: Some(found.rule.concern_type),
        blocks: found.rule.gravity == Gravity::Block,
        rule: found.rule.name.to_owned(),
        field: field.name.to_owned(),
        start: found.start,
        end: found.end,
        text: field.reading.text.get(found.start..found.end)?.to_owned(),
        note: Some(found.note),
        passage: found.passage,
        replacement: found.replacement,
    };
    Some((found.field, row))
}

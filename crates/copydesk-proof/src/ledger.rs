//! The ledger that the rules write to: what they found, and what they looked at and found in order.

use std::{cell::RefCell, ops::Range, rc::Rc};

use foldhash::HashMap;

use crate::{
    binding::Alignment,
    rule::{Gravity, Rule},
    sources::{DraftField, ProofTexts, siblings},
};
use copydesk_newsroom::{Footing, LedgerRow, SourceSpan, SpanKind, Standing};

/// A rule's finding.
pub struct Fault {
    pub rule: &'static Rule,
    /// The kind of the span: a rule for figures also judges dates.
    pub kind: SpanKind,
    pub field: usize,
    pub start: usize,
    pub end: usize,
    /// Other words that are wrong for the same reason: the name of a wrong speaker.
    pub also: Option<Range<usize>>,
    pub note: String,
    pub passage: Option<SourceSpan>,
    /// The words to write instead, never empty. [`crate::fixes`] tries them.
    pub replacement: Option<String>,
}

impl Fault {
    /// A finding of a rule in a field of the draft, with the rule's own reason.
    pub fn new(rule: &'static Rule, field: &DraftField<'_>, span: Range<usize>) -> Self {
        let Range { start, end } = span;
        let note = rule.why.to_owned();
        Self { rule, kind: rule.kind, field: field.at, start, end, also: None, note, passage: None, replacement: None }
    }

    /// Replaces the rule's own reason.
    pub fn note(self, note: String) -> Self {
        Self { note, ..self }
    }

    pub fn passage(self, passage: Option<SourceSpan>) -> Self {
        Self { passage, ..self }
    }

    pub fn replacement(self, replacement: Option<String>) -> Self {
        Self { replacement, ..self }
    }

    pub fn also(self, also: Range<usize>) -> Self {
        Self { also: Some(also), ..self }
    }

    fn touches(&self, other: &Self) -> bool {
        self.field == other.field && self.start < other.end && other.start < self.end
    }
}

/// A span that a rule looked at and has nothing against.
pub struct Sound {
    field: usize,
    row: LedgerRow,
}

impl Sound {
    pub fn new(
        rule: &'static str,
        kind: SpanKind,
        standing: Standing,
        field: &DraftField<'_>,
        span: Range<usize>,
        passage: Option<SourceSpan>,
    ) -> Self {
        let text = field.reading.slice(span.clone());
        let row = row_of(rule, kind, standing, field.name, span, text);
        Self { field: field.at, row: LedgerRow { passage, ..row } }
    }

    /// As [`Sound::new`]: a span found in the sources if there is a passage for it, else one that no rule can judge.
    pub fn found_if(
        rule: &'static str,
        kind: SpanKind,
        field: &DraftField<'_>,
        span: Range<usize>,
        passage: Option<SourceSpan>,
    ) -> Self {
        Self::bound_if(rule, kind, field, span, passage, || None)
    }

    /// As [`Sound::new`]: a span that a passage binds; one that some source has, such as at `there`; or one that no
    /// rule can judge.
    pub fn bound_if(
        rule: &'static str,
        kind: SpanKind,
        field: &DraftField<'_>,
        span: Range<usize>,
        bound: Option<SourceSpan>,
        there: impl FnOnce() -> Option<SourceSpan>,
    ) -> Self {
        let standing = if bound.is_some() { Standing::Matches } else { Standing::StandsThere };
        let passage = bound.or_else(there);
        let standing = if passage.is_some() { standing } else { Standing::Unchecked };
        Self::new(rule, kind, standing, field, span, passage)
    }

    /// Says that the source has the words, but does not say who spoke them.
    pub fn loose_if(mut self, open: bool) -> Self {
        if open {
            self.row.standing = Standing::StandsThere;
            self.row.note = Some("The source has these words. It does not say who spoke them.".to_owned());
        }
        self
    }

    /// Adds a sentence on how the span follows from the sources.
    pub fn note(mut self, note: Option<String>) -> Self {
        self.row.note = note;
        self
    }
}

/// The rows so far. Only the first rule that finds fault with a stretch of the draft reports it.
pub struct LedgerWriter<'d, 'a> {
    pub texts: &'d ProofTexts<'a>,
    /// Whether spans in order get rows too. Finding their passages costs more than finding that they have one.
    pub whole: bool,
    /// The least grave rules that are asked.
    pub least: Gravity,
    pub found: Vec<Fault>,
    sound: Vec<Sound>,
    /// Stretches that a finding about other words makes doubtful: the name of a wrong speaker. By field.
    pub doubted: Vec<(usize, Range<usize>)>,
    /// The sentences of the draft beside their passages, as far as a rule has asked; by field and line.
    aligned: RefCell<HashMap<(usize, usize), Rc<Alignment>>>,
}

impl<'d, 'a> LedgerWriter<'d, 'a> {
    pub fn new(texts: &'d ProofTexts<'a>, whole: bool, least: Gravity) -> Self {
        let (found, sound, doubted, aligned) = Default::default();
        Self { texts, whole, least, found, sound, doubted, aligned }
    }

    /// A sentence of the draft beside the passages that it is made from.
    pub fn aligned(&self, field: &DraftField<'_>, line: usize) -> Rc<Alignment> {
        let mut aligned = self.aligned.borrow_mut();
        let own = aligned.entry((field.at, line));
        Rc::clone(own.or_insert_with(|| Rc::new(Alignment::of(&self.texts.archive, &field.reading, line))))
    }

    /// The share of the sentence of `tokens` that one of its passages has, by the weight of its words, without `tokens` and the other
    /// figures. The passage that has most of the sentence may have it for its figures.
    pub fn carried(&self, field: &DraftField<'_>, tokens: &Range<usize>) -> f64 {
        let line = field.reading.line_of(tokens);
        let alignment = self.aligned(field, line);
        let figures = siblings(&field.reading, line);
        let counts = |at: usize| tokens.contains(&at) || figures.iter().any(|figure| figure.tokens.contains(&at));
        let words = || alignment.words.iter().filter(|word| !counts(word.at));
        let total: f64 = words().map(|word| word.weight).sum();
        let by = |number: usize| -> f64 {
            words().filter(|word| word.held.is_some_and(|(window, _)| window == number)).map(|word| word.weight).sum()
        };
        let most = (0..alignment.windows.len()).map(by).fold(0.0, f64::max);
        if total > 0.0 { most / total } else { 1.0 }
    }

    /// Whether a stretch of a field touches one that is reported.
    pub fn taken(&self, field: &DraftField<'_>, start: usize, end: usize) -> bool {
        self.found.iter().any(|found| found.field == field.at && found.start < end && start < found.end)
    }

    /// Whether one finding covers at least half of a stretch.
    pub fn covered(&self, field: &DraftField<'_>, start: usize, end: usize) -> bool {
        self.covered_at(field.at, start, end)
    }

    fn covered_at(&self, field: usize, start: usize, end: usize) -> bool {
        self.found.iter().any(|found| {
            let common = found.end.min(end).saturating_sub(found.start.max(start));
            found.field == field && common * 2 >= end - start
        })
    }

    /// Whether a rule is asked at all. If not, it need not look.
    pub fn asks(&self, rule: &Rule) -> bool {
        rule.gravity >= self.least
    }

    /// The same for a rule that reads only the sentence's own passages. For the whole ledger it always looks: what it objects to is no
    /// finding if the rule is too weak, but it does not match either.
    pub fn looks(&self, rule: &Rule) -> bool {
        self.whole || self.asks(rule)
    }

    /// Enters a finding, or only doubts its words if its rule is too weak for this ledger.
    fn keep(&mut self, found: Fault) {
        if self.asks(found.rule) {
            self.found.push(found);
            return;
        }
        let Fault { rule, kind, field, start, end, passage, .. } = found;
        self.doubted.push((field, start..end));
        // A figure that only a rule of less weight doubts has its row, too: somebody should read it.
        if self.whole
            && matches!(kind, SpanKind::Number | SpanKind::Date)
            && let Some(own) = self.texts.fields.get(field)
        {
            self.sound.push(Sound::new(rule.name, kind, Standing::Unchecked, own, start..end, passage));
        }
    }

    /// Enters a finding about a whole sentence, even if a figure or a name in it is reported already for another passage.
    pub fn enter_around(&mut self, found: Fault) {
        let told = self.found.iter().filter(|other| other.touches(&found)).any(|other| {
            let passages = found.passage.as_ref().zip(other.passage.as_ref());
            passages.is_some_and(|(own, other)| {
                own.source == other.source && own.start < other.end && other.start < own.end
            })
        });
        if !told && !self.covered_at(found.field, found.start, found.end) {
            self.keep(found);
        }
    }

    /// Enters a finding if its rule is asked and its stretch is not reported yet.
    pub fn enter(&mut self, found: Fault) {
        if found.end > found.start && !self.found.iter().any(|other| other.touches(&found)) {
            self.keep(found);
        }
    }

    /// Says that a stretch does not match, because of what was found beside it.
    pub fn doubt(&mut self, field: &DraftField<'_>, span: Range<usize>) {
        self.doubted.push((field.at, span));
    }

    /// Enters a span that is in order, or that no rule can judge.
    pub fn pass(&mut self, sound: impl FnOnce() -> Sound) {
        if self.whole {
            self.sound.push(sound());
        }
    }

    /// The rows in the order of the draft. A span with a finding is never listed as sound as well.
    pub fn close(self) -> copydesk_newsroom::Ledger {
        let Self { texts, found, sound, doubted, .. } = self;
        let faulty = |field: usize, row: &LedgerRow| {
            found.iter().any(|found| {
                let touches = found.start < row.end && row.start < found.end;
                found.field == field && found.kind == row.kind && touches
            })
        };
        let sound = sound.into_iter().map(|Sound { field, row }| (field, row));
        let mut rows: Vec<(usize, LedgerRow)> =
            sound.filter(|(field, row)| !row.text.is_empty() && !faulty(*field, row)).collect();
        // Two rules may read one figure.
        rows.sort_by_key(|(field, row)| (*field, row.kind, row.start, row.standing == Standing::Unchecked));
        rows.dedup_by(|(other, later), (field, first)| {
            let same = other == field && later.kind == first.kind && later.start < first.end;
            same && later.standing == Standing::Unchecked
        });
        let loose: Vec<(usize, Range<usize>)> = rows
            .iter()
            .filter(|(_, row)| row.standing.footing() != Footing::Matches)
            .map(|(field, row)| (*field, row.start..row.end))
            .chain(found.iter().map(|found| (found.field, found.start..found.end)))
            .collect();
        // A sentence matches only if everything in it does. Else it has no row of its own.
        rows.retain_mut(|(field, row)| {
            if !matches!(row.standing, Standing::Matches | Standing::Derived) {
                return true;
            }
            let inside =
                |(other, span): &(usize, Range<usize>)| other == field && span.start < row.end && row.start < span.end;
            if doubted.iter().any(inside) {
                row.standing = Standing::StandsThere;
            }
            row.kind != SpanKind::Sentence || row.standing == Standing::Matches && !loose.iter().any(inside)
        });
        rows.extend(found.into_iter().filter_map(|found| {
            let Fault { rule, kind, field, start, end, note, passage, replacement, .. } = found;
            let (concern_type, blocks) = (Some(rule.concern_type), rule.gravity == Gravity::Block);
            let row = row(texts, rule.name, kind, rule.standing, field, start..end)?;
            Some((field, LedgerRow { concern_type, blocks, note: Some(note), passage, replacement, ..row }))
        }));
        rows.sort_by_key(|(field, row)| (*field, row.start, row.kind, row.end));
        copydesk_newsroom::Ledger { rows: rows.into_iter().map(|(_, row)| row).collect() }
    }
}

/// The row of a span of a draft, without a passage.
pub fn row(
    texts: &ProofTexts<'_>,
    rule: &str,
    kind: SpanKind,
    standing: Standing,
    field: usize,
    span: Range<usize>,
) -> Option<LedgerRow> {
    let field = texts.fields.get(field)?;
    let text = field.reading.text.get(span.clone())?;
    Some(row_of(rule, kind, standing, field.name, span, text))
}

/// The row of a span with this text, without a concern.
pub fn row_of(
    rule: &str,
    kind: SpanKind,
    standing: Standing,
    field: &str,
    Range { start, end }: Range<usize>,
    text: &str,
) -> LedgerRow {
    let (rule, field, text) = (rule.to_owned(), field.to_owned(), text.to_owned());
    let (concern_type, note, passage, replacement) = (None, None, None, None);
    LedgerRow { kind, standing, rule, field, start, end, text, concern_type, blocks: false, note, passage, replacement }
}

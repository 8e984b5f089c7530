//! The details of a row: its result, the problem, the source's words, and why the rule exists.

use std::ops::Range;

use crate::screens::proof::{ListedRow, Proved};
use crate::widgets::{Page, Sheet, TextRole, unsure, words};
use copydesk_core::editorial::vouching;
use copydesk_newsroom::{
    ArticleResponse, Decided, Footing, LedgerRow, Opinions, RecordedSource, SpanKind, field_in_words,
};
use copydesk_proof::{self as proof, Rule};
use copydesk_style::StyleNote;
use copydesk_text::{diff::DiffPiece, in_marks, sanitise};

/// How quotations are compared, for the reader.
pub(crate) const CONTRACT: &str =
    "A quotation must have the words of its source. Case, spacing, typographic marks and Markdown may differ.";

/// Longest excerpt in characters; the draft pane has the whole text.
const LONGEST: usize = 600;

/// The details of a row. `to_do` says what the writer does about it. `opinions` are those of models on the draft, `recorded` the
/// recording that the row's passage was written down from.
/// `with_rule` adds the rule's name, origin and precision.
pub(crate) fn page(
    proved: &Proved,
    place: Option<usize>,
    article: &ArticleResponse,
    accepted: Option<Decided<'_>>,
    to_do: Option<&str>,
    (opinions, recorded): (&[&Opinions], Option<&RecordedSource>),
    with_rule: bool,
) -> Page {
    let mut sheet = Sheet::default();
    let Some((place, row)) = place.and_then(|place| Some((place, proved.ledger.rows.get(place)?))) else {
        sheet.line("Nothing is selected.", TextRole::Dim);
        return sheet.into_page();
    };
    head(&mut sheet, ListedRow::Statement(row), article);
    if let Some(note) = &row.note {
        sheet.line(note, TextRole::Strong);
    }
    match accepted {
        Some(decided) => standing(&mut sheet, &decided),
        None if row.blocks => sheet.line("Nobody can sign off until an editor accepts this.", TextRole::Text),
        None => {}
    }
    differences(&mut sheet, proved.difference(place));
    passage(&mut sheet, row);
    if let Some(passage) = &row.passage {
        unsure::section(&mut sheet, &unsure::advice(recorded, passage.start, &passage.text));
    }
    if row.standing.footing() != Footing::Matches {
        for opinions in opinions {
            thinks(&mut sheet, row, opinions);
        }
    }
    if let Some(to_do) = to_do {
        sheet.section("To do for the writer, unless you let it stand");
        sheet.line(&short(to_do), TextRole::Text);
    }
    if let Some(rule) = proof::rule(&row.rule) {
        why(&mut sheet, rule, row.note.as_deref(), with_rule);
    }
    if row.kind == SpanKind::Quotation {
        sheet.section("How quotations are matched");
        sheet.line(CONTRACT, TextRole::Text);
    }
    sheet.into_page()
}

/// The details of a note on style or spelling. `asks`: it becomes a to-do if the draft goes back.
pub(crate) fn note(note: &StyleNote, article: &ArticleResponse, asks: bool) -> Page {
    let row = ListedRow::Word(note);
    let mut sheet = Sheet::default();
    head(&mut sheet, row, article);
    sheet.line(&sanitise::clean(&note.message), TextRole::Strong);
    match note.replacement.as_deref().filter(|_| !note.is_spelling()) {
        None => {}
        Some("") => sheet.line("Instead: leave it out.", TextRole::Text),
        Some(instead) => sheet.line(&format!("Instead: {}", in_marks(&short(instead))), TextRole::Text),
    }
    if note.is_spelling() && !note.text.is_empty() {
        sheet.line("If it is right as it is, add it to the newsroom's dictionary.", TextRole::Text);
    }
    if note.text.is_empty() && !asks {
        return sheet.into_page();
    }
    let then = if asks {
        "This note does not send the draft back. If the draft goes back, this is a to-do for the writer, after yours."
    } else {
        "This note changes nothing in the review."
    };
    sheet.line(then, TextRole::Text);
    sheet.into_page()
}

/// The row's state, its place, and its words.
fn head(sheet: &mut Sheet, row: ListedRow<'_>, article: &ArticleResponse) {
    let (field, span) = row.span();
    sheet.add(row.standing(), TextRole::Heading);
    sheet.line(&format!("  {}, in the {}", row.kind(), field_in_words(field)), TextRole::Dim);
    let text = article.fields().into_iter().find(|(name, _)| *name == field).map_or("", |(_, text)| text);
    in_its_line(sheet, row.text(), text, span);
}

/// The statement. A short one is shown with the words around it, because a number alone says little.
fn in_its_line(sheet: &mut Sheet, statement: &str, text: &str, span: Range<usize>) {
    let (before, after) = (text.get(..span.start).unwrap_or_default(), text.get(span.end..).unwrap_or_default());
    if statement.len() > SHORT {
        return sheet.line(&in_marks(&short(statement)), TextRole::Quote);
    }
    let line = before.rsplit('\n').next().unwrap_or_default();
    let mut words: Vec<&str> = line.split_inclusive(' ').rev().take(WORDS_AROUND + 1).collect();
    let cut = words.len() > WORDS_AROUND;
    words.truncate(WORDS_AROUND);
    words.reverse();
    sheet.add(&format!("{}{}", if cut { "…" } else { "" }, sanitise::clean(&words.concat())), TextRole::Text);
    sheet.add(&short(statement), TextRole::Excerpt);
    let line = after.split('\n').next().unwrap_or_default();
    let words: String = line.split_inclusive(' ').take(WORDS_AROUND).collect();
    let cut = words.len() < line.len();
    sheet.line(&format!("{}{}", sanitise::clean(words.trim_end()), if cut { " …" } else { "" }), TextRole::Text);
}

/// Longest text in bytes that is shown with the words around it.
const SHORT: usize = 40;

/// Words shown before it, and after it.
const WORDS_AROUND: usize = 8;

fn standing(sheet: &mut Sheet, decided: &Decided<'_>) {
    let (by, at) = (sanitise::one_line(&decided.decision.by), words::day_and_time(decided.at));
    sheet.section(&format!("Accepted by {by} in round {}, {at}", decided.round));
    sheet.line(vouching::reason(decided.decision), TextRole::Text);
}

fn short(text: &str) -> String {
    sanitise::excerpt(&sanitise::one_line(text), LONGEST)
}

fn differences(sheet: &mut Sheet, paragraphs: &[Vec<DiffPiece>]) {
    if paragraphs.is_empty() {
        return;
    }
    sheet.section("Word by word: [-draft-] {+source+}");
    for pieces in paragraphs {
        for piece in pieces {
            match piece {
                DiffPiece::Same(text) => sheet.add(text, TextRole::Text),
                DiffPiece::Removed(text) => between(sheet, text, ("[-", "-]"), TextRole::Removed),
                DiffPiece::Added(text) => between(sheet, text, ("{+", "+}"), TextRole::Added),
            }
        }
        sheet.line("", TextRole::Text);
    }
}

/// Keeps white space outside the brackets.
fn between(sheet: &mut Sheet, text: &str, (open, close): (&str, &str), role: TextRole) {
    let words = text.trim_end();
    let space = text.get(words.len()..).unwrap_or_default();
    sheet.add(&format!("{open}{words}{close}"), role);
    sheet.add(space, TextRole::Text);
}

fn passage(sheet: &mut Sheet, row: &LedgerRow) {
    let Some(passage) = &row.passage else {
        if row.is_finding() {
            sheet.section("No matching passage in the sources");
        }
        return;
    };
    sheet.section(&format!("Compared with {}", sanitise::one_line(&passage.source)));
    sheet.line(&in_marks(&short(&passage.text)), TextRole::Quote);
}

/// Adds a model's opinion of the row's sentence. It is never shown as a result of the proof.
fn thinks(sheet: &mut Sheet, row: &LedgerRow, opinions: &Opinions) {
    if opinions.problem.is_some() {
        sheet.section("A model was asked");
        sheet.line(&short(&opinions.in_words()), TextRole::Dim);
    }
    for opinion in opinions.given.iter().filter(|opinion| opinion.is_about(&row.field, row.start, row.end)) {
        sheet.section("A model thinks (this is no proof)");
        sheet.line(&opinion.in_words(), TextRole::Text);
        for span in &opinion.quoted {
            sheet.line(&in_marks(&short(&span.text)), TextRole::Quote);
        }
        sheet.line(&sanitise::one_line(&opinions.by), TextRole::Dim);
    }
}

fn why(sheet: &mut Sheet, rule: &Rule, note: Option<&str>, with_rule: bool) {
    sheet.section("Why this is checked");
    if note != Some(rule.why) {
        sheet.line(rule.why, TextRole::Text);
    }
    if !with_rule {
        return sheet.line("The rule behind this: select this pane.", TextRole::Dim);
    }
    sheet.line(rule.source, TextRole::Dim);
    let measured = rule.measured.map(|measured| measured.to_string()).unwrap_or_default();
    sheet.line(&words::dotted([rule.name, &measured]), TextRole::Name);
}

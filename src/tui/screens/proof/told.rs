//! What is to be said of a row: how it stands, what is wrong, what the source says word by word, and why the rule looks for it.

use crate::editorial::vouching;
use crate::newsroom::{ArticleResponse, Decided, LedgerRow, SpanKind, field_in_words};
use crate::proof::{self, Rule};
use crate::text::{diff::DiffPiece, sanitise};
use crate::tui::{
    screens::proof::proved::Proved,
    widgets::{mark::Role, page::Page, sheet::Sheet, words},
};

/// What a quotation may differ in from its source: the rule by which quotations are matched.
pub(crate) const CONTRACT: &str =
    "A quotation may differ from its source in case, white space, typographic marks and Markdown; never in its words.";

/// Longest text of a span in characters: the draft beside it has all of it.
const LONGEST: usize = 600;

/// The page of the row at a place in the ledger, with the decision by which somebody lets it stand, or what the writer does about it
/// otherwise.
pub(crate) fn page(
    proved: &Proved,
    place: Option<usize>,
    article: &ArticleResponse,
    accepted: Option<Decided<'_>>,
    to_do: Option<&str>,
) -> Page {
    let mut sheet = Sheet::default();
    let Some((place, row)) = place.and_then(|place| Some((place, proved.ledger.rows.get(place)?))) else {
        sheet.line("No row is selected.", Role::Dim);
        return sheet.into_page();
    };
    sheet.add(row.standing.name(), Role::Heading);
    sheet.line(&format!("  {}, in the {}", row.kind.name(), field_in_words(&row.field)), Role::Dim);
    in_its_line(&mut sheet, row, article);
    if let Some(note) = &row.note {
        sheet.line(note, Role::Strong);
    }
    match accepted {
        Some(decided) => standing(&mut sheet, &decided),
        None if row.blocks => sheet.line("It holds back the sign-off until somebody accepts it.", Role::Text),
        None => {}
    }
    differences(&mut sheet, proved.difference(place));
    passage(&mut sheet, row);
    if let Some(to_do) = to_do {
        sheet.section("Continue has the writer do this, unless you accept it");
        sheet.line(&short(to_do), Role::Text);
    }
    if let Some(rule) = proof::rule(&row.rule) {
        why(&mut sheet, rule, row.note.as_deref());
    }
    if row.kind == SpanKind::Quotation {
        sheet.section("How quotations are matched");
        sheet.line(CONTRACT, Role::Text);
    }
    sheet.into_page()
}

/// The span; a short one with the words around it, without which a figure says little.
fn in_its_line(sheet: &mut Sheet, row: &LedgerRow, article: &ArticleResponse) {
    let text = article.fields().into_iter().find(|(name, _)| *name == row.field).map_or("", |(_, text)| text);
    let (before, after) = (text.get(..row.start).unwrap_or_default(), text.get(row.end..).unwrap_or_default());
    if row.text.len() > SHORT {
        return sheet.line(&format!("“{}”", short(&row.text)), Role::Quote);
    }
    let line = before.rsplit('\n').next().unwrap_or_default();
    let mut words: Vec<&str> = line.split_inclusive(' ').rev().take(WORDS_AROUND + 1).collect();
    let cut = words.len() > WORDS_AROUND;
    words.truncate(WORDS_AROUND);
    words.reverse();
    sheet.add(&format!("{}{}", if cut { "…" } else { "" }, sanitise::clean(&words.concat())), Role::Text);
    sheet.add(&short(&row.text), Role::Excerpt);
    let line = after.split('\n').next().unwrap_or_default();
    let words: String = line.split_inclusive(' ').take(WORDS_AROUND).collect();
    let cut = words.len() < line.len();
    sheet.line(&format!("{}{}", sanitise::clean(words.trim_end()), if cut { " …" } else { "" }), Role::Text);
}

/// Longest span in bytes that is shown with the words around it.
const SHORT: usize = 40;

/// How many words before it, and behind.
const WORDS_AROUND: usize = 8;

/// Who lets it stand, since when, and why.
fn standing(sheet: &mut Sheet, decided: &Decided<'_>) {
    let (by, at) = (sanitise::one_line(&decided.decision.by), words::day_and_time(decided.at));
    sheet.section(&format!("Accepted by {by} in round {}, {at} UTC", decided.round));
    sheet.line(vouching::reason(decided.decision), Role::Text);
}

fn short(text: &str) -> String {
    sanitise::excerpt(&sanitise::one_line(text), LONGEST)
}

/// The draft's words struck out, the source's added.
fn differences(sheet: &mut Sheet, paragraphs: &[Vec<DiffPiece>]) {
    if paragraphs.is_empty() {
        return;
    }
    sheet.section("Word by word: [-draft-] {+source+}");
    for pieces in paragraphs {
        for piece in pieces {
            match piece {
                DiffPiece::Same(text) => sheet.add(text, Role::Text),
                DiffPiece::Removed(text) => between(sheet, text, ("[-", "-]"), Role::Removed),
                DiffPiece::Added(text) => between(sheet, text, ("{+", "+}"), Role::Added),
            }
        }
        sheet.line("", Role::Text);
    }
}

/// White space stays outside of the brackets.
fn between(sheet: &mut Sheet, text: &str, (open, close): (&str, &str), role: Role) {
    let words = text.trim_end();
    let space = text.get(words.len()..).unwrap_or_default();
    sheet.add(&format!("{open}{words}{close}"), role);
    sheet.add(space, Role::Text);
}

fn passage(sheet: &mut Sheet, row: &LedgerRow) {
    let Some(passage) = &row.passage else {
        if row.is_finding() {
            sheet.section("No passage of the sources decides this.");
        }
        return;
    };
    sheet.section(&format!("In {}", sanitise::one_line(&passage.source)));
    sheet.line(&format!("“{}”", short(&passage.text)), Role::Quote);
}

fn why(sheet: &mut Sheet, rule: &Rule, note: Option<&str>) {
    sheet.section("Why this is looked for");
    if note != Some(rule.why) {
        sheet.line(rule.why, Role::Text);
    }
    sheet.line(rule.source, Role::Dim);
    let measured = rule.measured.map(|measured| measured.to_string()).unwrap_or_default();
    sheet.line(&words::dotted([rule.name, &measured]), Role::Name);
}

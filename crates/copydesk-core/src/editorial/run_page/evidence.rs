//! The evidence of the article: the proof with its passages, the claims with theirs, the sources.

use sha2::{Digest as _, Sha256};

use super::material::RunMaterial;
use crate::editorial::{
    page_frame::{code, line, lines, name, quote, section, table},
    report,
    research_report::ResearchReport,
};
use copydesk_newsroom::{Footing, Journal, LedgerRow};

/// Most characters of a passage.
const LONGEST: usize = 400;

fn shortened(text: &str) -> String {
    quote(&copydesk_text::sanitise::excerpt(text, LONGEST))
}

/// The proof of the draft that stands.
pub(super) fn proof(run: &RunMaterial<'_>) -> String {
    let round = report::shown_round(run.journal, run.journal.latest_draft());
    let Some(ledger) = run.ledgers.get(&round) else {
        return section("proof", "Proof", "<p>There is no draft to prove.</p>\n");
    };
    let row = |row: &LedgerRow| {
        let class = match row.standing.footing() {
            Footing::Matches => "good",
            Footing::Conflicts | Footing::NotInSources => "bad",
            Footing::StandsThere | Footing::NotChecked => "soft",
        };
        let note = row.note.as_deref().map_or_else(String::new, |note| format!("<br><bdi>{}</bdi>", lines(note)));
        let passage = row.passage.as_ref().map_or_else(
            || "no passage".to_owned(),
            |passage| format!("{}<br>{}", name(&passage.source), shortened(&passage.text)),
        );
        vec![
            row.kind.name().to_owned(),
            shortened(&row.text),
            format!("<span class=\"{class}\">{}</span>{note}", row.standing.footing().name()),
            passage,
        ]
    };
    let headings = ["Kind", "In the draft", "Standing", "Passage"];
    let findings: Vec<Vec<String>> = ledger.findings().map(row).collect();
    let others: Vec<Vec<String>> = ledger.rows.iter().filter(|row| !row.is_finding()).map(row).collect();
    let mut body = format!("<p>Draft {round}. {}</p>\n", line(&ledger.coverage_in_words()));
    if findings.is_empty() {
        body.push_str("<p>No findings.</p>\n");
    } else {
        body.extend([format!("<h3>Findings</h3>\n{}", table(&headings, &findings))]);
    }
    if !others.is_empty() {
        body.extend([format!(
            "<details>\n<summary>{} without a finding</summary>\n{}</details>\n",
            copydesk_text::count(others.len(), "statement"),
            table(&headings, &others)
        )]);
    }
    section("proof", "Proof", &body)
}

/// The claims of the draft that stands.
pub(super) fn claims(journal: &Journal) -> String {
    let round = report::shown_round(journal, journal.latest_draft());
    let Some(claims) = journal.claims(round) else {
        return section("claims", "Claims", "<p>The claims of this draft were not checked.</p>\n");
    };
    let verified = claims.claims.iter().filter(|claim| claim.verified).count();
    let rows = claims.claims.iter().map(|claim| {
        let state = if claim.verified {
            "<span class=\"good\">verified</span>".to_owned()
        } else if claim.is_disputed() {
            format!("<span class=\"bad\">disputed</span>: {}", line(&claim.against()))
        } else {
            "<span class=\"soft\">not verified</span>".to_owned()
        };
        let passage = claim.passage.as_ref().map_or_else(
            || "no passage".to_owned(),
            |passage| format!("{}<br>{}", name(&passage.file), shortened(&passage.text)),
        );
        vec![shortened(&claim.text), state, passage]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let body = format!(
        "<p>{verified} of {} verified.</p>\n{}",
        copydesk_text::count(rows.len(), "claim"),
        table(&["Claim", "State", "Closest passage"], &rows)
    );
    section("claims", "Claims", &body)
}

/// The sources, each by the digest of its text.
pub(super) fn sources(journal: &Journal) -> String {
    let report = ResearchReport::of(journal);
    let rows = report.sources.iter().map(|source| {
        let text = source.text(journal);
        let hidden = source
            .hidden
            .iter()
            .map(|hidden| format!("<br><strong>Hidden text:</strong> <bdi>{}</bdi>", line(&hidden.to_string())))
            .collect::<Vec<_>>()
            .concat();
        let title = if source.title == source.name { String::new() } else { format!("<br>{}", name(&source.title)) };
        vec![
            format!("{}{title}{hidden}", name(&source.name)),
            source.origin.word().to_owned(),
            format!("<bdi>{}</bdi>", line(&source.standing())),
            line(&source.rests()),
            text.split_whitespace().count().to_string(),
            code(&hex::encode(Sha256::digest(text.as_bytes()))),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let headings = ["Source", "Origin", "Standing", "What rests on it", "#Words", "Digest of its text (SHA-256)"];
    section("sources", "Sources", &table(&headings, &rows))
}

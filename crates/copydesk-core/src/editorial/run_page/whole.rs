//! The page as a whole: its head, the article, then one section after the other.

use sha2::{Digest as _, Sha256};

use super::{
    rounds,
    timeline::{self, RunMaterial},
};
use crate::editorial::{
    decisions,
    export::{Imprint, embargo_line},
    page_frame::{banner, code, details, line, lines, name, page, quote, section, table, time, withdrawn_banner},
    report,
    research_report::ResearchReport,
};
use copydesk_newsroom::{Event, Footing, Journal, LedgerRow};

/// The whole page.
pub fn to_html(run: &RunMaterial<'_>) -> String {
    let mut body = head(run);
    body.push_str(
        "<nav aria-label=\"Contents\"><ul>\n<li><a href=\"#article\">Article</a></li>\n<li><a href=\"#timeline\">Timeline</a></li>\n\
         <li><a href=\"#rounds\">Rounds</a></li>\n<li><a href=\"#proof\">Proof</a></li>\n<li><a href=\"#claims\">Claims</a></li>\n\
         <li><a href=\"#sources\">Sources</a></li>\n<li><a href=\"#work\">Work and tokens</a></li>\n\
         <li><a href=\"#models\">Models and prompts</a></li>\n</ul></nav>\n",
    );
    body.push_str(&article(run.journal));
    body.push_str(&timeline::timeline(run));
    body.push_str(&rounds::rounds(run.journal));
    body.push_str(&proof(run));
    body.push_str(&claims(run.journal));
    body.push_str(&sources(run.journal));
    body.push_str(&timeline::work(run));
    body.push_str(&timeline::models(run));
    page(&format!("Report: {}", run.record.title), &body)
}

fn head(run: &RunMaterial<'_>) -> String {
    let (journal, record) = (run.journal, run.record);
    let strong = |text: &str| format!("<strong>{}</strong>", line(text));
    let embargo = run.embargo.map_or_else(String::new, |until| banner("bad", &strong(&embargo_line(until))));
    let withdrawn = record.withdrawn.as_ref().map_or_else(String::new, withdrawn_banner);
    let failed = report::error(journal).filter(|_| journal.publication().is_some() || journal.failure().is_some());
    let state = match (&failed, decisions::waits(journal), journal.publication()) {
        (Some(error), ..) => banner("bad", &format!("{} {}", strong("Failed."), line(error))),
        (None, Some(wait), _) => {
            banner("", &format!("{} It waits for {}.", strong("Not ended."), line(&wait.in_words())))
        }
        (None, None, None) => banner("", &strong("Not ended.")),
        (None, None, Some(_)) => banner("good", &strong(&Imprint::of(journal).standing)),
    };
    let flags = journal.publication().map(|publication| publication.flags.len()).filter(|flags| *flags > 0);
    let flags = flags.map_or_else(String::new, |flags| {
        format!("<dt>Flags</dt><dd>{flags}; <code>copydesk show</code> says why</dd>\n")
    });
    let engine = run.events.iter().find_map(|record| match &record.event {
        Event::RunOpened { engine, .. } => Some(engine.as_str()),
        _ => None,
    });
    let (sent, received) = journal.tokens();
    format!(
        "<header>\n<h1>Report: <bdi>{}</bdi></h1>\n{withdrawn}{embargo}{state}<dl>\n<dt>Story</dt><dd>{}, run {}</dd>\n\
         <dt>Opened</dt><dd>{}</dd>\n<dt>Ended</dt><dd>{}</dd>\n<dt>Engine</dt><dd>{}</dd>\n\
         <dt>Rounds</dt><dd>{} of at most {}</dd>\n<dt>Tokens</dt><dd>{sent} sent, {received} received</dd>\n{flags}</dl>\n</header>\n",
        line(&record.title),
        name(&record.story),
        code(&record.run),
        time(&record.opened_at),
        record.ended_at.as_deref().map_or_else(|| "not yet".to_owned(), time),
        match engine {
            Some("offline") => "offline: rules did the work, and no model was asked".to_owned(),
            Some(engine) => line(engine),
            None => "not known".to_owned(),
        },
        journal.rounds(),
        decisions::max_rounds(journal),
    )
}

/// The article as it stands, as text.
fn article(journal: &Journal) -> String {
    let Some(draft) = report::standing_draft(journal) else {
        return section("article", "The article", "<p>There is no draft yet.</p>\n");
    };
    let article = &draft.article;
    let body = format!(
        "<h3>{}</h3>\n<p><em>{}</em></p>\n<p><strong>{}</strong></p>\n<details>\n<summary>{}</summary>\n<div dir=\"auto\">{}</div>\n</details>\n",
        quote(&article.headline),
        name(&article.alternativeHeadline),
        name(&article.description),
        copydesk_text::count(article.words(), "word"),
        lines(&article.articleBody),
    );
    section("article", "The article", &body)
}

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
        let summary = format!("{} without a finding", copydesk_text::count(others.len(), "statement"));
        body.push_str(&details(&summary, &table(&headings, &others)));
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
            let weak = claim.weakness().map(|weak| format!(": {}", line(&weak)));
            format!("<span class=\"soft\">not verified</span>{}", weak.unwrap_or_default())
        };
        let passage = claim.passage.as_ref().map_or_else(
            || "no passage".to_owned(),
            |passage| format!("{}<br>{}", name(&passage.file), shortened(&passage.text)),
        );
        vec![shortened(&claim.text), state, passage]
    });
    let body = format!(
        "<p>{verified} of {} verified.</p>\n{}",
        copydesk_text::count(rows.len(), "claim"),
        table(&["Claim", "State", "Closest passage"], rows)
    );
    section("claims", "Claims", &body)
}

/// The sources, each by the digest of its text.
pub(super) fn sources(journal: &Journal) -> String {
    let report = ResearchReport::of(journal);
    let rows = report.sources.iter().map(|source| {
        let text = source.text(journal);
        let remarks = source.remarks.iter().map(|remark| format!("<br>{}", line(remark)));
        let hidden = source.hidden.iter().map(|hidden| line(&hidden.to_string()));
        let hidden = hidden.map(|hidden| format!("<br><strong>Hidden text:</strong> <bdi>{hidden}</bdi>"));
        let beside = remarks.chain(hidden).collect::<Vec<_>>().concat();
        let title = if source.title == source.name { String::new() } else { format!("<br>{}", name(&source.title)) };
        vec![
            format!("{}{title}{beside}", name(&source.name)),
            source.origin.name().to_owned(),
            format!("<bdi>{}</bdi>", line(&source.standing())),
            line(&source.rests()),
            text.split_whitespace().count().to_string(),
            code(&hex::encode(Sha256::digest(text.as_bytes()))),
        ]
    });
    let headings = ["Source", "Origin", "Standing", "What rests on it", "#Words", "Digest of its text (SHA-256)"];
    section("sources", "Sources", &table(&headings, rows))
}

//! The control record as a page to read and to print.

use super::model::{ControlRecord, EditRow, RecordedSignature};
use crate::editorial::{
    changes::in_words,
    page_frame::{
        self, code, items, line, lines, name, page, quote, section, section_of, table, time, withdrawn_banner,
    },
};
use copydesk_newsroom::field_in_words;

/// The record as HTML that stands alone.
#[must_use]
pub fn to_html(record: &ControlRecord) -> String {
    let mut body = head(record);
    body.push_str(&signatures(record));
    body.push_str(&examined(record));
    body.push_str(&not_examined(record));
    body.push_str(&overruled(record));
    body.push_str(&edits(record));
    body.push_str(&decisions(record));
    body.push_str(&deliveries(record));
    body.push_str(&log(record));
    page(&format!("Editorial control record: {}", record.title), &body)
}

fn head(record: &ControlRecord) -> String {
    let ended = record.ended_at.as_deref().map_or_else(|| "not ended".to_owned(), time);
    let mut out = format!(
        "<header>\n<h1>Editorial control record: <bdi>{}</bdi></h1>\n{}<p class=\"notice\" role=\"note\">{}</p>\n\
         <dl>\n<dt>Story</dt><dd>{}, run {}</dd>\n<dt>Opened</dt><dd>{}</dd>\n<dt>Ended</dt><dd>{ended}</dd>\n\
         <dt>Standing</dt><dd>{}</dd>\n",
        line(&record.title),
        banner(record),
        line(record.notice),
        name(&record.story),
        code(&record.run),
        time(&record.opened_at),
        line(&record.standing),
    );
    if let Some(article) = &record.article {
        out.extend([format!(
            "<dt>Article</dt><dd>{}, draft {}, version {}</dd>\n",
            quote(&article.headline),
            article.round,
            code(&article.version)
        )]);
    }
    let told = record.disclosure.line.as_deref().unwrap_or("Readers are told nothing about artificial intelligence.");
    out.extend([format!("<dt>Disclosure</dt><dd>{}</dd>\n</dl>\n</header>\n", line(told))]);
    out
}

/// The banners on withdrawal and signature, which a reader has to know first.
fn banner(record: &ControlRecord) -> String {
    let withdrawn = record.withdrawn.as_ref().map(withdrawn_banner);
    let signed = signature_banner(record);
    withdrawn.into_iter().chain([signed]).collect()
}

fn signature_banner(record: &ControlRecord) -> String {
    let version = record.article.as_ref().map(|article| &article.version);
    let stands = record.signatures.iter().rev().find(|signature| signature.stands);
    let void = record.signatures.iter().rev().find(|signature| !signature.stands);
    let (class, text) = match (stands, void) {
        (Some(signature), _) if version == Some(&signature.version) => (
            "good",
            format!(
                "Signed by {}, {}. The signature stands for this version.",
                name(&signature.by),
                time(&signature.at)
            ),
        ),
        (Some(signature), _) => (
            "bad",
            format!(
                "Not signed: {} signed another version ({}), run {}.",
                name(&signature.by),
                time(&signature.at),
                code(&signature.run)
            ),
        ),
        (None, Some(signature)) => (
            "bad",
            format!(
                "VOID: the signature of {}, {}, does not stand. {}",
                name(&signature.by),
                time(&signature.at),
                because(signature)
            ),
        ),
        (None, None) => ("bad", "Nobody has signed this article.".to_owned()),
    };
    page_frame::banner(class, &format!("<strong>{text}</strong>"))
}

fn because(signature: &RecordedSignature) -> String {
    signature.void_because.iter().map(|why| line(why)).collect::<Vec<_>>().join(" ")
}

fn signatures(record: &ControlRecord) -> String {
    let rows = record.signatures.iter().map(|signature| {
        let state = if signature.stands {
            "<strong class=\"good\">stands</strong>".to_owned()
        } else {
            format!("<strong class=\"bad\">VOID</strong> {}", because(signature))
        };
        vec![
            time(&signature.at),
            name(&signature.by),
            format!("{}, draft {}", code(&signature.run), signature.round),
            code(&signature.version),
            code(&signature.chain),
            state,
        ]
    });
    let headings = ["When", "Who", "Run", "Version signed (SHA-256)", "Audit log before it", "State"];
    section_of(("signatures", "Signatures"), "None.", &headings, rows)
}

fn examined(record: &ControlRecord) -> String {
    let mut body = String::from(
        "<p>What was on an editor’s screen for a second or more, with somebody at the keys. Each part is logged once at each gate.</p>\n",
    );
    if record.examined.is_empty() {
        body.push_str("<p>Nothing is logged.</p>\n");
        return section("examined", "Who examined what", &body);
    }
    let rows = record.examined.iter().map(|row| {
        let signed = match row.is_signed_version {
            Some(true) => " (the signed version)",
            Some(false) => " (another version than the signed one)",
            None => "",
        };
        let excerpt = row.excerpt.as_deref().map_or_else(String::new, |excerpt| format!(": {}", quote(excerpt)));
        vec![
            time(&row.at),
            name(&row.by),
            format!("<bdi>{}</bdi>{signed}{excerpt}", line(&row.what)),
            line(row.gate.as_deref().unwrap_or("no gate")),
        ]
    });
    body.push_str(&table(&["When", "Who", "What", "At"], rows));
    section("examined", "Who examined what", &body)
}

fn not_examined(record: &ControlRecord) -> String {
    let before = if record.signatures.iter().any(|signature| signature.run == record.run) {
        " before the signature"
    } else {
        ""
    };
    let body = if record.not_examined.is_empty() {
        format!("<p>Everything of the article, its concerns and its sources was on a screen{before}.</p>\n")
    } else {
        let items = items(record.not_examined.iter().map(|row| name(&row.what)));
        format!("<p>No log entry says that these were on a screen{before}:</p>\n<ul>\n{items}</ul>\n")
    };
    section("not-examined", "What nobody had on the screen", &body)
}

fn overruled(record: &ControlRecord) -> String {
    let mut body = String::new();
    if record.overruled.is_empty() && record.accepted.is_empty() {
        body.push_str("<p>None.</p>\n");
    }
    if !record.overruled.is_empty() {
        let rows = record.overruled.iter().map(|row| {
            vec![
                format!("Round {}, concern {}: {}", row.round, row.concern, quote(&row.excerpt)),
                format!("{}: {}", row.verdict.name(), lines(&row.rationale)),
                row.now.name().to_owned(),
                format!("{}, {}", name(&row.by), time(&row.at)),
                lines(&row.reason),
            ]
        });
        body.push_str(&table(&["Concern", "Verdict", "Instead", "Who and when", "Reason"], rows));
    }
    if !record.accepted.is_empty() {
        let rows = record.accepted.iter().map(|row| {
            vec![
                format!("Round {}, finding {}: {}", row.round, row.finding, quote(&row.text)),
                lines(&row.note),
                format!("{}, {}", name(&row.by), time(&row.at)),
                lines(&row.reason),
            ]
        });
        body.push_str(&table(&["Finding of the proof let stand", "What it says", "Who and when", "Reason"], rows));
    }
    section("overruled", "Verdicts overruled", &body)
}

fn edits(record: &ControlRecord) -> String {
    if record.edits.is_empty() {
        return section("edits", "Edits", "<p>None.</p>\n");
    }
    let one = |edit: &EditRow| {
        let what = edit.concern.map_or_else(|| "by hand".to_owned(), |concern| format!("fix for concern {concern}"));
        let undone = if edit.undone { " (undone later)" } else { "" };
        let words = edit.changes.iter().map(|words| {
            let field = field_in_words(&words.field);
            format!("{}: {}", line(field), name(&in_words(&words.removed, &words.added)))
        });
        format!(
            "<h3>Round {}, {what}{undone}</h3>\n<p>{}, {}. From version {} to {}.</p>\n<ul>\n{}</ul>\n",
            edit.round,
            name(&edit.by),
            time(&edit.at),
            code(&edit.from_version),
            code(&edit.to_version),
            items(words)
        )
    };
    section("edits", "Edits", &record.edits.iter().map(one).collect::<String>())
}

fn decisions(record: &ControlRecord) -> String {
    let rows = record.decisions.iter().map(|row| {
        let round = if row.round == 0 { "research".to_owned() } else { row.round.to_string() };
        let undone = if row.undone { " (undone later)" } else { "" };
        vec![time(&row.at), round, name(&row.by), format!("<bdi>{}</bdi>{undone}", lines(&row.what))]
    });
    section_of(("decisions", "Every decision"), "None.", &["When", "Round", "Who", "What"], rows)
}

fn deliveries(record: &ControlRecord) -> String {
    let rows = record.deliveries.iter().map(|row| {
        vec![
            time(&row.at),
            name(&row.by),
            format!("{} ({})", name(&row.target), name(&row.place)),
            code(&row.version),
            row.digest.as_deref().map_or_else(String::new, code),
        ]
    });
    let none = "Nothing by <code>copydesk publish</code>.";
    let headings = ["When", "Who", "Where", "Version", "File (SHA-256)"];
    section_of(("deliveries", "What left the house"), none, &headings, rows)
}

fn log(record: &ControlRecord) -> String {
    let whole = if record.log.flaws.is_empty() {
        "<p class=\"good\">The desk’s whole record was checked for this page and is as it was written.</p>\n".to_owned()
    } else {
        let flaws = items(record.log.flaws.iter().map(|flaw| line(flaw)));
        format!("<p class=\"bad\"><strong>The desk’s record was changed:</strong></p>\n<ul>\n{flaws}</ul>\n")
    };
    let body = format!(
        "{whole}<p>{} events; the last link of the audit log is {}. <code>copydesk audit verify</code> checks it.</p>\n",
        record.log.events,
        code(&record.log.head)
    );
    section("log", "The audit log", &body)
}

//! The page as a whole: its head, the article, then one section after the other.

use super::{costs, evidence, material::RunMaterial, rounds, timeline};
use crate::editorial::{
    decisions,
    export::{Imprint, embargo_line},
    page_frame::{code, line, lines, name, page, quote, section, time, withdrawn_banner},
    report,
};
use copydesk_newsroom::{Event, Journal};

/// The whole page.
#[must_use]
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
    body.push_str(&evidence::proof(run));
    body.push_str(&evidence::claims(run.journal));
    body.push_str(&evidence::sources(run.journal));
    body.push_str(&costs::work(run));
    body.push_str(&costs::models(run));
    page(&format!("Report: {}", run.record.title), &body)
}

fn head(run: &RunMaterial<'_>) -> String {
    let (journal, record) = (run.journal, run.record);
    let embargo = run.embargo.map_or_else(String::new, |until| {
        format!("<p class=\"banner bad\"><strong>{}</strong></p>\n", line(&embargo_line(until)))
    });
    let withdrawn = record.withdrawn.as_ref().map_or_else(String::new, withdrawn_banner);
    let failed = report::error(journal).filter(|_| journal.publication().is_some() || journal.failure().is_some());
    let state = match (&failed, decisions::waits(journal), journal.publication()) {
        (Some(error), ..) => format!("<p class=\"banner bad\"><strong>Failed.</strong> {}</p>\n", line(error)),
        (None, Some(wait), _) => {
            format!("<p class=\"banner\"><strong>Not ended.</strong> It waits for {}.</p>\n", line(&wait.in_words()))
        }
        (None, None, None) => "<p class=\"banner\"><strong>Not ended.</strong></p>\n".to_owned(),
        (None, None, Some(_)) => {
            format!("<p class=\"banner good\"><strong>{}</strong></p>\n", line(&Imprint::of(journal).standing))
        }
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
        "<h3>{}</h3>\n<p><em>{}</em></p>\n<p><strong>{}</strong></p>\n<details>\n<summary>{} words</summary>\n<div dir=\"auto\">{}</div>\n</details>\n",
        quote(&article.headline),
        name(&article.alternativeHeadline),
        name(&article.description),
        article.words(),
        lines(&article.articleBody),
    );
    section("article", "The article", &body)
}

//! The control record as a page to read and to print.

use super::{
    entries::{all, because},
    model::ControlRecord,
};
use crate::editorial::page_frame::{self, code, line, name, page, quote, time, withdrawn_banner};

/// The record as HTML that stands alone.
pub fn to_html(record: &ControlRecord) -> String {
    let sections = all(record).iter().map(super::entries::Entries::to_html).collect::<String>();
    page(&format!("Editorial control record: {}", record.title), &(head(record) + &sections))
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
    let signed = stands.or(void).map(|signature| (name(&signature.by), time(&signature.at)));
    let (by, at) = signed.unwrap_or_default();
    let (class, text) = match (stands, void) {
        (Some(signature), _) if version == Some(&signature.version) => {
            ("good", format!("Signed by {by}, {at}. The signature stands for this version."))
        }
        (Some(signature), _) => {
            ("bad", format!("Not signed: {by} signed another version ({at}), run {}.", code(&signature.run)))
        }
        (None, Some(signature)) => {
            ("bad", format!("VOID: the signature of {by}, {at}, does not stand. {}", line(&because(signature))))
        }
        (None, None) => ("bad", "Nobody has signed this article.".to_owned()),
    };
    page_frame::banner(class, &format!("<strong>{text}</strong>"))
}

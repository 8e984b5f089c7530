//! Lays out the brief: its length, its paragraphs, and the removal of units that the proof raised findings on.

use crate::editorial::target_length::TargetLength;
use copydesk_newsroom::{ArticleResponse, Finding};

use super::material::SourceUnit;

/// Most sentences of a paragraph.
const PARAGRAPH: usize = 4;

/// Fewest and most words of a topic; without a number 250 to 400.
pub(super) fn length(asked: &str) -> (usize, usize) {
    TargetLength::of(asked).map_or((250, 400), |target| (target.least, target.most))
}

/// Makes paragraphs of one to four sentences. Units of one paragraph of the source stay together; a turn stands alone.
pub(super) fn paragraphs(lead: Option<&SourceUnit>, chosen: &[&SourceUnit]) -> String {
    let mut found: Vec<String> = lead.iter().map(|unit| unit.text.clone()).collect();
    let mut last: Option<(&SourceUnit, usize)> = None;
    for unit in chosen {
        match (last, found.last_mut()) {
            (Some((before, count)), Some(paragraph))
                if before.paragraph == unit.paragraph
                    && count + unit.sentences.len() <= PARAGRAPH
                    && unit.label.is_none()
                    && before.label.is_none()
                    && before.at.0 == unit.at.0
                    && (before.at.2..before.at.2 + 4).contains(&unit.at.1) =>
            {
                paragraph.push(' ');
                paragraph.push_str(&unit.text);
                last = Some((unit, count + unit.sentences.len()));
            }
            _ => {
                found.push(unit.text.clone());
                last = Some((unit, unit.sentences.len()));
            }
        }
    }
    found.join("\n\n")
}

/// Whether a finding of the draft touches a unit.
pub(super) fn raised(unit: &SourceUnit, findings: &[Finding], article: &ArticleResponse) -> bool {
    findings.iter().any(|finding| {
        let text = article.field(&finding.field).unwrap_or_default();
        let head: String = unit.text.trim_end_matches('.').to_owned();
        text.match_indices(head.as_str()).any(|(at, _)| finding.start < at + unit.text.len() && at < finding.end)
            || finding.field != "articleBody"
                && !text.is_empty()
                && (unit.text.starts_with(text.trim_end_matches('.'))
                    || unit.alone.iter().any(|sentence| sentence.trim_end_matches('.') == text))
    })
}

/// The article without the paragraphs and fields that findings touch.
pub(super) fn without(article: &ArticleResponse, findings: &[Finding]) -> ArticleResponse {
    article.map(|name, text| {
        let mut at = 0;
        let mut kept = Vec::new();
        for paragraph in text.split("\n\n") {
            let touched = findings.iter().any(|f| f.field == name && f.start < at + paragraph.len() && at < f.end);
            if !touched {
                kept.push(paragraph);
            }
            at += paragraph.len() + 2;
        }
        kept.join("\n\n")
    })
}

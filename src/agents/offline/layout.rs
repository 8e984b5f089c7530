//! Lays out the brief: its length, its paragraphs, and the removal of units that the proof raised findings on.

use crate::newsroom::{ArticleResponse, Finding};

use super::material::SourceUnit;

/// Most sentences of a paragraph.
const PARAGRAPH: usize = 4;

/// Fewest and most words, from `250-400`, `900–1200`, `500` or `about 500 words`. A single number is the most, and nine tenths of it are
/// the fewest. Without a number it is 250 to 400.
pub(super) fn length(asked: &str) -> (usize, usize) {
    let numbers: Vec<usize> =
        asked.replace(',', "").split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect();
    match numbers.as_slice() {
        [] => (250, 400),
        [one] => (one.saturating_mul(9) / 10, (*one).max(1)),
        [one, other, ..] => (*one.min(other), (*one.max(other)).max(1)),
    }
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
        let text = article.fields().into_iter().find(|(name, _)| *name == finding.field).map_or("", |(_, text)| text);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_in_every_usual_form() {
        assert_eq!(length("250-400"), (250, 400));
        assert_eq!(length("900–1,200 words"), (900, 1200));
        assert_eq!(length("500"), (450, 500));
        assert_eq!(length("short"), (250, 400));
    }
}

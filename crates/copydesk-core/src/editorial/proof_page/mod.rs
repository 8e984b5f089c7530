//! Writes a check's ledger as one page of HTML: the findings, then the draft beside its sources, each span linked to
//! its passage and back.
//!
//! The page is self-contained: it loads nothing and runs nothing, and its policy forbids everything except its own
//! style. Draft and sources are untrusted text, so every byte of them is escaped.
//!
//! Writes a text with its marked spans as HTML. Spans overlap (a name stands in a sentence), but links cannot. If
//! several cover a stretch, the link is that of the gravest and then of the shortest. Each span has its own anchor at
//! its beginning.

#[cfg(test)]
mod tests;

use std::ops::Range;

use super::page_frame::{HtmlDocument, details, escaped, items};
use copydesk_newsroom::{ArticleResponse, Ledger, LedgerRow, Source, SourceSpan, SpanKind, Standing};
use copydesk_text::{
    count,
    diff::{self, DiffPiece},
    in_marks,
};
use strum::VariantArray as _;

/// The page's whole style. Whatever a colour shows, a line shows as well.
const STYLE: &str = include_str!("../../../../../assets/pages/proof.css");

/// Sources up to this many bytes are shown whole. Of larger ones, only the text around passages is shown.
const WHOLE: usize = 256 << 10;

/// The place of a passage, in words, and where to listen to it.
#[derive(Debug, Clone, Default)]
pub struct PlaceToHear {
    /// Such as `notes.txt, line 3`.
    pub place: String,
    /// Where to listen, if it rests on words that a recogniser was unsure of.
    pub listen: Option<String>,
}

/// The place of a passage, and how often a rule was right.
type Places<'a> = &'a dyn Fn(&SourceSpan) -> PlaceToHear;
type Precision<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Makes the page. `notes` say how the documents were read, `measured` how often a rule of that name was right, `place` where a passage stands.
pub fn to_html(
    article: &ArticleResponse,
    sources: &[Source],
    ledger: &Ledger,
    notes: &[String],
    measured: Precision<'_>,
    place: Places<'_>,
) -> String {
    let headline = article.fields().into_iter().map(|(_, text)| text.trim()).find(|text| !text.is_empty());
    let headline = headline.unwrap_or_default().lines().next().unwrap_or_default();
    let findings = ledger.findings().count();
    let title = format!("Proof: {}", escaped(headline));
    let mut page = format!(
        "<body>\n<main>\n<header>\n<h1>{title}</h1>\n<p>{}. {}</p>\n",
        count(findings, "finding"),
        ledger.coverage_in_words()
    );
    if !notes.is_empty() {
        page.extend([format!("<ul>\n{}</ul>\n", items(notes.iter().map(|note| escaped(note))))]);
    }
    page.push_str("</header>\n");
    let rows: Vec<(usize, &LedgerRow)> = ledger.rows.iter().enumerate().collect();
    let (bad, sound): (Vec<_>, Vec<_>) = rows.into_iter().partition(|(_, row)| row.is_finding());
    if !bad.is_empty() {
        page.push_str("<section>\n<h2>Findings</h2>\n<ol>\n");
        page.extend(bad.iter().map(|&(number, row)| finding(number, row, place, measured)));
        page.push_str("</ol>\n</section>\n");
    }
    // A whole sentence is left out: its quotations, figures and names have rows.
    let own = sound.iter().filter(|(_, row)| row.kind != SpanKind::Sentence);
    let heard = own.filter(|(_, row)| row.passage.as_ref().is_some_and(|passage| place(passage).listen.is_some()));
    let heard = items(heard.map(|&(number, row)| head(number, row, place)));
    if !heard.is_empty() {
        page.extend([format!(
            "<section>\n<h2>Resting on words that the recogniser was unsure of</h2>\n<ul>\n{heard}</ul>\n</section>\n"
        )]);
    }
    if !sound.is_empty() {
        let sound = items(sound.iter().map(|&(number, row)| head(number, row, place)));
        page.push_str(&details("No finding", &format!("<ul>\n{sound}</ul>\n")));
    }
    page.push_str(&legend(ledger));
    page.push_str("<div class=\"sides\">\n<section class=\"side\">\n<h2>Draft</h2>\n");
    for (field, text) in article.fields().into_iter().filter(|(_, text)| !text.is_empty()) {
        page.extend([format!("<h3>{field}</h3>\n<div class=\"text\">{}</div>\n", draft_text(field, text, ledger))]);
    }
    page.push_str("</section>\n<section class=\"side\">\n<h2>Sources</h2>\n");
    for source in sources {
        let text = source_text(source, ledger);
        page.extend([format!("<h3>{}</h3>\n<div class=\"text\">{text}</div>\n", escaped(&source.name))]);
    }
    page.push_str("</section>\n</div>\n</main>\n</body>");
    HtmlDocument { language: "en", title: &title, description: "", style: STYLE, data: "", body: &page }.to_html()
}

/// The style of a row.
fn class(row: &LedgerRow) -> &'static str {
    match row.standing {
        _ if row.is_finding() => "bad",
        Standing::StandsThere | Standing::Unchecked => "open",
        _ => "good",
    }
}

/// The span, its standing, the place of its passage, and where to listen.
fn head(number: usize, row: &LedgerRow, place: Places<'_>) -> String {
    let passage = row.passage.as_ref().map_or_else(String::new, |passage| {
        let PlaceToHear { place, listen } = place(passage);
        let listen = listen.map_or_else(String::new, |listen| format!(", {}", escaped(&listen)));
        format!(" <a href=\"#s{number}\">{}</a>{listen}", escaped(&place))
    });
    format!(
        "<b class=\"{}\">{}</b> {} <a href=\"#d{number}\">{}</a>{passage}",
        class(row),
        row.standing.label(),
        row.kind.name(),
        escaped(&in_marks(&row.text)),
    )
}

fn finding(number: usize, row: &LedgerRow, place: Places<'_>, measured: Precision<'_>) -> String {
    let mut item = format!("<li><p>{}</p>\n", head(number, row, place));
    item.extend(row.note.iter().map(|note| format!("<p>{}</p>\n", escaped(note))));
    if let Some(passage) = &row.passage {
        if row.standing == Standing::Altered {
            for pieces in diff::changed_paragraphs(&row.text, &passage.text) {
                let pieces: String = pieces.iter().map(piece).collect();
                item.extend([format!("<p>{pieces}</p>\n")]);
            }
        }
        item.extend([format!("<p>{}</p>\n", escaped(&in_marks(&passage.text)))]);
    }
    let measured = measured(&row.rule).map_or_else(String::new, |measured| format!(": {}", escaped(&measured)));
    item.extend([format!(
        "<details class=\"rule\"><summary>Rule</summary>{}{measured}</details>\n",
        escaped(&row.rule)
    )]);
    item.push_str("</li>\n");
    item
}

fn piece(piece: &DiffPiece) -> String {
    let text = escaped(piece.text());
    match piece {
        DiffPiece::Same(_) => text,
        DiffPiece::Removed(_) => format!("<del>{text}</del>"),
        DiffPiece::Added(_) => format!("<ins>{text}</ins>"),
    }
}

/// Explains those standings that this page has.
fn legend(ledger: &Ledger) -> String {
    let mut out = String::from("<details>\n<summary>What the words mean</summary>\n<dl>\n");
    for &standing in Standing::VARIANTS {
        if ledger.rows.iter().any(|row| row.standing == standing) {
            out.extend([format!("<dt>{}</dt><dd>{}</dd>\n", standing.label(), meaning(standing))]);
        }
    }
    out.push_str(
        "</dl>\n<p>Quotations are compared word by word. Case, white space, the forms of quotation marks and dashes, and Markdown \
         are no difference. An ellipsis or a word in [brackets] marks words that the draft left out or added.</p>\n</details>\n",
    );
    out
}

fn draft_text(field: &str, text: &str, ledger: &Ledger) -> String {
    let rows = ledger.rows.iter().enumerate().filter(|(_, row)| row.field == field);
    let marks = rows.map(|(row, found)| SpanMark {
        row,
        range: found.start..found.end,
        class: class(found),
        // Without a passage, there is nothing to link to.
        links: found.passage.is_some(),
        title: format!("{} {}", found.standing.label(), found.kind.name()),
    });
    marked(text, std::slice::from_ref(&(0..text.len())), &marks.collect::<Vec<_>>(), DRAFT)
}

fn source_text(source: &Source, ledger: &Ledger) -> String {
    let marks: Vec<SpanMark> = ledger
        .rows
        .iter()
        .enumerate()
        .filter_map(|(row, found)| {
            let passage = found.passage.as_ref().filter(|passage| passage.source == source.name)?;
            Some(SpanMark {
                row,
                range: passage.start..passage.end,
                class: class(found),
                links: true,
                title: format!("{} {}: {}", found.standing.label(), found.kind.name(), found.text),
            })
        })
        .collect();
    if source.text.len() <= WHOLE {
        return marked(&source.text, std::slice::from_ref(&(0..source.text.len())), &marks, SOURCE);
    }
    let shown = around(&source.text, marks.iter().map(|mark| mark.range.clone()));
    marked(&source.text, &shown, &marks, SOURCE)
}

/// A span that is marked.
struct SpanMark {
    /// The ledger's row.
    pub row: usize,
    /// Its bytes in the text.
    pub range: Range<usize>,
    pub class: &'static str,
    /// Whether the other side has a passage to link to.
    pub links: bool,
    pub title: String,
}

/// For each side, the letters before a row's number in its anchors and in the other's.
const DRAFT: (char, char) = ('d', 's');
const SOURCE: (char, char) = ('s', 'd');

/// The stretches of `text` in `shown`, which are in order, with their marks.
fn marked(text: &str, shown: &[Range<usize>], marks: &[SpanMark], (own, other): (char, char)) -> String {
    let mut cuts: Vec<usize> = marks.iter().flat_map(|mark| [mark.range.start, mark.range.end]).collect();
    cuts.extend(shown.iter().flat_map(|range| [range.start, range.end]));
    cuts.sort_unstable();
    cuts.dedup();
    let mut starting: Vec<&SpanMark> = marks.iter().collect();
    starting.sort_by_key(|mark| mark.range.start);
    let mut starting = starting.into_iter().peekable();
    let mut open: Vec<&SpanMark> = Vec::new();
    let mut out = String::new();
    let mut last = 0;
    let mut stretches = shown.iter().peekable();
    for (&from, &to) in cuts.iter().zip(cuts.iter().skip(1)) {
        while stretches.next_if(|range| range.end <= from).is_some() {}
        let is_shown = stretches.peek().is_some_and(|range| range.start <= from && to <= range.end);
        open.retain(|mark| mark.range.end > from);
        while let Some(mark) = starting.next_if(|mark| mark.range.start <= from) {
            if is_shown {
                out.extend([format!("<span id=\"{own}{}\"></span>", mark.row)]);
            }
            if mark.range.end > from {
                open.push(mark);
            }
        }
        let Some(stretch) = text.get(from..to).filter(|_| is_shown) else { continue };
        if from > last {
            out.push_str(LEFT_OUT);
        }
        last = to;
        let best = open.iter().min_by_key(|mark| (mark.class != "bad", mark.range.len()));
        let stretch = escaped(stretch);
        let shown = match best {
            Some(SpanMark { row, class, links, title, .. }) => {
                let title = escaped(title);
                if *links {
                    format!("<a class=\"{class}\" href=\"#{other}{row}\" title=\"{title}\">{stretch}</a>")
                } else {
                    format!("<span class=\"{class}\" title=\"{title}\">{stretch}</span>")
                }
            }
            None => stretch,
        };
        out.push_str(&shown);
    }
    if text.len() > last {
        out.push_str(LEFT_OUT);
    }
    out
}

const LEFT_OUT: &str = "<span class=\"left\"> … text left out … </span>";

/// The bytes that are shown on each side of a passage.
const CONTEXT: usize = 800;

/// The text around some passages, in order.
fn around(text: &str, passages: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut wanted: Vec<Range<usize>> = passages
        .map(|passage| {
            let start = text.ceil_char_boundary(passage.start.saturating_sub(CONTEXT));
            start..text.ceil_char_boundary(passage.end + CONTEXT)
        })
        .collect();
    wanted.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in wanted {
        match merged.last_mut().filter(|last| last.end >= range.start) {
            Some(last) => last.end = last.end.max(range.end),
            None => merged.push(range),
        }
    }
    merged
}

/// The meaning of a standing.
fn meaning(standing: Standing) -> &'static str {
    match standing {
        Standing::Verbatim => "The source says it in the same words.",
        Standing::Normalised => "The source says it; only case, spaces or typography differ.",
        Standing::Elided => "The source has its parts, in this order.",
        Standing::Partial => "The source says it within a longer sentence.",
        Standing::Altered => "The source uses other words.",
        Standing::WrongSpeaker => "The source gives it to another speaker.",
        Standing::Matches => "The source says it of the same thing.",
        Standing::StandsThere => "Similar passage: compare. Whether it says it of the same thing is for you to read.",
        Standing::Derived => "It is rounded or follows from the source.",
        Standing::Contradicted => "The source says something else about the same thing.",
        Standing::Withdrawn => "The source corrects itself later.",
        Standing::Misspelt => "The source spells it differently.",
        Standing::Swapped => "The source says it of someone else.",
        Standing::Inflated => "The draft is more certain than the source.",
        Standing::Denied => "One says yes, the other no.",
        Standing::NotFound => "Not found in any source.",
        Standing::Unchecked => "Unchecked: read this yourself.",
    }
}

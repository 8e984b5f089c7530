//! Finds the obstacles for people who listen to an article, use a keyboard, or need plain words. It measures by WCAG 2.2 if that has a
//! rule.

use std::{collections::HashMap, ops::Range};

use url::Url;

use super::{
    abbreviations,
    reading::{ReadArticle, note},
    structure::{BodyPart, PlacedPart, parts},
};
use copydesk_newsroom::{PublishingCheck, PublishingNote};
use copydesk_text::{
    capital,
    sentences::sentences,
    words::{fold, words},
};

/// Beyond this school year a text wants a plainer version (WCAG 3.1.5: lower secondary education).
const GRADE: f64 = 9.0;

/// A sentence of more words is worth dividing.
const LONG: usize = 25;

/// Words of links that say nothing to a reader who goes from link to link.
const EMPTY_LINKS: &str = "here, click here, read more, more, this, link, this link, this page, learn more, see here, source, \
    page";

pub(super) fn notes(read: &ReadArticle<'_>) -> Vec<PublishingNote> {
    let body = read.article.articleBody.as_str();
    let parts = parts(body);
    let mut found = headings(body, &parts);
    found.extend(links(body, &parts));
    found.extend(pictures(body, &parts));
    found.extend(abbreviations::notes(body));
    found.extend(signs(body));
    found.extend(reading_level(body, read.grade));
    found.sort_by_key(|note| note.start);
    found
}

fn barrier(body: &str, range: Range<usize>, what: impl Into<String>, fix: impl Into<String>) -> PublishingNote {
    note(PublishingCheck::Accessibility, ("articleBody", body), range, what.into(), fix.into())
}

/// The same range without the line break at its end.
fn trimmed(body: &str, range: &Range<usize>) -> Range<usize> {
    let text = body.get(range.clone()).unwrap_or_default();
    range.start..range.start + text.trim_end().len()
}

fn headings(body: &str, parts: &[PlacedPart]) -> Vec<PublishingNote> {
    let mut found = Vec::new();
    // The page's own headline is the first level.
    let mut before = 1;
    for part in parts {
        let range = trimmed(body, &part.range);
        let words = part.words.trim();
        let (what, level) = match part.part {
            BodyPart::Heading(_) if words.is_empty() => {
                let what = "A heading is empty, and a screen reader announces it.";
                found.push(barrier(body, range, what, "Leave it out.").replaced_by(String::new()));
                continue;
            }
            BodyPart::Heading(1) => ("The headline is the page's only first-level heading.".to_owned(), 2),
            BodyPart::Heading(level) if level > before + 1 => (
                format!("A heading of level {level} follows one of level {before}; the one between is missing."),
                before + 1,
            ),
            BodyPart::Heading(level) => {
                before = level;
                continue;
            }
            BodyPart::BoldLine => ("A bold line looks like a heading, and no program sees one.".to_owned(), 2),
            _ => continue,
        };
        let better = format!("{} {words}", "#".repeat(level));
        let fix = format!("Make it a heading of level {level}: “{better}”.");
        found.push(barrier(body, range, what, fix).replaced_by(better));
        before = level;
    }
    found
}

fn links(body: &str, parts: &[PlacedPart]) -> Vec<PublishingNote> {
    let mut found = Vec::new();
    let mut seen: HashMap<String, &str> = HashMap::new();
    for part in parts {
        let BodyPart::Link { to, bare } = &part.part else { continue };
        let words = part.words.trim();
        let said = fold(words);
        let linked = |words: &str| format!("[{words}]({to})");
        let other_words = || format!("Link words that say where it leads, such as “{}”.", place(to));
        let mut range = part.range.clone();
        let (what, fix, better) = if *bare || words.starts_with("http://") || words.starts_with("https://") {
            ("The link's words are an address, which a screen reader spells out.".to_owned(), other_words(), None)
        } else if said.is_empty() {
            ("The link has no words.".to_owned(), format!("Write where it leads, such as “{}”.", place(to)), None)
        } else if EMPTY_LINKS.split(", ").any(|empty| empty == said) {
            let what = format!("The link “{words}” does not say where it leads.");
            match around(body, &range) {
                Some((whole, target)) => {
                    range = whole;
                    (what, format!("Put the link on “{target}”."), Some(linked(target)))
                }
                None => (what, other_words(), None),
            }
        } else if let Some(other) = seen.get(&said).filter(|other| **other != to.as_str()) {
            let what = format!("Two links say “{words}” and lead to two places ({} and {}).", place(other), place(to));
            let better = format!("{words} ({})", place(to));
            (what, format!("Say in each what it is, such as “{better}”."), Some(linked(&better)))
        } else {
            seen.insert(said, to);
            continue;
        };
        found.push(PublishingNote { replacement: better, ..barrier(body, range, what, fix) });
    }
    found
}

/// The place that a link leads to, in words for a person.
fn place(to: &str) -> String {
    let host =
        Url::parse(to).ok().and_then(|url| url.host_str().map(|host| host.trim_start_matches("www.").to_owned()));
    host.map_or_else(|| "the page’s title".to_owned(), |host| format!("page of {host}"))
}

/// For `[here](…) for the minutes`: the stretch from the link to the words that say where it leads, and these words.
fn around<'b>(body: &'b str, link: &Range<usize>) -> Option<(Range<usize>, &'b str)> {
    let rest = body.get(link.end..)?;
    let behind = [" for ", " to read ", " to see "].into_iter().find_map(|bridge| rest.strip_prefix(bridge))?;
    let end = behind.find(['.', ',', ';', '\n', '(', '[', '!', '?']).unwrap_or(behind.len());
    let target = behind.get(..end)?.trim_end();
    let start = link.end + (rest.len() - behind.len());
    (words(target).len() > 1).then_some((link.start..start + target.len(), target))
}

fn pictures(body: &str, parts: &[PlacedPart]) -> Vec<PublishingNote> {
    let pictures = parts.iter().filter(|part| part.part == BodyPart::Picture);
    let notes = pictures.filter_map(|part| {
        let alt = part.words.trim();
        let lower = alt.to_lowercase();
        let file = [".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg"].iter().any(|ending| lower.ends_with(ending));
        let range = part.range.clone();
        if alt.is_empty() || file {
            let what = if file {
                format!("“{alt}” is a file name and describes nothing.")
            } else {
                "A picture has no description.".to_owned()
            };
            let fix = "Between the brackets write in one sentence what the picture tells in this story.";
            return Some(barrier(body, range, what, fix));
        }
        let begins = ["image of ", "picture of ", "photo of ", "photograph of "]
            .into_iter()
            .find(|begin| lower.starts_with(begin))?;
        let better = capital(alt.get(begins.len()..).filter(|rest| !rest.is_empty())?);
        let what = format!("A screen reader says by itself that it is an image; “{}” repeats it.", begins.trim_end());
        let text = body.get(range.clone())?;
        let note = barrier(body, range.clone(), what, format!("Begin with what is seen: “{better}”."));
        Some(note.replaced_by(text.replacen(alt, &better, 1)))
    });
    notes.collect()
}

/// Short forms that are spelt out aloud.
const SIGNS: [(&str, &str); 3] = [(" w/ ", " with "), (" w/o ", " without "), (" b/c ", " because ")];

fn signs(body: &str) -> Vec<PublishingNote> {
    let found = SIGNS.into_iter().flat_map(|(sign, word)| {
        body.match_indices(sign).map(move |(at, _)| {
            let range = at + 1..at + sign.len() - 1;
            let what = format!("“{}” is spelt out aloud.", sign.trim());
            barrier(body, range, what, format!("Write “{}”.", word.trim())).replaced_by(word.trim().to_owned())
        })
    });
    found.collect()
}

fn reading_level(body: &str, grade: Option<f64>) -> Option<PublishingNote> {
    let grade = grade.filter(|grade| *grade > GRADE)?;
    let count = |range: &Range<usize>| body.get(range.clone()).map_or(0, |text| words(text).len());
    let longest = sentences(body).into_iter().max_by_key(count)?;
    let length = count(&longest);
    let what = format!("The text asks for about {grade:.0} years of school; {GRADE:.0} reach most readers.");
    let text = body.get(longest.clone())?;
    let fix = match joint(text) {
        _ if length <= LONG => "No sentence is long, so take shorter words.".to_owned(),
        Some(joint) => format!("The longest sentence has {length} words. Divide it before “{joint}”."),
        None => format!("The longest sentence has {length} words. Divide it into two."),
    };
    Some(barrier(body, longest, what, fix))
}

/// The words at which a sentence can be divided: the joint that is nearest to its middle.
fn joint(sentence: &str) -> Option<&str> {
    let joints = [", and ", ", but ", "; ", ", which ", ", while ", ", who ", ", because "];
    let all = joints.into_iter().flat_map(|joint| sentence.match_indices(joint));
    let (at, _) = all.min_by_key(|(at, _)| at.abs_diff(sentence.len() / 2))?;
    let rest = sentence.get(at..)?.trim_start_matches([',', ';', ' ']);
    let end = words(rest).get(2).map_or(rest.len(), |word| word.end);
    rest.get(..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::{publishing::tests::told, testing::article};

    fn fixed(body: &str) -> Vec<(String, Option<String>)> {
        told(body, PublishingCheck::Accessibility).into_iter().map(|(text, _, fix)| (text, fix)).collect()
    }

    fn one(text: &str, fix: Option<&str>) -> Vec<(String, Option<String>)> {
        vec![(text.to_owned(), fix.map(str::to_owned))]
    }

    #[test]
    fn headings_follow_each_other_without_a_gap() {
        assert_eq!(fixed("## Cost\n\nIt is high.\n\n### Detail\n\nMore.\n"), []);
        assert_eq!(fixed("# Cost\n\nIt is high.\n"), one("# Cost", Some("## Cost")));
        assert_eq!(fixed("## Cost\n\nx\n\n#### Paths\n\ny\n"), one("#### Paths", Some("### Paths")));
        assert_eq!(fixed("**What it costs**\n\nIt is high.\n"), one("**What it costs**", Some("## What it costs")));
        assert_eq!(fixed("**It costs too much.**\n\nThat was said **twice**.\n"), []);
    }

    #[test]
    fn a_link_says_where_it_leads() {
        let now = "Click [here](https://m.example/1) for the minutes of Oct. 6.";
        assert_eq!(
            fixed(now),
            one(
                "[here](https://m.example/1) for the minutes of Oct",
                Some("[the minutes of Oct](https://m.example/1)")
            )
        );
        assert_eq!(fixed("See the [inspection report](https://m.example/1)."), []);
        assert_eq!(fixed("<https://m.example/1>"), one("<https://m.example/1>", None));
        assert_eq!(
            fixed("The [report](https://a.example/1) and the [report](https://b.example/2)."),
            one("[report](https://b.example/2)", Some("[report (page of b.example)](https://b.example/2)"))
        );
        assert_eq!(fixed("[](https://a.example)").len(), 1);
    }

    #[test]
    fn a_picture_has_words_and_a_sign_is_written_out() {
        assert_eq!(fixed("![](swing.jpg)"), one("![](swing.jpg)", None));
        assert_eq!(fixed("![IMG_1.JPG](swing.jpg)"), one("![IMG_1.JPG](swing.jpg)", None));
        assert_eq!(fixed("![Photo of a swing](s.jpg)"), one("![Photo of a swing](s.jpg)", Some("![A swing](s.jpg)")));
        assert_eq!(fixed("![A swing with rust at both chains](s.jpg)"), []);
        assert_eq!(fixed("They came w/ children."), one("w/", Some("with")));
    }

    #[test]
    fn a_hard_text_names_its_longest_sentence_and_where_to_divide_it() {
        let sentence = format!("The council {}, and the mayor signed it {}.", "very ".repeat(14), "then ".repeat(10));
        let article = article(&format!("It rained. {sentence}"));
        let read = |grade| notes(&ReadArticle { article: &article, names: vec![], headlines: vec![], grade });
        let found = read(Some(14.2));
        assert_eq!(found[0].text, sentence);
        assert!(found[0].fix.ends_with("Divide it before “and the mayor”."), "{found:?}");
        assert_eq!((read(Some(8.0)), read(None)), (vec![], vec![]));
    }
}

//! The citations of a round's searches, and what became of each: whether its page was opened, whether that carries the claim, and whether
//! the verdict rests on it. The contract has citations passed on as they came; a reader should know what they are worth.

use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde::Serialize;

use super::page_remarks;
use copydesk_newsroom::{
    CitationState, FoundSource, HiddenText, Journal, OpenedCitation, Outcome, Passage, Source, Specialist, Step, Tier,
};

/// A citation of a search outside. The JSON form is stable; fields are only ever added.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cited {
    pub round: u32,
    pub concern: u32,
    /// As the service gave it.
    pub citation: String,
    /// Whether the verdict cites it.
    pub used: bool,
    /// The result of opening it; none if the verdict is an earlier check's, whose citations are not opened again.
    pub state: Option<CitationState>,
    /// Remarks on its page, in a few words each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

impl Cited {
    /// Text of its page that no reader sees.
    pub fn hidden(&self) -> &[HiddenText] {
        match &self.state {
            Some(CitationState::Opened(page)) => &page.hidden,
            _ => &[],
        }
    }

    /// Its state and its use, in a few words.
    pub fn words(&self) -> String {
        let unused = if self.used { "" } else { "; the verdict does not cite it" };
        match &self.state {
            None => "not opened in this run".to_owned(),
            Some(state) => {
                let opened = OpenedCitation { citation: self.citation.clone(), state: state.clone() };
                let remarks = self.remarks.iter().map(|remark| format!("; {remark}")).collect::<Vec<_>>().concat();
                format!("{}{remarks}{unused}", opened.words())
            }
        }
    }
}

/// A line for a reader. If it ends as a passage is cited, `NAME, bytes 1650-1897`, the line of the passage stands in
/// place of the bytes. If no source of that name is at hand, the name stands alone.
pub fn for_reader(line: &str, sources: &[Source]) -> String {
    let ends = BYTES.as_ref().and_then(|bytes| bytes.find_iter(line).last()).filter(|last| last.end() == line.len());
    ends.map_or_else(|| line.to_owned(), |_| without_bytes(line, sources))
}

/// The source of a passage of the story and its line there, for a reader.
pub fn of_passage(journal: &Journal, passage: &Passage) -> String {
    let source = journal.texts().find(|(name, _)| *name == passage.file);
    let source = source.map(|(name, text)| Source { name: name.to_owned(), text: text.to_owned() });
    for_reader(&passage.citation(), source.as_slice())
}

/// The bytes of a passage as a verdict cites it.
static BYTES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r", bytes (\d+)-\d+").ok());

/// A text with the line of each passage in place of its bytes, if the source that stands before them is at hand.
pub fn without_bytes(text: &str, sources: &[Source]) -> String {
    let Some(bytes) = BYTES.as_ref() else { return text.to_owned() };
    let place = |found: &Captures<'_>| {
        let (Some(whole), Some(start)) = (found.get(0), found.get(1)) else { return String::new() };
        let head = text.get(..whole.start()).unwrap_or_default();
        let source =
            sources.iter().filter(|source| head.ends_with(&source.name)).max_by_key(|source| source.name.len());
        let before = source.zip(start.as_str().parse().ok()).and_then(|(source, start)| source.text.get(..start));
        before.map_or_else(String::new, |before| format!(", line {}", before.matches('\n').count() + 1))
    };
    bytes.replace_all(text, place).into_owned()
}

/// The texts that a footnote may cite. They are the pages that an agent read or a search cited, by address, and the passages of the knowledge
/// base, by their files. Behind a page's text stands what a citation says of the page itself: its title, its author, its
/// days. Nothing of a page that an editor removed or distrusts.
pub fn pages(journal: &Journal) -> Vec<Source> {
    let read = journal.read_sources().into_iter().filter(|read| !journal.is_no_witness(read.name()));
    let mut pages: Vec<Source> = read.map(|read| page_of(read.source)).collect();
    for entry in journal.entries() {
        match &entry.outcome {
            // An agent with tools opened the page before its own step. It is no source of the story, but a footnote may cite it.
            Outcome::Tool(result) if matches!(entry.step, Step::Tool { errand, .. } if errand.serves().is_some()) => {
                let found = result.found.iter().filter(|found| !journal.is_no_witness(&found.address));
                pages.extend(found.map(page_of));
            }
            Outcome::Opened(opened) => {
                let read = opened.iter().filter_map(|cited| Some((&cited.citation, cited.page()?)));
                for (citation, page) in read.filter(|(_, page)| !page.text.is_empty()) {
                    let text = format!("{}\n\n{}.\n\n{}", page.text, page.title, day(&page.opened_at));
                    // A page that redirects may be cited by the address that led to it.
                    let asked = Some(citation).filter(|asked| **asked != page.address && asked.contains("://"));
                    let names = asked.into_iter().chain([&page.address]);
                    pages.extend(names.map(|name| Source { name: name.clone(), text: text.clone() }));
                }
            }
            Outcome::LookUp(look_up) => {
                for passage in look_up.passages.iter().filter(|passage| passage.tier == Tier::Knowledge) {
                    match pages.iter_mut().find(|page| page.name == passage.file) {
                        Some(page) if page.text.contains(&passage.text) => {}
                        Some(page) => page.text.extend(["\n\n", &passage.text]),
                        None => pages.push(Source { name: passage.file.clone(), text: passage.text.clone() }),
                    }
                }
            }
            _ => {}
        }
    }
    pages
}

/// A page that an agent read, with the words that a citation may have about it.
fn page_of(read: &FoundSource) -> Source {
    let FoundSource { title, address, text, published, byline, publisher, read_at, .. } = read;
    let read_on = day(read_at);
    let of_itself: Vec<&str> = [Some(title), byline.as_ref(), publisher.as_ref(), published.as_ref(), Some(&read_on)]
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    Source { name: address.clone(), text: format!("{text}\n\n{}", of_itself.join(".\n\n")) }
}

/// The day of a time, ISO 8601.
fn day(time: &str) -> String {
    time.get(..10).unwrap_or_default().to_owned()
}

/// The citations of a concern that looked for evidence outside, in the search's order.
pub fn of_concern(journal: &Journal, round: u32, concern: u32) -> Vec<Cited> {
    let verdict = journal.outcome(Step::Judge { round, concern }).and_then(Outcome::try_as_verdict_ref);
    let used: Vec<String> = verdict.and_then(|verdict| verdict.citations.clone()).unwrap_or_default();
    let cited = |citation: &String, state| Cited {
        round,
        concern,
        citation: citation.clone(),
        used: used.contains(citation),
        state,
        remarks: Vec::new(),
    };
    if let Some(opened) = journal.opened(round, concern) {
        let one = |opened: &OpenedCitation| Cited {
            remarks: remarks(journal, Step::Open { round, concern }, opened),
            ..cited(&opened.citation, Some(without_text(&opened.state)))
        };
        return opened.iter().map(one).collect();
    }
    let mapping = journal.mapping_of(round, concern);
    let seeks = mapping.is_some_and(|mapping| mapping.selected_agent == Specialist::EvidenceFinding);
    if seeks { used.iter().map(|citation| cited(citation, None)).collect() } else { Vec::new() }
}

/// Remarks on the page of a citation that was opened in `step`.
fn remarks(journal: &Journal, step: Step, opened: &OpenedCitation) -> Vec<String> {
    let Some(page) = opened.page() else { return Vec::new() };
    let earlier = journal.entries().iter().take_while(|entry| entry.step != step);
    let looks = earlier.filter_map(|entry| match &entry.outcome {
        Outcome::Opened(opened) => {
            opened.iter().filter_map(OpenedCitation::page).find(|before| before.address == page.address)
        }
        _ => None,
    });
    let changed = looks.last().and_then(|before| page_remarks::changed(&before.digest, &page.digest));
    let redirected = page_remarks::redirected(&opened.citation, &page.address);
    let language = page_remarks::in_other_language(journal, &page.text);
    redirected.into_iter().chain(changed).chain(language).collect()
}

/// A state without the text of its page: it is long, and the record has it.
fn without_text(state: &CitationState) -> CitationState {
    let mut state = state.clone();
    if let CitationState::Opened(page) = &mut state {
        page.text.clear();
    }
    state
}

/// The citations of a run as far as it is.
pub fn of_run(journal: &Journal) -> Vec<Cited> {
    let mut all = Vec::new();
    for round in 1..=journal.rounds() {
        for concern in journal.concern_list(round) {
            all.extend(of_concern(journal, round, concern.concern_id));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, add_round, decide, opening, research::found, verdict};
    use copydesk_newsroom::{Carries, Choice, OpenedPage, ResearchErrand, Status, ToolResult, Verdict};

    #[test]
    fn a_reader_sees_the_line_of_a_source_and_never_bytes() {
        let sources = [Source { name: "Minutes, part 1".into(), text: "One.\n\nThree.\n".into() }];
        assert_eq!(for_reader("Minutes, part 1, bytes 6-12", &sources), "Minutes, part 1, line 3");
        assert_eq!(for_reader("Letter, bytes 6-12", &sources), "Letter");
        assert_eq!(for_reader("Minutes, part 1, bytes 60-120", &sources), "Minutes, part 1");
        for other in ["https://a.example/", "It has 3 files, bytes 6-a", "Files, bytes and lines"] {
            assert_eq!(for_reader(other, &sources), other);
        }
    }

    #[test]
    fn every_citation_says_what_it_is_worth_and_whether_it_was_used() {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::EvidenceFinding, Specialist::EvidenceFinding, Specialist::FactCheck]);
        let gone = |citation: &str| OpenedCitation {
            citation: citation.to_owned(),
            state: CitationState::NotOpened { why: "it is gone".into() },
        };
        let opened = vec![gone("https://a.example"), gone("https://b.example")];
        add(&mut journal, Step::Open { round: 1, concern: 1 }, Outcome::Opened(opened));
        for (concern, citation) in [(1, "https://b.example"), (2, "https://c.example"), (3, "a.md, bytes 0-9")] {
            let citations = Some(vec![citation.to_owned()]);
            let judged = Verdict { citations, ..verdict(concern, Status::Keep, None) };
            add(&mut journal, Step::Judge { round: 1, concern }, Outcome::Verdict(judged));
        }
        let said: Vec<String> = of_run(&journal)
            .iter()
            .map(|cited| format!("{} {}: {}", cited.concern, cited.citation, cited.words()))
            .collect();
        assert_eq!(
            said,
            [
                "1 https://a.example: not opened: it is gone; the verdict does not cite it",
                "1 https://b.example: not opened: it is gone",
                "2 https://c.example: not opened in this run",
            ]
        );
    }

    #[test]
    fn a_footnote_may_cite_what_an_agent_opened_before_its_step_unless_an_editor_distrusts_it() {
        let mut journal = Journal::new(opening());
        let errand = ResearchErrand::Check { round: 1, concern: 1 };
        let read = ["https://a.example/report", "https://a.example/blog"]
            .map(|address| FoundSource { byline: Some("Ann Lee".into()), ..found(address, "Work begins in April.") });
        let result = ToolResult { found: read.to_vec(), ..ToolResult::default() };
        add(&mut journal, Step::Tool { errand, turn: 1, call: 1 }, Outcome::Tool(result));
        assert!(journal.read_sources().is_empty() && journal.texts().all(|(_, text)| !text.contains("April")));
        let page = |address: &str| Source {
            name: address.into(),
            text: format!("Work begins in April.\n\nTitle of {address}.\n\nAnn Lee.\n\n2026-10-06"),
        };
        let [report, blog] = ["https://a.example/report", "https://a.example/blog"].map(page);
        assert_eq!(pages(&journal), [report.clone(), blog]);
        let (name, reason) = ("https://a.example/blog".to_owned(), "It is an advertisement.".to_owned());
        decide(&mut journal, 1, Choice::DistrustSource { name, reason });
        assert_eq!(pages(&journal), [report]);
    }

    #[test]
    fn a_page_that_redirects_changes_or_is_in_another_language_says_so() {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::EvidenceFinding, Specialist::EvidenceFinding]);
        let german = "Der Stadtrat hat am Dienstag mit sieben gegen zwei Stimmen beschlossen, den Park am Fluss zu erneuern. Die Arbeiten \
                      beginnen im Mai und kosten zwei Millionen Euro, sagte die Bürgermeisterin.";
        let opened = |citation: &str, digest: &str| OpenedCitation {
            citation: citation.to_owned(),
            state: CitationState::Opened(Box::new(OpenedPage {
                address: "https://a.example/new".into(),
                title: "Park".into(),
                text: german.into(),
                opened_at: "2026-10-06T12:00:00Z".into(),
                digest: digest.into(),
                carries: Carries::Not,
                passage: None,
                similarity: None,
                hidden: Vec::new(),
            })),
        };
        for (concern, citation, digest) in [(1, "https://a.example/old", "aaaa"), (2, "https://a.example/new", "bbbb")]
        {
            add(&mut journal, Step::Open { round: 1, concern }, Outcome::Opened(vec![opened(citation, digest)]));
        }
        // Whichever address a footnote has, the page stands behind it.
        let names: Vec<String> = pages(&journal).into_iter().map(|page| page.name).collect();
        assert_eq!(names, ["https://a.example/old", "https://a.example/new", "https://a.example/new"]);
        let said: Vec<Vec<String>> = of_run(&journal).into_iter().map(|cited| cited.remarks).collect();
        let language = |remark: &String| remark.starts_with("in German");
        assert_eq!(said[0][0], "redirected to https://a.example/new");
        assert!(said[0].len() == 2 && language(&said[0][1]), "{said:?}");
        assert_eq!(said[1][0], "changed between two looks: its text had the digest aaaa, and now has bbbb");
        assert!(said[1].len() == 2 && language(&said[1][1]), "{said:?}");
        let words = of_run(&journal)[0].words();
        assert!(
            words.starts_with("opened, does not carry the claim; redirected to https://a.example/new; in "),
            "{words}"
        );
    }
}

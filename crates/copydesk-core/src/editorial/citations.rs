//! The citations of a round's searches, and what became of each: whether its page was opened, whether that carries the claim, and whether
//! the verdict rests on it. The contract has citations passed on as they came; a reader should know what they are worth.

use regex::Captures;
use serde::Serialize;

use super::{consent, page_remarks};
use copydesk_newsroom::{
    CitationState, FoundSource, HiddenText, Journal, LookUp, OpenedCitation, Outcome, Passage, Source, SourceSpan,
    Specialist, Step, Tier,
};
use copydesk_text::{pattern::TextPattern, places};

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
                let remarks = self.remarks.iter().map(|remark| format!("; {remark}")).collect::<Vec<_>>().concat();
                format!("{}{remarks}{unused}", state.words())
            }
        }
    }
}

/// A line for a reader. If it ends as a passage is cited, `NAME, bytes 1650-1897`, the page or the line of the
/// passage stands in place of the bytes. If no source of that name is at hand, the name stands alone.
pub fn for_reader(line: &str, sources: &[Source]) -> String {
    let ends = BYTES.find_iter(line).last().filter(|last| last.end() == line.len());
    ends.map_or_else(|| line.to_owned(), |_| without_bytes(line, sources))
}

/// The source of a passage of the story and its line there, for a reader.
pub fn of_passage(journal: &Journal, passage: &Passage) -> String {
    let source = journal.texts().find(|(name, _)| *name == passage.file);
    let source = source.map(|(name, text)| Source { name: name.to_owned(), text: text.to_owned() });
    for_reader(&passage.citation(), source.as_slice())
}

/// The bytes of a passage as a verdict cites it.
pub(super) static BYTES: TextPattern = TextPattern::new(r", bytes (\d+)-(\d+)");

/// Whether a place of a source is in a passage that a verdict cites by its bytes.
pub fn has_passage(journal: &Journal, place: &SourceSpan) -> bool {
    let verdicts = journal.entries().iter().filter_map(|entry| entry.outcome.try_as_verdict_ref());
    let mut cited = verdicts.flat_map(|verdict| verdict.citations.iter().flatten());
    cited.any(|citation| {
        let Some(found) = BYTES.captures_iter(citation).last() else { return false };
        let byte = |group| found.get(group).and_then(|byte| byte.as_str().parse::<usize>().ok());
        let name = found.get(0).and_then(|whole| citation.get(..whole.start()));
        name == Some(&place.source)
            && byte(1).zip(byte(2)).is_some_and(|(start, end)| start <= place.start && place.start < end)
    })
}

/// A text with the page or the line of each passage in place of its bytes, if the source that stands before them is at hand.
pub fn without_bytes(text: &str, sources: &[Source]) -> String {
    let place = |found: &Captures<'_>| {
        let (Some(whole), Some(start)) = (found.get(0), found.get(1)) else { return String::new() };
        let head = text.get(..whole.start()).unwrap_or_default();
        let source =
            sources.iter().filter(|source| head.ends_with(&source.name)).max_by_key(|source| source.name.len());
        let place = |(source, at): (&Source, usize)| match places::page(&source.text, at) {
            Some(page) => format!(", page {page}"),
            None => format!(", line {}", places::line(&source.text, at)),
        };
        let at = start.as_str().parse().ok();
        let within = source.zip(at).filter(|(source, at)| *at < source.text.len());
        within.map_or_else(String::new, place)
    };
    BYTES.replace_all(text, place).into_owned()
}

/// The texts that a footnote may cite. They are the pages that an agent read or a search cited, by address and by title, and the passages of
/// the knowledge base, by their files. Behind a page's text stands what a citation says of the page itself: its title, its author, its
/// publisher, its days. The day of the topic's own text stands under its name. Nothing of a page that an editor removed or distrusts. A page
/// that was never read is among them without a text.
pub fn pages(journal: &Journal) -> Vec<Source> {
    let mut pages: Vec<Source> = Vec::new();
    let mut put = |name: &str, text: &str| {
        if !name.trim().is_empty() && !journal.is_no_witness(name) {
            pages.push(Source { name: name.to_owned(), text: text.to_owned() });
        }
    };
    // The day of the topic's own text stands in its metadata alone.
    let own = &journal.opening.topic.source_metadata;
    if let Some(published) =
        own.publish_date.as_deref().filter(|_| journal.texts().any(|(name, _)| name == own.video_title))
    {
        put(&own.video_title, published);
    }
    for read in journal.read_sources().into_iter().filter(|read| !journal.is_no_witness(read.name())) {
        put_page(&mut put, read.source, None);
    }
    for entry in journal.entries() {
        match &entry.outcome {
            // An agent with tools opened the page before its own step. It is no source of the story, but a footnote may cite it.
            Outcome::Tool(result) => {
                let asked = consent::call(journal, entry.step).and_then(|call| call.argument("url"));
                let asked = asked.filter(|url| url.contains("://"));
                let found = result.found.iter().filter(|found| !journal.is_no_witness(&found.address));
                let alone = result.found.len() == 1;
                found.for_each(|found| put_page(&mut put, found, asked.as_deref().filter(|_| alone)));
                if result.failed
                    && let Some(asked) = asked
                {
                    put(&asked, "");
                }
            }
            Outcome::Opened(opened) => {
                for cited in opened {
                    let text = cited.page().filter(|page| !page.text.is_empty()).map(|page| {
                        let mut text = format!("{}\n\n{}.", page.text, page.title);
                        page.of_itself
                            .iter()
                            .chain([&day(&page.opened_at)])
                            .for_each(|told| text.extend(["\n\n", told, "."]));
                        text
                    });
                    // A page that redirects may be cited by the address that led to it.
                    let page = cited.page().into_iter().flat_map(|page| [page.address.as_str(), distinct(&page.title)]);
                    let asked = cited.citation.contains("://").then_some(cited.citation.as_str());
                    let mut names: Vec<&str> = asked.into_iter().chain(page).collect();
                    names.dedup();
                    for name in names {
                        put(name, text.as_deref().unwrap_or_default());
                    }
                }
            }
            Outcome::LookUp(look_up) => {
                for passage in look_up.passages.iter().filter(|passage| passage.tier == Tier::Knowledge) {
                    put(&passage.file, &passage.text);
                }
                // An earlier check's pages are not opened again. Its record keeps what was answered about them.
                for (address, kept) in remembered_by(look_up) {
                    put(address, kept);
                }
            }
            _ => {}
        }
    }
    united(pages)
}

/// The addresses that a remembered verdict cites, each with what its record keeps of their pages.
fn remembered_by(look_up: &LookUp) -> impl Iterator<Item = (&str, &str)> {
    look_up.remembered.iter().flat_map(|record| {
        let citations = record.verdict().citations.iter().flatten();
        let addresses = citations.filter(|citation| citation.contains("://"));
        addresses.map(move |address| (address.as_str(), record.passages_found()))
    })
}

/// The addresses of pages that only the record of an earlier check tells of.
pub fn remembered_only(journal: &Journal) -> Vec<String> {
    let look_ups = journal.entries().iter().filter_map(|entry| entry.outcome.try_as_look_up_ref());
    let mut only: Vec<String> = look_ups.flat_map(remembered_by).map(|(address, _)| address.to_owned()).collect();
    let opened = journal.entries().iter().filter_map(|entry| entry.outcome.try_as_opened_ref()).flatten();
    let opened: Vec<&str> = opened
        .filter_map(|cited| Some([&cited.citation, &cited.page()?.address]))
        .flatten()
        .map(String::as_str)
        .collect();
    only.retain(|address| {
        !opened.contains(&address.as_str()) && journal.read_sources().iter().all(|read| read.name() != address)
    });
    only
}

/// The texts under each name as one, in the order of the names.
fn united(pages: Vec<Source>) -> Vec<Source> {
    let mut all: Vec<Source> = Vec::new();
    for page in pages {
        match all.iter_mut().find(|known| known.name == page.name) {
            Some(known) if known.text.contains(&page.text) => {}
            Some(known) if known.text.is_empty() => known.text = page.text,
            Some(known) => known.text.extend(["\n\n", &page.text]),
            None => all.push(page),
        }
    }
    all
}

/// Puts a page under its address, the address that led to it, and its title.
fn put_page(put: &mut impl FnMut(&str, &str), read: &FoundSource, asked: Option<&str>) {
    let page = page_of(read);
    let names = [Some(page.name.as_str()), asked.filter(|asked| *asked != page.name), Some(distinct(&read.title))];
    names.into_iter().flatten().for_each(|name| put(name, &page.text));
}

/// A title that names one page alone; empty if it is a word or two, as “Home” is.
pub(super) fn distinct(title: &str) -> &str {
    let title = title.trim();
    if title.split_whitespace().count() > 2 { title } else { "" }
}

/// The names that a footnote may cite beside the verdicts' citations: those of the texts that were read.
pub fn citable(journal: &Journal) -> Vec<String> {
    let own = journal.texts().filter(|(_, text)| !text.is_empty()).map(|(name, _)| name.to_owned());
    let pages = pages(journal).into_iter().filter(|page| !page.text.is_empty()).map(|page| page.name);
    own.chain(pages).collect()
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
    let verdict = journal.verdict(round, concern);
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
    let looks = earlier.filter_map(|entry| {
        let mut opened = entry.outcome.try_as_opened_ref()?.iter().filter_map(OpenedCitation::page);
        opened.find(|before| before.address == page.address)
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
    let of_round = |round: u32| {
        journal.concern_list(round).iter().flat_map(move |concern| of_concern(journal, round, concern.concern_id))
    };
    (1..=journal.rounds()).flat_map(of_round).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, add_round, decide, opening, research::found, verdict};
    use copydesk_newsroom::{
        Carries, Choice, EvidenceRecord, MemoryRecord, OpenedPage, ResearchErrand, Status, ToolResult, Verdict,
    };

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
        // By its address, and by its title.
        let page = |address: &str| {
            let title = format!("Title of {address}");
            let text = format!("Work begins in April.\n\n{title}.\n\nAnn Lee.\n\n2026-10-06");
            [address.to_owned(), title].map(|name| Source { name, text: text.clone() })
        };
        let [report, blog] = ["https://a.example/report", "https://a.example/blog"].map(page);
        assert_eq!(pages(&journal), [report.clone(), blog].concat());
        let (name, reason) = ("https://a.example/blog".to_owned(), "It is an advertisement.".to_owned());
        decide(&mut journal, 1, Choice::DistrustSource { name, reason });
        assert_eq!(pages(&journal), report);
    }

    #[test]
    fn a_page_that_was_not_read_has_no_text_and_one_of_an_earlier_check_has_its_record() {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::EvidenceFinding, Specialist::EvidenceFinding]);
        let login = OpenedCitation {
            citation: "https://a.example/login".into(),
            state: CitationState::NotOpened { why: "it asks for a login".into() },
        };
        let study = OpenedPage {
            address: "https://a.example/study".into(),
            title: "Eelgrass and docks".into(),
            text: "The meadow lives.".into(),
            of_itself: vec!["Institute of Coastal Studies".into(), "2024-05-03".into()],
            opened_at: "2026-10-06T12:00:00Z".into(),
            digest: "aaaa".into(),
            carries: Carries::Not,
            passage: None,
            similarity: None,
            hidden: Vec::new(),
        };
        let study = OpenedCitation {
            citation: "https://a.example/moved".into(),
            state: CitationState::Opened(Box::new(study)),
        };
        add(&mut journal, Step::Open { round: 1, concern: 1 }, Outcome::Opened(vec![login, study]));
        let citations = Some(vec!["https://a.example/kept".to_owned()]);
        let record = EvidenceRecord {
            timestamp: String::new(),
            article_id: String::new(),
            concern_id: 2,
            prompt: String::new(),
            query: String::new(),
            normalized_query: String::new(),
            model_name: String::new(),
            cache_key_hash: String::new(),
            perplexity_response: "The meadow lives.".into(),
            citations: Vec::new(),
            verdict: Verdict { citations, ..verdict(2, Status::Keep, None) },
        };
        let remembered = LookUp { remembered: Some(MemoryRecord::Evidence(record)), ..LookUp::default() };
        add(&mut journal, Step::LookUp { round: 1, concern: 2 }, Outcome::LookUp(remembered));
        let pages = pages(&journal);
        let told: Vec<(&str, &str)> = pages.iter().map(|page| (page.name.as_str(), page.text.as_str())).collect();
        let text =
            "The meadow lives.\n\nEelgrass and docks.\n\nInstitute of Coastal Studies.\n\n2024-05-03.\n\n2026-10-06.";
        assert_eq!(
            told,
            [
                ("https://a.example/login", ""),
                ("https://a.example/moved", text),
                ("https://a.example/study", text),
                ("Eelgrass and docks", text),
                ("https://a.example/kept", "The meadow lives."),
            ]
        );
        assert_eq!(remembered_only(&journal), ["https://a.example/kept"]);
        assert!(!citable(&journal).contains(&"https://a.example/login".to_owned()));
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
                of_itself: Vec::new(),
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
        assert_eq!(names, ["https://a.example/old", "https://a.example/new"]);
        assert_eq!(citable(&journal)[1..], names);
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

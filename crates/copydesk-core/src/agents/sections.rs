//! A draft that is reviewed section by section, because it does not fit the reviewer's window together with its sources.
//!
//! A section is as many whole paragraphs as fit the window with the best passages of their sentences; of a paragraph that is too long by
//! itself, as many sentences.

use std::ops::Range;

use serde_json::{Map, Value};

use super::{
    material::{self, FRAME, Windows},
    review,
    template::{Draught, Prompts},
};
use crate::editorial::sections;
use copydesk_newsroom::{Agent, DraftPart, DraftSection, Journal, ReviewRoom, SentenceSources, SourcePlace};
use copydesk_text::sanitise;

/// Passages of each sentence that a section has room for; more are shown if they fit.
const PASSAGES: usize = 3;

/// Room for the metadata of the topic, in bytes.
const METADATA: u64 = 1024;

/// Tokens of the text around a section and its passages.
const AROUND: u64 = 96;

/// So much of a sentence is quoted to say that no passage was found for it, in characters.
const QUOTED: usize = 60;

/// Returns the room left in the reviewer's window; none if nothing bounds it.
pub(super) fn room(prompts: &Prompts, windows: &Windows, style: &str) -> Option<ReviewRoom> {
    let limit = windows.prompts.get(&Agent::ArticleReview).copied();
    if limit.is_none() && windows.sources.is_none() {
        return None;
    }
    let template = prompts.short_form("article_review", limit).unwrap_or("article_review");
    let fixed = prompts.fill(template, &[("STYLE_REQUIREMENTS", style.to_owned())]).bytes() as u64;
    let bytes = limit.map_or(u64::MAX, |limit| limit.saturating_sub(fixed.saturating_add(METADATA)));
    Some(ReviewRoom { bytes, sources: windows.sources })
}

/// The question about a section: the article is that section alone.
pub(super) fn draught(style: &str, journal: &Journal, round: u32, section: u32) -> Option<Draught<'static>> {
    let whole = review::draught(style, journal, round)?;
    let article = article(journal, round, section)?;
    let values = whole.values.into_iter().map(|(name, value)| match name {
        "ARTICLE" => (name, article.clone()),
        _ => (name, value),
    });
    Some(Draught { values: values.collect(), ..whole })
}

/// The sections of a round's draft; none if all fits one prompt, or not even the instructions do. It may take a while.
pub(super) fn cut(
    prompts: &Prompts,
    windows: &Windows,
    style: &str,
    journal: &Journal,
    round: u32,
) -> Option<Vec<DraftSection>> {
    let mut draught = material::formed(review::draught(style, journal, round)?, prompts, windows);
    if material::with_whole(&mut draught, prompts, windows, journal).is_some() {
        return Some(Vec::new());
    }
    draught.values.retain(|(name, _)| *name != "ARTICLE");
    let limit = windows.prompts.get(&draught.agent).copied().unwrap_or(u64::MAX);
    let instructions = windows.of(&prompts.fill(draught.template, &draught.values));
    let left = limit.saturating_sub(instructions).saturating_sub(AROUND);
    if left == 0 {
        return Some(Vec::new());
    }
    let sentences = material::of_sentences(journal, round);
    let article = &journal.draft(round)?.article;
    let headings = journal.texts().map(|(name, _)| windows.tokens(&material::heading(name, "100 %"))).collect();
    let most = windows.sources.unwrap_or(u64::MAX);
    let mut cutter = Cutter { journal, windows, left, most, headings, sections: Vec::new() };
    let mut open = Vec::new();
    for (field, text) in article.fields() {
        for paragraph in paragraphs(field, text, &sentences) {
            cutter.add(&mut open, paragraph);
        }
    }
    cutter.close(&mut open);
    let sections = cutter.sections;
    Some(if sections.len() > 1 { sections } else { Vec::new() })
}

/// A sentence of the draft with the white space after it.
#[derive(Clone)]
struct Unit<'a> {
    field: &'static str,
    place: Range<usize>,
    text: &'a str,
    /// Where the sources speak of it; none if it has no words.
    sources: Option<&'a SentenceSources>,
}

/// The sentences of a field, a paragraph at a time. All of the text is in them.
fn paragraphs<'a>(field: &'static str, text: &'a str, sentences: &'a [SentenceSources]) -> Vec<Vec<Unit<'a>>> {
    let own = sentences.iter().filter(|sentence| sentence.field == field);
    let mut starts: Vec<(usize, Option<&SentenceSources>)> = own.map(|one| (one.start, Some(one))).collect();
    starts.sort_by_key(|(start, _)| *start);
    match starts.first_mut() {
        Some((first, _)) => *first = 0,
        None => starts.push((0, None)),
    }
    let mut paragraphs: Vec<Vec<Unit<'_>>> = Vec::new();
    let mut ended = true;
    for (index, (start, sources)) in starts.iter().enumerate() {
        let end = starts.get(index + 1).map_or(text.len(), |(next, _)| *next);
        let Some(said) = text.get(*start..end).filter(|said| !said.is_empty()) else { continue };
        let unit = Unit { field, place: *start..end, text: said, sources: *sources };
        if ended {
            paragraphs.push(Vec::new());
        }
        ended = said.ends_with('\n');
        if let Some(last) = paragraphs.last_mut() {
            last.push(unit);
        }
    }
    paragraphs
}

/// Makes sections of the paragraphs that it is given in turn.
struct Cutter<'a> {
    journal: &'a Journal,
    windows: &'a Windows,
    /// Tokens of a section with its passages.
    left: u64,
    /// Tokens of its passages.
    most: u64,
    /// Tokens of the heading of each source.
    headings: Vec<u64>,
    sections: Vec<DraftSection>,
}

impl<'a> Cutter<'a> {
    fn add(&mut self, open: &mut Vec<Unit<'a>>, paragraph: Vec<Unit<'a>>) {
        if self.fits(open, &paragraph) {
            open.extend(paragraph);
        } else if !open.is_empty() && self.fits(&[], &paragraph) {
            self.close(open);
            open.extend(paragraph);
        } else {
            self.close(open);
            for unit in paragraph {
                if !open.is_empty() && !self.fits(open, std::slice::from_ref(&unit)) {
                    self.close(open);
                }
                open.push(unit);
            }
        }
    }

    /// Whether both fit into one section, each sentence with its best passages.
    fn fits(&self, open: &[Unit<'_>], more: &[Unit<'_>]) -> bool {
        let units = || open.iter().chain(more);
        let said: u64 = units().map(|unit| self.windows.tokens(unit.text)).sum();
        if said > self.left {
            return false;
        }
        let texts: Vec<&str> = self.journal.texts().map(|(_, text)| text).collect();
        let passages = ranked(units(), PASSAGES);
        let shown = passages.iter().filter_map(|place| texts.get(place.source)?.get(place.start..place.end));
        let shown: u64 = shown.map(|text| self.windows.tokens(text).saturating_add(FRAME)).sum();
        let named = self.headings.iter().enumerate();
        let named = named.filter(|(source, _)| passages.iter().any(|place| place.source == *source));
        let shown = named.map(|(_, tokens)| *tokens).sum::<u64>().saturating_add(shown).saturating_add(FRAME);
        shown <= self.most && said.saturating_add(shown) <= self.left
    }

    fn close(&mut self, open: &mut Vec<Unit<'a>>) {
        if open.is_empty() {
            return;
        }
        let mut parts: Vec<DraftPart> = Vec::new();
        for unit in open.iter() {
            match parts.last_mut().filter(|part| part.field == unit.field) {
                Some(part) => part.end = unit.place.end,
                None => parts.push(part(unit.field, unit.place.clone())),
            }
        }
        let silent = open.iter().filter_map(|unit| unit.sources.filter(|sources| sources.passages.is_empty()));
        let unfound = silent.map(|sources| part(&sources.field, sources.start..sources.end)).collect();
        self.sections.push(DraftSection { parts, passages: ranked(open.iter(), usize::MAX), unfound });
        open.clear();
    }
}

fn part(field: &str, place: Range<usize>) -> DraftPart {
    DraftPart { field: field.to_owned(), start: place.start, end: place.end }
}

/// The best passage of each sentence, then the second of each, and so on, each once.
fn ranked<'u, 'a: 'u>(units: impl Iterator<Item = &'u Unit<'a>>, deepest: usize) -> Vec<SourcePlace> {
    let sentences: Vec<&[SourcePlace]> =
        units.filter_map(|unit| unit.sources).map(|sources| sources.passages.as_slice()).collect();
    let longest = sentences.iter().map(|passages| passages.len()).max().unwrap_or(0).min(deepest);
    let mut ranked: Vec<SourcePlace> = Vec::new();
    for rank in 0..longest {
        for place in sentences.iter().filter_map(|passages| passages.get(rank)) {
            if !ranked.contains(place) {
                ranked.push(place.clone());
            }
        }
    }
    ranked
}

/// A section as the reviewer reads it.
fn article(journal: &Journal, round: u32, number: u32) -> Option<String> {
    let section = sections::section(journal, round, number)?;
    let fields = journal.draft(round)?.article.fields();
    let text = |part: &DraftPart| {
        let (name, text) = fields.iter().find(|(name, _)| *name == part.field)?;
        Some((*name, text.get(part.start..part.end)?))
    };
    let said: Map<String, Value> =
        section.parts.iter().filter_map(text).map(|(name, text)| (name.to_owned(), text.trim_end().into())).collect();
    let mut article = format!(
        "[Section {number} of {} of the article. The other sections are reviewed by themselves.]\n{}",
        sections::of(journal, round).len(),
        serde_json::to_string_pretty(&said).unwrap_or_default()
    );
    let unfound: Vec<String> = section
        .unfound
        .iter()
        .filter_map(text)
        .map(|(_, text)| format!("“{}”", sanitise::excerpt(text, QUOTED)))
        .collect();
    if !unfound.is_empty() {
        article += "\n[A program searched the whole of every source. It found no passage for: ";
        article += &unfound.join(", ");
        article += ".]";
    }
    Some(article)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        agents::{Agents, Plan, template::tests::shipped},
        editorial::next_steps::next_steps,
        editorial::testing::{add, opening},
        ports::Ask,
    };
    use copydesk_newsroom::{Answer, ArticleResponse, Draft, Finding, Opening, Outcome, Proof, Source, Step};
    use copydesk_text::tokens;

    const STREETS: [&str; 6] = ["Ash", "Birch", "Cedar", "Elm", "Maple", "Oak"];

    fn fact(street: &str, metres: usize) -> String {
        format!("The lane of {street} Street is {metres} metres long and gets new lamps.")
    }

    /// A draft with a paragraph for each street, and sources with so many lines before and after the words on each street.
    fn journal(lines: usize, limit: u64, sources: Option<u64>) -> (Journal, Agents) {
        let filler =
            |n: usize| format!("Item {n}: somebody coughed, and a chair was moved across the floor of hall {n}.\n");
        let rest = || (0..lines).map(filler).collect::<String>();
        let said: Vec<String> =
            STREETS.iter().zip(1..).map(|(street, n)| rest() + &fact(street, n * 110) + "\n" + &rest()).collect();
        let windows = Windows {
            encoding: "o200k_base".into(),
            prompts: Agent::all().map(|agent| (agent, limit)).collect(),
            sources,
        };
        let agents = Agents::Models {
            prompts: Prompts::new(&shipped()).unwrap(),
            styles: [("SCIAM_MAGAZINE".to_owned(), "Plain words.".to_owned())].into(),
            windows,
            second_opinion: None,
        };
        let mut opening = Opening { review_room: agents.review_room("SCIAM_MAGAZINE"), ..opening() };
        opening.topic.source_text = said[..3].concat();
        opening.more_sources = vec![
            Source { name: "An empty page".into(), text: "Nobody came.".into() },
            Source { name: "The second part".into(), text: said[3..].concat() },
        ];
        let mut journal = Journal::new(opening);
        let body: Vec<String> = STREETS.iter().zip(1..).map(|(street, n)| fact(street, n * 120)).collect();
        let article = ArticleResponse {
            headline: "New lamps for six lanes".into(),
            alternativeHeadline: "Lamps for lanes".into(),
            articleBody: body.join("\n\n") + "\n\nIt rained frogs on Jupiter.",
            description: "The lanes get lamps.".into(),
        };
        add(&mut journal, Step::Draft, Outcome::Draft(Draft { article, stripped: vec![], undone: vec![] }));
        (journal, agents)
    }

    fn planned(agents: &Agents, journal: &Journal, step: Step) -> Result<Ask, Box<Outcome>> {
        match agents.plan(journal, step).unwrap() {
            Plan::Ask(ask) => Ok(*ask),
            Plan::Done(outcome) => Err(outcome),
        }
    }

    fn sections_of(journal: &mut Journal, agents: &Agents) -> Vec<DraftSection> {
        let step = Step::Sections { round: 1 };
        let outcome = *planned(agents, journal, step).unwrap_err();
        let Outcome::Sections(sections) = outcome.clone() else { panic!("{outcome:?}") };
        add(journal, step, outcome);
        sections
    }

    #[test]
    fn each_section_is_asked_about_with_what_its_sentences_need_and_together_they_are_the_draft() {
        for (lines, limit, sources) in [(900, 1_000, None), (900, 8_000, Some(300)), (20, 1_000, None)] {
            let (mut journal, agents) = journal(lines, limit, sources);
            assert_eq!(next_steps(&journal), [Step::Sections { round: 1 }]);
            let sections = sections_of(&mut journal, &agents);
            assert!(sections.len() > 1, "{limit}: {}", sections.len());
            let article = journal.draft(1).unwrap().article.clone();
            for (name, text) in article.fields() {
                let parts = sections.iter().flat_map(|section| &section.parts).filter(|part| part.field == name);
                let said: String = parts.map(|part| &text[part.start..part.end]).collect();
                assert_eq!(said, text, "{limit}: all of {name}, in its order");
            }
            let steps = next_steps(&journal);
            assert_eq!(steps.len(), sections.len());
            let mut before = None;
            for step in steps {
                let ask = planned(&agents, &journal, step).unwrap();
                let text = ask.prompt.text();
                let tokens: u64 = ask.prompt.messages.iter().map(|m| tokens::count("o200k_base", &m.text())).sum();
                assert!(tokens <= limit, "{step}: {tokens} of {limit}");
                let (sources, own) = text.split_once("<article>").unwrap();
                for (street, n) in STREETS.iter().zip(1..) {
                    let decides = sources.contains(&fact(street, n * 110));
                    assert!(decides || !own.contains(street), "{step}: what decides about {street} is there: {text}");
                }
                assert!(sources.contains("This is an extract") && !sources.contains("An empty page"), "{text}");
                // All that comes before the sources is the same in all sections.
                let prefix = text.split_once("<source_text>").unwrap().0.to_owned();
                assert_eq!(before.get_or_insert(prefix.clone()), &prefix);
            }
        }
    }

    #[test]
    fn what_fits_is_one_review_and_so_is_what_no_section_would_help() {
        let (mut whole, agents) = journal(1, 30_000, None);
        assert_eq!(next_steps(&whole), [Step::Review { round: 1 }]);
        assert_eq!(sections_of(&mut whole, &agents), []);
        assert!(planned(&agents, &whole, Step::Review { round: 1 }).unwrap().shown.is_none());
        let (mut tiny, agents) = journal(100, 200, None);
        assert_eq!(sections_of(&mut tiny, &agents), []);
        // The draft fits with all that its sentences need.
        let (mut wide, agents) = journal(900, 8_000, None);
        assert_eq!(sections_of(&mut wide, &agents), []);
        assert!(planned(&agents, &wide, Step::Review { round: 1 }).unwrap().shown.is_some());
        assert_eq!(Agents::Offline.review_room("SCIAM_MAGAZINE"), None);
    }

    #[test]
    fn a_sentence_without_a_passage_is_named_and_the_reviews_are_joined_beside_the_proof() {
        let (mut journal, agents) = journal(900, 1_000, None);
        let finding: Finding =
            copydesk_proof::testing::check_texts("It lays 1.8 miles.", "It lays 1.4 miles.").remove(0);
        let proof = Proof { findings: vec![finding.clone()], kept: None };
        add(&mut journal, Step::Prove { round: 1 }, Outcome::Proof(proof));
        let sections = sections_of(&mut journal, &agents);
        let last = u32::try_from(sections.len()).unwrap();
        let unfound: Vec<_> = sections.iter().flat_map(|section| &section.unfound).collect();
        assert_eq!(unfound.len(), 1, "{unfound:?}");
        let said = article(&journal, 1, last).unwrap();
        assert!(said.contains("It found no passage for: “It rained frogs on Jupiter.”"), "{said}");
        for section in 1..=last {
            let step = Step::ReviewSection { round: 1, section };
            let answer = |text: String| Answer { text, ..Answer::default() };
            let prose = Agents::read(&journal, step, &answer("All is well.".into()));
            assert!(prose.unwrap_err().to_string().contains("no bullet"));
            let text =
                if section == last { "No concerns.".to_owned() } else { format!("- “Lane” of section {section}") };
            let outcome = Agents::read(&journal, step, &answer(text)).unwrap();
            add(&mut journal, step, outcome);
        }
        let step = Step::Review { round: 1 };
        let review = *planned(&agents, &journal, step).unwrap_err();
        assert_eq!(Agents::without_anyone(&journal, step), Some(review.clone()), "a replay asks nobody");
        let Outcome::Review(review) = review else { panic!("{review:?}") };
        let lines: Vec<&str> = review.raw.markdown_bullets.lines().collect();
        assert_eq!(lines.len(), sections.len(), "{lines:?}");
        assert_eq!(lines[0], "- “Lane” of section 1");
        assert!(lines[lines.len() - 1].starts_with("- “1.8” inferred_fact"), "{lines:?}");
        assert_eq!(review.findings, [finding]);
    }
}

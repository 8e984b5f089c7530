//! The text that one agent sends on to the next, shaped for its reader (`article_generation.listener_aware`). A specialist is told where a
//! claim stands and whose it is. The writer is told for each to-do where it is, what decided it, and the change.
//!
//! These texts go into prompts only. The contract's files stay as they are, `todo_list` among them.

use std::{fmt::Write as _, ops::Range};

use super::{evidence, excerpts, subject::Subject};
use copydesk_newsroom::{ArticleResponse, Journal, OpenedCitation, Passage, Status, Tier, Verdict, field_in_words};
use copydesk_text::{
    marks::quotations,
    places,
    sanitise::{excerpt, one_line},
    sentences::sentences,
    words::words,
};

/// The most characters of the quoted texts of all to-dos together. In a narrow window they take room from the sources.
const ROOM: usize = 16_000;

/// Most and fewest characters of one quoted text.
const LONGEST: usize = 400;
const SHORTEST: usize = 80;

/// The place and the speaker of a concern's sentence, for a specialist. `said_by` is the person to whom the draft attributes it.
pub fn about_sentence(article: &ArticleResponse, subject: &Subject, said_by: Option<&str>) -> String {
    let Some((field, place)) = &subject.place else { return String::new() };
    let said_by = said_by.map_or_else(|| "nobody; the draft says it in its own voice".to_owned(), one_line);
    format!("\nPlace: {}\nSaid by: {said_by}", place_in_words(article, field, place))
}

/// The to-dos of a round that verdicts ask for: the number in `todo_list`, from 1, and the verdict. Empty before the round has feedback.
pub fn asked(journal: &Journal, round: u32) -> Vec<(u32, &Verdict)> {
    let Some(feedback) = journal.feedback(round) else { return Vec::new() };
    // As `feedback::compile` orders them: an editor's own to-dos and those of house style come behind, and say themselves where they are.
    let verdicts = feedback.verdicts.iter().filter(|verdict| verdict.status != Status::Keep);
    verdicts
        .filter_map(|verdict| Some((verdict, verdict.suggested_fix.as_deref()?)))
        .zip((1..).zip(&feedback.todo_list))
        .filter(|((_, fix), (_, to_do))| fix == to_do)
        .map(|((verdict, _), (number, _))| (number, verdict))
        .collect()
}

/// The to-dos of a round that verdicts ask for, each under its number in `todo_list`; empty if there are none.
pub fn to_dos(journal: &Journal, round: u32) -> String {
    let Some(draft) = journal.draft(round) else { return String::new() };
    let asked = asked(journal, round);
    if asked.is_empty() {
        return String::new();
    }
    let longest = (ROOM / (2 * asked.len())).clamp(SHORTEST, LONGEST);
    let mut told = "\n\nThe to-dos that a verdict asks for, by their number in todo_list: where each stands in the article, with its words \
                    between ⟦ and ⟧; the words that decided it, and where they stand; the change. What is quoted here is material."
        .to_owned();
    for (number, verdict) in asked {
        let fix = verdict.suggested_fix.as_deref().unwrap_or_default();
        let place = match Subject::of(journal, round, verdict.concern_id) {
            Some(subject) => {
                let shown = excerpt(&subject.marked.clone().unwrap_or_else(|| subject.shown()), longest);
                let at = subject.place.as_ref().map(|(field, place)| place_in_words(&draft.article, field, place));
                at.map_or_else(|| shown.clone(), |at| format!("{at}: {shown}"))
            }
            None => "not told".to_owned(),
        };
        let decided = deciding(journal, round, verdict).map_or_else(
            || format!("none was quoted; the reason: {}", excerpt(&verdict.rationale, longest)),
            |(quoted, from)| format!("“{}” ({from})", excerpt(&quoted, longest)),
        );
        let _ = write!(told, "\n\n{number}. Where: {place}\n   Evidence: {decided}\n   Change: {}", one_line(fix));
    }
    told
}

/// The words that decided a verdict, and where they stand: those that it quotes, else the passage that it cites, else the source's words
/// behind the proof's finding.
pub fn deciding(journal: &Journal, round: u32, verdict: &Verdict) -> Option<(String, String)> {
    let concern = verdict.concern_id;
    let passages = journal.look_up(round, concern).map(|look_up| look_up.passages.as_slice()).unwrap_or_default();
    let said = verdict.evidence.as_deref().filter(|_| !evidence::is_missing(verdict)).unwrap_or_default();
    let quoted = quotations(said).into_iter().filter_map(|quoted| said.get(quoted.start..quoted.end));
    let mut quoted = quoted.filter(|quoted| words(quoted).len() >= evidence::FEWEST);
    if let Some(found) = quoted.find_map(|quoted| Some((quoted.to_owned(), standing(journal, round, concern, quoted)?)))
    {
        return Some(found);
    }
    let cited = verdict.citations.iter().flatten();
    let of_passage = |cited: &String| passages.iter().find(|passage| passage.citation() == *cited);
    if let Some(passage) = cited.clone().find_map(of_passage) {
        return Some((passage.text.clone(), of(journal, passage)));
    }
    if let Some(span) = excerpts::finding(journal, round, concern).and_then(|finding| finding.passage.as_ref()) {
        return Some((span.text.clone(), in_source(journal, &span.source, &(span.start..span.end))));
    }
    let source = cited.map(|cited| one_line(cited)).next()?;
    (!said.is_empty()).then(|| (said.to_owned(), source))
}

/// Where quoted words stand: in a passage that was looked up, in a page that was opened, in a source.
fn standing(journal: &Journal, round: u32, concern: u32, quoted: &str) -> Option<String> {
    let wanted = evidence::plain(quoted);
    let has = |text: &str| text.contains(quoted) || evidence::plain(text).contains(&wanted);
    let passages = journal.look_up(round, concern).map(|look_up| look_up.passages.as_slice()).unwrap_or_default();
    if let Some((name, at)) = journal.texts().find_map(|(name, text)| Some((name, text.find(quoted)?))) {
        return Some(in_source(journal, name, &(at..at + quoted.len())));
    }
    if let Some(passage) = passages.iter().find(|passage| has(&passage.text)) {
        return Some(of(journal, passage));
    }
    let opened = journal.opened(round, concern).unwrap_or_default();
    let page = opened
        .iter()
        .filter_map(OpenedCitation::page)
        .find(|page| page.passage.as_ref().is_some_and(|passage| has(&passage.text)));
    page.map(|page| one_line(&format!("{}, {}", page.title, page.address)))
}

/// The source of a passage and its place in it.
fn of(journal: &Journal, passage: &Passage) -> String {
    if matches!(passage.tier, Tier::Source | Tier::Found)
        && let (Ok(start), Ok(end)) = (usize::try_from(passage.start), usize::try_from(passage.end))
    {
        return in_source(journal, &passage.file, &(start..end));
    }
    let heading = if passage.heading.is_empty() { String::new() } else { format!(", {}", passage.heading) };
    one_line(&format!("{}, {}{heading}", passage.tier.words(), passage.citation()))
}

/// `minutes.txt, line 12`; of a recording the time, of a document with pages the page.
fn in_source(journal: &Journal, name: &str, span: &Range<usize>) -> String {
    let shown = one_line(name);
    let Some((_, text)) = journal.texts().find(|(known, _)| *known == name) else { return shown };
    format!("{shown}, {}", places::place(text, span, || format!("line {}", places::line(text, span.start))))
}

/// `body, paragraph 3, sentence 2, under “Costs”`; the first paragraph is the lede; of another field its name.
fn place_in_words(article: &ArticleResponse, field: &str, place: &Range<usize>) -> String {
    let named = field_in_words(field);
    let body = article.articleBody.as_str();
    if field != "articleBody" {
        return named.to_owned();
    }
    let (mut paragraph, mut heading, mut at) = (0_usize, None, 0..0);
    for block in blocks(body).take_while(|block| block.start <= place.start) {
        let text = body.get(block.clone()).unwrap_or_default();
        if text.starts_with('#') {
            heading = Some(text.trim_start_matches('#').trim());
            if place.start < block.end {
                return format!("{named}, heading {}", paragraph + 1);
            }
        } else {
            paragraph += 1;
            at = block;
        }
    }
    let within = |line: &Range<usize>| line.start >= at.start && line.start <= place.start;
    let sentence = sentences(body).iter().filter(|line| within(line)).count().max(1);
    let paragraph = if paragraph <= 1 { "lede".to_owned() } else { format!("paragraph {paragraph}") };
    let under = heading.map_or_else(String::new, |heading| format!(", under “{}”", excerpt(heading, SHORTEST)));
    format!("{named}, {paragraph}, sentence {sentence}{under}")
}

/// The paragraphs of a Markdown text, in bytes; a heading is one of its own.
fn blocks(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let (mut at, mut open) = (0, false);
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let heading = line.starts_with('#');
        match found.last_mut() {
            _ if line.trim().is_empty() => open = false,
            Some(last) if open && !heading => last.end = range.end,
            _ => {
                found.push(range);
                open = !heading;
            }
        }
    }
    found.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::{
        gate::compile,
        testing::{add, add_round, article, opening, verdict},
    };
    use copydesk_newsroom::{ArticleReviewResult, Concern, Draft, LookUp, Outcome, Specialist, Step};

    const BODY: &str =
        "The council met. It voted.\n\n## Costs\nThe plan costs $2 million.\n\nIt is late. It lays 1.8 miles of paths.";

    fn journal() -> Journal {
        let mut opening = opening();
        opening.topic.source_text = "Minutes.\n\nThe plan lays 1.4 miles of paths.\nIt costs $2 million.".into();
        let mut journal = Journal::new(opening);
        add_round(&mut journal, 1, &[Specialist::FactCheck, Specialist::FactCheck, Specialist::Opinion]);
        let draft = Draft { article: article(BODY), stripped: vec![], undone: vec![] };
        add(&mut journal, Step::Draft, Outcome::Draft(draft));
        let concerns = [(1, "1.8 miles"), (2, "The plan costs"), (3, "It voted")]
            .map(|(concern_id, excerpt)| Concern { concern_id, excerpt: excerpt.into(), review_note: "n".into() });
        add(
            &mut journal,
            Step::Parse { round: 1 },
            Outcome::Concerns(ArticleReviewResult { concerns: concerns.into() }),
        );
        journal
    }

    #[test]
    fn a_place_is_told_by_paragraph_sentence_and_heading() {
        let article = article(BODY);
        let place = |part: &str| {
            let start = BODY.find(part).unwrap();
            place_in_words(&article, "articleBody", &(start..start + part.len()))
        };
        assert_eq!(place("It voted"), "body, lede, sentence 2");
        assert_eq!(place("Costs"), "body, heading 2");
        assert_eq!(place("The plan costs"), "body, paragraph 2, sentence 1, under “Costs”");
        assert_eq!(place("1.8 miles"), "body, paragraph 3, sentence 2, under “Costs”");
        assert_eq!(place_in_words(&article, "headline", &(0..3)), "headline");
    }

    #[test]
    fn the_writer_is_told_place_evidence_and_change_of_each_to_do() {
        let mut journal = journal();
        let verdicts = [
            Verdict {
                evidence: Some("The minutes: “The plan lays 1.4 miles of paths.”".into()),
                ..verdict(1, Status::Rewrite, Some("Write “1.4 miles” instead of “1.8 miles”."))
            },
            Verdict {
                citations: Some(vec!["costs.md, bytes 4-9".into()]),
                ..verdict(2, Status::Rewrite, Some("Say when."))
            },
            verdict(3, Status::Remove, Some("Delete “It voted.”")),
        ];
        let passage =
            Passage { file: "costs.md".into(), start: 4, end: 9, text: "By May.".into(), ..Passage::default() };
        let found = LookUp { passages: vec![passage], ..LookUp::default() };
        add(&mut journal, Step::LookUp { round: 1, concern: 2 }, Outcome::LookUp(found));
        let mut feedback = compile(1, &verdicts);
        feedback.todo_list.push("Shorter, please.".into());
        add(&mut journal, Step::Feedback { round: 1 }, Outcome::Feedback(feedback));
        let told = to_dos(&journal, 1);
        let (_, listed) = told.split_once("material.\n\n").unwrap();
        assert_eq!(
            listed,
            "1. Where: body, paragraph 3, sentence 2, under “Costs”: It lays ⟦1.8 miles⟧ of paths.\n   \
             Evidence: “The plan lays 1.4 miles of paths.” (Minutes, line 3)\n   \
             Change: Write “1.4 miles” instead of “1.8 miles”.\n\n\
             2. Where: body, paragraph 2, sentence 1, under “Costs”: ⟦The plan costs⟧ $2 million.\n   \
             Evidence: “By May.” (knowledge base, costs.md, bytes 4-9)\n   Change: Say when.\n\n\
             3. Where: body, lede, sentence 2: ⟦It voted⟧.\n   \
             Evidence: none was quoted; the reason: rationale 3\n   Change: Delete “It voted.”"
        );
        assert_eq!(to_dos(&self::journal(), 1), "");
    }

    #[test]
    fn a_specialist_is_told_where_a_claim_stands_and_whose_it_is() {
        let journal = journal();
        let article = &journal.draft(1).unwrap().article;
        let about = |concern, said_by| about_sentence(article, &Subject::of(&journal, 1, concern).unwrap(), said_by);
        assert_eq!(about(3, Some("Ana\nReyes")), "\nPlace: body, lede, sentence 2\nSaid by: Ana Reyes");
        assert!(about(1, None).ends_with("Said by: nobody; the draft says it in its own voice"));
    }
}

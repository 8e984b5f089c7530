//! The dossier of an assignment: what its sources say on the questions, in their own paragraphs.

use std::{fmt::Write as _, ops::Range};

use super::research::{place, questions};
use copydesk_newsroom::{Dossier, DossierParagraph, Failure, Journal, NumberedSource, ResearchErrand, ResearchFinding};
use copydesk_text::{
    overlap::{Sentences, Stems},
    sanitise,
    sentences::sentences,
};

/// Most paragraphs of the sources that were given, for one question.
const MOST_OF_GIVEN: usize = 3;

/// The least share of a question's words that a sentence has which bears on it, and how many that must be.
const LEAST_SHARE: f64 = 0.3;
const LEAST_SHARED: usize = 2;

/// Longest paragraph of a dossier, in bytes. Of a longer one, the sentence of the quotation and those around it are taken.
const LONGEST_PARAGRAPH: usize = 1_500;

/// Compiles the dossier: the findings of the passes, and the passages of the given sources on the questions.
///
/// # Errors
/// The run's failure, if nothing was found at all: there is nothing to write from.
pub fn dossier(journal: &Journal) -> Result<Dossier, Failure> {
    let mut dossier = Dossier::default();
    let mut last = "";
    let read = journal.read_sources();
    let found: Vec<(NumberedSource<'_>, &ResearchFinding)> = journal
        .passes()
        .filter_map(|errand| journal.findings(errand)?.findings.as_ref())
        .flatten()
        .filter_map(|finding| Some((*read.iter().find(|read| read.id() == finding.source)?, finding)))
        .collect();
    // A source's paragraphs stand together, in its own order.
    for source in &read {
        let of_it = found.iter().filter(|(of, _)| of.number == source.number);
        let mut places: Vec<_> = of_it
            .filter_map(|(_, finding)| {
                Some(paragraph(&source.source.text, &place(&source.source.text, &finding.quotation)?))
            })
            .collect();
        places.sort_by_key(|place| (place.start, place.end));
        for place in places {
            add(&mut dossier, &mut last, (&source.source.title, source.name()), &source.source.text, place);
        }
    }
    let asked: Vec<Stems> = journal.plan().unwrap_or_default().iter().map(|question| Stems::of(question)).collect();
    for given in &journal.opening.more_sources {
        let text = Sentences::of(&given.text);
        let mut places: Vec<_> = asked.iter().flat_map(|question| bearing(&text, &given.text, question)).collect();
        places.sort_by_key(|place| (place.start, place.end));
        for place in places {
            add(&mut dossier, &mut last, (&given.name, &given.name), &given.text, place);
        }
    }
    dossier.open = open_questions(journal);
    if dossier.paragraphs.is_empty() {
        return Err(Failure::of(
            "the research found nothing on this assignment, so there is nothing to write from: add documents to the knowledge folder, give \
             sources with --source, or configure a search (tools.search)",
        ));
    }
    Ok(dossier)
}

/// The questions of the last pass that nothing answers.
fn open_questions(journal: &Journal) -> Vec<String> {
    let Some((pass, coverage)) = (1..).map_while(|pass| Some((pass, journal.coverage(pass)?))).last() else {
        return Vec::new();
    };
    let asked = questions(journal, ResearchErrand::Pass(pass)).into_iter().zip(&coverage.questions);
    asked.filter(|(_, covered)| !covered.answered).map(|(asked, _)| asked).collect()
}

/// Adds a paragraph that is not there yet, under its source's title.
fn add<'j>(
    dossier: &mut Dossier,
    last: &mut &'j str,
    (title, source): (&'j str, &'j str),
    text: &str,
    place: Range<usize>,
) {
    let within = |known: &DossierParagraph| {
        known.source == source && known.at <= place.start && place.end <= known.at + (known.end - known.start)
    };
    let Some(words) = text.get(place.clone()).filter(|_| !dossier.paragraphs.iter().any(within)) else { return };
    if *last != source {
        let _ = write!(dossier.text, "## {}\n\n", sanitise::one_line(title));
        *last = source;
    }
    let start = dossier.text.len();
    dossier.text.push_str(words);
    let end = dossier.text.len();
    dossier.text.push_str("\n\n");
    dossier.paragraphs.push(DossierParagraph { start, end, source: source.to_owned(), at: place.start });
}

/// The paragraph around a place; of one that is too long, the sentences around it.
fn paragraph(text: &str, place: &Range<usize>) -> Range<usize> {
    let start = text.get(..place.start).and_then(|before| before.rfind("\n\n")).map_or(0, |at| at + 2);
    let end = text.get(place.end..).and_then(|behind| behind.find("\n\n")).map_or(text.len(), |at| place.end + at);
    if end - start <= LONGEST_PARAGRAPH {
        return trimmed(text, start..end);
    }
    let Some(whole) = text.get(start..end) else { return place.clone() };
    let own: Vec<_> = sentences(whole).into_iter().map(|one| start + one.start..start + one.end).collect();
    let first = own.iter().position(|one| one.end > place.start).unwrap_or(0);
    let last = own.iter().rposition(|one| one.start < place.end).unwrap_or(first);
    let around = own.get(first.saturating_sub(1)..(last + 2).min(own.len())).unwrap_or_default();
    match (around.first(), around.last()) {
        (Some(first), Some(last)) => trimmed(text, first.start.min(place.start)..last.end.max(place.end)),
        _ => place.clone(),
    }
}

/// The same without white space at its ends.
fn trimmed(text: &str, place: Range<usize>) -> Range<usize> {
    let Some(words) = text.get(place.clone()) else { return place };
    let start = place.start + (words.len() - words.trim_start().len());
    start..start + words.trim().len()
}

/// The paragraphs of a text around the sentences that have most of a question's words.
fn bearing(text: &Sentences, whole: &str, question: &Stems) -> Vec<Range<usize>> {
    let near =
        text.nearest(question).into_iter().filter(|near| near.shared >= LEAST_SHARED && near.share >= LEAST_SHARE);
    near.take(MOST_OF_GIVEN).map(|near| paragraph(whole, &near.range)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::{
        next_steps::next_steps,
        testing::add,
        testing::research::{MINUTES, assigned, first_pass},
    };
    use copydesk_newsroom::{Covered, Outcome, QuestionCoverage, Source, Step, Tier};

    #[test]
    fn a_dossier_chooses_paragraphs_of_sources_and_takes_the_place_of_the_assignment() {
        let mut journal = assigned();
        let letter = "Dear council.\n\nThe pool costs $400,000 a year, a neighbour wrote.\n\nYours.";
        journal.opening.more_sources = vec![Source { name: "letter.txt".into(), text: letter.into() }];
        first_pass(&mut journal);
        add(&mut journal, Step::Plan, Outcome::Questions(vec!["Who voted?".into(), "What does the pool cost?".into()]));
        let made = dossier(&journal).unwrap();
        assert_eq!(
            made.text,
            "## Title of https://a.example\n\nThe council voted seven to two\non Tuesday to close the pool. It cost $400,000 a \
             year.\n\n## letter.txt\n\nThe pool costs $400,000 a year, a neighbour wrote.\n\n"
        );
        for paragraph in &made.paragraphs {
            let text = if paragraph.source == "letter.txt" { letter } else { MINUTES };
            let length = paragraph.end - paragraph.start;
            assert_eq!(made.text[paragraph.start..paragraph.end], text[paragraph.at..paragraph.at + length]);
        }
        add(&mut journal, Step::Dossier, Outcome::Dossier(made.clone()));
        let sources = journal.sources();
        assert_eq!(sources.len(), 2);
        assert_eq!(
            (sources[0].name.as_str(), sources[0].text.as_str()),
            ("https://a.example", MINUTES),
            "a page by itself"
        );
        assert_eq!((sources[1].name.as_str(), sources[1].text.as_str()), ("letter.txt", letter));
        let chosen: Vec<String> = journal.writing_sources().into_iter().map(|source| source.text).collect();
        assert_eq!(
            chosen,
            [
                "The council voted seven to two\non Tuesday to close the pool. It cost $400,000 a year.",
                "The pool costs $400,000 a year, a neighbour wrote."
            ]
        );
        assert_eq!((journal.tier("https://a.example"), journal.tier("letter.txt")), (Tier::Found, Tier::Source));
        assert_eq!(next_steps(&journal), [Step::Draft]);
        let nothing = dossier(&assigned()).unwrap_err();
        assert!(nothing.message.contains("--source"), "{nothing:?}");
    }

    #[test]
    fn what_the_last_pass_left_open_is_named() {
        let mut journal = assigned();
        first_pass(&mut journal);
        let covered = |answered| Covered { answered, why: String::new() };
        let coverage = QuestionCoverage { questions: vec![covered(true), covered(false)], requests: Vec::new() };
        add(&mut journal, Step::Coverage { pass: 1 }, Outcome::Coverage(coverage));
        assert_eq!(dossier(&journal).unwrap().open, ["What does it cost?"]);
    }
}

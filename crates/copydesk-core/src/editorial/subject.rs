//! The subject of a concern: the sentence of the draft that holds its excerpt. Memory, passages, questions and searches get this sentence,
//! because an excerpt alone is often one figure, and the same figure says something else in every sentence.
//!
//! The questions of an agent's task to the passages, by rule.
//!
//! A claim is asked for as a whole, then behind the sentence that it leans on, then by each of its sentences. Then each
//! of its figures is asked for with the words beside it: a passage that has the true figure shares its surroundings
//! with the claim, not the figure. The reviewer's note comes last.

use std::ops::Range;

use super::{excerpts, listed::is_listed};
use copydesk_newsroom::Journal;
use copydesk_text::{
    sanitise::one_line,
    sentences::sentences,
    words::{fold, words},
};

/// A longer stretch of a draft is no statement that can be looked up, in bytes.
const LONGEST: usize = 2_000;

/// Fewer words than this are no note that a passage could answer.
const SHORTEST_NOTE: usize = 4;

/// A sentence that begins with such a word says nothing without the one before.
const LEANS: &str = "he she it they his her its their this that these those such both neither either there then so \
    also another others instead afterwards";

/// The subject of a concern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The sentences that hold the excerpt, in one line; the excerpt itself, which may be empty, if the draft does not have it.
    pub sentence: String,
    /// The same with the excerpt between ⟦ and ⟧; none if the draft does not have it.
    pub marked: Option<String>,
    /// The sentence before, if this one leans on it.
    pub before: Option<String>,
    /// The reviewer's note on it.
    note: String,
    /// The field of the draft by its contract name, and the bytes of the sentences.
    pub place: Option<(&'static str, Range<usize>)>,
}

impl Subject {
    /// Of a concern of a round; none if there is no such concern.
    pub fn of(journal: &Journal, round: u32, concern: u32) -> Option<Self> {
        journal.once(round, concern, || Self::read(journal, round, concern))
    }

    fn read(journal: &Journal, round: u32, concern: u32) -> Option<Self> {
        let concern = journal.concern(round, concern)?;
        let note = one_line(concern.review_note.replacen(&concern.excerpt, "", 1).trim_matches(['“', '”', '"', ' ']));
        let bare = Self { sentence: one_line(&concern.excerpt), marked: None, before: None, note, place: None };
        let placed = excerpts::place_of(journal, round, concern.concern_id)
            .and_then(|(field, excerpt)| bare.clone().at(field, journal.draft(round)?.article.field(field)?, excerpt));
        Some(placed.unwrap_or(bare))
    }

    /// As [`Self::of`], for an excerpt that stands at a place of the draft.
    fn at(self, field: &'static str, text: &str, excerpt: Range<usize>) -> Option<Self> {
        let lines = sentences(text);
        let first = lines.iter().position(|line| line.end > excerpt.start)?;
        let last = lines.iter().rposition(|line| line.start < excerpt.end)?.max(first);
        let (start, end) = (lines.get(first)?.start.min(excerpt.start), lines.get(last)?.end.max(excerpt.end));
        if end - start > LONGEST {
            return None;
        }
        let part = |range: Range<usize>| text.get(range).map(|part| part.replace(['⟦', '⟧'], " "));
        let (head, inside, tail) = (part(start..excerpt.start)?, part(excerpt.clone())?, part(excerpt.end..end)?);
        let sentence = one_line(&format!("{head}{inside}{tail}"));
        let leans = words(&sentence).first().is_some_and(|word| is_listed(&fold(word.text), LEANS));
        let before = first.checked_sub(1).filter(|_| leans).and_then(|before| text.get(lines.get(before)?.clone()));
        Some(Self {
            marked: Some(one_line(&format!("{head}⟦{inside}⟧{tail}"))),
            before: before.map(one_line),
            place: Some((field, start..end)),
            sentence,
            ..self
        })
    }

    /// The query for the memory: the sentence with its excerpt marked, behind the sentence that it leans on. None if the draft does not
    /// have the excerpt, because the statement that a verdict would be about is then unknown.
    pub fn query(&self) -> Option<String> {
        let marked = self.marked.clone()?;
        Some(self.before.as_ref().map_or(marked.clone(), |before| format!("{before} {marked}")))
    }

    /// The text for a person or a model: as [`Self::query`], with the bare excerpt if the draft does not have it.
    pub fn shown(&self) -> String {
        self.query().unwrap_or_else(|| match self.sentence.as_str() {
            "" => "(the reviewer quotes no words of the draft)".to_owned(),
            words => format!("⟦{words}⟧ (the draft does not have these words)"),
        })
    }

    /// The draft's own words that are searched for outside; none if the draft does not have the excerpt.
    pub fn claim(&self) -> Option<String> {
        self.marked.as_ref()?;
        Some(self.before.as_ref().map_or(self.sentence.clone(), |before| format!("{before} {}", self.sentence)))
    }

    /// The questions to the passages, made by rule, the sentence first. For a concern that quotes nothing, the reviewer's note.
    pub fn questions(&self) -> Vec<String> {
        let note = Some(self.note.as_str()).filter(|note| words(note).len() >= SHORTEST_NOTE);
        if self.sentence.is_empty() {
            return note.map(str::to_owned).into_iter().collect();
        }
        of_claim(&self.sentence, self.before.as_deref(), note)
    }
}

/// Most questions of one task.
const MOST: usize = 6;

/// Words on either side of a figure or a name that are asked for with it.
const BESIDE: usize = 6;

/// The questions that a claim comes to, the claim itself first, each once; `before` is the sentence that it leans on.
pub fn of_claim(claim: &str, before: Option<&str>, note: Option<&str>) -> Vec<String> {
    let claim = claim.trim();
    if claim.is_empty() {
        return Vec::new();
    }
    let mut questions = vec![claim.to_owned()];
    let most = MOST - usize::from(note.is_some());
    let mut add = |question: &str| {
        let question = question.trim();
        if !question.is_empty() && questions.len() < most && !questions.iter().any(|known| known == question) {
            questions.push(question.to_owned());
        }
    };
    if let Some(before) = before {
        add(&format!("{before} {claim}"));
    }
    let parts: Vec<&str> = sentences(claim).into_iter().filter_map(|range| claim.get(range)).collect();
    for part in &parts {
        add(part);
    }
    for part in parts {
        for question in around_figures(part) {
            add(&question);
        }
    }
    questions.extend(note.map(str::to_owned));
    questions
}

/// Each figure with the words beside it, without the figure.
fn around_figures(sentence: &str) -> Vec<String> {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let is_figure = |word: &str| word.chars().any(|c| c.is_ascii_digit());
    let figures = words.iter().enumerate().filter(|(_, word)| is_figure(word));
    figures
        .map(|(at, _)| {
            let from = at.saturating_sub(BESIDE);
            let beside = words.iter().skip(from).take(at - from + BESIDE + 1).filter(|word| !is_figure(word));
            let kept: Vec<&str> = beside.map(|word| word.trim_matches(['“', '”', '"', '‘', '’'])).collect();
            kept.join(" ")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, add_round, article, opening};
    use copydesk_newsroom::{ArticleReviewResult, Concern, Draft, Outcome, Specialist, Step};

    fn subject(body: &str, excerpt: &str, note: &str) -> Subject {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::FactCheck]);
        let draft = Draft { article: article(body), stripped: vec![], undone: vec![] };
        add(&mut journal, Step::Draft, Outcome::Draft(draft));
        let concern = Concern { concern_id: 1, excerpt: excerpt.into(), review_note: note.into() };
        add(&mut journal, Step::Parse { round: 1 }, Outcome::Concerns(ArticleReviewResult { concerns: vec![concern] }));
        Subject::of(&journal, 1, 1).unwrap()
    }

    const BODY: &str = "The plan costs $2 million. It lays\n1.8 miles of paths over 1.8 acres. The mayor agreed.";

    #[test]
    fn it_is_the_sentence_with_the_excerpt_marked_behind_the_one_that_it_leans_on() {
        let miles = subject(BODY, "1.8 miles", "“1.8 miles” The source has 1.4 here.");
        assert_eq!(miles.query().unwrap(), "The plan costs $2 million. It lays ⟦1.8 miles⟧ of paths over 1.8 acres.");
        assert_eq!(miles.claim().unwrap(), "The plan costs $2 million. It lays 1.8 miles of paths over 1.8 acres.");
        assert_eq!(
            miles.place.as_ref().map(|(field, place)| (*field, &BODY[place.clone()])),
            Some(("articleBody", "It lays\n1.8 miles of paths over 1.8 acres."))
        );
        let acres = subject(BODY, "1.8 acres", "n");
        assert_ne!(acres.query(), miles.query(), "two concerns in one sentence");
        let mayor = subject(BODY, "The mayor agreed", "n");
        assert_eq!((mayor.before.as_deref(), mayor.shown().as_str()), (None, "⟦The mayor agreed⟧."));
    }

    #[test]
    fn the_sentence_and_what_the_reviewer_says_of_it_are_asked() {
        let asked = subject(BODY, "1.8 miles", "“1.8 miles” The source has 1.4 here.").questions();
        assert_eq!(asked[0], "It lays 1.8 miles of paths over 1.8 acres.");
        assert_eq!(asked[1], "The plan costs $2 million. It lays 1.8 miles of paths over 1.8 acres.");
        assert!(asked.contains(&"The source has 1.4 here.".to_owned()), "{asked:?}");
        assert!(!subject(BODY, "1.8 miles", "“1.8 miles” why?").questions().contains(&"why?".to_owned()));
    }

    #[test]
    fn an_excerpt_that_the_draft_does_not_have_is_no_statement_of_it() {
        let foreign = subject(BODY, "nine dogs barked loudly", "n");
        assert_eq!((foreign.query(), foreign.claim()), (None, None));
        assert_eq!(foreign.shown(), "⟦nine dogs barked loudly⟧ (the draft does not have these words)");
        assert_eq!(foreign.questions(), ["nine dogs barked loudly"]);
        let empty = subject(BODY, "", "“” The council never voted on this plan.");
        assert_eq!((empty.query(), empty.claim(), &empty.place), (None, None, &None));
        assert_eq!(empty.shown(), "(the reviewer quotes no words of the draft)");
        assert_eq!(empty.questions(), ["The council never voted on this plan."]);
        assert_eq!(subject(BODY, " ", "“ ” Hm.").questions(), [""; 0]);
        let endless = format!("{} x", "word ".repeat(1_000));
        assert_eq!(subject(&endless, " x", "n").query(), None, "no statement is that long");
        assert_eq!(subject("A ⟦b⟧ c d.", "c", "n").query().unwrap(), "A b ⟦c⟧ d.", "marks of the draft are no marks");
    }
}

#[cfg(test)]
mod questions_tests {
    use super::*;

    #[test]
    fn a_claim_asks_for_itself_its_sentences_and_what_its_figures_are_of() {
        let claim = "The council voted. It will spend $2.8 million on the park.";
        assert_eq!(
            of_claim(claim, None, None),
            [
                claim,
                "The council voted.",
                "It will spend $2.8 million on the park.",
                "It will spend million on the park."
            ]
        );
        assert_eq!(of_claim("The park is shut.", None, None), ["The park is shut."]);
        assert!(of_claim("  ", None, Some("It is not.")).is_empty());
        let long: Vec<String> = (0..20).map(|n| format!("The bridge of number {n} was closed.")).collect();
        assert_eq!(of_claim(&long.join(" "), None, Some("Which?")).len(), MOST);
    }
}

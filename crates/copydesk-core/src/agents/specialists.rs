//! The five specialists, model-backed: one concern in, one verdict out (docs/reference/contract.md).

use std::{borrow::Cow, ops::Range, sync::Arc};

use super::{
    mapping::specialist_of,
    offline::revise::{changes_nothing, names_other_words, speaks_of_the_text},
    reading::{self, ReadingNote, UnusableAnswer},
    template::{Draught, Prompts},
    writer,
};
use crate::{
    editorial::{evidence, excerpts, listener, next_steps::claim_to_search, same_words, subject::Subject},
    ports::{Ask, Schema},
};
use copydesk_newsroom::{
    Agent, Answer, ArticleResponse, Concern, EvidenceFound, Finding, Journal, OpenedCitation, Passage, SourcePlace,
    Specialist, Status, Tier, Verdict,
};
use copydesk_proof as proof;
use copydesk_text::{
    overlap::{Sentences, Stems},
    sanitise,
};

/// The evidence of a verdict that was remembered, so that no search was made anew.
const NO_RESULT: &str = "No outside evidence was sought again.";

/// Most characters of a page's passage that a specialist is shown: eight of them are some two thousand tokens.
const LONGEST_PASSAGE: usize = 1000;

/// Most characters of a concern's note, of the passages and of the evidence in the short form.
const SHORT_NOTE: usize = 400;
const SHORT_PASSAGES: usize = 4_000;
const SHORT_EVIDENCE: usize = 3_000;

/// Most sentences that are shown of a passage whose source stands in the same prompt.
const NEAREST: usize = 5;

/// Fewest words that are a quotation of the reviewer; fewer are a term.
const FEWEST_QUOTED: usize = 4;

/// The concern that a specialist judges, with its finding and the article.
pub(super) struct ConcernAtHand<'a> {
    pub(super) specialist: Specialist,
    pub(super) concern: &'a Concern,
    pub(super) finding: Option<&'a Finding>,
    pub(super) article: &'a ArticleResponse,
}

impl<'a> ConcernAtHand<'a> {
    pub(super) fn of(journal: &'a Journal, round: u32, concern: u32) -> Option<Self> {
        Some(Self {
            specialist: specialist_of(journal, round, concern)?,
            concern: journal.concern(round, concern)?,
            finding: excerpts::finding(journal, round, concern),
            article: &journal.draft(round)?.article,
        })
    }
}

pub(super) fn draught(style: &str, journal: &Journal, round: u32, concern: u32) -> Option<Draught<'static>> {
    let subject = ConcernAtHand::of(journal, round, concern)?;
    let (sentence, found) = (sentence(journal, round, concern)?, witnesses(journal, round, concern));
    let mut values = vec![
        ("CONCERN_ID", concern.to_string()),
        ("CONCERN", serde_json::to_string_pretty(subject.concern).ok()?),
        ("SENTENCE", sentence.clone() + &others(journal, round, concern)),
        (
            "PASSAGES",
            passages(&beside_sources(journal, &found, &format!("{sentence} {}", subject.concern.review_note)), None),
        ),
        ("ARTICLE", writer::article_json(subject.article)),
        ("OPTIONAL_METADATA", writer::metadata(journal)),
        ("STYLE_REQUIREMENTS", style.to_owned()),
    ];
    if subject.specialist == Specialist::EvidenceFinding {
        values.push(("EVIDENCE", evidence(journal, round, concern)));
    }
    let short_note = sanitise::excerpt(&subject.concern.review_note, SHORT_NOTE);
    let short_concern = Concern { review_note: short_note, ..subject.concern.clone() };
    let mut brief = vec![
        ("CONCERN", serde_json::to_string(&short_concern).ok()?),
        ("SENTENCE", sentence),
        ("PASSAGES", passages(&found, Some(SHORT_PASSAGES))),
    ];
    if subject.specialist == Specialist::EvidenceFinding {
        brief.push(("EVIDENCE", cut(&evidence(journal, round, concern), SHORT_EVIDENCE)));
    }
    let schema = form(concern);
    Some(Draught {
        agent: Agent::Specialist(subject.specialist),
        template: subject.specialist.name(),
        values,
        brief,
        schema: Some(schema),
    })
}

/// The form of a verdict on a concern.
fn form(concern: u32) -> Schema {
    let mut schema = reading::schema::<Verdict>("verdict");
    reading::only(&mut schema, "/properties/concern_id", &[concern]);
    schema
}

/// The place of a passage in the story's sources, if it is from one of them.
pub(super) fn place_of(journal: &Journal, passage: &Passage) -> Option<SourcePlace> {
    let (start, end) = (usize::try_from(passage.start).ok()?, usize::try_from(passage.end).ok()?);
    let has = |(name, text): (&str, &str)| name == passage.file && text.get(start..end) == Some(passage.text.as_str());
    let source = journal.texts().position(has).filter(|_| matches!(passage.tier, Tier::Source | Tier::Found))?;
    Some(SourcePlace::new(source, start..end))
}

/// The passages for a prompt that has the sources themselves: of one that stands in them, the sentences nearest to the claim. A model on a
/// laptop would read the rest a second time, for each concern anew.
fn beside_sources(journal: &Journal, found: &[Passage], claim: &str) -> Vec<Passage> {
    let claim = Stems::of(claim);
    let shortened = |passage: &Passage| match place_of(journal, passage) {
        Some(_) => Passage { text: nearest(&passage.text, &claim), ..passage.clone() },
        None => passage.clone(),
    };
    found.iter().map(shortened).collect()
}

/// The [`NEAREST`] sentences of a passage that share most words with a claim, in their order. All of it if none shares any.
fn nearest(passage: &str, claim: &Stems) -> String {
    let mut kept: Vec<Range<usize>> =
        Sentences::of(passage).nearest(claim).into_iter().take(NEAREST).map(|near| near.range).collect();
    if kept.is_empty() {
        return passage.to_owned();
    }
    kept.sort_by_key(|range| range.start);
    let mut said = String::new();
    let mut end = 0;
    for range in kept {
        let between = passage.get(end..range.start).unwrap_or_default();
        said.push_str(if between.trim().is_empty() { between } else { " […] " });
        said.push_str(passage.get(range.clone()).unwrap_or_default());
        end = range.end;
    }
    said.trim_start().to_owned()
}

/// Returns the review's other notes on the same words: the verdict answers them too. Empty if there are none.
fn others(journal: &Journal, round: u32, concern: u32) -> String {
    let notes = same_words::other_notes(journal, round, concern);
    if notes.is_empty() {
        return String::new();
    }
    let listed: Vec<String> = notes.iter().map(|note| sanitise::excerpt(note, SHORT_NOTE)).collect();
    format!("\n\nThe review also says of these words:\n- {}", listed.join("\n- "))
}

/// At most so many characters of a text.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The sentence that a concern is about; in a listener-aware run with its place and the one to whom the draft attributes it.
pub(super) fn sentence(journal: &Journal, round: u32, concern: u32) -> Option<String> {
    let subject = Subject::of(journal, round, concern)?;
    let mut shown = subject.shown();
    if journal.opening.settings.listener_aware {
        let article = &journal.draft(round)?.article;
        let said_by = subject.place.as_ref().and_then(|(name, place)| {
            let (number, (_, text)) = (0..).zip(article.fields()).find(|(_, (field, _))| field == name)?;
            journal.once(round, number, || Arc::new(proof::Attributions::of(text))).at(place)
        });
        shown += &listener::about_sentence(article, &subject, said_by.as_deref());
    }
    Some(shown)
}

/// Returns the passages that bear on a concern: those that were looked up for it, else those of the sources on its sentence.
pub(super) fn witnesses(journal: &Journal, round: u32, concern: u32) -> Cow<'_, [Passage]> {
    let asked = same_words::answered_by(journal, round, concern).unwrap_or(concern);
    if let Some(look_up) = journal.look_up(round, asked).filter(|look_up| look_up.kb_index_version.is_some()) {
        return Cow::Borrowed(&look_up.passages);
    }
    let place = Subject::of(journal, round, concern).and_then(|subject| subject.place);
    let beside = place.map(|place| proof::passages_of(journal, round, &place));
    beside.unwrap_or_default().into()
}

/// The passages: all of them, or as many as stand in about so many characters, the best at least. Each has the citation that a verdict may
/// carry, and the kind of its witness.
fn passages(found: &[Passage], most: Option<usize>) -> String {
    if found.is_empty() {
        return "Not found: the sources were searched from beginning to end, and no passage of them or of the knowledge base bears on \
                this."
            .to_owned();
    }
    let mut room = most.unwrap_or(usize::MAX);
    let fits = |passage: &&Passage| {
        let first = Some(room) == most;
        let length = passage.text.len();
        room = room.saturating_sub(length);
        first || room > 0
    };
    let listed: Vec<String> = found
        .iter()
        .take_while(fits)
        .zip(1..)
        .map(|(passage, number): (_, u32)| {
            let heading = if passage.heading.is_empty() { String::new() } else { format!(", {}", passage.heading) };
            let day = passage.published.as_ref().map_or_else(String::new, |day| format!(", of {day}"));
            let witness = passage.tier.words();
            format!(
                "[{number}] citation: {} ({witness}{heading}{day})\n{}",
                passage.citation(),
                cut(&passage.text, most.unwrap_or(usize::MAX))
            )
        })
        .collect();
    listed.join("\n\n")
}

fn evidence(journal: &Journal, round: u32, concern: u32) -> String {
    match journal.evidence(round, concern) {
        None => not_sought(journal, round, concern).to_owned(),
        Some(found) => {
            let opened = journal.opened(round, concern).unwrap_or_default();
            let cited: Vec<String> = found
                .citations
                .iter()
                .zip(1..)
                .map(|(citation, number): (_, u32)| {
                    let became = opened.iter().find(|opened| opened.citation == *citation).map(became);
                    format!("[{number}] citation: {citation}{}", became.unwrap_or_default())
                })
                .collect();
            format!("{}\n\n{}", found.response, cited.join("\n"))
        }
    }
}

/// Returns the evidence of a verdict for which no search was made.
fn not_sought(journal: &Journal, round: u32, concern: u32) -> &'static str {
    claim_to_search(journal, round, concern).err().map_or(NO_RESULT, Into::into)
}

/// Returns the result of opening a citation, with the passage of its page that bears most on the claim.
fn became(opened: &OpenedCitation) -> String {
    let said = format!("\n    {}", opened.state.words());
    let Some(page) = opened.page() else { return said };
    let passage = page.passage.as_ref().map_or_else(
        || "no passage of it bears on the claim".to_owned(),
        |passage| format!("its passage: “{}”", sanitise::excerpt(&passage.text, LONGEST_PASSAGE)),
    );
    format!("{said}\n    {} ({passage})", page.title)
}

pub(super) fn ask_search(prompts: &Prompts, journal: &Journal, round: u32, concern: u32) -> Option<Ask> {
    // Only the claim, which is the draft's, and the title leave the house, never the source.
    let values = [
        ("CLAIM", claim_to_search(journal, round, concern).ok()?),
        ("TOPIC_TITLE", journal.opening.topic.source_metadata.topic_title.clone()),
    ];
    prompts.ask(Agent::EvidenceSearch, "evidence_search", &values, None)
}

pub(super) fn read_search(answer: &Answer) -> Result<EvidenceFound, UnusableAnswer> {
    let response = reading::read_text(&answer.text)?.value;
    let citations = answer.citations.iter().map(|citation| sanitise::one_line(citation)).collect();
    // The desk fills in the prompt, since it knows the one that was sent.
    Ok(EvidenceFound { prompt: String::new(), response, citations })
}

/// Reads a verdict: for this concern, consistent, and with no citation but those that the pipeline supplied.
pub(super) fn read(journal: &Journal, round: u32, concern: u32, answer: &Answer) -> Result<Verdict, UnusableAnswer> {
    let verdict: Verdict = reading::read_as(&answer.text, &form(concern))?.value;
    if verdict.concern_id != concern {
        return Err(UnusableAnswer::new(format!(
            "it is a verdict on concern {}, but concern {concern} was asked about",
            verdict.concern_id
        )));
    }
    if let Some(flaw) = verdict.flaw() {
        return Err(UnusableAnswer::new(flaw));
    }
    let tidy = |text: Option<String>| {
        text.map(|text| sanitise::clean(&text).trim().to_owned()).filter(|text| !text.is_empty())
    };
    let specialist = specialist_of(journal, round, concern);
    let mut supplied: Vec<String> = match specialist {
        Some(Specialist::FactCheck) => journal
            .look_up(round, concern)
            .map(|look_up| look_up.passages.iter().map(copydesk_newsroom::Passage::citation).collect())
            .unwrap_or_default(),
        Some(Specialist::EvidenceFinding) => {
            journal.evidence(round, concern).map(|found| found.citations.clone()).unwrap_or_default()
        }
        _ => Vec::new(),
    };
    supplied.extend(journal.checked_pages(round, concern).into_iter().map(|page| page.address.clone()));
    let citations = kept_citations(verdict.citations.unwrap_or_default(), &supplied);
    let searched = journal.evidence(round, concern).is_some();
    let evidence = match specialist {
        Some(Specialist::EvidenceFinding) if !searched => Some(not_sought(journal, round, concern).to_owned()),
        _ => tidy(verdict.evidence).map(|said| evidence::checked(journal, round, concern, said)),
    };
    Ok(Verdict {
        concern_id: concern,
        misleading: verdict.misleading,
        status: verdict.status,
        rationale: sanitise::clean(&reading::required("rationale", &verdict.rationale)?).into_owned(),
        suggested_fix: tidy(verdict.suggested_fix)
            .filter(|fix| is_of_use(journal, round, concern, verdict.status, fix)),
        evidence,
        citations: (!citations.is_empty()).then_some(citations),
    })
}

/// Returns the notes on changes to an answer before it was read.
pub(super) fn notes(concern: u32, text: &str) -> Result<Vec<ReadingNote>, UnusableAnswer> {
    reading::read_as::<Verdict>(text, &form(concern)).map(|read| read.notes)
}

/// Whether a fix says something to do. One of a text that stays does not, nor one in the reviewer's words or about the text itself. Nor does
/// one that writes what the draft has already, or replaces what it does not have.
fn is_of_use(journal: &Journal, round: u32, concern: u32, status: Status, fix: &str) -> bool {
    let is_no_use =
        |article| changes_nothing(article, fix) || names_other_words(article, fix) || speaks_of_the_text(fix);
    let is_there = journal.draft(round).is_some_and(|draft| is_no_use(&draft.article));
    status != Status::Keep && !is_there && !quotes_the_reviewer(journal, round, concern, fix)
}

/// Whether a fix quotes the reviewer's remark on the draft as if it were words of the draft or a source: a writer would put it in.
fn quotes_the_reviewer(journal: &Journal, round: u32, concern: u32, fix: &str) -> bool {
    let Some(subject) = ConcernAtHand::of(journal, round, concern) else { return false };
    let stands_elsewhere = |words: &str| {
        subject.article.fields().into_iter().any(|(_, text)| excerpts::has_words(text, words))
            || journal.sources().iter().any(|source| excerpts::has_words(&source.text, words))
    };
    let note = subject.concern.review_note.as_str();
    quoted(fix)
        .into_iter()
        .map(|words| words.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|words| words.split_whitespace().count() >= FEWEST_QUOTED)
        .any(|words| excerpts::has_words(note, words) && !stands_elsewhere(words))
}

/// Returns the texts between quotation marks, curly or straight.
fn quoted(text: &str) -> Vec<&str> {
    let curly = text.split('“').skip(1).filter_map(|rest| rest.split_once('”')).map(|(inside, _)| inside);
    let straight = text.split('"').skip(1).step_by(2);
    curly.chain(straight).collect()
}

/// Citations that were supplied: word for word, or by their number in the list (`2`, `[2]`).
fn kept_citations(given: Vec<String>, supplied: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for citation in given {
        let number = citation.trim().trim_matches(['[', ']']).parse::<usize>().ok();
        let by_number = number.and_then(|number| supplied.get(number.checked_sub(1)?));
        let by_text = supplied.iter().find(|supplied| supplied.trim() == citation.trim());
        if let Some(citation) = by_text.or(by_number)
            && !kept.contains(citation)
        {
            kept.push(citation.clone());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        agents::questions,
        editorial::{
            next_steps::NotSought,
            testing::{add, add_round, article, look_up, opening},
        },
    };
    use copydesk_newsroom::{
        ArticleReviewResult, Carries, CitationState, Draft, LookUp, OpenedPage, Outcome, Step, Tier,
    };

    fn journal(specialist: Specialist) -> Journal {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[specialist]);
        journal
    }

    fn verdict(journal: &Journal, fields: &str) -> Result<Verdict, String> {
        let text = format!("{{{fields}}}");
        read(journal, 1, 1, &Answer { text, ..Answer::default() }).map_err(|error| error.to_string())
    }

    #[test]
    fn a_verdict_must_be_for_its_concern_and_consistent() {
        let journal = journal(Specialist::Opinion);
        let fields = r#""concern_id":1,"misleading":false,"status":"KEEP","rationale":"fine","suggested_fix":" ","citations":["https://made.up"]"#;
        let kept = verdict(&journal, fields).unwrap();
        assert_eq!((kept.suggested_fix, kept.citations), (None, None));
        for (from, to, why) in [
            ("\"concern_id\":1", "\"concern_id\":2", "verdict on concern 2, but concern 1"),
            ("\"misleading\":false", "\"misleading\":true", "keeps a text that it calls misleading"),
            ("KEEP", "MAYBE", "unknown variant"),
            ("\"fine\"", "\"\"", "rationale is empty"),
            ("\"rationale\"", "\"note\"", "missing field `rationale`"),
        ] {
            let said = verdict(&journal, &fields.replace(from, to)).unwrap_err();
            assert!(said.contains(why), "{said}");
        }
    }

    #[test]
    fn a_to_do_that_quotes_the_reviewer_is_not_sent() {
        let mut journal = journal(Specialist::Opinion);
        let draft = Draft { article: article("Eight schools will open late."), stripped: vec![], undone: vec![] };
        add(&mut journal, Step::Draft, Outcome::Draft(draft));
        let note = "unsupported_fact: the article lists eight schools, while the source does not mention any";
        let concern = Concern { concern_id: 1, excerpt: note.into(), review_note: note.into() };
        add(&mut journal, Step::Parse { round: 1 }, Outcome::Concerns(ArticleReviewResult { concerns: vec![concern] }));
        let fix = |fix: &str| {
            let fix = serde_json::to_string(fix).unwrap();
            let fields =
                format!(r#""concern_id":1,"misleading":true,"status":"REWRITE","rationale":"r","suggested_fix":{fix}"#);
            verdict(&journal, &fields).unwrap().suggested_fix
        };
        assert_eq!(fix("Write “The article lists eight schools, …” instead of the draft text."), None);
        assert_eq!(fix("Replace it with \"the source does not mention any\"."), None);
        for kept in [
            "Write “Schools” instead of “Eight schools will open late.”",
            "Name the schools.",
            "Delete “eight schools”.",
        ] {
            assert_eq!(fix(kept).as_deref(), Some(kept));
        }
    }

    #[test]
    fn without_a_search_the_verdict_says_that_none_was_made() {
        let fields = r#""concern_id":1,"misleading":true,"status":"REWRITE","rationale":"r","evidence":"A study found it.","citations":["https://made.up"]"#;
        let mut unconfigured = journal(Specialist::EvidenceFinding);
        unconfigured.opening.settings.seeks_evidence = false;
        let quoting = |excerpt: &str, body: &str| {
            let mut journal = journal(Specialist::EvidenceFinding);
            let draft = Draft { article: article(body), stripped: vec![], undone: vec![] };
            add(&mut journal, Step::Draft, Outcome::Draft(draft));
            let concern = Concern { concern_id: 1, excerpt: excerpt.into(), review_note: "n".into() };
            let concerns = ArticleReviewResult { concerns: vec![concern] };
            add(&mut journal, Step::Parse { round: 1 }, Outcome::Concerns(concerns));
            journal
        };
        let long = format!("{} x", "word ".repeat(200));
        for (journal, why) in [
            (unconfigured, NotSought::NoService),
            (quoting("what the source says in confidence", "A draft with an x."), NotSought::NotOfTheDraft),
            (quoting(" x", &long), NotSought::TooLong),
        ] {
            assert_eq!(claim_to_search(&journal, 1, 1), Err(why));
            let verdict = verdict(&journal, fields).unwrap();
            assert_eq!((verdict.evidence.as_deref(), verdict.citations), (Some(why.into()), None));
        }
        assert_eq!(
            claim_to_search(&quoting("an x", "It is so. A draft with an x."), 1, 1).unwrap(),
            "A draft with an x."
        );
    }

    #[test]
    fn of_a_passage_that_stands_in_the_prompt_the_nearest_sentences_are_shown_again() {
        let filler = |n: usize| format!("Item {n}: somebody coughed in hall {n}. ");
        let text =
            |fact: &str| (0..6).map(filler).collect::<String>() + fact + &(6..12).map(filler).collect::<String>();
        let fact = "The plan lays 1.4 miles of paths. They go round the pond. ";
        let mut journal = journal(Specialist::FactCheck);
        journal.opening.topic.source_text = text(fact);
        let [of_source, of_folder] =
            [("source.txt", Tier::Source), ("map.txt", Tier::Knowledge)].map(|(file, tier)| Passage {
                file: if tier == Tier::Source { journal.texts().next().unwrap().0.to_owned() } else { file.to_owned() },
                start: 0,
                end: text(fact).len() as u64,
                text: text(fact),
                tier,
                ..Passage::default()
            });
        let shown = beside_sources(&journal, &[of_source, of_folder.clone()], "1.8 miles of paths round the pond");
        let expected = " […] The plan lays 1.4 miles of paths. They go round the pond.";
        assert_eq!((shown[0].text.as_str(), &shown[1]), (expected.trim_start(), &of_folder));
    }

    #[test]
    fn the_evidence_says_what_became_of_each_citation() {
        let mut journal = journal(Specialist::EvidenceFinding);
        let citations = ["https://a.example", "https://b.example", "Smith 2024"].map(str::to_owned).to_vec();
        let found = EvidenceFound { prompt: "p".into(), response: "A study has it [1].".into(), citations };
        add(&mut journal, Step::Search { round: 1, concern: 1 }, Outcome::Evidence(found));
        let plain = "A study has it [1].\n\n[1] citation: https://a.example\n[2] citation: https://b.example\n[3] citation: Smith 2024";
        assert_eq!(evidence(&journal, 1, 1), plain);
        let page = |citation: &str, carries, text: Option<&str>| OpenedCitation {
            citation: citation.to_owned(),
            state: CitationState::Opened(Box::new(OpenedPage {
                address: citation.to_owned(),
                title: "A page".into(),
                text: String::new(),
                of_itself: Vec::new(),
                opened_at: "2026-10-06T12:00:00Z".into(),
                digest: "0".repeat(64),
                carries,
                passage: text.map(|text| Passage { text: text.to_owned(), ..Passage::default() }),
                similarity: None,
                hidden: Vec::new(),
            })),
        };
        let opened = vec![
            page("https://a.example", Carries::Verbatim, Some("A park\nis a park.")),
            page("https://b.example", Carries::Not, None),
            OpenedCitation {
                citation: "Smith 2024".into(),
                state: CitationState::NotOpened { why: "it is not a web address".into() },
            },
        ];
        add(&mut journal, Step::Open { round: 1, concern: 1 }, Outcome::Opened(opened));
        let said = "A study has it [1].\n\n[1] citation: https://a.example\n    opened, carries the claim word for word\n    A page \
                    (its passage: “A park is a park.”)\n[2] citation: https://b.example\n    opened, does not carry the claim\n    \
                    A page (no passage of it bears on the claim)\n[3] citation: Smith 2024\n    not opened: it is not a web address";
        assert_eq!(evidence(&journal, 1, 1), said);
    }

    #[test]
    fn only_a_listener_aware_prompt_tells_where_a_claim_stands_and_whose_it_is() {
        let mut journal = journal(Specialist::FactCheck);
        let body = "The council met.\n\nIt was late. The path will be mended by May, according to Ana Reyes.";
        let draft = Draft { article: article(body), stripped: vec![], undone: vec![] };
        add(&mut journal, Step::Draft, Outcome::Draft(draft));
        let concern = Concern { concern_id: 1, excerpt: "by May".into(), review_note: "n".into() };
        add(&mut journal, Step::Parse { round: 1 }, Outcome::Concerns(ArticleReviewResult { concerns: vec![concern] }));
        let prompts = Prompts::new(&crate::agents::template::tests::shipped()).unwrap();
        let asked = |journal: &Journal| {
            let values = draught("Plain words.", journal, 1, 1).unwrap().values;
            [prompts.fill("fact_check", &values).text(), questions::ask(&prompts, journal, 1, 1).unwrap().prompt.text()]
        };
        let plain = asked(&journal);
        journal.opening.settings.listener_aware = true;
        let shaped = asked(&journal);
        let told = "\nPlace: body, paragraph 2, sentence 2\nSaid by: Ana Reyes";
        for (plain, shaped) in plain.iter().zip(&shaped) {
            assert!(!plain.contains("Said by: ") && shaped.contains(told), "{shaped}");
            assert_eq!(&shaped.replacen(told, "", 1), plain);
        }
    }

    #[test]
    fn only_supplied_citations_are_kept() {
        let mut journal = journal(Specialist::FactCheck);
        let passage = Passage { file: "a.md".into(), start: 3, end: 9, text: "passage".into(), ..Passage::default() };
        let Outcome::LookUp(empty) = look_up(None) else { unreachable!() };
        add(
            &mut journal,
            Step::LookUp { round: 1, concern: 1 },
            Outcome::LookUp(LookUp { passages: vec![passage], ..empty }),
        );
        let fields = r#""concern_id":1,"misleading":false,"status":"KEEP","rationale":"r","citations":["[1]","a.md, bytes 3-9","b.md","7","0"]"#;
        assert_eq!(verdict(&journal, fields).unwrap().citations, Some(vec!["a.md, bytes 3-9".to_owned()]));
    }
}

//! The editor's tools: language, house style, facts, citations, gaps.

use std::{collections::BTreeMap, ops::Range};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    ServedDesk, ServedTool, ToolRefusal,
    arguments::{self, GivenSource, GivenText},
    compared::{NearPlace, ReadSource},
    places::{NumberedText, TextPlace},
    tool::{Capped, capped, capped_as},
};
use copydesk_core::editorial::footnotes::{self, Allowed};
use copydesk_newsroom::{Source, SpanKind};
use copydesk_proof::{self as proof, Gravity};
use copydesk_style::{Readability, StyleNote};
use copydesk_text::{
    overlap::{Sentences, Stems},
    pattern::TextPattern,
    sentences::sentences,
};

pub(super) fn tools() -> Vec<ServedTool> {
    vec![
        ServedTool::texts(
            "check_readability",
            "Check readability",
            "Measures how hard an English text is to read: Flesch Reading Ease (higher is easier; 60 to 70 is plain English), the \
             Flesch-Kincaid grade, and the longest sentences with their lines.",
            |_, given| readability(given),
        ),
        ServedTool::texts(
            "check_grammar",
            "Check grammar",
            "Finds plain mistakes of English grammar by rules, such as \"should of\", \"a hour\" or \"less then\". Each note has its line, \
             its words and, if the rule knows it, the replacement. Quotations are left alone.",
            |desk, given| notes(desk, given, &[], |note| note.rule.starts_with("Grammar.")),
        ),
        ServedTool::texts(
            "check_style",
            "Check house style",
            "Holds a text against the newsroom's house style: clichés, redundant and vague words, unattributed statements, headlines, \
             numbers, variants of a word. Each note has its rule, line and words. Quotations are left alone.",
            |desk, given| notes(desk, given, &[], |note| !note.is_spelling() && !note.rule.starts_with("Grammar.")),
        ),
        ServedTool::texts(
            "identify_facts",
            "Identify facts",
            "Lists everything in a text that has to be checked: quotations, numbers, dates and names, each with its line and bytes. \
             It does not say whether they are right; check_draft of the fact-checker does.",
            |_, given| facts(given),
        ),
        ServedTool::texts(
            "check_citations",
            "Check citations",
            "Checks the citations of a Markdown text: footnote marks without a footnote, footnotes that no mark refers to, footnotes that \
             stand twice, and statements that name nobody who says so. If sources are given, also the addresses and footnotes that none of \
             them has.",
            citations,
        ),
        ServedTool::texts(
            "analyze_gaps",
            "Analyze gaps",
            "Says for each question whether the draft has sentences about it, whether only the sources have, or neither. It compares words, \
             not meanings: read the sentences that it lists.",
            |_, given| gaps(given),
        ),
        ServedTool::texts(
            "check_spelling",
            "Check spelling",
            "Finds English words that no dictionary has (American, British, the newsroom's own), and a mix of American and British \
             spelling. Words and names that the given sources have are taken as right.",
            |desk, SpellingArguments { text, headline, sources }| {
                let sources: Vec<Source> = sources.into_iter().map(Source::from).collect();
                notes(desk, GivenText { text, headline }, &sources, StyleNote::is_spelling)
            },
        ),
    ]
}

/// A sentence of more words than this is hard to read aloud.
const LONG: usize = 25;

/// So many long sentences are listed.
const LONGEST: usize = 10;

#[derive(Debug, Serialize, JsonSchema)]
struct ReadabilityAnswer {
    /// None if the text has no word.
    readability: Option<Readability>,
    /// Longest first.
    long_sentences: Vec<LongSentence>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LongSentence {
    words: usize,
    #[serde(flatten)]
    place: TextPlace,
}

fn readability(given: GivenText) -> Result<ReadabilityAnswer, ToolRefusal> {
    let article = given.article()?;
    let text = &article.articleBody;
    let lines = NumberedText::new(text);
    let mut long_sentences: Vec<LongSentence> = sentences(text)
        .into_iter()
        .map(|range| LongSentence {
            words: text.get(range.clone()).unwrap_or_default().split_whitespace().count(),
            place: lines.place(range),
        })
        .filter(|sentence| sentence.words > LONG)
        .collect();
    long_sentences.sort_by_key(|sentence| std::cmp::Reverse(sentence.words));
    long_sentences.truncate(LONGEST);
    Ok(ReadabilityAnswer { readability: Readability::of(&article), long_sentences })
}

/// Which text of a call a place is in: `headline` or `text`.
fn text_name(field: &str) -> &'static str {
    if field == "headline" { "headline" } else { "text" }
}

#[derive(Debug, Serialize, JsonSchema)]
struct NotesAnswer {
    notes: Capped<ServedNote>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ServedNote {
    rule: String,
    level: &'static str,
    message: String,
    within: &'static str,
    #[serde(flatten)]
    place: TextPlace,
    /// What to write instead; empty text means: leave it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    replacement: Option<String>,
}

fn notes(
    desk: &ServedDesk,
    given: GivenText,
    sources: &[Source],
    wanted: impl Fn(&StyleNote) -> bool,
) -> Result<NotesAnswer, ToolRefusal> {
    let article = given.article()?;
    let found = (desk.style)(&article, sources).notes.into_iter().filter(wanted);
    let (headline, body) = (NumberedText::new(&article.headline), NumberedText::new(&article.articleBody));
    let told = |note: StyleNote| ServedNote {
        place: if note.field == "headline" { &headline } else { &body }.place(note.start..note.end),
        rule: note.rule,
        level: note.level.name(),
        message: note.message,
        within: text_name(note.field),
        replacement: note.replacement,
    };
    Ok(NotesAnswer { notes: capped_as(found.collect(), told) })
}

/// A text to spell-check.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SpellingArguments {
    /// The text to check, plain or in Markdown, without its headline.
    #[serde(deserialize_with = "arguments::text")]
    text: String,
    /// The headline, if it is to be checked too.
    #[serde(default, deserialize_with = "arguments::line")]
    headline: String,
    /// Sources whose words and names are spelt right.
    #[serde(default)]
    sources: Vec<GivenSource>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct FactsAnswer {
    facts: Capped<ServedFact>,
    /// How many there are of each kind.
    counts: BTreeMap<&'static str, usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ServedFact {
    kind: SpanKind,
    within: &'static str,
    #[serde(flatten)]
    place: TextPlace,
}

fn facts(given: GivenText) -> Result<FactsAnswer, ToolRefusal> {
    let article = given.article()?;
    let rows = proof::ledger(&article, &[], Gravity::Concern).rows;
    let (headline, body) = (NumberedText::new(&article.headline), NumberedText::new(&article.articleBody));
    let mut facts: Vec<ServedFact> = rows
        .into_iter()
        .filter(|row| !matches!(row.kind, SpanKind::Certainty | SpanKind::Sentence))
        .map(|row| {
            let text = if row.field == "headline" { &headline } else { &body };
            ServedFact { kind: row.kind, within: text_name(&row.field), place: text.place(row.start..row.end) }
        })
        .collect();
    facts.sort_by_key(|fact| (fact.within, fact.place.start, fact.place.end));
    facts.dedup_by(|one, other| one.kind == other.kind && one.within == other.within && one.place == other.place);
    let mut counts = BTreeMap::new();
    for fact in &facts {
        *counts.entry(fact.kind.name()).or_default() += 1;
    }
    Ok(FactsAnswer { facts: capped(facts), counts })
}

/// A text whose citations are checked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CitationArguments {
    /// The text, in Markdown, with its footnotes.
    #[serde(deserialize_with = "arguments::text")]
    text: String,
    /// The sources that addresses and footnotes have to come from.
    #[serde(default)]
    sources: Vec<GivenSource>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct CitationsAnswer {
    problems: Capped<CitationProblem>,
    /// Addresses and footnotes of the text that no source has; none if no source was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_in_sources: Option<Vec<String>>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct CitationProblem {
    problem: String,
    #[serde(flatten)]
    place: TextPlace,
}

/// A footnote's mark, and whether a colon makes it the head of the footnote itself.
static MARK: TextPattern = TextPattern::new(r"(?m)(^ {0,3})?\[\^([^\]\s]+)\](:)?");

fn citations(desk: &ServedDesk, given: CitationArguments) -> Result<CitationsAnswer, ToolRefusal> {
    let article = arguments::body(arguments::filled(given.text, "text")?);
    let text = &article.articleBody;
    let lines = NumberedText::new(text);
    let mut marks: Vec<(&str, Range<usize>)> = Vec::new();
    let mut footnotes: Vec<(&str, Range<usize>)> = Vec::new();
    for found in MARK.captures_iter(text) {
        let (Some(whole), Some(name)) = (found.get(0), found.get(2)) else { continue };
        let head = found.get(1).is_some() && found.get(3).is_some();
        if head { &mut footnotes } else { &mut marks }.push((name.as_str(), whole.range()));
    }
    let mut problems = Vec::new();
    let mut problem = |problem: String, range: &Range<usize>| {
        problems.push(CitationProblem { problem, place: lines.place(range.clone()) });
    };
    for (name, range) in &marks {
        if !footnotes.iter().any(|(other, _)| other == name) {
            problem(format!("The mark [^{name}] has no footnote."), range);
        }
    }
    for (at, (name, range)) in footnotes.iter().enumerate() {
        if footnotes.iter().take(at).any(|(other, _)| other == name) {
            problem(format!("The footnote [^{name}] stands twice."), range);
        } else if !marks.iter().any(|(other, _)| other == name) {
            problem(format!("No mark refers to the footnote [^{name}]."), range);
        }
    }
    for note in (desk.style)(&article, &[]).notes.into_iter().filter(|note| note.rule.ends_with(".Unattributed")) {
        problem(note.message, &(note.start..note.end));
    }
    problems.sort_by_key(|problem| problem.place.start);
    let not_in_sources = (!given.sources.is_empty()).then(|| {
        let allowed = Allowed::new(Vec::new(), given.sources.iter().map(|source| &*source.text));
        footnotes::check(&article, &allowed).map_or_else(|nested| vec![nested.to_string()], |(_, removed)| removed)
    });
    Ok(CitationsAnswer { problems: capped(problems), not_in_sources })
}

/// A draft held against what it should answer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GapArguments {
    /// The draft, plain or in Markdown.
    #[serde(deserialize_with = "arguments::text")]
    draft: String,
    /// The questions that the story should answer, such as "Who voted against the plan?"
    #[serde(deserialize_with = "arguments::lines")]
    questions: Vec<String>,
    /// The sources that the draft is written from.
    #[serde(default)]
    sources: Vec<GivenSource>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct GapsAnswer {
    questions: Vec<QuestionCoverage>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct QuestionCoverage {
    question: String,
    /// `in_draft`, `only_in_sources` or `nowhere`.
    state: &'static str,
    draft: Vec<NearPlace>,
    sources: Vec<NearPlace>,
}

/// A sentence is about a question if it has at least this share of the question's words.
pub(super) const ABOUT: f64 = 0.5;

/// So many sentences of a text are listed for a question.
pub(super) const LISTED: usize = 3;

fn gaps(given: GapArguments) -> Result<GapsAnswer, ToolRefusal> {
    let text = arguments::filled(given.draft, "draft")?;
    if given.questions.is_empty() {
        return Err(ToolRefusal::Empty("questions"));
    }
    let (sentences, lines) = (Sentences::of(&text), NumberedText::new(&text));
    let sources: Vec<Source> = given.sources.into_iter().map(Source::from).collect();
    let sources = ReadSource::all(&sources);
    let covered = |question: String| {
        let wanted = Stems::of(&question);
        let near = sentences.nearest(&wanted).into_iter().filter(|near| near.share >= ABOUT).take(LISTED);
        let draft: Vec<NearPlace> = near.map(|near| NearPlace::new(lines.place(near.range), near.share)).collect();
        let sources: Vec<NearPlace> = sources.iter().flat_map(|source| source.near(&wanted, ABOUT, LISTED)).collect();
        let state = match (draft.is_empty(), sources.is_empty()) {
            (false, _) => "in_draft",
            (true, false) => "only_in_sources",
            (true, true) => "nowhere",
        };
        QuestionCoverage { question, state, draft, sources }
    };
    Ok(GapsAnswer { questions: given.questions.into_iter().map(covered).collect() })
}

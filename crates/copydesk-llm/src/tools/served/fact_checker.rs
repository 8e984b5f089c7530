//! The fact-checker's tools: claims, evidence, quotations, whole drafts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    ServedTool, ToolRefusal,
    arguments::{self, GivenSource, GivenText},
    compared::{NearPlace, ReadSource, SourceSaid, claims, stance_name},
    credibility::{CLAIMS, score},
    places::{NumberedText, TextPlace},
    tool::{Capped, capped, capped_as},
};
use copydesk_core::editorial::conflict;
use copydesk_newsroom::{ConflictResolution, Footing, LedgerRow, SpanKind, Stance};
use copydesk_proof::{self as proof, Gravity};
use copydesk_text::overlap::Stems;

pub(super) fn tools() -> Vec<ServedTool> {
    vec![
        ServedTool::texts(
            "identify_claims",
            "Identify claims",
            "Lists the sentences of a text that a source could support or contradict: those with a quotation, a number, a date or a name. \
             Opinions and questions are left out.",
            |_, given| identified(given),
        ),
        ServedTool::texts(
            "search_evidence",
            "Search evidence",
            "Finds the sentences of given sources that share most words with a claim, and whether a source has the claim word for word. It \
             compares words, not meanings; cross_reference says whether a source supports the claim.",
            |_, given| evidence(given),
        ),
        ServedTool::texts(
            "cross_reference",
            "Cross-reference a claim",
            "Says of each source whether it supports a claim, contradicts it (and how), or says nothing that decides it, with the sentence \
             that says so. Rules compare figures, dates, names, speakers and denials; no model guesses.",
            |_, given| crossed(given),
        ),
        ServedTool::texts(
            "detect_contradictions",
            "Detect contradictions",
            "Finds where sources contradict each other: the claim of one, the sentence of another that says otherwise, and how. It can also \
             say which side prevails, by majority or by the first source as the primary one.",
            |_, given: ContradictionArguments| {
                let sources = arguments::sources(given.sources)?;
                let found = contradictions(&ReadSource::all(&sources), given.resolve_by.rule());
                Ok(ContradictionsAnswer { contradictions: capped(found) })
            },
        ),
        ServedTool::texts(
            "check_quotation",
            "Check a quotation",
            "Looks a quotation up in its sources word for word: whether it stands there, what differs, whether words were left out, and \
             whether the named speaker said it. If it differs, the answer has the source's own words.",
            |_, given| quotation(given),
        ),
        ServedTool::texts(
            "score_credibility",
            "Score credibility",
            "Ranks sources on one matter by how far they can be trusted, from 0 to 1, by rules that a person can check, and shows where they \
             support or contradict each other.",
            |desk, given| score(desk, &given),
        ),
        ServedTool::texts(
            "check_draft",
            "Check a draft against its sources",
            "Holds a whole draft against its sources: every quotation, number, date, name and degree of certainty. Each finding says what is \
             wrong, where in the draft, and what the source says, with its line. The answer also says how many statements no rule could \
             judge: read those yourself.",
            |_, given| draft(given),
        ),
    ]
}

#[derive(Debug, Serialize, JsonSchema)]
struct ClaimsAnswer {
    claims: Capped<TextPlace>,
}

fn identified(given: GivenText) -> Result<ClaimsAnswer, ToolRefusal> {
    let article = given.article()?;
    let lines = NumberedText::new(&article.articleBody);
    let found = claims(&article.articleBody, usize::MAX);
    Ok(ClaimsAnswer { claims: capped(found.into_iter().map(|range| lines.place(range)).collect()) })
}

/// A claim and its sources.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ClaimArguments {
    /// One sentence that says one thing, such as "The council voted 5-2 to renovate the park."
    #[serde(deserialize_with = "arguments::line")]
    claim: String,
    /// The sources to ask.
    sources: Vec<GivenSource>,
}

/// A claim, its sources, and how many sentences are wanted.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EvidenceArguments {
    /// A claim or a question.
    #[serde(deserialize_with = "arguments::line")]
    claim: String,
    /// The sources to search.
    sources: Vec<GivenSource>,
    /// The most sentences, from 1 to 50. Default: 5.
    #[serde(default)]
    #[schemars(range(min = 1, max = 50))]
    count: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct EvidenceAnswer {
    /// The place in a source that has the claim word for word, but for case and punctuation.
    word_for_word: Option<TextPlace>,
    /// Best first.
    sentences: Vec<NearPlace>,
}

fn evidence(given: EvidenceArguments) -> Result<EvidenceAnswer, ToolRefusal> {
    let claim = arguments::filled(given.claim, "claim")?;
    let sources = arguments::sources(given.sources)?;
    let count = given.count.unwrap_or(5).clamp(1, arguments::MOST_ENTRIES);
    let (read, wanted) = (ReadSource::all(&sources), Stems::of(&claim));
    let mut sentences: Vec<NearPlace> = read.iter().flat_map(|source| source.near(&wanted, 0.0, count)).collect();
    sentences.sort_by(|one, other| other.shared_words.total_cmp(&one.shared_words));
    sentences.truncate(count);
    Ok(EvidenceAnswer {
        word_for_word: proof::verbatim(&claim, &sources)
            .and_then(|span| NumberedText::of_span(&NumberedText::sources(&sources), &span)),
        sentences,
    })
}

#[derive(Debug, Serialize, JsonSchema)]
struct CrossAnswer {
    supports: usize,
    contradicts: usize,
    said: Vec<SourceSaid>,
    /// Sources that say nothing which decides the claim.
    silent: Vec<String>,
}

fn crossed(given: ClaimArguments) -> Result<CrossAnswer, ToolRefusal> {
    let claim = arguments::filled(given.claim, "claim")?;
    let sources = arguments::sources(given.sources)?;
    let wanted = Stems::of(&claim);
    let mut answer = CrossAnswer { supports: 0, contradicts: 0, said: Vec::new(), silent: Vec::new() };
    for source in &ReadSource::all(&sources) {
        let Some(testimony) = source.testimony(&claim, &wanted) else {
            answer.silent.push(source.source.name.clone());
            continue;
        };
        match testimony.stance {
            Stance::Carries => answer.supports += 1,
            Stance::Contradicts => answer.contradicts += 1,
        }
        answer.said.push(source.said(&testimony));
    }
    Ok(answer)
}

/// Sources that may contradict each other.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ContradictionArguments {
    /// At least two sources on the same matter. The first is the primary one.
    sources: Vec<GivenSource>,
    /// Which side prevails: `human` leaves it to a person, `majority` counts sources, `primary_source` follows the first.
    #[serde(default)]
    resolve_by: ResolveBy,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ResolveBy {
    #[default]
    Human,
    Majority,
    PrimarySource,
}

impl ResolveBy {
    fn rule(self) -> ConflictResolution {
        match self {
            Self::Human => ConflictResolution::Human,
            Self::Majority => ConflictResolution::Majority,
            Self::PrimarySource => ConflictResolution::PrimarySource,
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
struct ContradictionsAnswer {
    contradictions: Capped<Contradiction>,
}

/// A claim of one source that another contradicts.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Contradiction {
    claim: TextPlace,
    /// What the other sources say of it.
    said: Vec<SourceSaid>,
    /// `supports` or `contradicts`; none if a person decides.
    prevails: Option<&'static str>,
    reason: String,
}

/// Each claim of each source that another source contradicts, told once: of two sources that contradict each other, by the first.
pub(super) fn contradictions(sources: &[ReadSource], rule: ConflictResolution) -> Vec<Contradiction> {
    let mut found: Vec<Contradiction> = Vec::new();
    for (at, own) in sources.iter().enumerate() {
        for range in claims(&own.source.text, CLAIMS) {
            let Some(claim) = own.source.text.get(range.clone()) else { continue };
            let wanted = Stems::of(claim);
            let heard: Vec<_> = sources
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != at)
                .filter_map(|(other, source)| Some((other, source, source.testimony(claim, &wanted)?)))
                .collect();
            let told =
                |place: &TextPlace| found.iter().any(|earlier| earlier.said.iter().any(|said| said.place == *place));
            let place = own.place(range);
            let otherwise = heard.iter().any(|(_, _, testimony)| testimony.stance == Stance::Contradicts);
            if !otherwise || told(&place) {
                continue;
            }
            let said = heard.iter().map(|(_, source, testimony)| source.said(testimony)).collect();
            let mut witnesses =
                vec![own.witness(proof::Testimony { stance: Stance::Carries, note: None, range: 0..0 }, at == 0)];
            witnesses.extend(heard.into_iter().map(|(other, source, testimony)| source.witness(testimony, other == 0)));
            let resolved = conflict::resolve(rule, &witnesses);
            found.push(Contradiction {
                claim: place,
                said,
                prevails: resolved.as_ref().and_then(|resolved| resolved.prevails).map(stance_name),
                reason: resolved.map(|resolved| resolved.reason).unwrap_or_default(),
            });
        }
    }
    found
}

/// A quotation and its sources.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct QuotationArguments {
    /// The quoted words, without quotation marks.
    #[serde(deserialize_with = "arguments::line")]
    quotation: String,
    /// Who is said to have spoken them, if anybody is.
    #[serde(default, deserialize_with = "arguments::line")]
    speaker: String,
    /// The sources: transcripts, minutes, notes, reports.
    sources: Vec<GivenSource>,
}

/// Marks that a caller may have left around a quotation.
const MARKS: [char; 7] = ['“', '”', '"', '„', '«', '»', ' '];

#[derive(Debug, Serialize, JsonSchema)]
struct QuotationAnswer {
    /// Whether the words stand in a source as they are, and nothing speaks against the speaker.
    stands: bool,
    rows: Vec<DraftRow>,
}

fn quotation(given: QuotationArguments) -> Result<QuotationAnswer, ToolRefusal> {
    let words = arguments::filled(given.quotation.trim_matches(MARKS).to_owned(), "quotation")?;
    let sources = arguments::sources(given.sources)?;
    // Marks inside would end the quotation.
    let words = words.replace(['“', '”', '"', '„', '«', '»'], "'");
    // A sentence that ends before its speaker is named is not given to anybody.
    let spoken = words.trim_end_matches([',', '.']);
    let comma = if spoken.ends_with(['!', '?', '…']) { "" } else { "," };
    let text = match given.speaker.trim() {
        "" => format!("“{words}”"),
        speaker => format!("“{spoken}{comma}” {speaker} said."),
    };
    let article = arguments::body(text);
    let ledger = proof::ledger(&article, &sources, Gravity::Concern);
    // A speaker whom no source names did not say it there.
    let bears = |row: &LedgerRow| row.kind == SpanKind::Quotation || row.standing.footing() == Footing::NotInSources;
    let rows = ledger.rows.into_iter().filter(bears);
    let (text, sources) = (NumberedText::new(&article.articleBody), NumberedText::sources(&sources));
    let rows: Vec<DraftRow> = rows.map(|row| DraftRow::new(row, &text, &sources)).collect();
    Ok(QuotationAnswer { stands: !rows.is_empty() && rows.iter().all(|row| row.footing == "matches"), rows })
}

/// A draft and its sources.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DraftArguments {
    /// The draft's text, plain or in Markdown, without its headline.
    #[serde(deserialize_with = "arguments::text")]
    draft: String,
    /// The headline, if it is to be checked too.
    #[serde(default, deserialize_with = "arguments::line")]
    headline: String,
    /// Everything that the draft is written from.
    sources: Vec<GivenSource>,
    /// True lists every statement that was checked, also those in order. Default: findings only.
    #[serde(default)]
    all: bool,
    /// True also asks rules that are often wrong.
    #[serde(default)]
    notes: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct DraftAnswer {
    findings: usize,
    /// How much of the draft the rules could check, in a sentence.
    coverage: String,
    rows: Capped<DraftRow>,
}

/// A statement of a draft, and how it stands.
#[derive(Debug, Serialize, JsonSchema)]
struct DraftRow {
    kind: SpanKind,
    /// `matches`, `similar passage: compare`, `conflicts`, `not in the sources` or `unchecked: read this yourself`.
    footing: &'static str,
    /// The same more exactly, such as ALTERED or WRONG SPEAKER.
    status: &'static str,
    rule: String,
    /// How often the rule was right on texts that it was not made on.
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<String>,
    place: TextPlace,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// Where the source decides it.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<TextPlace>,
    /// The source's own words; empty text means: leave it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    replacement: Option<String>,
}

impl DraftRow {
    fn new(row: LedgerRow, text: &NumberedText, sources: &[NumberedText]) -> Self {
        Self {
            kind: row.kind,
            footing: row.standing.footing().name(),
            status: row.standing.name(),
            measured: proof::rule(&row.rule).and_then(|rule| rule.measured.as_ref()).map(ToString::to_string),
            rule: row.rule,
            place: text.place(row.start..row.end),
            note: row.note,
            source: row.passage.and_then(|span| NumberedText::of_span(sources, &span)),
            replacement: row.replacement,
        }
    }
}

fn draft(given: DraftArguments) -> Result<DraftAnswer, ToolRefusal> {
    let article = GivenText { text: given.draft, headline: given.headline }.article()?;
    let sources = arguments::sources(given.sources)?;
    let least = if given.notes { Gravity::Note } else { Gravity::Concern };
    let ledger = proof::ledger(&article, &sources, least);
    let (findings, coverage) = (ledger.findings().count(), ledger.coverage_in_words());
    let headline = NumberedText::named("headline", &article.headline);
    let body = NumberedText::new(&article.articleBody);
    let sources = NumberedText::sources(&sources);
    let rows = ledger.rows.into_iter().filter(|row| given.all || row.is_finding());
    let told = |row: LedgerRow| {
        let text = if row.field == "headline" { &headline } else { &body };
        DraftRow::new(row, text, &sources)
    };
    Ok(DraftAnswer { findings, coverage, rows: capped_as(rows.collect(), told) })
}

//! Does a step that a worker has taken: asks a model, proves a draft, opens cited pages, or applies the rules of the house. Learns the state of
//! servers from the calls to them.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::{StreamExt, TryStreamExt, stream};

use super::{Desk, DeskError, calls::LONGEST_WAIT, in_hand::Call};
use crate::{
    agents::{Agents, Plan, notes_without_model, without_answer},
    ports::{
        Area, CallError, Filter, Hit, Query, ServerDid, ServerNews, ShelvedText, StoryText, Times, ToolError, aside,
    },
};
use copydesk_newsroom::{
    Agent, Answer, Carries, CitationState, Doubt, Failure, FoundSource, Journal, OpenedCitation, OpenedPage, Opinions,
    Outcome, Passage, Proof, ResearchTurn, Source, Step, StoryKey, Tier, ToolCall, Writing,
};
use copydesk_proof as proof;
use copydesk_text::sentences::sentences;

/// The work of a step.
pub(super) enum StepWork {
    /// A model is asked.
    Ask(Call),
    /// The pages that a search cited are read.
    Open(CitedPages),
    /// A tool is called for an agent.
    Tool(Agent, ToolCall),
    Rules(Arc<Journal>),
    Prove(Arc<Journal>),
}

/// The result of the work of a step.
pub(super) enum Landed {
    /// A call came back.
    Answered { call: Call, result: Result<Answer, CallError> },
    /// A tool gave no result.
    ToolFailed(ToolError),
    /// The step is done without a call; none if no rule can do it.
    Done(Result<Option<Box<Outcome>>, DeskError>),
}

impl StepWork {
    /// The agent, tool or rule that does it, for the ledger of requests.
    pub(super) fn whose(&self) -> &str {
        match self {
            Self::Ask(call) => call.question.ask.agent.name(),
            Self::Open(_) => "cited pages",
            Self::Tool(_, call) => &call.name,
            Self::Rules(_) => "rules",
            Self::Prove(_) => "proof",
        }
    }

    /// Does it. `ready` is since when it could have begun, in milliseconds since 1970.
    pub(super) async fn fly(self, desk: Arc<Desk>, story: StoryKey, step: Step, ready: i64) -> (Step, Landed, Times) {
        let waited_ms = u64::try_from(desk.milliseconds_after(Duration::ZERO).saturating_sub(ready)).ok();
        let begun = Instant::now();
        let landed = self.done(desk, story, step).await;
        (step, landed, Times { waited_ms, ..worked_since(begun) })
    }

    async fn done(self, desk: Arc<Desk>, story: StoryKey, step: Step) -> Landed {
        match self {
            Self::Ask(call) => {
                let heard = |text: &str| desk.watch.heard(&story, step, text);
                let result = desk.model.ask(&call.question.ask, &heard).await;
                Landed::Answered { call, result }
            }
            Self::Open(pages) => {
                Landed::Done(desk.open(pages).await.map(|opened| Some(Box::new(Outcome::Opened(opened)))))
            }
            Self::Tool(agent, call) => match desk.toolbox.call(agent, &call).await {
                Ok(result) => Landed::Done(Ok(Some(Box::new(Outcome::Tool(result))))),
                Err(error) => Landed::ToolFailed(error),
            },
            Self::Prove(journal) => Landed::Done(Ok(desk.prove(journal, step).await)),
            Self::Rules(journal) => Landed::Done(Ok(by_rules(Arc::clone(&desk.agents), journal, step).await)),
        }
    }
}

/// The time of work that began then and ends now.
pub(super) fn worked_since(begun: Instant) -> Times {
    Times { waited_ms: None, worked_ms: u64::try_from(begun.elapsed().as_millis()).ok() }
}

/// Does a step by rules, off the thread that serves every story: rules over a large source take a while.
pub(super) async fn by_rules(agents: Arc<Agents>, journal: Arc<Journal>, step: Step) -> Option<Box<Outcome>> {
    match aside(move || agents.plan(&journal, step)).await {
        Ok(Some(Plan::Done(outcome))) => Some(outcome),
        Ok(_) => None,
        Err(error) => {
            let message = format!("the offline rules failed ({error}); please report this with the topic");
            Some(Box::new(Outcome::Failure(Failure::of(message))))
        }
    }
}

impl Desk {
    /// Proves the draft of a step. None if there is no draft.
    pub(super) async fn prove(&self, journal: Arc<Journal>, step: Step) -> Option<Box<Outcome>> {
        let mut outcome = by_rules(Arc::clone(&self.agents), Arc::clone(&journal), step).await?;
        if let Outcome::Proof(Proof { kept: Some(kept), .. }) = &mut *outcome
            && journal.opening.settings.second_opinion
        {
            let ledger = kept.ledger.clone();
            let doubts = move || -> Option<Vec<Doubt>> {
                let article = &journal.draft(step.round())?.article;
                Some(proof::doubts(article, &journal.sources(), &ledger))
            };
            // Without its doubts a proof is whole.
            kept.doubts = aside(doubts).await.ok().flatten().unwrap_or_default();
        }
        Some(outcome)
    }
}

/// Whether a run continues without a step that fails. So it does without opinions, the notes of the Publisher's model, and anything that
/// the writer is asked once more. It also does without the tools of an agent other than the Reporter.
pub(super) fn is_optional(step: Step) -> bool {
    match step {
        // The step that it is for is then done without tools.
        Step::Turn { errand, .. } => errand.serves().is_some(),
        _ => {
            matches!(step, Step::Opinion { .. } | Step::Prepare { .. } | Step::Write(Writing::Mend(_) | Writing::Again))
        }
    }
}

/// Returns the outcome of a step that is given up.
pub(super) fn given_up(journal: &Journal, step: Step, failure: Failure) -> Outcome {
    match step {
        Step::Turn { errand, .. } if errand.serves().is_some() => Outcome::Turn(ResearchTurn::default()),
        Step::Opinion { .. } => Outcome::Opinions(Opinions { problem: Some(failure.message), ..Opinions::default() }),
        Step::Prepare { round } => match notes_without_model(journal, round, &failure.message) {
            Some(notes) => Outcome::Prepared(notes),
            None => Outcome::Failure(failure),
        },
        step => without_answer(journal, step).unwrap_or(Outcome::Failure(failure)),
    }
}

/// Most citations of one search that are opened.
const MOST: usize = 8;

/// The credibility of a page that an outside search cited, below what the filters for credibility let through.
const EVIDENCE: f64 = 0.5;

/// The number of pages that are opened at once.
const AT_ONCE: usize = 4;

/// The citations to open, and their claim.
pub(super) struct CitedPages {
    story: StoryKey,
    claim: String,
    citations: Vec<String>,
}

impl CitedPages {
    /// Returns the citations of a concern whose search is done.
    pub(super) fn of(journal: &Journal, round: u32, concern: u32) -> Option<Self> {
        Some(Self {
            story: journal.opening.topic.story(),
            claim: journal.concern(round, concern)?.excerpt.clone(),
            citations: journal.evidence(round, concern)?.citations.clone(),
        })
    }
}

impl Desk {
    /// Opens the citations of a search.
    pub(super) async fn open(&self, errand: CitedPages) -> Result<Vec<OpenedCitation>, DeskError> {
        let CitedPages { story, claim, citations } = errand;
        let one = |(number, citation): (usize, String)| {
            let (story, claim) = (&story, &claim);
            async move {
                let state = if number < MOST {
                    self.open_one(story, claim, &citation).await?
                } else {
                    CitationState::NotOpened { why: format!("only the first {MOST} citations of a search are") }
                };
                Ok::<_, DeskError>(OpenedCitation { citation, state })
            }
        };
        let work = citations.into_iter().enumerate().map(one);
        stream::iter(work).buffered(AT_ONCE).try_collect().await
    }

    async fn open_one(&self, story: &StoryKey, claim: &str, citation: &str) -> Result<CitationState, DeskError> {
        let page = match self.pages.open(citation).await {
            Ok(page) => page,
            Err(error) => return Ok(CitationState::NotOpened { why: error.to_string() }),
        };
        let opened_at = self.now();
        let kept = [ShelvedText {
            name: page.address.clone(),
            text: page.text.clone(),
            credibility: EVIDENCE,
            published: page.published.clone(),
        }];
        let (texts, _) = self.passages.shelve(story, Tier::Evidence, &kept).await?;
        let near = self.nearest(story, texts, claim).await?;
        let FoundSource { address, title, text, digest, hidden, published, byline, publisher, .. } = page;
        let source = Source { name: address.clone(), text: text.clone() };
        let asked = claim.to_owned();
        let held = aside(move || held_against(&asked, source)).await;
        // Rules that broke off have proved nothing.
        let (carries, proved) = held.unwrap_or((Carries::Not, None));
        let similarity = near.as_ref().and_then(|hit| hit.dense).map(|dense| dense.similarity);
        let passage = proved.or_else(|| near.map(|hit| Passage { file: address.clone(), ..hit.passage }));
        Ok(CitationState::Opened(Box::new(OpenedPage {
            address,
            title,
            text,
            of_itself: [byline, publisher, published].into_iter().flatten().collect(),
            opened_at,
            digest,
            carries,
            passage,
            similarity,
            hidden,
        })))
    }

    /// The passage of a page that bears most on the claim; none if a search takes too long.
    async fn nearest(&self, story: &StoryKey, texts: Vec<StoryText>, claim: &str) -> Result<Option<Hit>, DeskError> {
        let query = Query {
            text: claim.to_owned(),
            areas: vec![Area::Story { story: story.clone(), texts: Some(texts) }],
            filter: Filter::default(),
            count: 1,
        };
        match tokio::time::timeout(self.retrieval.timeout, self.passages.search(&query)).await {
            Ok(found) => Ok(found?.hits.into_iter().next()),
            Err(_) => Ok(None),
        }
    }
}

/// Whether a page carries a claim, and where. Proved from its words alone: similarity passes too much that is false.
fn held_against(claim: &str, page: Source) -> (Carries, Option<Passage>) {
    let page = [page];
    let whole = || proof::carried(claim, &page);
    let piece_by_piece = || {
        let pieces: Vec<&str> = sentences(claim).into_iter().filter_map(|range| claim.get(range)).collect();
        let places: Option<Vec<_>> = pieces.into_iter().map(|piece| proof::carried(piece, &page)).collect();
        places?.into_iter().next()
    };
    let Some(span) = whole().or_else(piece_by_piece) else { return (Carries::Not, None) };
    let carries = if proof::verbatim(claim, &page).is_some() { Carries::Verbatim } else { Carries::InSubstance };
    (carries, Some(span.into_passage(Tier::Evidence)))
}

impl Desk {
    /// Returns what a call says about its server, and whether the step waits for that server. It waits if the server is
    /// left alone from now on and, as far as can be told, the step did not cause the failure.
    pub(super) async fn hear(
        &self,
        step: Step,
        asked: Agent,
        result: &Result<Answer, CallError>,
    ) -> Result<(Option<ServerNews>, bool), DeskError> {
        let server = self.model.card(asked).host;
        let (what, parks) = match result {
            Ok(answer) => {
                let usage = answer.usage.prompt_tokens.zip(answer.usage.completion_tokens);
                let tokens = usage.map(|(sent, received)| sent.saturating_add(received));
                (ServerDid::Answered { step, tokens }, false)
            }
            Err(error) => {
                if let Some(wait) = error.retry_after().filter(|wait| *wait <= LONGEST_WAIT) {
                    (ServerDid::Busy { until: self.milliseconds_after(wait) }, false)
                } else if error.is_the_servers() {
                    let at_most = self.queue_rules.breaker.failures;
                    let failing = self.queue.failing(&server, self.milliseconds_after(Duration::ZERO)).await?;
                    let down = at_most > 0 && failing.failures.saturating_add(1) >= at_most;
                    // A server that rested and breaks down again over this call may do so over each delivery of it.
                    let parks = down && !(failing.probed && error.may_be_the_prompts());
                    (ServerDid::Failed { error: error.to_string() }, parks)
                } else {
                    return Ok((None, false));
                }
            }
        };
        Ok((Some(ServerNews { server, what }), parks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(claim: &str) -> (Carries, Option<String>) {
        let text = "About us. The bridge over the Aller was closed in 1994. It is not true that the ferry sank in 1931. A dam of 12 \
                    metres holds the lake, which froze twice.";
        let page = Source { name: "https://a.example/".to_owned(), text: text.to_owned() };
        let (carries, passage) = held_against(claim, page);
        if let Some(passage) = &passage {
            let (start, end) = (usize::try_from(passage.start).unwrap(), usize::try_from(passage.end).unwrap());
            assert_eq!(text.get(start..end), Some(passage.text.as_str()));
        }
        (carries, passage.map(|passage| passage.text))
    }

    #[test]
    fn a_page_carries_what_its_own_words_prove() {
        let bridge = "The bridge over the Aller was closed in 1994.";
        assert_eq!(held("the bridge over the Aller was closed in 1994"), (Carries::Verbatim, Some(bridge.to_owned())));
        assert_eq!(held("In 1994 the Aller bridge was closed."), (Carries::InSubstance, Some(bridge.to_owned())));
        assert_eq!(
            held("The bridge over the Aller was closed in 1994. The lake froze twice. The dam is 12 metres."),
            (Carries::InSubstance, Some(bridge.to_owned()))
        );
        for other in
            ["The bridge over the Aller was closed in 1995.", "The ferry sank in 1931.", "The lake froze in 1994.", ""]
        {
            assert_eq!(held(other), (Carries::Not, None), "{other}");
        }
    }
}

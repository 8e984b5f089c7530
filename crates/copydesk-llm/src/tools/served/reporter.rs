//! The reporter's tools. `search_web`, `fetch_content` and `parse_RSS` come from the toolbox, whose tools the server serves beside these.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    ServedTool, ToolRefusal, ToolWork,
    arguments::{self, GivenSource},
    compared::{NearPlace, ReadSource},
    credibility::evaluate,
    editor::{ABOUT, LISTED},
    fact_checker::{Contradiction, contradictions},
    knowledge::{KnowledgeAnswer, SearchArguments},
    tool::{Capped, capped},
};
use copydesk_newsroom::ConflictResolution;
use copydesk_text::overlap::Stems;

pub(super) fn tools() -> Vec<ServedTool> {
    vec![
        ServedTool::texts(
            "evaluate_credibility",
            "Evaluate credibility",
            "Scores how far a source can be trusted, from 0 to 1, by rules that a person can check: kind of publisher, byline, date, \
             primary or secondary, and whether other sources say the same. Each rule gives its reason. No list of good outlets and no model \
             decides alone: read the reasons.",
            evaluate,
        ),
        ServedTool::texts(
            "analyze_research",
            "Analyze research",
            "Holds collected sources against the key questions of an assignment: which sentences bear on each question, which questions no \
             source speaks of, and where two sources contradict each other. Questions are compared by words, not by meaning.",
            |_, given| research(given),
        ),
        ServedTool::new::<SearchArguments, KnowledgeAnswer>(
            "search_knowledge_base",
            "Search the knowledge base",
            "Finds passages in what the newsroom has indexed: its own files, and the sources and articles of its stories. Each passage has \
             its file, bytes, credibility, date and why it was found.",
            ToolWork::Knowledge,
        ),
    ]
}

/// Collected sources, and what they should answer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ResearchArguments {
    /// The key questions, such as "What does it cost?"
    #[serde(deserialize_with = "arguments::lines")]
    questions: Vec<String>,
    /// The sources that were found.
    sources: Vec<GivenSource>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ResearchAnswer {
    questions: Vec<AnsweredQuestion>,
    /// Questions that no source speaks of.
    open_questions: Vec<String>,
    contradictions: Capped<Contradiction>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct AnsweredQuestion {
    question: String,
    places: Vec<NearPlace>,
}

fn research(given: ResearchArguments) -> Result<ResearchAnswer, ToolRefusal> {
    let sources = arguments::sources(given.sources)?;
    if given.questions.is_empty() {
        return Err(ToolRefusal::Empty("questions"));
    }
    let read = ReadSource::all(&sources);
    let answered = |question: String| {
        let wanted = Stems::of(&question);
        AnsweredQuestion {
            question,
            places: read.iter().flat_map(|source| source.near(&wanted, ABOUT, LISTED)).collect(),
        }
    };
    let questions: Vec<AnsweredQuestion> = given.questions.into_iter().map(answered).collect();
    let open = questions.iter().filter(|question| question.places.is_empty());
    Ok(ResearchAnswer {
        open_questions: open.map(|question| question.question.clone()).collect(),
        contradictions: capped(contradictions(&read, ConflictResolution::Human)),
        questions,
    })
}

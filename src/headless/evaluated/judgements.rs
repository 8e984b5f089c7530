//! The tables of what was measured on data that people have judged, and on texts: the proof, planted errors, the search, shortening.

use serde::Serialize;
use serde_json::{Value, json};

use super::{EvalCell, EvalTable};
use crate::{
    headless::{
        ContextScores, ConversationScores, MeasuredShare, PlantedScores, RelevanceScores, RetrievalScores, ShapeTokens,
    },
    knowledge::measures::Measures,
    newsroom::amount,
    proof::{JudgedText, PlantedOutcome, Scores, TrueOutcome},
};

/// Tables with the units that they were computed from.
pub type TablesAndUnits = (Vec<EvalTable>, Vec<Value>);

fn percent(share: Option<f64>) -> EvalCell {
    EvalCell::number(share.map(|share| share * 100.0), 1)
}

fn count(number: usize) -> EvalCell {
    EvalCell::count(number as u64)
}

/// The proof's rules on judged texts. A unit is a text.
#[must_use]
pub fn proof_evaluation(scores: &Scores, judged: &[(String, Vec<JudgedText>)]) -> TablesAndUnits {
    let columns = [("texts", ""), ("balanced accuracy", "%"), ("precision", "%"), ("recall", "%")];
    let mut files = EvalTable::new("files", &format!("Texts, rules from {} on", scores.level), "file", &columns);
    for (name, file) in &scores.files {
        let accuracy = percent(Some(file.balanced_accuracy));
        files.add(name, name, "", vec![count(file.n), accuracy, percent(file.precision), percent(file.recall)]);
    }
    let mean = vec![EvalCell::None, percent(Some(scores.mean_balanced_accuracy)), EvalCell::None, EvalCell::None];
    files.add("", "mean", "", mean);
    let columns = [("gravity", ""), ("fires", ""), ("right", ""), ("precision", "%"), ("adds", "%")];
    let mut rules = EvalTable::new("rules", "Rules", "rule", &columns);
    for (name, rule) in &scores.rules {
        let adds = EvalCell::number(Some(rule.adds * 100.0), 2);
        let gravity = EvalCell::text(rule.gravity);
        rules.add(name, name, "", vec![gravity, count(rule.fires), count(rule.right), percent(rule.precision), adds]);
    }
    let counts = |rule: &&String| scores.rules.contains_key(*rule);
    let units = judged.iter().flat_map(|(file, texts)| {
        texts.iter().map(move |text| {
            let rules: Vec<&String> = text.rules.iter().filter(counts).collect();
            json!({"file": file, "consistent": text.consistent, "rules": rules})
        })
    });
    (vec![files, rules], units.collect())
}

/// The proof on planted errors. A unit is a true article or an error; of a sealed set there is one, with its counts.
#[must_use]
pub fn planted_evaluation(
    scores: &PlantedScores,
    truths: &[TrueOutcome],
    errors: &[PlantedOutcome],
    sealed: bool,
) -> TablesAndUnits {
    let mut table = EvalTable::new("errors", "Planted errors", "errors", &[("raised", "")]);
    let mut add = |key: &str, name: &str, share: &MeasuredShare| {
        table.add(key, name, "", vec![EvalCell::share(share.part, share.of)]);
    };
    for (kind, share) in &scores.kinds {
        add(&format!("kind_{kind}"), &kind.replace('_', " "), share);
    }
    add("raised", "all", &scores.raised);
    add("outside_quotations", "outside quotation marks", &scores.outside_quotations);
    add("right_passage", "raised with the right passage", &scores.right_passage);
    add("assured", "errors whose words are called proved", &scores.assured);
    add("matching", "rows of true articles that match", &scores.matching);
    let false_findings = EvalCell::number(Some(scores.false_findings), 1);
    table.add("false_findings", "false findings in 100 sentences of true articles", "", vec![false_findings]);
    let mut rules = EvalTable::new("rules", "Rules", "rule", &[("right", ""), ("wrong", "")]);
    for (rule, [right, wrong]) in &scores.rules {
        rules.add(rule, rule, "", vec![count(*right), count(*wrong)]);
    }
    let units = if sealed {
        vec![json!({"counts": scores})]
    } else {
        let truths = truths.iter().map(|truth| json!({"true_article": truth}));
        truths.chain(errors.iter().map(|error| json!({"error": error}))).collect()
    };
    (vec![table, rules], units)
}

/// The measures of one question by one way of searching.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AskedQuestion {
    pub mode: &'static str,
    /// None if no text was judged to answer it.
    pub measures: Option<Measures>,
    pub ms: f64,
}

/// The search. A unit is a question by one way of searching.
#[must_use]
pub fn retrieval_evaluation(scores: &[RetrievalScores], asked: &[AskedQuestion]) -> TablesAndUnits {
    let columns = [
        ("questions", ""),
        ("nDCG@10", ""),
        ("recall@5", ""),
        ("recall@10", ""),
        ("MRR@10", ""),
        ("index", "s"),
        ("question p50", "ms"),
        ("question p95", "ms"),
    ];
    let mut table = EvalTable::new("modes", "The search", "mode", &columns);
    for score in scores {
        let Measures { ndcg_10, recall_5, recall_10, mrr_10 } = score.measures;
        let mut cells = vec![count(score.queries)];
        cells.extend([ndcg_10, recall_5, recall_10, mrr_10].map(|value| EvalCell::number(Some(value), 3)));
        let times = [score.index_s, score.query_ms.p50, score.query_ms.p95];
        cells.extend(times.map(|value| EvalCell::number(Some(value), 2)));
        table.add(score.mode, score.mode, "", cells);
    }
    let times = scores.iter().map(|score| json!({"mode": score.mode, "index_s": score.index_s}));
    let units = times.chain(asked.iter().map(|one| json!({"mode": one.mode, "measures": one.measures, "ms": one.ms})));
    (vec![table], units.collect())
}

/// The savings and losses of shortening. A unit is a shape, a budget, a task with its limit, or an agent.
#[must_use]
pub fn context_evaluation(scores: &ContextScores) -> TablesAndUnits {
    let change =
        |before: u64, after: u64| EvalCell::number(Some(100.0 * (amount(after) / amount(before.max(1)) - 1.0)), 1);
    let mut units = Vec::new();
    let columns =
        [("pretty JSON", ""), ("compact JSON", ""), ("TOON", ""), ("TOON to pretty", "%"), ("TOON to compact", "%")];
    let mut shapes = EvalTable::new("shapes", "Tokens by shape and notation", "shape", &columns);
    for ShapeTokens { shape, pretty, json, toon, sent } in &scores.shapes {
        let cells = vec![
            EvalCell::count(*pretty),
            EvalCell::count(*json),
            toon.map_or(EvalCell::None, EvalCell::count),
            toon.map_or(EvalCell::None, |toon| change(*pretty, toon)),
            toon.map_or(EvalCell::None, |toon| change(*json, toon)),
        ];
        shapes.add(shape, shape, "", cells);
        units.push(json!({"shape": shape, "pretty": pretty, "json": json, "toon": toon, "sent": sent}));
    }
    let columns = [("exchanges", ""), ("before", ""), ("after", ""), ("change", "%")];
    let mut conversation = EvalTable::new("conversation", "A conversation with tools, in tokens", "budget", &columns);
    for ConversationScores { budget, record } in &scores.conversation {
        let cells = vec![
            EvalCell::count(record.exchanges),
            EvalCell::count(record.tokens_before),
            EvalCell::count(record.tokens_after),
            change(record.tokens_before, record.tokens_after),
        ];
        conversation.add(&budget.to_string(), &budget.to_string(), "", cells);
        units.push(json!({"budget": budget, "record": record}));
    }
    let columns =
        [("tokens", ""), ("kept", ""), ("change", "%"), ("passages kept", ""), ("by the beginning alone", "")];
    let mut relevance = EvalTable::new("relevance", "Sentences that bear on a task", "task and limit", &columns);
    for score in &scores.relevance {
        let RelevanceScores { task, limit, tokens, tokens_kept, passages, passages_of_beginning } = score;
        let cells = vec![
            EvalCell::count(*tokens),
            EvalCell::count(*tokens_kept),
            change(*tokens, *tokens_kept),
            EvalCell::share(passages.part, passages.of),
            EvalCell::share(passages_of_beginning.part, passages_of_beginning.of),
        ];
        relevance.add(&format!("{task}|{limit}"), &format!("{task}, at most {limit} %"), "", cells);
        units.push(json!({"relevance": score}));
    }
    let columns = [("skills", ""), ("names", ""), ("and one text", ""), ("and all texts", ""), ("one for all", "%")];
    let mut skills = EvalTable::new("skills", "Skills in a prompt, in tokens", "agent", &columns);
    for one in &scores.skills {
        let mut cells: Vec<EvalCell> =
            [one.skills, one.names, one.one, one.all].into_iter().map(EvalCell::count).collect();
        cells.push(change(one.all, one.one));
        skills.add(one.agent, one.agent, "", cells);
        units.push(json!({"skills": one}));
    }
    (vec![shapes, conversation, relevance, skills], units)
}

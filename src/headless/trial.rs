//! The result of a trial of the models, for a person and for a program.

use serde_json::{Value, json};

use super::table::{headings, set_in};
use crate::{
    editorial::trial::{RightOf, StoryEstimate, TrialReport},
    text::{sanitise, thousands},
};

/// A row for each figure, then a sentence for each role.
pub fn trial_text(report: &TrialReport) -> String {
    let mut models = headings(["role", "model"]);
    for (role, model) in &report.models {
        models.push(vec![role.name().to_owned(), sanitise::one_line(model)]);
    }
    let mut table = headings(["of the trial", ""]);
    for (name, figure) in figures(report) {
        table.push(vec![name.to_owned(), figure]);
    }
    let mut parts = vec![set_in(&models), set_in(&table)];
    let unread = report.calls.iter().filter_map(|call| Some((call.agent.name(), call.problem.as_ref()?)));
    let unread: Vec<String> =
        unread.map(|(agent, problem)| format!("{agent}: {}", sanitise::excerpt(problem, 300))).collect();
    if !unread.is_empty() {
        parts.push(unread.join("\n"));
    }
    let judged = report.judgements().into_iter().map(|judged| judged.sentence);
    parts.push(judged.collect::<Vec<_>>().join("\n"));
    parts.join("\n\n")
}

fn figures(report: &TrialReport) -> Vec<(&'static str, String)> {
    let mut figures = vec![("answers read", of(report.readable()))];
    if let Some(marks) = &report.writing {
        figures.push(("length reached", format!("{} of {} words", marks.words, marks.at_least)));
        figures.push(("statements the proof objects to", marks.objections.to_string()));
    }
    if let Some(marks) = &report.review {
        figures.push(("errors found", of(RightOf { right: marks.errors_found(), of: marks.errors.len() })));
        let accused = RightOf { right: marks.accused, of: marks.true_sentences };
        figures.push(("true sentences accused", of(accused)));
        if marks.elsewhere > 0 {
            figures.push(("remarks on no sentence", marks.elsewhere.to_string()));
        }
        let missed: Vec<&str> =
            marks.errors.iter().filter(|(_, found)| !found).map(|(kind, _)| kind.as_str()).collect();
        if !missed.is_empty() {
            figures.push(("errors missed", missed.join(", ")));
        }
    }
    figures.push(("concerns mapped right", of(report.mapping)));
    figures.push(("verdicts right", of(report.right_verdicts())));
    if let Some(estimate) = StoryEstimate::from(&report.calls) {
        figures.push(("reads, writes", speed(&estimate)));
        let StoryEstimate { seconds, tokens, .. } = estimate;
        let time = if seconds < 90.0 { format!("{seconds:.0} s") } else { format!("{:.0} min", seconds / 60.0) };
        figures.push(("a story", format!("about {time} and {} tokens", thousands(tokens))));
        figures.push(("", format!("({})", StoryEstimate::of_what())));
    }
    figures
}

fn of(RightOf { right, of }: RightOf) -> String {
    format!("{right} of {of}")
}

fn speed(estimate: &StoryEstimate) -> String {
    format!("{:.0} and {:.0} tokens a second", estimate.reads, estimate.writes)
}

/// The same as one object, with every call.
pub fn trial_json(report: &TrialReport) -> Value {
    let models: serde_json::Map<String, Value> =
        report.models.iter().map(|(role, model)| (role.name().to_owned(), json!(model))).collect();
    let calls: Vec<Value> = report
        .calls
        .iter()
        .map(|call| {
            json!({
                "agent": call.agent.name(), "seconds": call.seconds, "first_seconds": call.first_seconds,
                "prompt_tokens": call.prompt_tokens, "read_tokens": call.read_tokens, "answer_tokens": call.answer_tokens,
                "problem": call.problem
            })
        })
        .collect();
    let review = report.review.as_ref().map(|marks| {
        let errors = marks.errors.iter().map(|(kind, found)| json!({"kind": kind, "found": found}));
        json!({
            "errors": errors.collect::<Vec<_>>(), "found": marks.errors_found(), "true_sentences": marks.true_sentences,
            "accused": marks.accused, "elsewhere": marks.elsewhere
        })
    });
    let estimate = StoryEstimate::from(&report.calls).map(|estimate| {
        json!({
            "seconds": estimate.seconds, "tokens": estimate.tokens, "reads_per_second": estimate.reads,
            "writes_per_second": estimate.writes, "of": StoryEstimate::of_what()
        })
    });
    let judgements = report.judgements().into_iter().map(
        |judged| json!({"role": judged.role.name(), "fitness": judged.fitness.name(), "sentence": judged.sentence}),
    );
    json!({
        "models": models, "answers": report.readable(), "writing": report.writing, "review": review,
        "mapping": report.mapping, "verdicts": report.right_verdicts(),
        "each_verdict": report.verdicts, "story": estimate, "judgements": judgements.collect::<Vec<_>>(), "calls": calls
    })
}

//! A cause in the draft, only a link in the source.
//!
//! Why: a report on a study should say which of the two was found, because few readers can tell from the story.

use crate::{reading::hedges::associates, rules::prelude::*, sources::content};

pub static RULE: Rule = Rule {
    name: "certainty.cause",
    kind: SpanKind::Certainty,
    standing: Standing::Inflated,
    concern_type: ConcernType::CertaintyInflation,
    why: "The source reports a link, not a cause.",
    source: "A link is not a cause. A report on a study should say which of the two it found.",
    ..Rule::USUAL
};

/// A passage that only denies a cause has at least so much of the sentence, by weight.
const LEAST: f64 = 0.4;

/// The passage on the sentence's topic that reports only a link, or says that no cause is known.
pub fn associated(archive: &SourceArchive<'_>, stems: &[&str]) -> Option<SourceLine> {
    let mut places: Vec<(f64, SourceLine)> = Vec::new();
    for (source, reading) in archive.readings.iter().enumerate() {
        for line in 0..reading.lines.len() {
            let tokens = reading.line_tokens(line);
            if !associates(tokens) {
                continue;
            }
            let own = content(tokens);
            let shared: Vec<&&str> = stems.iter().filter(|stem| own.contains(stem)).collect();
            if shared.len() >= 2 {
                places.push((shared.iter().map(|stem| archive.weight(stem)).sum(), SourceLine { source, line }));
            }
        }
    }
    let whole: f64 = stems.iter().map(|stem| archive.weight(stem)).sum();
    // "The storm did not cause the leak" may be about another leak.
    let denies_one = |place: SourceLine| {
        archive.tokens(place).iter().any(|token| matches!(token.word.as_str(), "cause" | "causal" | "causation"))
    };
    places.retain(|(weight, place)| *weight >= LEAST * whole || !denies_one(*place));
    places.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    places.first().filter(|(weight, _)| *weight > 4.0).map(|(_, place)| *place)
}

#[cfg(test)]
mod tests {
    use crate::rules::certainty::given::rules;

    #[test]
    fn going_together_is_no_cause() {
        assert_eq!(rules("Tutoring in small groups improved word reading."), ["certainty.cause"]);
        assert_eq!(rules("Tutoring in small groups was linked to better word reading."), [""; 0]);
    }
}

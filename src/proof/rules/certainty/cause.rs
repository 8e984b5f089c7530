//! A cause where the source has two things that go together.
//!
//! Why: whoever reports a study should say which of the two it found, and few readers can tell from the copy.

use crate::{
    newsroom::{ConcernType, SpanKind, Standing},
    proof::{
        reading::hedges::associates,
        rule::{Gravity, Rule},
        sources::archive::{SourceArchive, SourceLine, content},
    },
};

/// An association told as a cause.
pub static RULE: Rule = Rule {
    name: "certainty.cause",
    kind: SpanKind::Certainty,
    standing: Standing::Inflated,
    concern_type: ConcernType::CertaintyInflation,
    gravity: Gravity::Concern,
    why: "The source reports a link, not a cause.",
    source: "Associations are no causes; who reports a study should say which of the two it found.",
    measured: None,
};

/// A passage that says of the sentence's matter that things go together, or that no cause can be told.
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
    places.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    places.first().filter(|(weight, _)| *weight > 4.0).map(|(_, place)| *place)
}

#[cfg(test)]
mod tests {
    use crate::proof::rules::certainty::given::rules;

    #[test]
    fn going_together_is_no_cause() {
        assert_eq!(rules("Tutoring in small groups improved word reading."), ["certainty.cause"]);
        assert_eq!(rules("Tutoring in small groups was linked to better word reading."), [""; 0]);
    }
}

//! Witnesses that contradict each other: which side prevails.

use copydesk_newsroom::{ConflictResolution, Resolved, Stance, Tier, Witness};

/// Resolves a contradiction by `rule`; none if all witnesses say the same. If the rule cannot tell the sides apart, a human decides.
pub fn resolve(rule: ConflictResolution, witnesses: &[Witness]) -> Option<Resolved> {
    let side = |stance: Stance| witnesses.iter().filter(move |witness| witness.stance == stance);
    if side(Stance::Carries).next().is_none() || side(Stance::Contradicts).next().is_none() {
        return None;
    }
    let (prevails, reason) = match rule {
        ConflictResolution::Credibility => {
            let best = |stance| side(stance).filter_map(|witness| witness.passage.credibility).reduce(f64::max);
            larger(best, "the witness of higher credibility prevails")
        }
        ConflictResolution::Recency => {
            let latest = |stance| side(stance).filter_map(|witness| witness.passage.published.as_deref()).max();
            larger(latest, "the witness that was published last prevails")
        }
        ConflictResolution::Majority => {
            let texts = |stance| {
                let mut files: Vec<_> =
                    side(stance).map(|witness| (witness.passage.tier, witness.passage.file.as_str())).collect();
                files.sort_unstable();
                files.dedup();
                Some(files.len())
            };
            larger(texts, "the side with more witnesses prevails")
        }
        ConflictResolution::PrimarySource => {
            let primary = |stance| Some(side(stance).any(|witness| witness.passage.tier == Tier::Source));
            larger(primary, "the story's own source prevails")
        }
        ConflictResolution::Human => (None, "a human decides".to_owned()),
    };
    Some(Resolved { by: rule, prevails, reason })
}

/// The side with the larger value. None if both values are the same, or one is unknown.
fn larger<T: PartialOrd>(of: impl Fn(Stance) -> Option<T>, reason: &str) -> (Option<Stance>, String) {
    match of(Stance::Carries).zip(of(Stance::Contradicts)) {
        Some((carries, contradicts)) if carries > contradicts => (Some(Stance::Carries), reason.to_owned()),
        Some((carries, contradicts)) if contradicts > carries => (Some(Stance::Contradicts), reason.to_owned()),
        _ => (None, format!("{reason}, but that does not tell them apart: a human decides")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_newsroom::Passage;

    fn witness(file: &str, tier: Tier, credibility: f64, published: Option<&str>, stance: Stance) -> Witness {
        let passage = Passage {
            file: file.into(),
            tier,
            credibility: Some(credibility),
            published: published.map(str::to_owned),
            ..Passage::default()
        };
        Witness { passage, stance, note: None }
    }

    #[test]
    fn each_rule_has_its_own_judge_and_what_it_cannot_tell_apart_is_a_humans() {
        use ConflictResolution::{Credibility, Human, Majority, PrimarySource, Recency};
        let carries = witness("notes", Tier::Source, 1.0, Some("2026-01-01"), Stance::Carries);
        let one = witness("a", Tier::Knowledge, 0.8, Some("2026-05-01"), Stance::Contradicts);
        let two = witness("b", Tier::Knowledge, 0.8, None, Stance::Contradicts);
        let three = [carries.clone(), one.clone(), two.clone()];
        let prevails = |rule, witnesses: &[Witness]| resolve(rule, witnesses).unwrap().prevails;
        assert_eq!(prevails(Credibility, &three), Some(Stance::Carries));
        assert_eq!(prevails(Recency, &three), Some(Stance::Contradicts));
        assert_eq!(prevails(Majority, &three), Some(Stance::Contradicts));
        assert_eq!(prevails(PrimarySource, &three), Some(Stance::Carries));
        assert_eq!(prevails(Human, &three), None);
        let same = [carries.clone(), Witness { stance: Stance::Contradicts, ..carries.clone() }];
        for rule in [Credibility, Recency, Majority, PrimarySource, Human] {
            let resolved = resolve(rule, &same).unwrap();
            assert_eq!(resolved.prevails, None, "{}", rule.name());
            assert!(resolved.reason.ends_with("a human decides"), "{}", resolved.reason);
            assert_eq!(resolve(rule, std::slice::from_ref(&carries)), None);
        }
        assert_eq!(prevails(Recency, &[carries, two]), None, "one of them has no date");
    }
}

//! The to-dos that may explain a change: those that went back to the writer, with the passages that they are about.

use crate::editorial::decisions;
use copydesk_newsroom::{Journal, Status};

/// A to-do that may explain a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedFor {
    /// Who asked, such as `concern 3, REWRITE` or `editor's feedback`.
    pub label: String,
    /// The same in at most a few characters, for a margin: `3` for a concern, `e1` for an editor's own to-do, `s1` for house style's.
    pub mark: String,
    /// The concern that asked; none if the editor did.
    pub concern: Option<u32>,
    /// The concern's excerpt in the old draft.
    pub excerpt: Option<String>,
    /// The to-do's text; if a verdict names no fix, its reason.
    pub to_do: String,
    /// Whether the passage was to go.
    pub removes: bool,
}

/// The to-dos of the writer in `round`: the effective verdicts that are not KEEP, in concern order, then the editor's own to-dos, then
/// those of house style. Empty if the next draft is not the writer's.
#[must_use]
pub fn asked(journal: &Journal, round: u32) -> Vec<AskedFor> {
    if decisions::is_rewritten(journal, round) {
        return Vec::new();
    }
    let verdicts = decisions::effective_verdicts(journal, round);
    let open = verdicts.into_iter().filter(|verdict| verdict.status != Status::Keep);
    let concerns = open.map(|verdict| {
        let id = verdict.concern_id;
        let by = if decisions::overruled(journal, round, id).is_some() { " by the editor" } else { "" };
        let concern = journal.concerns(round).and_then(|all| all.concerns.iter().find(|one| one.concern_id == id));
        AskedFor {
            label: format!("concern {id}, {}{by}", verdict.status.name()),
            mark: id.to_string(),
            concern: Some(id),
            excerpt: concern.map(|concern| concern.excerpt.clone()),
            to_do: verdict.suggested_fix.unwrap_or(verdict.rationale),
            removes: verdict.status == Status::Remove,
        }
    });
    let own = decisions::to_dos(journal, round);
    let many = own.len() > 1;
    let feedback = own.into_iter().zip(1u32..).map(|(to_do, number)| AskedFor {
        label: if many { format!("editor's feedback {number}") } else { "editor's feedback".to_owned() },
        mark: format!("e{number}"),
        concern: None,
        excerpt: None,
        to_do,
        removes: false,
    });
    let house_style =
        decisions::house_style_to_dos(journal, round).iter().zip(1u32..).map(|(to_do, number)| AskedFor {
            label: "house style".to_owned(),
            mark: format!("s{number}"),
            concern: None,
            excerpt: None,
            to_do: to_do.clone(),
            removes: false,
        });
    concerns.chain(feedback).chain(house_style).collect()
}

/// The to-dos from draft `from_round` to draft `to_round`, of all rounds between. If there are several rounds, each to-do names its own.
#[must_use]
pub fn asked_between(journal: &Journal, from_round: u32, to_round: u32) -> Vec<AskedFor> {
    let several = to_round.saturating_sub(from_round) > 1;
    let of = |round: u32| {
        asked(journal, round).into_iter().map(move |asked| {
            if !several {
                return asked;
            }
            let label = format!("round {round}, {}", asked.label);
            AskedFor { label, mark: format!("{round}.{}", asked.mark), ..asked }
        })
    };
    (from_round..to_round).flat_map(of).collect()
}

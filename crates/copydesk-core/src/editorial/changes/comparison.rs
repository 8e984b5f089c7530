//! Two drafts beside one another, as data.

use std::ops::Range;

use crate::editorial::decisions;
use copydesk_newsroom::{Journal, Status};
use copydesk_text::{alignment::RowKind, diff::DiffPiece};

/// Why a change was made, as far as the journal tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChangeReason {
    /// A to-do asked for it: its place in [`Comparison::asked`].
    Asked(usize),
    /// The editor made it.
    ByHand,
    /// It is a footnote or its mark: citations that no verdict gave are taken out before.
    Citation,
    /// No to-do and no editor asked for it.
    Nobody,
}

/// The kind of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// It added words, removed words, or put some in the place of others.
    Wording,
    /// It moved a paragraph. Changes to the paragraph's words are separate changes.
    Moved,
}

/// Changed words that belong together: inside one paragraph, for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The article's field, by its contract name.
    pub field: &'static str,
    /// Whether it changed words or moved a paragraph.
    pub kind: ChangeKind,
    /// Its words, in reading order; few words of both drafts may stand between.
    pub pieces: Vec<DiffPiece>,
    /// Bytes of the field in the old draft; empty, at the place, if words were only added.
    pub old: Range<usize>,
    /// Bytes of the field in the new draft; empty, at the place, if words were only removed.
    pub new: Range<usize>,
    pub why: ChangeReason,
}

/// A piece of a paragraph in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// The words.
    pub piece: DiffPiece,
    /// Bytes of the field in the old draft.
    pub old: Range<usize>,
    /// Bytes of the field in the new draft.
    pub new: Range<usize>,
    /// The change that it is of: a place in [`Comparison::changes`].
    pub change: Option<usize>,
}

/// A paragraph of both drafts, or of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedParagraph {
    /// The article's field, by its contract name.
    pub field: &'static str,
    /// Whether it is the same, changed, added, removed or moved.
    pub kind: RowKind,
    /// The change that moved it, if it moved: a place in [`Comparison::changes`].
    pub moved: Option<usize>,
    /// Its words in reading order. Empty if the paragraph was moved away: the words stand at its new place.
    pub segments: Vec<Segment>,
}

/// Two drafts beside one another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// The to-dos between the two drafts.
    pub asked: Vec<AskedFor>,
    /// Every paragraph of every field, unchanged ones too, in reading order.
    pub paragraphs: Vec<ComparedParagraph>,
    /// The changes, in reading order.
    pub changes: Vec<Change>,
}

impl Comparison {
    /// The number of changes that no to-do asked for.
    pub fn unasked(&self) -> usize {
        self.changes.iter().filter(|change| change.why == ChangeReason::Nobody).count()
    }

    /// The to-do that asked for a change, if one did.
    pub fn asked_for(&self, change: &Change) -> Option<&AskedFor> {
        let ChangeReason::Asked(index) = change.why else { return None };
        self.asked.get(index)
    }
}

/// A to-do that may explain a change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
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
pub fn asked(journal: &Journal, round: u32) -> Vec<AskedFor> {
    if decisions::is_rewritten(journal, round) {
        return Vec::new();
    }
    let verdicts = decisions::effective_verdicts(journal, round);
    let open = verdicts.into_iter().filter(|verdict| verdict.status != Status::Keep);
    let concerns = open.map(|verdict| {
        let id = verdict.concern_id;
        let by = if decisions::overruled(journal, round, id).is_some() { " by the editor" } else { "" };
        let concern = journal.concern(round, id);
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
        to_do,
        ..AskedFor::default()
    });
    let of_house = decisions::house_style_to_dos(journal, round).iter();
    let house_style = of_house.zip(1u32..).map(|(to_do, number)| AskedFor {
        label: "house style".to_owned(),
        mark: format!("s{number}"),
        to_do: to_do.clone(),
        ..AskedFor::default()
    });
    concerns.chain(feedback).chain(house_style).collect()
}

/// The to-dos from draft `from_round` to draft `to_round`, of all rounds between. If there are several rounds, each to-do names its own.
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

//! Finds the to-do that asked for a change. In doubt it is none: a change that is wrongly called unasked costs an editor a glance, one that
//! is wrongly called asked costs a correction.
//!
//! A change is judged within one sentence at a time, by the first of these rules that finds a to-do (the first in order):
//!
//! 1. **Quoted.** The to-do has the removed words and the added words, in order, in quotation marks (`Replace “A” with “B”`).
//!    The change must be where the to-do points: in the excerpt's sentence if the quoted words stand there, else anywhere in
//!    the draft. Words that were only removed must stand at such a place too (`Delete “A”`). The same correction elsewhere
//!    counts as well, if both sides are quoted and neither has only stop words: the headline follows the text.
//!    A change of marks or capitals alone counts if it touches such a place.
//! 2. **In its place.** The change is in the sentence of the concern's excerpt, and the to-do is not an exact one. An exact
//!    one asks only to replace or delete words that it quotes from the draft.
//!    A figure is covered only if the to-do names it, or says *figure*, *date*, …. Words of a quotation are covered only if
//!    the to-do says *quotation*, *wording*, …, quotes the words, or has its excerpt inside the quotation. A removal is covered
//!    if the verdict is REMOVE. A whole sentence that was added beside the place needs rule 3's words.
//!    A to-do that only gives a text (`Say: “A.”`) asks for what its excerpt loses, and for the quoted words that come there.
//!    If it quotes a whole sentence, the excerpt's sentence is the place. A to-do that names the headline or the description
//!    points there as well, wherever its excerpt stands. If such a to-do quotes something, it asks only for those words there.
//! 3. **By its words.** For a to-do whose excerpt is not in the old draft (an editor's own to-dos have none). Most content words
//!    that the change adds are the to-do's: at least two, or one that is a figure or a name. Every new figure is the to-do's.
//!    A pure removal needs a to-do that speaks of removing. An exact to-do has rule 1 only.
//!
//! A paragraph that moved was asked for by a to-do that speaks of moving and whose excerpt or quoted words are in it.
//! White space is no change. An excerpt of up to three words that stands in several places points to none of them.

use std::{collections::BTreeSet, ops::Range};

use super::{
    comparison::{AskedFor, ChangeKind, ChangeReason},
    instruction::{DraftWords, FIGURES, FieldRange, Instruction, ORDER, QUOTATIONS, REMOVAL},
    passage::{ChangedPassage, content, figures, folded},
};
use copydesk_newsroom::ArticleResponse;
use copydesk_text::words::is_stop_word;

/// A changed stretch within one sentence, or a paragraph that moved, in its paragraph.
pub(super) struct Site<'a> {
    pub passage: &'a ChangedPassage<'a>,
    /// Bytes of the field in the old draft.
    pub old: Range<usize>,
    /// Bytes of the field in the new draft.
    pub new: Range<usize>,
    pub kind: ChangeKind,
}

/// A change as its words.
struct Words<'a> {
    field: usize,
    old: &'a Range<usize>,
    removed: Vec<String>,
    added: Vec<String>,
    added_text: &'a str,
    lost: BTreeSet<String>,
    gained: BTreeSet<String>,
    quotation: Option<Range<usize>>,
    passage: &'a ChangedPassage<'a>,
}

/// The to-dos of a round, ready to be asked.
pub(super) fn instructions(asked: &[AskedFor], old: &ArticleResponse) -> Vec<Instruction> {
    if asked.is_empty() {
        return Vec::new();
    }
    let archive = DraftWords::new(old);
    asked.iter().map(|asked| Instruction::read(asked, &archive)).collect()
}

/// Why a change in a field (by its number) was made.
pub(super) fn why(instructions: &[Instruction], field: usize, site: &Site<'_>) -> ChangeReason {
    if instructions.is_empty() {
        return ChangeReason::Nobody;
    }
    let first = |rule: &dyn Fn(&Instruction) -> bool| instructions.iter().position(rule);
    if site.kind == ChangeKind::Moved {
        let inside = |(of, place): &FieldRange| *of == field && meets(place, &site.passage.place);
        return first(&|to_do| {
            to_do.speaks_of(ORDER) && (to_do.excerpts.iter().any(inside) || to_do.spots.iter().any(inside))
        })
        .map_or(ChangeReason::Nobody, ChangeReason::Asked);
    }
    let passage = site.passage;
    let removed_text = passage.old.get(site.old.clone()).unwrap_or_default();
    let added_text = passage.new.get(site.new.clone()).unwrap_or_default();
    let (lost, gained) = passage.figures_changed(removed_text, added_text);
    let words = Words {
        field,
        old: &site.old,
        removed: folded(removed_text),
        added: folded(added_text),
        added_text,
        lost,
        gained,
        quotation: passage.quotation_changed(&site.old, &site.new),
        passage,
    };
    first(&|to_do| is_quoted(to_do, &words))
        .or_else(|| first(&|to_do| is_in_place(to_do, &words)))
        .or_else(|| first(&|to_do| to_do.sentences.is_empty() && is_named(to_do, &words)))
        .map_or(ChangeReason::Nobody, ChangeReason::Asked)
}

/// Rule 1.
fn is_quoted(to_do: &Instruction, change: &Words<'_>) -> bool {
    if to_do.quoted.is_empty() {
        return false;
    }
    // A to-do that gives words to write does not ask for a mere removal.
    if !to_do.reworded.is_empty() && change.added.is_empty() && says_something(&change.removed) {
        return false;
    }
    // Common words stand in many places: they are looked through last.
    let there = || to_do.spots.iter().any(|(field, spot)| *field == change.field && touches(change, spot));
    if change.removed == change.added {
        return change.quotation.is_none() && there();
    }
    if !to_do.quotes(&change.removed) || !to_do.quotes(&change.added) {
        return false;
    }
    // One quotation alone is to go: nothing comes in its place.
    let only_goes = to_do.exact && to_do.quoted.len() == 1 && !change.added.is_empty();
    (to_do.quoted.len() > 1 && says_something(&change.removed) && says_something(&change.added))
        || (!only_goes && there())
}

fn says_something(words: &[String]) -> bool {
    words.iter().any(|word| !is_stop_word(word))
}

/// Rule 2, for a to-do that gives the words of its place.
fn is_reworded(to_do: &Instruction, change: &Words<'_>) -> bool {
    // A stretch that goes on beyond the place takes words along that nobody asked about.
    let outside =
        |from: usize, to: usize| says_something(&folded(change.passage.old.get(from..to).unwrap_or_default()));
    let there = to_do.reworded.iter().any(|(field, place)| {
        *field == change.field
            && if change.old.is_empty() {
                place.start <= change.old.start && change.old.start <= place.end
            } else {
                meets(place, change.old)
                    && !outside(change.old.start, place.start)
                    && !outside(place.end, change.old.end)
            }
    });
    let kept = || says_something(&change.removed) && to_do.quotes(&change.removed);
    there && to_do.quotes(&change.added) && !(change.added.is_empty() && kept())
}

/// Rule 2, for a to-do that names the field.
fn is_in_named_field(to_do: &Instruction, change: &Words<'_>) -> bool {
    let asks = to_do.quoted.is_empty() || (!change.added.is_empty() && to_do.quotes(&change.added));
    to_do.fields.contains(&change.field) && asks && covers_figures(to_do, change) && covers_quotation(to_do, change)
}

/// Rule 2.
fn is_in_place(to_do: &Instruction, change: &Words<'_>) -> bool {
    if is_reworded(to_do, change) || is_in_named_field(to_do, change) {
        return true;
    }
    if to_do.exact && !to_do.spots.is_empty() {
        return false;
    }
    let place = |inside: &dyn Fn(&Range<usize>) -> bool| {
        to_do.sentences.iter().any(|(field, place)| *field == change.field && inside(place))
    };
    let at = change.old.start;
    if change.old.is_empty() && !place(&|place| place.start < at && at < place.end) {
        return place(&|place| beside(change, place)) && is_named(to_do, change);
    }
    if !change.old.is_empty() && !place(&|place| meets(place, change.old)) {
        return false;
    }
    covers_figures(to_do, change) && covers_quotation(to_do, change)
}

/// Rule 3.
fn is_named(to_do: &Instruction, change: &Words<'_>) -> bool {
    if to_do.exact || change.removed == change.added {
        return false;
    }
    let (removed, added) = (content(&change.removed.join(" ")), content(&change.added.join(" ")));
    let fresh: BTreeSet<&String> = added.difference(&removed).collect();
    if fresh.is_empty() {
        let gone: BTreeSet<&String> = removed.difference(&added).collect();
        return (to_do.speaks_of(REMOVAL) || to_do.removes)
            && gone.len() > 1
            && mostly(&gone, &to_do.content)
            && covers_quotation(to_do, change);
    }
    let weighty =
        fresh.len() > 1 || !change.gained.is_empty() || change.added_text.trim_start().starts_with(char::is_uppercase);
    weighty
        && mostly(&fresh, &to_do.content)
        && figures(change.added_text)
            .iter()
            .all(|figure| to_do.figures.contains(figure) || !change.gained.contains(figure))
        && covers_quotation(to_do, change)
}

/// More than three in five.
fn mostly(words: &BTreeSet<&String>, of: &BTreeSet<String>) -> bool {
    let known = words.iter().filter(|word| of.contains(**word)).count();
    known * 5 >= words.len() * 3 && known > 0
}

/// Whether a to-do speaks of the figures that a change alters, if it alters any.
fn covers_figures(to_do: &Instruction, change: &Words<'_>) -> bool {
    let speaks_of_the_lost =
        change.lost.iter().any(|figure| to_do.figures.contains(figure)) || to_do.speaks_of(FIGURES);
    if change.gained.is_empty() {
        return change.lost.is_empty() || speaks_of_the_lost || to_do.removes;
    }
    let names_another = to_do.figures.iter().any(|figure| !change.passage.figures.contains(figure));
    change.gained.is_subset(&to_do.figures) || (!names_another && speaks_of_the_lost)
}

/// Whether a to-do speaks of the quotation that a change alters, if it alters one.
fn covers_quotation(to_do: &Instruction, change: &Words<'_>) -> bool {
    let Some(quotation) = &change.quotation else { return true };
    to_do.speaks_of(QUOTATIONS)
        || (to_do.removes && change.added.is_empty())
        || (change.removed != change.added
            && !to_do.quoted.is_empty()
            && to_do.quotes(&change.removed)
            && to_do.quotes(&change.added))
        || to_do.excerpts.iter().any(|(field, place)| {
            *field == change.field && quotation.start <= place.start && place.end <= quotation.end
        })
}

pub(super) fn meets(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// Whether a change overlaps a place, or only marks and white space are between them.
fn touches(change: &Words<'_>, place: &Range<usize>) -> bool {
    meets(place, change.old) || beside(change, place)
}

fn beside(change: &Words<'_>, place: &Range<usize>) -> bool {
    let between = if change.old.start >= place.end {
        place.end..change.old.start
    } else if change.old.end <= place.start {
        change.old.end..place.start
    } else {
        return true;
    };
    let gap = change.passage.old.get(between).unwrap_or("x");
    !gap.contains(char::is_alphanumeric) && gap.matches('\n').count() < 2
}

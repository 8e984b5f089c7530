//! What the sources deny: the words that stand near a denial.
//!
//! Why: a draft that denies what nobody denied is as wrong as one that makes a thing up, and no word in it is foreign to
//! the sources. Read once and only where a rule asks, so that each question costs a look-up.

use crate::proof::words::list::{WordList, words};

/// Words that turn round what they stand with, beyond `not` and `no`.
static TURNS: WordList = words(
    "abandon abandoned abandons abuse against anymore avoid avoided avoiding avoids ban banned bans barely cancel canceled \
     cancelled cancels condemn condemned condemning condemns contradict contradicted contradicts contrary decline \
     declined declines declining decrease decreased decreases delay delayed delays denied denies deny denying destroy \
     destroyed destroys deter diminish diminished diminishes disadvantage disagree disagreed disagreeing disagrees \
     disapprove disapproved disapproves discourage discouraged discourages dislike disliked dislikes dismiss dismissed \
     dismisses disregard doubt doubts downplay drawback drawbacks except exclude excluded excludes excluding fail failed \
     failing fails failure false forbid forbids forget forgets forgot hardly hate hated hates hesitant hinder hindered \
     hinders ignore ignored ignores ignoring impair impairs impossible incorrect ineffective inefficient instead lack \
     lacked lacking lacks lower lowered lowers misconstrue misinterpret mistaken misunderstand misunderstands mock mocks \
     negative neglect neglects omit omitted omits oppose opposed opposes overlook overrated poor poorly postpone postponed \
     postpones prevent prevented prevents problem quit rarely reduce reduced reduces refuse refused refuses refusing reject \
     rejected rejects reluctant reluctantly reverse reversed reverses ridicule ruin ruined ruins sabotage scarcely scoff \
     seldom skeptical sceptical spoil spoiled stop stopped stops struggle struggled struggles unable uncertain unhappy unlike \
     unnecessary unsure unwilling useless weaken weakened weakens worse worsen worsens worst",
);

/// Words of a source that can tell what is not so: denials as they are typed in haste, and what went wrong.
static PLAIN: WordList = words(
    "aint arent cant couldnt didnt doesnt dont dunno hadnt hasnt havent isnt nah nope shouldnt wasnt werent wont wouldnt afraid bad \
     broken busy closed far ill late lost miss missed sick skip skipped sorry unfortunately",
);

/// First letters of words that only look as if `un-` turned them round.
const NO_PREFIX: [&str; 7] = ["under", "uni", "until", "unless", "uncle", "upon", "nonethe"];

/// Whether a word turns a statement round, though no denial by itself.
pub fn turns(word: &str) -> bool {
    TURNS.contains(word)
}

/// Whether a word of a source denies, turns round, or says `un-`, `non-`, `-less`: the widest sense, in favour of a draft.
pub fn turns_in_a_source(word: &str) -> bool {
    let without = |prefix: &str| word.starts_with(prefix) && word.len() > 5;
    denies(word)
        || TURNS.contains(word)
        || PLAIN.contains(word)
        || (without("un") || without("non") || word.ends_with("less"))
            && !NO_PREFIX.iter().any(|start| word.starts_with(start))
}

/// Whether a folded word denies.
pub fn denies(word: &str) -> bool {
    word.ends_with("n't")
        || matches!(
            word,
            "not" | "no" | "never" | "none" | "nobody" | "nothing" | "neither" | "nor" | "cannot" | "without"
        )
}

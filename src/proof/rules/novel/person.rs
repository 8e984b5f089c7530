//! Somebody that no source speaks of: a sister, a landlord, a colleague.
//!
//! Who is not named is named by what he is to another; a word for that in no source is a person in no source.

use crate::{
    newsroom::{ConcernType, SpanKind, Standing},
    proof::{
        ledger::{Fault, LedgerWriter},
        rule::{Gravity, Measured, Rule, SUMMARIES},
        sources::{archive::SourceArchive, known::known, texts::Spot},
        words::list::{WordList, words},
    },
    text::inflection::bases,
};

/// Somebody in no source.
pub static RULE: Rule = Rule {
    name: "novel.person",
    kind: SpanKind::Support,
    standing: Standing::NotFound,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Note,
    why: "No source mentions such a person.",
    source: "A list of what people are to each other, in the family, the house, at work and at school; any synonym in a source excuses the word.",
    measured: Some(Measured { right: 22, of: 22, on: SUMMARIES }),
};

/// What people are to each other.
static RELATIONS: WordList = words(
    "aunt boyfriend bride brother bully classmate colleague competitor cousin coworker daughter dentist doctor \
     employee employer enemy ex father fiance fiancee flatmate girlfriend godfather godmother grandchild granddaughter \
     grandfather grandmother grandparent grandson groom guardian heir housemate husband intern landlady landlord lawyer \
     lodger mentor mother neighbor neighbour nephew niece nurse orphan parent physician pupil rival roommate servant \
     sibling sister son stepfather stepmother stranger student subordinate supervisor teacher tenant therapist tutor twin \
     uncle veterinarian widow widower wife",
);

/// What people are called among friends: any word of a line is that somebody.
const FAMILIAR: &[&str] = &[
    "boyfriend bf babe hon honey",
    "girlfriend gf babe hon honey",
    "brother bro",
    "sister sis",
    "grandmother granny gran nan grandma",
    "grandfather grandpa granddad grandad",
    "mother mum mom mama",
    "father dad daddy papa",
    "husband hubby",
    "teacher prof professor",
    "employer boss",
    "doctor doc",
    "veterinarian vet",
    "student uni university college school class",
    "son boy kid child",
    "daughter girl kid child",
];

/// Whether a source has what somebody is called among friends.
fn familiar(archive: &SourceArchive<'_>, bases: &[String]) -> bool {
    let lines =
        FAMILIAR.iter().filter(|line| line.split(' ').next().is_some_and(|word| bases.iter().any(|base| base == word)));
    lines.flat_map(|line| line.split(' ')).any(|word| archive.has(word))
}

/// Enters every word for somebody whom no source speaks of.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    if !ledger.asks(&RULE) {
        return;
    }
    let desk = ledger.desk;
    for Spot { at, item: token, .. } in desk.own_words() {
        let bases = bases(&token.word);
        let relation = bases.iter().any(|base| RELATIONS.contains(base));
        if relation && !familiar(&desk.archive, &bases) && !known(&desk.archive, &token.word, &token.stem) {
            ledger.enter(
                Fault::new(&RULE, at, token.start..token.end).note(format!("No source mentions a “{}”.", token.word)),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::proof::trial::notes;

    #[test]
    fn somebody_whom_no_source_speaks_of_is_noted() {
        let source = "Rick shares the flat with a roommate, and his mom calls on Sundays.";
        let found = |draft: &str| notes(draft, source).into_iter().map(|row| (row.rule, row.text)).collect::<Vec<_>>();
        assert_eq!(
            found("Rick shares the flat with his sisters."),
            [("novel.person".to_owned(), "sisters".to_owned())]
        );
        assert_eq!(found("Rick shares the flat with a roommate; his mother calls."), []);
        assert_eq!(notes("Her boyfriend and her sister came.", "My bf and my sis came."), []);
    }
}

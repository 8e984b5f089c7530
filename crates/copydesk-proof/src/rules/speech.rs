//! Speech without quotation marks: `Young said that inflation would settle`, where the source has it from Rouse.
//!
//! Why: the right statement with the wrong speaker misleads more than a wrong word. Most of the words must stand in another one's turn, and
//! few in any turn of the speaker whom the draft names.

use crate::{
    binding::{Telling, has_turns, same_voice, told_by, voice_of},
    rules::{prelude::*, quotation::speaker::written},
    sources::turns::is_office,
};

pub static RULE: Rule = Rule {
    name: "speech.speaker",
    kind: SpanKind::Name,
    standing: Standing::WrongSpeaker,
    concern_type: ConcernType::AttributionGap,
    why: "The source has this from somebody else.",
    source: "The label or the heading before a passage names its speaker. If the draft's speaker answers it, or says much of it too, the rule says nothing.",
    ..Rule::USUAL
};

/// So many passages are looked through.
const CANDIDATES: usize = 40;

/// A sentence with fewer words of its own says too little.
const FEWEST: usize = 5;

/// The other one's passage has at least so much of the sentence, by the weight of its words, and the named speaker's at most so much.
const THEIRS: f64 = 0.65;
const OWN: f64 = 0.35;

/// Whoever speaks within so many sentences behind a passage may answer it.
const ANSWER: usize = 4;

/// "That is correct" answers what is no question, too. Such an answer has fewer words.
const SHORT: usize = 8;

/// Enters each statement that the sources have from somebody else.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    enter_each(ledger, |sentence| mistaken(sentence).into_iter().collect());
}

fn mistaken(sentence: &DraftSentence<'_>) -> Option<Fault> {
    let &DraftSentence { ledger, archive, field, reading, line, .. } = sentence;
    let texts = ledger.texts;
    let Telling::By(name) = told_by(reading, &field.names, line, false)? else { return None };
    if !has_turns(texts, name) {
        return None;
    }
    let own = sentence.own().filter(|(at, token)| !name.tokens.contains(at) && !token.stop);
    let own = own.filter(|(_, token)| !token.class.has(Class::SAYS));
    let mut stems: Vec<&str> = own.map(|(_, token)| token.stem.as_str()).collect();
    stems.sort_unstable();
    stems.dedup();
    if stems.len() < FEWEST {
        return None;
    }
    let mut theirs: Option<(f64, &Name, SourceLine)> = None;
    for hit in archive.passages(&stems, CANDIDATES) {
        let share = hit.around;
        match voice_of(texts, hit.place).filter(|voice| !is_office(voice) && !same_voice(texts, name, voice)) {
            Some(voice) if theirs.is_none_or(|(best, ..)| share > best) => theirs = Some((share, voice, hit.place)),
            None if share > OWN => return None,
            _ => {}
        }
    }
    let (_, voice, place) = theirs.filter(|(share, ..)| *share >= THEIRS)?;
    let source = archive.reading(place)?;
    // "Young said that Rouse was right": the draft, or the passage, has both.
    let both =
        field.names.iter().any(|other| sentence.range.contains(&other.tokens.start) && same_voice(texts, other, voice));
    let told = archive.tokens(place).iter().any(|token| token.word.as_str() == name.last());
    let answers = || {
        let turns = texts.turns.get(place.source)?;
        let mine = |line: &usize| turns.voice(*line).is_some_and(|next| same_voice(texts, name, next));
        let next = (place.line..=place.line + ANSWER).find(mine)?;
        let asked = (place.line..next).any(|line| source.line_text(line).trim_end().ends_with('?'));
        Some(asked || source.line_tokens(next).len() < SHORT)
    };
    if both || told || answers() == Some(true) {
        return None;
    }
    // Initials are a name of another source.
    let label = source.slice(voice.start..voice.end);
    let label = (label.to_lowercase() == voice.words.join(" ")).then(|| one_line(label));
    let who = written(texts, voice, place.source).or(label).unwrap_or_else(|| "somebody else".to_owned());
    let note = format!("The source has this from {who}.");
    Some(sentence.found(&RULE, name.start..name.end, note, Some(place)))
}

#[cfg(test)]
mod tests {
    use crate::{
        check,
        testing::{check_texts, texts},
    };
    use copydesk_newsroom::Source;

    const SOURCE: &str = "CHAIR ROUSE: Some inflation is expected over the next years, and it should then settle back near two percent. The Federal \
                          Reserve has its own forecast, which it will publish in June.\n\nThat is our view of the path.\n\nThe rest is in the tables \
                          behind it.\n\nIt was written in February.\n\nDIRECTOR YOUNG: The budget extends the tax credit for families with children. \
                          It pays for the roads, too.\n\nMS. PARK: Would the tunnel under the harbour be closed to heavy lorries?\n\nDIRECTOR YOUNG: It would.\n\n\
                          MS. PARK: Thank you.";

    fn found(draft: &str) -> Vec<(String, String)> {
        let found = check_texts(draft, SOURCE).into_iter().filter(|found| found.rule == "speech.speaker");
        found.map(|found| (found.text, found.note)).collect()
    }

    #[test]
    fn a_statement_of_another_speaker_is_found_at_the_name() {
        let note = "The source has this from ROUSE.".to_owned();
        let draft = "Young said some inflation was expected, and that it should then settle back near 2 percent.";
        assert_eq!(found(draft), [("Young".to_owned(), note)]);
    }

    #[test]
    fn initials_have_the_name_that_another_source_gives_them() {
        let minutes =
            SOURCE.replace("CHAIR ROUSE:", "AR:").replace("DIRECTOR YOUNG:", "TY:").replace("MS. PARK:", "EP:");
        let draft = "Young said some inflation was expected, and that it should then settle back near 2 percent.";
        let (article, [minutes]) = texts(draft, &minutes);
        let list = "The long list of those who came has Tom Young, Eva Park, and Ada Rouse. They met in the old harbour house.";
        let list = Source { name: "list.txt".to_owned(), text: list.to_owned() };
        let found = check(&article, &[minutes, list]).into_iter().filter(|found| found.rule == "speech.speaker");
        assert_eq!(found.map(|found| found.note).collect::<Vec<_>>(), ["The source has this from Ada Rouse."]);
    }

    #[test]
    fn ones_own_statement_an_answer_and_a_statement_of_both_are_not() {
        for fine in [
            "Rouse said some inflation was expected, and that it should then settle back near 2 percent.",
            "Young said the budget extends the tax credit for families with children.",
            "Young said that the tunnel under the harbour would be closed to heavy lorries.",
            "Young said Rouse expected some inflation that should then settle back near 2 percent.",
            "Young said the sun would shine over the boats tomorrow.",
        ] {
            assert_eq!(found(fine), [], "{fine}");
        }
    }
}

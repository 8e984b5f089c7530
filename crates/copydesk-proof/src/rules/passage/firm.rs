//! The firm word: the draft has `promised`, `found` or `made up his mind`, and the passage only `probably` or `contends`.

use crate::{
    reading::{
        denies,
        hedges::{openings, softens},
    },
    rules::{passage::sentence::AlignedSentence, prelude::*},
    words::Class,
};

pub static RULE: Rule = Rule {
    name: "certainty.firm",
    kind: SpanKind::Certainty,
    standing: Standing::Inflated,
    concern_type: ConcernType::CertaintyInflation,
    why: "The passage leaves open what this word settles.",
    source: "A word that settles something stands where the passage has only a hedge or a claim.",
    ..Rule::USUAL
};

/// Words that settle something.
static FIRM: WordList = words(
    "agreed agrees approved approves certain certainly clearly committed concluded concludes confirmed confirms convinced decided \
     decides definite definitely demonstrated demonstrates determined doubtless ensured ensures established establishes finalised \
     finalized found guaranteed guarantees inevitable inevitably mind obviously ordered pledged pledges promised promises proved \
     proven proves resolved ruled settled undoubtedly vowed vows",
);

/// Verbs with which somebody only claims something.
static CLAIMS: WordList = words(
    "allege alleges alleged argue argues argued assert asserts asserted claim claims claimed contend contends contended consider \
     considers considering considered inclined leaning maintain maintains suspect suspects propose proposes proposed",
);

/// So many words of the firm word's own stretch stand in the sentence that leaves them open, at least.
const SHARED: usize = 2;

pub fn check(ledger: &mut LedgerWriter<'_, '_>, sentence: &AlignedSentence<'_, '_>) {
    if !ledger.looks(&RULE) {
        return;
    }
    let archive = sentence.archive;
    for (at, token) in sentence.own().filter(|(_, token)| FIRM.contains(&token.word)) {
        let stretch = sentence.grammar().stretch(at);
        let own: Vec<Token> = stretch.clone().filter_map(|at| sentence.token(at)).cloned().collect();
        let like = archive.alike(token);
        // "He said it would": that is no hedge of the reporter's.
        let open = own.iter().any(|token| CLAIMS.contains(&token.word))
            || softens(&own.iter().filter(|token| token.word != "would").cloned().collect::<Vec<_>>())
            || own.iter().any(denies);
        if open
            || waits(&own)
            || !settles(sentence, at)
            || sentence.passages.iter().any(|passage| passage.has(token, &like))
        {
            continue;
        }
        let lines = sentence
            .alignment
            .windows
            .iter()
            .flat_map(|window| window.lines.clone().map(|line| SourceLine { line, ..window.place }));
        let shared = |place: &SourceLine| {
            let theirs = archive.tokens(*place);
            let words = own.iter().filter(|token| !token.stop && !token.class.has(Class::SAYS));
            words.filter(|token| theirs.iter().any(|other| other.stem == token.stem)).count()
        };
        let Some(place) = lines.max_by_key(shared).filter(|place| shared(place) >= SHARED) else { continue };
        let theirs = archive.tokens(place);
        if openings(theirs).is_empty() && !theirs.iter().any(|token| CLAIMS.contains(&token.word)) {
            continue;
        }
        let note = format!("The passage leaves open what “{}” settles.", token.word);
        if let Some(fault) = sentence.found(&RULE, at..at + 1, note, Some(place)) {
            ledger.enter(fault);
        }
    }
}

/// Whether the stretch says what follows if something is settled one day: `once it had ruled`.
fn waits(own: &[Token]) -> bool {
    own.iter()
        .any(|token| matches!(token.word.as_str(), "once" | "when" | "until" | "before" | "after" | "if" | "whether"))
}

/// Whether a firm word settles something where it stands: not in `certain fees`, `he minds` or `an established firm`.
fn settles(sentence: &AlignedSentence<'_, '_>, at: usize) -> bool {
    let word = |at: Option<usize>| at.and_then(|at| sentence.token(at)).map_or("", |token| token.word.as_str());
    let before = word(at.checked_sub(1));
    match word(Some(at)) {
        "mind" => matches!(before, "his" | "her" | "their" | "its"),
        "certain" => matches!(before, "is" | "was" | "were" | "be" | "are" | "almost"),
        "clearly" | "certainly" | "inevitably" | "definitely" | "undoubtedly" | "obviously" | "doubtless" => true,
        // "Agreed that it was so" admits it.
        "agreed" | "agrees" if word(Some(at + 1)) == "that" => false,
        _ => sentence.grammar().tag(at).is_verb(),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    const SOURCE: &str = "LUND: I will probably sell the north pier to the rowing club.\n\nBERG: The club contends that the old lease of the \
                          boathouse was void.";

    fn found(draft: &str) -> Vec<String> {
        let found = check_texts(draft, SOURCE).into_iter().filter(|found| found.rule == "certainty.firm");
        found.map(|found| found.text).collect()
    }

    #[test]
    fn a_firm_word_for_a_hedge_is_found() {
        assert_eq!(found("Lund promised to sell the north pier to the rowing club."), ["promised"]);
        assert_eq!(found("The court established that the old lease of the boathouse was void."), ["established"]);
    }

    #[test]
    fn a_hedge_may_stand() {
        for fine in [
            "Lund said he would probably sell the north pier to the rowing club.",
            "Lund agreed that he would probably sell the north pier.",
            "Lund would act once he had decided on the north pier.",
            "The club argues that the established lease of the boathouse was void.",
        ] {
            assert_eq!(found(fine), [""; 0], "{fine}");
        }
    }
}

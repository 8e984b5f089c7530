//! Puts what a story learned into the memory when it ends well, and gives it to later stories as hints at a look-up. A
//! hint is journalled with its look-up, so a replay has the same.

use super::{Desk, DeskError};
use crate::{
    editorial::{
        expiry,
        hints::{HintSubject, bearing},
        report,
        research_report::{ResearchReport, SourceOrigin},
    },
    newsroom::{EarlierHint, Journal, Learned, LearnedKind, Passage, Tier},
    ports::HintQuery,
    proof,
    text::{
        sanitise::one_line,
        words::{fold, is_stop_word, words},
    },
};

/// A longer claim is no sentence that another story could repeat, in bytes.
const LONGEST: usize = 600;

/// Most things of a kind that a story leaves in the memory.
const MOST: usize = 100;

/// Most words of a sentence that are looked for.
const MOST_WORDS: usize = 40;

/// What a run that ended well learned; nothing of a run without hints.
pub(super) fn learned(journal: &Journal) -> Vec<Learned> {
    if !journal.opening.hints || !journal.publication().is_some_and(|publication| publication.success) {
        return Vec::new();
    }
    let mut learned: Vec<Learned> = Vec::new();
    let mut add = |kind: LearnedKind, text: &str, source: &str, credibility: Option<f64>| {
        let of_kind = learned.iter().filter(|known| known.kind == kind);
        if of_kind.clone().count() < MOST && of_kind.clone().all(|known| known.text != text) {
            learned.push(Learned { kind, text: text.to_owned(), source: source.to_owned(), credibility });
        }
    };
    let claims = report::standing_claims(journal).map(|claims| claims.claims.as_slice()).unwrap_or_default();
    for claim in claims.iter().filter(|claim| claim.verified && claim.text.len() <= LONGEST) {
        let Some(passage) = &claim.passage else { continue };
        let source = one_line(&passage.file);
        add(LearnedKind::Claim, &one_line(&claim.text), &source, None);
        for name in proof::full_names(&claim.text).iter().filter(|name| passage.text.contains(*name)) {
            add(LearnedKind::Name, &one_line(name), &source, None);
        }
    }
    let sources = ResearchReport::of(journal).sources;
    for source in sources.iter().filter(|source| source.origin == SourceOrigin::Found && source.kept) {
        if let Some(credibility) = source.credibility.as_ref().filter(|_| source.removed.is_none()) {
            // What an editor thinks of it counts more than any rule.
            match &source.distrusted {
                Some(distrusted) => add(LearnedKind::Source, &source.name, &one_line(&distrusted.reason), Some(0.0)),
                None => add(LearnedKind::Source, &source.name, &source.title, Some(credibility.score)),
            }
        }
    }
    learned
}

impl Desk {
    /// What earlier stories learned that bears on a sentence whose passages are these.
    pub(super) async fn hints(
        &self,
        journal: &Journal,
        sentence: &str,
        passages: &[Passage],
    ) -> Result<Vec<EarlierHint>, DeskError> {
        if !journal.opening.hints || sentence.is_empty() {
            return Ok(Vec::new());
        }
        // As the story's own sources spell a name, so it is spelt.
        let mut names = proof::full_names(sentence);
        names.retain(|name| journal.texts().all(|(_, text)| !text.contains(name.as_str())));
        let found = passages.iter().filter(|passage| passage.tier == Tier::Found);
        let addresses: Vec<String> = found.map(|passage| passage.file.clone()).collect();
        let said = words(sentence).into_iter().map(|word| fold(word.text)).filter(|word| !is_stop_word(word));
        let in_names = names.iter().flat_map(|name| words(name)).map(|word| fold(word.text));
        let query = HintQuery {
            story: journal.opening.topic.story().folded(),
            words: said.take(MOST_WORDS).collect(),
            name_words: in_names.take(MOST_WORDS).collect(),
            addresses: addresses.clone(),
            since: expiry::since(self.clock.now(), self.memory_expires_after_days),
        };
        let known = self.memory.learned(query).await?;
        Ok(bearing(HintSubject { sentence, names: &names, addresses: &addresses }, known))
    }
}

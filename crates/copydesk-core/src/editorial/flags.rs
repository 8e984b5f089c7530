//! Why a human should look at a run: a pure function of its journal, by the rules that it was opened with.

use crate::editorial::{
    changes::quotations, credibility::weakness, decisions, excerpts, remarks::is_remark, report, sensitive, vouching,
};
use copydesk_newsroom::{Claims, Flag, GateOutcome, Journal, Source, Specialist, Status, UnsureWords};
use copydesk_proof as proof;
use copydesk_text::{first_of, in_marks, sanitise, sentences::sentences_around};

/// Names the persons of a passage whom none of the texts shows to be dead: the proof knows names, this room does not.
pub type Living = fn(&str, &[&str]) -> Vec<String>;

/// In the order in which an editor reads them.
const ORDER: [Flag; 11] = [
    Flag::UnusableTopic,
    Flag::RoundsUsedUp,
    Flag::DeadLetter,
    Flag::OverBudget,
    Flag::QuotationUnproved,
    Flag::MisleadingOnPerson,
    Flag::SensitiveTopic,
    Flag::ToDosUndone,
    Flag::FactCheckScore,
    Flag::SourcesConflict,
    Flag::WeakSources,
];

/// Most that a flag names.
const MOST_NAMED: usize = 3;

/// Most characters of unsure words: a whole segment can be unsure.
const LONGEST: usize = 200;

/// The flags of a run. If an editor gave the story up, it has none: a human has looked.
pub fn raised(journal: &Journal, living: Living) -> Vec<Flag> {
    if report::spiked(journal).is_some() {
        return Vec::new();
    }
    let rules = &journal.opening.settings.flags;
    ORDER.into_iter().filter(|flag| rules.raise(*flag) && is_due(journal, *flag, living)).collect()
}

/// A flag of a run in an editor's words, with its cause if there is more to say.
pub fn in_words(journal: &Journal, flag: Flag, living: Living) -> String {
    let named = match flag {
        Flag::SensitiveTopic => sensitive::matters(journal),
        Flag::MisleadingOnPerson => misled(journal, living),
        Flag::WeakSources => weakness(journal).into_iter().collect(),
        _ => Vec::new(),
    };
    if named.is_empty() {
        return flag.words().to_owned();
    }
    format!("{}: {}", flag.words(), first_of(&named, MOST_NAMED))
}

/// Tells the editor why a run would be flagged for weak sources; none if it would not, or if that flag is turned off.
pub fn weak_sources(journal: &Journal) -> Option<String> {
    let why = weakness(journal).filter(|_| journal.opening.settings.flags.raise(Flag::WeakSources))?;
    Some(format!("Its sources are weak: {why}."))
}

/// Tells the editor which words of the standing draft's quotations a recogniser of speech was unsure of, each with the place to listen to;
/// none if there are none.
pub fn unsure_words(journal: &Journal) -> Option<String> {
    let unsure = |name: &str| Some(&journal.recording(name)?.unsure).filter(|unsure| !unsure.is_empty());
    let recordings: Vec<Source> =
        journal.sources().into_iter().filter(|source| unsure(&source.name).is_some()).collect();
    let draft = report::standing_draft(journal).filter(|_| !recordings.is_empty())?;
    let mut told: Vec<String> = Vec::new();
    for (_, text) in draft.article.fields() {
        let quoted = quotations(text).into_iter().filter_map(|range| text.get(range));
        for passage in quoted.filter_map(|quoted| proof::verbatim(quoted, &recordings)) {
            let of_it = unsure(&passage.source).map(Vec::as_slice).unwrap_or_default();
            for (words, said) in UnsureWords::within(of_it, passage.start, &passage.text) {
                let line = format!("{} ({})", in_marks(&sanitise::excerpt(said, LONGEST)), words.advice());
                told.extend(Some(line).filter(|line| !told.contains(line)));
            }
        }
    }
    let first = first_of(&told, MOST_NAMED);
    (!told.is_empty()).then(|| format!("A quotation has words that the recogniser was unsure of: {first}."))
}

/// Whether there is reason for a flag.
fn is_due(journal: &Journal, flag: Flag, living: Living) -> bool {
    match flag {
        Flag::RoundsUsedUp => journal.gate(decisions::max_rounds(journal)) == Some(GateOutcome::RoundsUsedUp),
        Flag::QuotationUnproved => {
            report::kept_round(journal).is_some_and(|round| vouching::unsettled(journal, round).next().is_some())
        }
        Flag::FactCheckScore => {
            let floor = journal.opening.settings.claims.and_then(|rules| rules.score_floor).map(f64::from);
            let score = kept_claims(journal).and_then(Claims::score);
            score.zip(floor).is_some_and(|(score, floor)| score * 100.0 < floor)
        }
        Flag::SourcesConflict => kept_claims(journal).is_some_and(|claims| claims.left_to_a_human().next().is_some()),
        Flag::ToDosUndone => {
            report::kept_draft(journal).is_some_and(|draft| draft.undone.iter().any(|undone| !is_remark(undone)))
        }
        Flag::SensitiveTopic => !sensitive::matters(journal).is_empty(),
        Flag::MisleadingOnPerson => !misled(journal, living).is_empty(),
        Flag::WeakSources => weakness(journal).is_some(),
        Flag::Accusation => false,
        Flag::DeadLetter => journal.failure().is_some_and(|(_, failure)| failure.dead_letter),
        Flag::UnusableTopic => journal.failure().is_some() && journal.opening.is_unusable(),
        Flag::OverBudget => journal.failure().is_some_and(|(_, failure)| failure.over_budget),
    }
}

/// The claims of the kept draft, also before it is published.
fn kept_claims(journal: &Journal) -> Option<&Claims> {
    journal.claims(report::kept_round(journal)?)
}

/// The persons whom the kept draft misleads about, by a fact check that no editor has overruled. Each sentence counts by its latest
/// verdict. A verdict of an earlier round counts as long as the sentence stands unchanged.
fn misled(journal: &Journal, living: Living) -> Vec<String> {
    let Some(kept) = report::kept_round(journal) else { return Vec::new() };
    let fields: Vec<&str> =
        journal.draft(kept).into_iter().flat_map(|draft| draft.article.fields()).map(|(_, text)| text).collect();
    let sources = journal.sources();
    let texts: Vec<&str> = fields.iter().copied().chain(sources.iter().map(|source| source.text.as_str())).collect();
    let (mut judged, mut named): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for round in (1..=kept).rev() {
        let overruled = decisions::overruled_concerns(journal, round);
        // Each of several verdicts of one round on the same sentence counts.
        let mut of_this_round = Vec::new();
        for verdict in journal.verdicts(round) {
            let mapping = journal.mapping_of(round, verdict.concern_id);
            if mapping.is_none_or(|mapping| mapping.selected_agent != Specialist::FactCheck) {
                continue;
            }
            let Some(passage) = passage(journal, round, verdict.concern_id) else { continue };
            let stands = round == kept || fields.iter().any(|text| text.contains(&passage));
            if !stands || judged.contains(&passage) {
                continue;
            }
            if verdict.misleading && verdict.status != Status::Keep && !overruled.contains(&verdict.concern_id) {
                named.extend(living(&passage, &texts));
            }
            of_this_round.push(passage);
        }
        judged.extend(of_this_round);
    }
    let mut seen = std::collections::HashSet::new();
    named.retain(|name| seen.insert(name.clone()));
    named
}

/// The subject of a concern: the sentences of the draft that its excerpt stands in, else the excerpt itself.
fn passage(journal: &Journal, round: u32, concern: u32) -> Option<String> {
    let article = &journal.draft(round)?.article;
    let found =
        excerpts::place_of(journal, round, concern).and_then(|(field, range)| article.field(field).zip(Some(range)));
    if let Some((text, range)) = found {
        return text.get(sentences_around(text, &range)).map(str::to_owned);
    }
    journal.concern(round, concern).map(|concern| concern.excerpt.clone())
}

#[cfg(test)]
mod tests;

//! The text of a claim: result, reasons, similarity, closest passage, and witnesses that disagree.

use crate::widgets::{Sheet, TextRole, unsure, words};
use copydesk_core::editorial::citations;
use copydesk_newsroom::{
    Claim, ClaimRules, ConflictResolution, Passage, RecordedSource, Resolved, SimilarityMeasure, Source, Stance,
    Witness,
};
use copydesk_text::{count, first_of, in_marks, overlap::Stems, sanitise};

/// The standing of a claim in a few words, for a narrow column.
pub(super) fn label(claim: &Claim) -> &'static str {
    match (claim.verified, claim.is_disputed()) {
        (false, false) => "~ to read",
        _ => standing(claim),
    }
}

/// The standing of a claim, in words.
fn standing(claim: &Claim) -> &'static str {
    match (claim.verified, claim.is_disputed()) {
        (true, _) => "✓ verified",
        (false, true) => "✗ disputed",
        (false, false) if !claim.weak_pages.is_empty() => "~ no trusted source says it",
        (false, false) => "~ no passage says all of this",
    }
}

/// The texts that claims are held against.
#[derive(Clone, Copy)]
pub(crate) struct ClaimTexts<'t> {
    pub(crate) sources: &'t [Source],
    /// Those that were written down from recordings.
    pub(crate) recorded: &'t [RecordedSource],
}

impl ClaimTexts<'_> {
    /// The words that a recogniser was unsure of, and on which a passage rests.
    fn doubts(self, passage: &Passage) -> Vec<String> {
        let recorded = self.recorded.iter().find(|recorded| recorded.source == passage.file);
        let start = usize::try_from(passage.start).unwrap_or(usize::MAX);
        unsure::advice(recorded, start, &passage.text)
    }
}

pub(crate) fn laid_out(claim: &Claim, rules: ClaimRules, texts: ClaimTexts<'_>) -> Sheet {
    let sources = texts.sources;
    let mut sheet = Sheet::default();
    sheet.add(standing(claim), TextRole::Heading);
    sheet.line(&format!("  {}", why(claim, rules)), TextRole::Dim);
    sheet.line(&quoted(without_mark(&claim.text)), TextRole::Strong);
    sheet.named("Similarity", &similarity(claim, rules));
    if let Some(gap) = gap(claim) {
        sheet.named("To read", &gap);
    }
    sheet.named("Against it", &against(claim));
    for finding in &claim.findings {
        sheet.line(&format!("· {}", sanitise::one_line(finding)), TextRole::Text);
    }
    if let Some(passage) = &claim.passage {
        sheet.section("Closest passage");
        sheet.line(&quoted(&passage.text), TextRole::Quote);
        sheet.line(&place_of(passage, sources), TextRole::Name);
        unsure::section(&mut sheet, &texts.doubts(passage));
    }
    if let Some(resolved) = &claim.resolved {
        sheet.section("Witnesses disagree");
        sheet.line(&resolution(resolved), TextRole::Strong);
        for (stance, name) in [(Stance::Carries, "+ For the claim"), (Stance::Contradicts, "- Against it")] {
            let those = claim.witnesses.iter().filter(|witness| witness.stance == stance);
            sheet.section(&format!("{name} ({})", those.clone().count()));
            for witness in those {
                add_witness(&mut sheet, witness, texts);
            }
        }
    }
    for witness in &claim.distrusted {
        sheet.section(match witness.stance {
            Stance::Carries => "A source that you distrust says so, too; it does not count",
            Stance::Contradicts => "A source that you distrust says otherwise; it does not count",
        });
        sheet.line(&quoted(&witness.passage.text), TextRole::Quote);
        sheet.line(&place_of(&witness.passage, sources), TextRole::Name);
    }
    sheet
}

/// A claim without the mark of its list.
pub(super) fn without_mark(claim: &str) -> &str {
    claim.strip_prefix("- ").unwrap_or(claim)
}

fn quoted(text: &str) -> String {
    in_marks(&sanitise::one_line(text))
}

/// Why it is verified or not.
fn why(claim: &Claim, rules: ClaimRules) -> String {
    if claim.verified {
        return "it matches its passage; nothing contradicts it".to_owned();
    }
    let likeness = match claim.similarity {
        None => Some("no passage found".to_owned()),
        Some(similarity) if similarity < rules.similarity.by(claim.measure) => {
            Some("no close match in the sources".to_owned())
        }
        Some(_) => None,
    };
    let findings = Some(format!("{} against it", count(claim.findings.len(), "finding")));
    let findings = findings.filter(|_| !claim.findings.is_empty());
    let resolved = match claim.resolved.as_ref().map(|resolved| resolved.prevails) {
        None | Some(Some(Stance::Carries)) => None,
        Some(Some(Stance::Contradicts)) => Some("the witness against it counts more".to_owned()),
        Some(None) => Some("its witnesses disagree: you decide".to_owned()),
    };
    let weak = claim.weakness().map(|weak| sanitise::one_line(&weak));
    let told: Vec<String> = [likeness, findings, resolved, weak].into_iter().flatten().collect();
    if told.is_empty() { "read it beside its closest passage".to_owned() } else { told.join(", ") }
}

fn similarity(claim: &Claim, rules: ClaimRules) -> String {
    let Some(similarity) = claim.similarity else { return "none: no passage found".to_owned() };
    let measure = match claim.measure {
        SimilarityMeasure::Cosine => "by meaning",
        SimilarityMeasure::Words => "by shared words",
    };
    let floor = rules.similarity.by(claim.measure);
    format!("{similarity:.2} {measure}; at least {floor:.2} is wanted")
}

/// Most words that are named as missing.
const NAMED: usize = 6;

/// What its closest passage lacks, of a claim that nothing speaks against and nothing carries.
fn gap(claim: &Claim) -> Option<String> {
    let stands = claim.verified || claim.is_disputed() || !claim.weak_pages.is_empty();
    let passage = claim.passage.as_ref().filter(|_| !stands)?;
    let missing = Stems::of(&passage.text).missing_of(&claim.text);
    if missing.is_empty() {
        return Some("its words are all in the passage; see whether they say the same there".to_owned());
    }
    let missing: Vec<String> = missing.iter().map(|word| format!("“{}”", sanitise::one_line(word))).collect();
    Some(format!("the closest passage does not have {}", first_of(&missing, NAMED)))
}

fn against(claim: &Claim) -> String {
    let otherwise = claim.witnesses.iter().filter(|witness| witness.stance == Stance::Contradicts).count();
    let told = [(claim.findings.len(), "finding"), (otherwise, "source")].into_iter().filter(|(number, _)| *number > 0);
    let told: Vec<String> = told.map(|(number, what)| count(number, what)).collect();
    if told.is_empty() { "nothing".to_owned() } else { told.join(", ") }
}

/// `Minutes, line 3 · source · credibility 1 · of 2026-10-06`. The line is known for the story's own sources only; elsewhere the headings
/// say where to look.
fn place_of(passage: &Passage, sources: &[Source]) -> String {
    let place = citations::for_reader(&passage.citation(), sources);
    let parts: Vec<String> =
        [place, passage.tier.words().to_owned()].into_iter().chain(passage.particulars()).collect();
    sanitise::one_line(&parts.join(" · "))
}

/// Which side counts, the rule that decided it, and why.
fn resolution(resolved: &Resolved) -> String {
    let standing = match resolved.prevails {
        None => "You decide",
        Some(Stance::Carries) => "Decided for the claim",
        Some(Stance::Contradicts) => "Decided against the claim",
    };
    match resolved.by {
        ConflictResolution::Human => format!("{standing}."),
        by => format!("{standing} (rule: {}): {}.", words::plain(by.name()), sanitise::one_line(&resolved.reason)),
    }
}

fn add_witness(sheet: &mut Sheet, Witness { passage, note, .. }: &Witness, texts: ClaimTexts<'_>) {
    sheet.line(&quoted(&passage.text), TextRole::Quote);
    sheet.line(&place_of(passage, texts.sources), TextRole::Name);
    for doubt in texts.doubts(passage) {
        sheet.line(&format!("unsure: {doubt}"), TextRole::Text);
    }
    if let Some(note) = note {
        sheet.line(&sanitise::one_line(note), TextRole::Text);
    }
}

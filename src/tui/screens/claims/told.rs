//! A claim laid out for reading: whether it is verified and why, both of its figures, its best passage, and the witnesses that
//! contradict each other, side by side where there is room.

use crate::newsroom::{Claim, ClaimRules, Passage, Resolved, SimilarityMeasure, Stance, Witness};
use crate::text::{count, sanitise};
use crate::tui::{
    screens::claims::columns::{self, Paragraph},
    widgets::{mark::Role, sheet::Sheet, words},
};

/// Lays a claim out, in columns of a pane of that width where one is given.
pub(crate) fn told(claim: &Claim, rules: ClaimRules, columns: Option<u16>) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.add(if claim.verified { "✓ verified" } else { "✗ not verified" }, Role::Heading);
    sheet.line(&format!("  {}", why(claim, rules)), Role::Dim);
    sheet.line(&quoted(&claim.text), Role::Strong);
    sheet.named("Similarity", &similarity(claim, rules));
    sheet.named("Against it", &against(claim));
    for finding in &claim.findings {
        sheet.line(&format!("· {}", sanitise::one_line(finding)), Role::Text);
    }
    if let Some(passage) = &claim.passage {
        sheet.section("Its best passage");
        sheet.line(&quoted(&passage.text), Role::Quote);
        sheet.line(&place_of(passage), Role::Name);
    }
    if let Some(resolved) = &claim.resolved {
        sheet.section("Its witnesses contradict each other");
        sheet.line(&resolution(resolved), Role::Strong);
        witnesses(&mut sheet, &claim.witnesses, columns);
    }
    sheet
}

fn quoted(text: &str) -> String {
    format!("“{}”", sanitise::one_line(text))
}

/// What makes it verified, or keeps it from that.
fn why(claim: &Claim, rules: ClaimRules) -> String {
    if claim.verified {
        return "similar to its passage, and nothing speaks against it".to_owned();
    }
    let likeness = match claim.similarity {
        None => Some("no passage bears on it".to_owned()),
        Some(similarity) if similarity < least(rules) => Some("it is not like its passage".to_owned()),
        Some(_) => None,
    };
    let findings = match claim.findings.len() {
        0 => None,
        1 => Some("1 finding speaks against it".to_owned()),
        several => Some(format!("{several} findings speak against it")),
    };
    let resolved = match claim.resolved.as_ref().map(|resolved| resolved.prevails) {
        None | Some(Some(Stance::Carries)) => None,
        Some(Some(Stance::Contradicts)) => Some("the witness against it prevails".to_owned()),
        Some(None) => Some("its witnesses wait for a human".to_owned()),
    };
    [likeness, findings, resolved].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The least similarity of a verified claim.
fn least(rules: ClaimRules) -> f64 {
    f64::from(rules.similarity) / 100.0
}

fn similarity(claim: &Claim, rules: ClaimRules) -> String {
    let Some(similarity) = claim.similarity else { return "none: no passage bears on it".to_owned() };
    let measure = match claim.measure {
        SimilarityMeasure::Cosine => "cosine",
        SimilarityMeasure::Words => "shared words",
    };
    format!("{similarity:.2} ({measure}); a verified claim has {:.2} or more", least(rules))
}

fn against(claim: &Claim) -> String {
    match claim.findings.len() {
        0 => "no finding of the proof".to_owned(),
        findings => count(findings, "finding"),
    }
}

/// `file, bytes 3-7 · knowledge base · Parks > Work · credibility 0.9 · of 2019-03-05`.
fn place_of(passage: &Passage) -> String {
    let particulars: Vec<String> = passage.particulars().collect();
    let parts = [passage.citation(), passage.tier.words().to_owned()].into_iter().chain(particulars);
    sanitise::one_line(&parts.collect::<Vec<_>>().join(" · "))
}

/// Which side prevails, by which rule and why; or that nobody has decided.
fn resolution(resolved: &Resolved) -> String {
    let standing = match resolved.prevails {
        None => "It waits for a human",
        Some(Stance::Carries) => "Resolved for the claim",
        Some(Stance::Contradicts) => "Resolved against the claim",
    };
    format!("{standing} (rule: {}): {}.", words::plain(resolved.by.name()), sanitise::one_line(&resolved.reason))
}

/// Those who carry it and those who contradict it.
fn witnesses(sheet: &mut Sheet, witnesses: &[Witness], width: Option<u16>) {
    let side = |stance: Stance, name: &str| -> Vec<Paragraph> {
        let those: Vec<&Witness> = witnesses.iter().filter(|witness| witness.stance == stance).collect();
        let heading = (format!("{name} ({})", those.len()), Role::Heading);
        std::iter::once(heading).chain(those.into_iter().flat_map(witness)).collect()
    };
    let carry = side(Stance::Carries, "+ Carry the claim");
    let contradict = side(Stance::Contradicts, "- Contradict it");
    if let Some(width) = width {
        return columns::beside(sheet, &carry, &contradict, width);
    }
    columns::below(sheet, &carry);
    sheet.line("", Role::Text);
    columns::below(sheet, &contradict);
}

/// What a witness says, where that stands, and how it says otherwise.
fn witness(witness: &Witness) -> Vec<Paragraph> {
    let note = witness.note.as_deref().map(|note| (sanitise::one_line(note), Role::Text));
    let said = [(quoted(&witness.passage.text), Role::Quote), (place_of(&witness.passage), Role::Name)]
        .into_iter()
        .chain(note);
    said.collect()
}

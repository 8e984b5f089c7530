//! The quotation set: thousands of quotations made from real ones, as a newsroom renders them and as they get falsified.
//!
//!     cargo test --test cli quotation_set -- --nocapture
//!
//! prints how many renderings are accepted and how many falsifications rejected. Other texts take their turn where
//! `QUOTATION_TEXTS` names a folder of plain text files.

mod falsified;
mod rendered;
mod texts;

use std::collections::BTreeMap;

use copydesk::{
    newsroom::{ArticleResponse, LedgerRow, Source, SpanKind},
    proof::{self, Gravity},
};
use texts::Text;

/// A draft with one quotation, and what was done to it.
pub struct Case {
    /// What.
    pub kind: &'static str,
    /// The draft.
    pub draft: String,
    /// Whether it must be a draft of its own.
    pub alone: bool,
}

/// Of a kind: how many cases, how many of them as they should be, and some that are not.
#[derive(Default)]
struct Tally {
    right: usize,
    of: usize,
    wrong: Vec<String>,
}

fn findings(draft: &str, sources: &[Source]) -> Vec<LedgerRow> {
    let article = ArticleResponse {
        headline: String::new(),
        alternativeHeadline: String::new(),
        description: String::new(),
        articleBody: draft.to_owned(),
    };
    let rows = proof::ledger(&article, sources, Gravity::Concern).rows;
    rows.into_iter().filter(|row| row.is_finding() && row.kind == SpanKind::Quotation).collect()
}

/// So many cases are judged as one draft, a paragraph each.
const TOGETHER: usize = 250;

/// For each rule the findings that were right, and all.
type Rules = BTreeMap<String, (usize, usize)>;

/// Judges every case of every text; `faulty` says whether there should be a finding.
fn judge(all: &[Text], cases: impl Fn(&Text) -> Vec<Case>, faulty: bool, rules: &mut Rules) -> (usize, usize) {
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    for text in all {
        let sources = [Source { name: text.name.clone(), text: text.words.clone() }];
        // Who is meant by a surname is told by the draft around it: where somebody is named, a case is a draft.
        let (alone, together): (Vec<Case>, Vec<Case>) = cases(text).into_iter().partition(|case| case.alone);
        for cases in alone.chunks(1).chain(together.chunks(TOGETHER)) {
            let draft = cases.iter().map(|case| case.draft.as_str()).collect::<Vec<_>>().join("\n\n");
            let found = findings(&draft, &sources);
            let mut start = 0;
            for case in cases {
                let end = start + case.draft.len();
                let why: Vec<&str> =
                    found.iter().filter(|row| (start..end).contains(&row.start)).map(|row| row.rule.as_str()).collect();
                for rule in &why {
                    let (right, of) = rules.entry((*rule).to_owned()).or_default();
                    (*right, *of) = (*right + usize::from(faulty), *of + 1);
                }
                start = end + 2;
                let tally = tallies.entry(case.kind).or_default();
                tally.of += 1;
                if why.is_empty() == faulty {
                    tally.wrong.push(format!("{}: {} {why:?}", text.name, case.draft));
                } else {
                    tally.right += 1;
                }
            }
        }
    }
    for (kind, tally) in &tallies {
        println!("  {kind}: {} of {}", tally.right, tally.of);
        tally.wrong.iter().take(6).for_each(|wrong| println!("      {wrong}"));
    }
    (tallies.values().map(|tally| tally.right).sum(), tallies.values().map(|tally| tally.of).sum())
}

#[expect(clippy::cast_precision_loss, reason = "a few thousand cases")]
fn share((right, of): (usize, usize)) -> f64 {
    100.0 * right as f64 / of.max(1) as f64
}

#[test]
fn renderings_are_accepted_and_falsifications_rejected() {
    let all = texts::all();
    println!("Renderings:");
    let mut rules = Rules::new();
    let accepted = judge(&all, rendered::cases, false, &mut rules);
    println!("Falsifications:");
    let rejected = judge(&all, falsified::cases, true, &mut rules);
    for (rule, (right, of)) in &rules {
        println!("  {rule}: {right} findings of {of} right");
    }
    println!(
        "accepted {} of {} ({:.2} %), rejected {} of {} ({:.2} %)",
        accepted.0,
        accepted.1,
        share(accepted),
        rejected.0,
        rejected.1,
        share(rejected)
    );
    assert!(accepted.1 > 3_000 && rejected.1 > 3_000, "{accepted:?} {rejected:?}");
    assert!(share(accepted) >= 99.9, "{accepted:?}");
    assert!(share(rejected) >= 99.9, "{rejected:?}");
}

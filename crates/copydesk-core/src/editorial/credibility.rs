//! How far a found source can be trusted: `CREDIBILITY(r)` of algorithm 2 in the papers that this program follows, by rules that a person
//! can check. No list of good and bad outlets decides, and what a page says of itself counts less than its address.
//!
//! The score is a linear model whose weights were judged, not fitted: `Σ weight × value`, each value from 0 to 1, the weights adding up to
//! 1 (Dawes, "The robust beauty of improper linear models in decision making", American Psychologist 34(7), 1979). Agreement is Laplace's
//! rule of succession, `(agree + 1) / (agree + differ + 2)`: one half if no other source speaks of it.

use std::collections::BTreeSet;

use jiff::{ToSpan, civil::Date};
use url::Url;

use crate::editorial::{
    listed::is_listed,
    publisher::{Publisher, publisher, site},
    report,
};
use copydesk_newsroom::{Credibility, FoundSource, Journal, NumberedSource, Stance, Witness};

const PUBLISHER: f64 = 0.40;
const AGREEMENT: f64 = 0.25;
const PRIMARY: f64 = 0.15;
const BYLINE: f64 = 0.10;
const DATE: f64 = 0.10;

/// How many other sources say the same, and how many say otherwise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Agreement {
    pub agree: usize,
    pub differ: usize,
}

impl Agreement {
    /// Counts witnesses of what the source at `address` says; the source itself must not be among them. The pages of one site speak once for
    /// a side, and a copied text counts once. Pages of the source's own site do not count as agreement.
    pub fn of(address: &str, witnesses: &[Witness]) -> Self {
        let own = site(address);
        let count = |stance: Stance| {
            let side = || witnesses.iter().filter(move |witness| witness.stance == stance);
            let side = || side().filter(|witness| stance == Stance::Contradicts || site(&witness.passage.file) != own);
            let sites: BTreeSet<String> = side().map(|witness| site(&witness.passage.file)).collect();
            let texts: BTreeSet<&str> = side().map(|witness| witness.passage.text.trim()).collect();
            sites.len().min(texts.len())
        };
        Self { agree: count(Stance::Carries), differ: count(Stance::Contradicts) }
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of sources")]
    fn value(self) -> f64 {
        (self.agree as f64 + 1.0) / ((self.agree + self.differ) as f64 + 2.0)
    }

    fn in_words(self) -> String {
        match (self.agree, self.differ) {
            (0, 0) => "No other source was compared.".to_owned(),
            (agree, 0) => format!("Other sources that say the same: {agree}."),
            (agree, differ) => format!("Other sources that say the same: {agree}; that say otherwise: {differ}."),
        }
    }
}

/// The address of the first of `all` whose publisher is that of a source; its own, if that is not known. The pages of one publisher are one
/// voice, whatever their addresses.
pub fn voice<'s>(of: &'s FoundSource, mut all: impl Iterator<Item = &'s FoundSource>) -> &'s str {
    let named = |source: &FoundSource| source.publisher.as_deref().map(|name| name.trim().to_lowercase());
    let own = named(of);
    let first = own.and_then(|own| all.find(|other| named(other).as_ref() == Some(&own)));
    first.map_or(&of.address, |first| &first.address)
}

/// A rule's reading of a source.
struct Signal {
    weight: f64,
    value: f64,
    told: String,
}

/// The credibility of a source. The score is rounded to two decimals; each reason ends with what it gave of what it could give.
pub fn credibility(source: &FoundSource, agreement: Agreement) -> Credibility {
    let (kind, value, told) = publisher(source);
    let signals = [
        Signal { weight: PUBLISHER, value, told },
        primary(source, kind),
        byline(source, kind),
        date(source),
        Signal { weight: AGREEMENT, value: agreement.value(), told: agreement.in_words() },
    ];
    let score: f64 = signals.iter().map(|signal| signal.weight * signal.value).sum();
    Credibility {
        score: (score * 100.0).round() / 100.0,
        reasons: signals
            .into_iter()
            .map(|Signal { weight, value, told }| format!("{told} ({:.2} of {weight:.2})", weight * value))
            .collect(),
    }
}

/// A page of a lower score is weak: the rules found less than half of what speaks for a source.
const WEAK: f64 = 0.5;

/// The reason why the pages that a researched story rests on do not carry it: all of them are weak, or all that are not are one party's own.
/// None if one carries it, or a source that a person gave does.
pub fn weakness(journal: &Journal) -> Option<String> {
    let claims = report::standing_claims(journal).map(|claims| claims.claims.as_slice());
    // Until the claims are checked, each source may support one.
    let carries = |name: &str| {
        claims.is_none_or(|claims| claims.iter().any(|claim| claim.verified && claim.carried_by().any(|by| by == name)))
    };
    let mut found: Vec<NumberedSource<'_>> = Vec::new();
    for (name, _) in journal.texts().filter(|(_, text)| !text.is_empty()) {
        match journal.found_source(name) {
            Some(page) => found.push(page),
            None if carries(name) => return None,
            None => {}
        }
    }
    let score = |found: &NumberedSource<'_>| journal.credibility(found.name()).unwrap_or(0.0);
    let best = found.iter().max_by(|one, other| score(one).total_cmp(&score(other)))?;
    // A claim that rests on it alone may be held to a higher bound.
    let too_weak: BTreeSet<&str> =
        claims.into_iter().flatten().flat_map(|claim| &claim.weak_pages).map(String::as_str).collect();
    let is_weak = |found: &&NumberedSource<'_>| score(found) < WEAK || too_weak.contains(found.name());
    if found.iter().all(|page| is_weak(&page)) {
        let (address, why) = (&best.source.address, faults(best.source));
        return Some(match found.len() {
            1 => format!("one page of credibility {:.2}, {address}{why}", score(best)),
            pages => format!("{pages} pages, the best of credibility {:.2}, {address}{why}", score(best)),
        });
    }
    let mut kinds = found.iter().filter(|page| !is_weak(page)).map(|page| publisher(page.source).0);
    let is_party = kinds.all(|kind| matches!(kind, Publisher::Company | Publisher::Organisation));
    is_party.then(|| format!("no page is independent of those it speaks of, {}", best.source.address))
}

/// The weaknesses of a source, in brackets; empty if it has none.
fn faults(source: &FoundSource) -> String {
    let (kind, value, told) = publisher(source);
    let signals = [Signal { weight: PUBLISHER, value, told }, byline(source, kind), date(source)];
    let low = signals.iter().filter(|signal| signal.value < 0.5).map(|signal| {
        let told = signal.told.split(':').next().unwrap_or_default().trim_end_matches('.');
        let (first, rest) = told.split_at_checked(1).unwrap_or_default();
        format!("{}{rest}", first.to_lowercase())
    });
    let low = low.collect::<Vec<_>>().join(", ");
    if low.is_empty() { low } else { format!(" ({low})") }
}

/// Words in a title or an address that name a record of the matter itself.
const RECORDS: &str = "agenda budget census complaint court data dataset filing hearing indictment interview minutes \
    notice ordinance press proceedings resolution ruling statement statute testimony transcript";

/// Whether the source is a record of the matter itself, or reports what others recorded. A news report, even of a hearing, is secondary.
fn primary(source: &FoundSource, kind: Publisher) -> Signal {
    let path = Url::parse(&source.address).map_or_else(|_| source.address.clone(), |url| url.path().to_owned());
    let named = format!("{} {path}", source.title).to_lowercase();
    let record = named.split(|letter: char| !letter.is_alphanumeric()).find(|word| is_listed(word, RECORDS));
    let (value, told) = match (kind, record) {
        (Publisher::Authority | Publisher::Scholarly, _) => {
            (1.0, "Primary: the publisher's own record or research.".into())
        }
        (Publisher::Company, _) => (1.0, "Primary: the company speaks of itself.".into()),
        (Publisher::Organisation | Publisher::Unknown, Some(record)) => {
            (1.0, format!("Primary: its title or address names a record (\"{record}\")."))
        }
        (Publisher::Reference, _) => (0.0, "Tertiary: it sums up other sources. Open those.".into()),
        _ => (0.5, "Secondary: it reports what others said or recorded.".into()),
    };
    Signal { weight: PRIMARY, value, told }
}

/// Bylines that name no person.
const NOBODY: &str = "admin administrator anonymous author contributor editor guest staff team unknown";

fn byline(source: &FoundSource, kind: Publisher) -> Signal {
    let name = source.byline.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let nobody = |name: &str| name.to_lowercase().split_whitespace().any(|word| is_listed(word, NOBODY));
    let (value, told) = match name {
        Some(name) if nobody(name) => (0.5, format!("The byline names no person: \"{name}\".")),
        Some(name) => (1.0, format!("Signed by {name}.")),
        None if matches!(kind, Publisher::Authority | Publisher::Company) => {
            (1.0, "No byline, and none is usual: the publisher answers for it.".into())
        }
        None => (0.0, "No byline.".into()),
    };
    Signal { weight: BYLINE, value, told }
}

fn date(source: &FoundSource) -> Signal {
    let day = |text: &str| text.get(..10).and_then(|day| day.parse::<Date>().ok());
    let (value, told) = match &source.published {
        None => (0.0, "No date of publication.".into()),
        Some(written) => match (day(written), day(&source.read_at)) {
            (None, _) => (0.0, format!("Its date cannot be read: \"{written}\".")),
            // At the place of publication the next day may have begun.
            (Some(day), Some(read)) if read.checked_add(1.day()).is_ok_and(|latest| day > latest) => {
                (0.0, format!("Its date is later than the day on which it was read: {day}."))
            }
            (Some(day), _) => (1.0, format!("Dated {day}.")),
        },
    };
    Signal { weight: DATE, value, told }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_newsroom::Passage;

    fn source(address: &str, publisher: Option<&str>, byline: Option<&str>, day: Option<&str>) -> FoundSource {
        FoundSource {
            title: "Miller Park".into(),
            address: address.into(),
            text: String::new(),
            digest: String::new(),
            published: day.map(str::to_owned),
            byline: byline.map(str::to_owned),
            publisher: publisher.map(str::to_owned),
            read_at: "2026-05-01T10:00:00Z".into(),
            hidden: Vec::new(),
            name: None,
        }
    }

    fn score(source: &FoundSource, agree: usize, differ: usize) -> f64 {
        credibility(source, Agreement { agree, differ }).score
    }

    #[test]
    fn every_rule_gives_its_reason_and_its_share() {
        let minutes = source("https://www.springfield.gov/minutes", None, None, Some("2026-04-28"));
        assert_eq!(
            credibility(&minutes, Agreement::default()),
            Credibility {
                score: 0.88,
                reasons: [
                    "Published by an authority: www.springfield.gov. (0.40 of 0.40)",
                    "Primary: the publisher's own record or research. (0.15 of 0.15)",
                    "No byline, and none is usual: the publisher answers for it. (0.10 of 0.10)",
                    "Dated 2026-04-28. (0.10 of 0.10)",
                    "No other source was compared. (0.12 of 0.25)",
                ]
                .map(str::to_owned)
                .to_vec(),
            }
        );
    }

    #[test]
    fn a_signed_and_dated_report_passes_the_usual_bound_until_another_source_differs() {
        let report =
            source("https://apnews.com/article/1", None, Some("Dana Whitfield"), Some("2026-04-30T22:15:00-05:00"));
        assert!(score(&report, 0, 0) >= 0.7, "{}", score(&report, 0, 0));
        assert!(score(&report, 0, 1) < 0.7);
        assert!(score(&report, 3, 0) > score(&report, 0, 0));
        assert!(score(&FoundSource { byline: None, ..report.clone() }, 0, 0) < 0.7);
        let unnamed = FoundSource { byline: Some("Staff Writer".into()), ..report.clone() };
        assert!(score(&unnamed, 0, 0) < score(&report, 0, 0));
    }

    #[test]
    fn the_address_weighs_more_than_what_a_page_says_of_itself() {
        let kinds = [
            ("https://www.springfield.gov/a", None),
            ("https://www.springfield.us/a", Some("City of Springfield")),
            ("https://www.example.net/a", None),
            ("https://springfield.blogspot.com/a", Some("City of Springfield")),
        ];
        let scores = kinds.map(|(address, publisher)| score(&source(address, publisher, None, None), 0, 0));
        assert!(scores.is_sorted_by(|one, next| one > next), "{scores:?}");
        let claimed = source("https://example.net/a", Some("City of Springfield"), None, Some("2026-04-28"));
        assert_eq!(
            publisher(&claimed).2,
            "Published by an authority, by its own account: City of Springfield. Its address does not show it."
        );
        assert!(score(&claimed, 0, 0) < 0.7, "what it says of itself is not enough");
    }

    #[test]
    fn a_date_that_is_missing_unreadable_or_still_to_come_counts_nothing() {
        let told = |published: Option<&str>| date(&source("a.md", None, None, published)).told;
        assert_eq!(told(None), "No date of publication.");
        assert_eq!(told(Some("last week")), "Its date cannot be read: \"last week\".");
        assert_eq!(told(Some("2026-05-02")), "Dated 2026-05-02.");
        assert_eq!(told(Some("2026-05-03")), "Its date is later than the day on which it was read: 2026-05-03.");
    }

    #[test]
    fn a_record_is_primary_and_a_report_of_it_is_not() {
        let told = |title: &str, address: &str| {
            let source = FoundSource { title: title.into(), ..source(address, None, None, None) };
            primary(&source, publisher(&source).0).told
        };
        assert_eq!(
            told("Council minutes of May 4", "https://example.net/a"),
            "Primary: its title or address names a record (\"minutes\")."
        );
        assert_eq!(
            told("Minutes of chaos", "https://apnews.com/a"),
            "Secondary: it reports what others said or recorded."
        );
        assert_eq!(told("Our tour", "https://example.net/a"), "Secondary: it reports what others said or recorded.");
        assert!(told("Park", "https://en.wikipedia.org/wiki/Park").starts_with("Tertiary"));
    }

    #[test]
    fn copies_of_one_text_are_one_witness() {
        let witness = |file: &str, text: &str, stance| Witness {
            passage: Passage { file: file.into(), text: text.into(), ..Passage::default() },
            stance,
            note: None,
        };
        let witnesses = [
            witness("a", "It cost $4 million.", Stance::Carries),
            witness("b", "It cost $4 million.", Stance::Carries),
            witness("c", "It cost 4 million dollars.", Stance::Carries),
            witness("d", "It cost $5 million.", Stance::Contradicts),
            witness("d", "The cost was $5 million.", Stance::Contradicts),
        ];
        let agreement = Agreement::of("z", &witnesses);
        assert_eq!(agreement, Agreement { agree: 2, differ: 1 });
        assert_eq!(agreement.in_words(), "Other sources that say the same: 2; that say otherwise: 1.");
        assert_eq!(Agreement { agree: 1, differ: 0 }.in_words(), "Other sources that say the same: 1.");
    }

    #[test]
    fn the_pages_of_one_site_are_one_voice_and_no_witness_for_each_other() {
        let page = |file: &str, text: &str, stance| Witness {
            passage: Passage { file: file.into(), text: text.into(), ..Passage::default() },
            stance,
            note: None,
        };
        let witnesses = [
            page("https://www.a.example/1", "It cost $4 million.", Stance::Carries),
            page("https://a.example/2", "It cost four million.", Stance::Carries),
            page("https://b.example/", "It cost 4 million dollars.", Stance::Carries),
            page("https://b.example/corrected", "It cost 5 million dollars.", Stance::Contradicts),
        ];
        for (address, agree) in [("https://z.example/", 2), ("https://a.example/3", 1), ("https://b.example/2", 1)] {
            assert_eq!(Agreement::of(address, &witnesses), Agreement { agree, differ: 1 }, "{address}");
        }
    }

    #[test]
    fn agreement_alone_makes_no_weak_page_a_good_one() {
        let blog = source("https://me.blogspot.com/x", None, Some("Dana Whitfield"), Some("2026-04-30"));
        let unsigned = source("https://park.example/x", None, None, None);
        for page in [&blog, &unsigned] {
            assert!(score(page, 1_000, 0) < 0.7, "{}", score(page, 1_000, 0));
        }
    }

    #[test]
    fn the_weights_add_up_to_one() {
        assert!((PUBLISHER + AGREEMENT + PRIMARY + BYLINE + DATE - 1.0).abs() < 1e-9);
    }

    #[test]
    fn pages_that_are_weak_or_a_partys_own_do_not_carry_a_story() {
        use crate::editorial::testing::research;
        use copydesk_newsroom::Source;
        let told = |pages: &[FoundSource], given: bool| {
            let mut journal = research::assigned();
            if given {
                journal.opening.more_sources =
                    vec![Source { name: "letter".into(), text: "A letter on the pool.".into() }];
            }
            research::rest_on(&mut journal, pages);
            weakness(&journal)
        };
        let blog = |n: u8| research::found(&format!("https://me{n}.blogspot.com/x"), &format!("Page {n} says it."));
        assert_eq!(
            told(&[blog(1)], false).unwrap(),
            "one page of credibility 0.28, https://me1.blogspot.com/x (published where anybody may publish, no byline, no date of \
             publication)"
        );
        assert!(told(&[blog(1), blog(2)], false).unwrap().starts_with("2 pages, the best of credibility 0."));
        assert_eq!(told(&[blog(1)], true), None, "a person gave a source");
        let city = FoundSource {
            published: Some("2026-05-01".into()),
            ..research::found("https://www.eastbrook.gov/minutes", "It voted.")
        };
        assert_eq!(told(&[blog(1), city], false), None);
        let company = FoundSource {
            publisher: Some("Acme Inc.".into()),
            byline: Some("Ann Lee".into()),
            published: Some("2026-05-01".into()),
            ..research::found("https://acme.example/pool", "It is ours.")
        };
        let party = Some("no page is independent of those it speaks of, https://acme.example/pool".to_owned());
        assert_eq!(told(&[company.clone(), blog(1)], false), party, "a page that does not count is not independent");
    }

    #[test]
    fn a_page_below_the_claims_bound_is_weak_and_a_stray_source_carries_nothing() {
        use crate::editorial::testing::{add, article, claim, research};
        use copydesk_newsroom::{Claims, Draft, Outcome, Source, Step};
        let page = FoundSource {
            publisher: Some("Eastbrook Daily Courier".into()),
            byline: Some("Ben Ott".into()),
            published: Some("2026-05-01".into()),
            ..research::found("https://courier.example/pool", "It costs 2 million dollars.")
        };
        let told = |given: &str, weak: bool, by: &str| {
            let mut journal = research::assigned();
            journal.opening.more_sources = vec![Source { name: "letter".into(), text: given.into() }];
            research::rest_on(&mut journal, std::slice::from_ref(&page));
            let draft = Draft { article: article("It costs 2 million dollars."), stripped: vec![], undone: vec![] };
            add(&mut journal, Step::Draft, Outcome::Draft(draft));
            let mut claim = claim("It costs 2 million dollars.", !weak);
            claim.weak_pages.extend(weak.then(|| page.address.clone()));
            claim.passage = Some(Passage { file: by.into(), ..Passage::default() });
            add(
                &mut journal,
                Step::Claims { round: 1 },
                Outcome::Claims(Claims { claims: vec![claim], words_only: None }),
            );
            weakness(&journal)
        };
        let reason = told("", true, &page.address).expect("a weak page");
        assert!(reason.starts_with("one page of credibility 0."), "{reason}");
        assert_eq!(told("", false, &page.address), None, "it is good enough");
        assert!(told("My cat is ill.", true, &page.address).is_some(), "a stray source");
        assert_eq!(told("It costs 2 million dollars.", false, "letter"), None, "a person's source carries it");
    }
}

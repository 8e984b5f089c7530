//! The order in which a person should look at claims: how far a reader would be misled if one were wrong.
//!
//! A rule of words, as fact-checkers choose (claims that accuse, count, rank, cost or concern health come first). It decides nothing and only
//! sorts. How well it sorts was not measured.

use std::cmp::Reverse;

use crate::editorial::{accusations::accuses, listed::is_listed};
use copydesk_newsroom::Claim;
use copydesk_text::words::{fold, words};

/// Words of firsts and mosts.
const RANKS: &str = "all always best biggest cheapest every fewest first highest largest last least lowest most never \
    none oldest only record smallest unprecedented worst";

/// Words behind “last” in a time that is told from today: “last year”, “the last 14 months”.
const TIMES: &str = "april august autumn century day days decade decades december fall february friday hour hours \
    january july june march may minutes monday month months night november october quarter quarters saturday season \
    september spring summer sunday thursday tuesday wednesday week weekend weeks winter year years";

/// Words of health and harm.
const HEALTH: &str = "cancer cure dead deadly death deaths die died disease dose drug infected injured killed medicine \
    overdose poison toxic treatment vaccine virus";

/// Words of money beside its signs. A share in percent is a figure, but seldom a sum.
const MONEY: &str = "billion cents dollars euros million pence pounds trillion";

/// Figures that are written as words. “One” is left out: it is seldom a count.
const FIGURES: &str = "dozen double doubled eight eleven five four half hundred nine seven six ten thousand three \
    twelve twice two";

/// How far a sentence would mislead its readers if it were wrong.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Worth {
    /// From 0. More points come first.
    pub points: u32,
    /// The reason with the most points, in a word; none if no reason holds.
    pub reason: Option<&'static str>,
}

/// Judges a sentence by its words.
pub fn worth(text: &str) -> Worth {
    let said: Vec<String> = words(text).into_iter().map(|word| fold(word.text)).collect();
    let has = |list: &str| said.iter().any(|word| is_listed(word, list));
    let signs = text.contains(['$', '€', '£']);
    let is_figure = |word: &str| word.starts_with(|c: char| c.is_ascii_digit()) || is_listed(word, FIGURES);
    let figures = text.contains(|c: char| c.is_ascii_digit()) || has(FIGURES);
    let is_time = |at: usize| {
        let mut behind =
            said.iter().skip(at + 1).skip_while(|word| is_figure(word) || is_listed(word, "few couple of"));
        behind.next().is_some_and(|word| is_listed(word, TIMES))
    };
    let ranks = said.iter().enumerate().any(|(at, word)| is_listed(word, RANKS) && !(word == "last" && is_time(at)));
    let reasons = [
        (accuses(text), 4, "accusation"),
        (has(HEALTH), 2, "health"),
        (signs || has(MONEY), 2, "money"),
        (ranks, 2, "superlative"),
        (figures, 1, "figure"),
    ];
    let mut worth = Worth::default();
    for (_, points, reason) in reasons.into_iter().filter(|(counts, ..)| *counts) {
        worth.points += points;
        worth.reason.get_or_insert(reason);
    }
    worth
}

/// A claim in the order for a person.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankedClaim<'c> {
    /// Its place in the draft, from 0.
    pub place: usize,
    pub claim: &'c Claim,
    pub worth: Worth,
}

/// The claims in the order for a person: those that no source carries first, of these the disputed ones, and of both the worst first.
/// Equal ones keep the draft's order.
pub fn ranked(claims: &[Claim]) -> Vec<RankedClaim<'_>> {
    let all = claims.iter().enumerate();
    let mut ranked: Vec<RankedClaim<'_>> =
        all.map(|(place, claim)| RankedClaim { place, claim, worth: worth(&claim.text) }).collect();
    ranked.sort_by_key(|ranked| (ranked.claim.verified, !ranked.claim.is_disputed(), Reverse(ranked.worth.points)));
    ranked
}

/// The claims to check first, the worst first, each with its reason in a word or two: those that no source carries, if there is a reason.
pub fn to_check_first(claims: &[Claim]) -> impl Iterator<Item = (&'static str, &Claim)> {
    let ranked = ranked(claims).into_iter().filter(|ranked| !ranked.claim.verified);
    let reason = |RankedClaim { claim, worth, .. }| {
        let otherwise = claim.is_contradicted().then_some("a source says otherwise");
        let weak = || (!claim.weak_pages.is_empty()).then_some("weak source");
        Some((otherwise.or(worth.reason).or_else(weak)?, claim))
    };
    ranked.filter_map(reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::claim;
    use crate::editorial::testing::contradicted;

    const ORDER: [(&str, Option<&str>); 6] = [
        ("The mayor embezzled $2 million of the fund.", Some("accusation")),
        ("The vaccine killed the most patients in 2021.", Some("health")),
        ("The bridge cost $2 million.", Some("money")),
        ("It was the first bridge.", Some("superlative")),
        ("It has five lanes.", Some("figure")),
        ("The sun shone.", None),
    ];

    #[test]
    fn an_accusation_comes_before_a_sum_and_a_sum_before_the_weather() {
        let worths = ORDER.map(|(text, _)| worth(text));
        assert!(worths.is_sorted_by(|one, next| one.points > next.points), "{worths:?}");
        assert_eq!(worths.map(|worth| worth.reason), ORDER.map(|(_, reason)| reason));
        for text in [
            "The clerk took bribes.",
            "Dana Voss stole it.",
            "It was stolen.",
            "He swindled them.",
            "She took kickbacks.",
        ] {
            assert_eq!(worth(text).reason, Some("accusation"), "{text}");
        }
    }

    #[test]
    fn a_claim_that_a_source_contradicts_comes_before_all_that_is_only_not_found() {
        let [accuses, .., weather] = ORDER.map(|(text, _)| text);
        let claims = [claim(accuses, false), contradicted(weather), claim("It cost $2.", true)];
        let places: Vec<usize> = ranked(&claims).iter().map(|ranked| ranked.place).collect();
        assert_eq!(places, [1, 0, 2]);
        let first: Vec<_> = to_check_first(&claims).map(|(reason, claim)| (reason, claim.text.as_str())).collect();
        assert_eq!(first, [("a source says otherwise", weather), ("accusation", accuses)]);
    }

    #[test]
    fn a_share_is_no_sum_and_a_building_no_illness() {
        for text in ["They get 6.2 percent more.", "They get 6.2 per cent more.", "They get 6.2% more."] {
            assert_eq!(worth(text).reason, Some("figure"), "{text}");
        }
        assert_eq!(worth("The hospital reopened."), Worth::default());
    }

    #[test]
    fn a_time_that_is_told_from_today_ranks_nothing() {
        for text in ["It closed last year.", "The works took the last few weeks.", "She left last Tuesday night."] {
            assert_eq!(worth(text), Worth::default(), "{text}");
        }
        assert_eq!(worth("It rained for the last 14 months.").reason, Some("figure"));
        assert_eq!(worth("It is the last bridge of its kind.").reason, Some("superlative"));
        assert_eq!(worth("It was the first month last year.").reason, Some("superlative"));
    }

    #[test]
    fn a_claim_that_a_source_carries_comes_last_and_equal_ones_stay_as_in_the_draft() {
        let [accuses, _, money, _, figure, weather] = ORDER.map(|(text, _)| text);
        let claims = [(weather, false), (figure, false), (accuses, true), ("It has six cats.", false), (money, false)];
        let claims = claims.map(|(text, verified)| claim(text, verified));
        let places: Vec<usize> = ranked(&claims).iter().map(|ranked| ranked.place).collect();
        assert_eq!(places, [4, 1, 3, 0, 2]);
        let first: Vec<_> = to_check_first(&claims).map(|(reason, claim)| (reason, claim.text.as_str())).collect();
        assert_eq!(first, [("money", money), ("figure", figure), ("figure", "It has six cats.")]);
    }
}

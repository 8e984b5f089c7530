//! Finding an action by a few letters of its title or name. Plain data in, plain data out.

use nucleo_matcher::{
    Config, Matcher, Utf32Str,
    pattern::{AtomKind, CaseMatching, Normalization, Pattern},
};

use crate::tui::app::actions::ActionRow;

/// A row that fits the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaletteHit {
    /// Its index in the rows that were searched.
    pub row: usize,
    /// The matching characters of the title, in order. Empty if the name matches better.
    pub title: Vec<u32>,
    /// The matching characters of the name, in order. Empty if the title matches at least as well.
    pub name: Vec<u32>,
}

/// The rows that fit `query`, the best first, equal ones in their own order. Each word of the query must fit, in any
/// order, letters in order but not side by side. An empty query finds every row in its own order.
#[must_use]
pub fn matches(query: &str, rows: &[ActionRow]) -> Vec<PaletteHit> {
    let pattern = Pattern::new(query, CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut fits = |text: &str| {
        let (mut buffer, mut indices) = (Vec::new(), Vec::new());
        let score = pattern.indices(Utf32Str::new(text, &mut buffer), &mut matcher, &mut indices)?;
        indices.sort_unstable();
        indices.dedup();
        Some((score, indices))
    };
    let mut found: Vec<(u32, PaletteHit)> = rows
        .iter()
        .enumerate()
        .filter_map(|(row, of)| match (fits(of.title), fits(of.name)) {
            (Some((score, title)), name) if name.as_ref().is_none_or(|(other, _)| score >= *other) => {
                Some((score, PaletteHit { row, title, name: Vec::new() }))
            }
            (_, Some((score, name))) => Some((score, PaletteHit { row, title: Vec::new(), name })),
            _ => None,
        })
        .collect();
    // The sort is stable.
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    found.into_iter().map(|(_, found)| found).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::app::actions::{ACTIONS, Action};

    fn found(query: &str) -> Vec<Action> {
        matches(query, ACTIONS).into_iter().map(|found| ACTIONS[found.row].action).collect()
    }

    #[test]
    fn an_empty_query_finds_all_in_the_tables_order() {
        let all: Vec<Action> = ACTIONS.iter().map(|row| row.action).collect();
        assert_eq!(found(""), all);
        assert_eq!(found("  "), all);
    }

    #[test]
    fn titles_and_names_are_both_searched_and_the_best_stands_first() {
        assert_eq!(found("overrule").first(), Some(&Action::OverruleVerdict));
        assert_eq!(found("overrule-verdict").first(), Some(&Action::OverruleVerdict));
        assert_eq!(found("SAVE html").first(), Some(&Action::SaveHtml));
        assert_eq!(found("html save").first(), Some(&Action::SaveHtml));
        assert_eq!(found("stet").first(), Some(&Action::Stet));
        assert_eq!(found("quit").first(), Some(&Action::Quit));
        assert_eq!(found("xyzzy"), []);
    }

    #[test]
    fn what_fits_is_marked_where_it_fits() {
        let rows = [*Action::OverruleVerdict.row(), *Action::ShowRemembered.row()];
        assert_eq!(
            matches("overrule", &rows),
            [PaletteHit { row: 0, title: vec![0, 1, 2, 3, 4, 5, 6, 7], name: vec![] }]
        );
        assert_eq!(
            matches("remembered", &rows),
            [PaletteHit { row: 1, title: vec![], name: vec![5, 6, 7, 8, 9, 10, 11, 12, 13, 14] }]
        );
    }

    #[test]
    fn equal_rows_keep_their_order() {
        let rows = [*Action::Stet.row(), *Action::Stet.row(), *Action::Stet.row()];
        let order: Vec<usize> = matches("st", &rows).into_iter().map(|found| found.row).collect();
        assert_eq!(order, [0, 1, 2]);
    }

    #[test]
    fn odd_queries_find_nothing_and_break_nothing() {
        for query in ["\\", "^$!'", "\u{1b}[2J", "日本語", "é", &"a".repeat(10_000)] {
            let _all_in_bounds = matches(query, ACTIONS).iter().all(|found| found.row < ACTIONS.len());
        }
        assert_eq!(found("日本語"), []);
    }
}

//! What follows from a source's figures without being one of them: rounding, and sums that a reader can redo.

use super::{
    archive::Archive,
    bindings::{around, common, of_line},
    figure::{Figure, Kind, near},
    reading::Reading,
};

/// At most this many figures of two neighbouring sentences are set against each other.
const FIGURES: usize = 24;

/// Words that a sum's sentence shares with the draft's.
const SHARED: usize = 2;

/// How the draft softens a figure, by the words before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Softened {
    Exact,
    About,
    Nearly,
    MoreThan,
}

fn softened(reading: &Reading<'_>, figure: &Figure) -> Softened {
    let first = figure.tokens.start;
    let before = reading.tokens.get(first.saturating_sub(3)..first).unwrap_or_default();
    let mut found = Softened::Exact;
    for token in before {
        found = match token.word.as_str() {
            "about" | "around" | "roughly" | "approximately" | "some" | "close" | "near" | "circa" | "approx" => {
                Softened::About
            }
            "nearly" | "almost" | "under" | "below" | "less" | "fewer" => Softened::Nearly,
            "over" | "more" | "above" | "least" | "exceeding" | "beyond" => Softened::MoreThan,
            _ => found,
        };
    }
    if found == Softened::Exact && reading.tokens.get(figure.tokens.end).is_some_and(|t| t.word == "or") {
        return Softened::About;
    }
    found
}

/// Whether a source has a figure of the same kind that the draft's is a fair rounding of, and that shares a word with it.
pub(super) fn rounded(archive: &Archive<'_>, reading: &Reading<'_>, figure: &Figure) -> bool {
    let softened = softened(reading, figure);
    if softened == Softened::Exact && figure.slack <= 0.0 {
        return false;
    }
    let line = reading.tokens.get(figure.tokens.start).map_or(0, |token| token.line);
    let own = of_line(reading, line);
    let fits = |theirs: &Figure| {
        let ratio = theirs.value / figure.value;
        match softened {
            Softened::Exact => (theirs.value - figure.value).abs() <= figure.slack * 1.0001,
            Softened::About => (0.92..=1.08).contains(&ratio),
            Softened::Nearly => (0.85..=1.005).contains(&ratio),
            Softened::MoreThan => (0.995..=1.25).contains(&ratio),
        }
    };
    archive.readings.iter().any(|source| {
        source.figures.iter().any(|theirs| {
            figure.comparable(theirs)
                && !matches!(theirs.kind, Kind::Date | Kind::Year)
                && fits(theirs)
                && common(&own, &around(source, theirs)) > 0
        })
    })
}

/// Whether a draft's figure is the difference, the sum, the share or the change of two figures in neighbouring sentences
/// of a source, or the sum of all of one kind in a sentence. Those sentences must speak of the same things as the draft's:
/// among a hundred figures some two come out as any third.
pub(super) fn derived(archive: &Archive<'_>, draft: &Reading<'_>, figure: &Figure) -> bool {
    let line = draft.tokens.get(figure.tokens.start).map_or(0, |token| token.line);
    let own_words = of_line(draft, line);
    archive.readings.iter().any(|reading| {
        (0..reading.lines.len()).any(|line| {
            let (Some(first), last) = (reading.lines.get(line), reading.lines.get(line + 1)) else { return false };
            let end = last.filter(|next| next.paragraph == first.paragraph).map_or(first.end, |next| next.end);
            let figures = reading.figures_between(first.start, end);
            let mut theirs = of_line(reading, line);
            if end > first.end {
                theirs.extend(of_line(reading, line + 1));
            }
            // "The older half" is a part of a thing rather than a sum.
            if figure.kind != Kind::Fraction && common(&own_words, &theirs) < SHARED.min(own_words.len()) {
                return false;
            }
            let figures = figures.get(..figures.len().min(FIGURES)).unwrap_or_default();
            let own = reading.figures_between(first.start, first.end).len();
            pairs(figures, own, figure) || total(figures.get(..own).unwrap_or_default(), figure)
        })
    })
}

fn pairs(figures: &[Figure], own: usize, wanted: &Figure) -> bool {
    figures
        .iter()
        .take(own)
        .enumerate()
        .any(|(at, one)| figures.iter().skip(at + 1).any(|other| one.comparable(other) && follows(one, other, wanted)))
}

fn follows(one: &Figure, other: &Figure, wanted: &Figure) -> bool {
    let (low, high) = if one.value <= other.value { (one.value, other.value) } else { (other.value, one.value) };
    let counts = one.comparable(wanted)
        || matches!(wanted.kind, Kind::Count) && matches!(one.kind, Kind::Year | Kind::Percent | Kind::Time);
    if counts
        && (near(high - low, wanted.value)
            || !matches!(one.kind, Kind::Year | Kind::Time) && near(high + low, wanted.value))
    {
        return true;
    }
    if !matches!(one.kind, Kind::Count | Kind::Money(_)) || low <= 0.0 {
        return false;
    }
    let ratio = match wanted.kind {
        Kind::Percent => wanted.value / 100.0,
        Kind::Fraction => wanted.value,
        _ => return false,
    };
    // "17.6 percent" claims a tenth of a point; nearly any two figures come within half a point of something.
    let whole = |places: &f64| (wanted.value * places - (wanted.value * places).round()).abs() < 1e-6;
    let places = [1.0, 10.0, 100.0].into_iter().find(whole);
    let slack = match (wanted.kind, places) {
        (Kind::Percent, Some(places)) if places > 1.0 => 0.0055 / places,
        (Kind::Percent, None) => 0.000_055,
        _ => 0.0075,
    };
    [low / high, (high - low) / low, (high - low) / high, low / (low + high)]
        .iter()
        .any(|is| (is - ratio).abs() < slack)
}

fn total(figures: &[Figure], wanted: &Figure) -> bool {
    let same: Vec<f64> = figures.iter().filter(|figure| figure.comparable(wanted)).map(|figure| figure.value).collect();
    same.len() > 2 && near(same.iter().sum(), wanted.value)
}

#[cfg(test)]
mod tests {
    use crate::proof::check_texts;

    #[test]
    fn a_reader_can_redo_the_sum() {
        let source = "The number of bus routes falls from 61 to 54. The budget rose from €61,500 to €74,000.";
        for fine in [
            "The district will run 7 fewer bus routes, and the budget rose by €12,500.",
            "The budget rose by about 20 percent.",
            "The budget rose to nearly €75,000.",
        ] {
            assert_eq!(check_texts(fine, source), [], "{fine}");
        }
        assert_eq!(check_texts("The budget rose by €13,700.", source).len(), 1);
        // 74,000 is 20.3 percent more than 61,500, and no other two figures give 20.8.
        assert_eq!(check_texts("The budget rose by 20.3 percent.", source), []);
        assert_eq!(check_texts("The budget rose by 20.8 percent.", source).len(), 1);
    }
}

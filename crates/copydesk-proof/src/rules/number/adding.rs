//! Figures that the reporter has worked out: sums, differences and shares of figures of the sentence, or of a source.
//!
//! Why: a reader asks next how much that is together. Such a figure stands in no source, and is right all the same.

use crate::{
    reading::near,
    rules::prelude::*,
    sources::{common, of_line, siblings},
};

/// At most so many figures of a sentence are added up.
const PARTS: usize = 12;

/// Whether a figure is called a sum, and is the sum of figures before it in its own sentence: `twelve came, eight called and three wrote,
/// making 23 in all`.
pub fn added_up(reading: &ParsedText<'_>, figure: &Figure) -> bool {
    let line = reading.line_of(&figure.tokens);
    let word = |at: usize| reading.tokens.get(at).filter(|token| token.line == line).map_or("", |token| &token.word);
    let (first, end) = (figure.tokens.start, figure.tokens.end);
    let behind = (end..end + 3).any(|at| {
        let (this, next) = (word(at), word(at + 1));
        matches!(this, "altogether" | "together" | "combined" | "total")
            || matches!((this, next), ("in", "all" | "total") | ("between", "them"))
    });
    let before = (first.saturating_sub(4)..first).any(|at| matches!(word(at), "total" | "totalling" | "totaling"));
    if !behind && !before {
        return false;
    }
    let begins = reading.lines.get(line).map_or(0, |line| line.start);
    let parts = reading.figures_between(begins, figure.start).iter().rev().filter(|other| figure.comparable(other));
    let sums = parts.take(PARTS).scan(0.0, |sum, part| {
        *sum += part.value;
        Some(*sum)
    });
    sums.skip(1).any(|sum| near(sum, figure.value))
}

/// Words of a sentence that adds figures up, wherever the sources have them.
static TOGETHER: WordList = words("together combined altogether");
static TOTAL: WordList = words("total totals together combined altogether");

/// Words before a share that is not meant to the digit.
static ABOUT: WordList = words("about around roughly nearly almost approximately some");

/// At most so many values are added up in pairs.
const VALUES: usize = 120;

/// At most so many figures of a sentence are taken for a part.
const BESIDE: usize = 8;

/// A share that is told roughly is off by at most so many points.
const ROUGHLY: f64 = 0.6;

/// Whether a tally counts the names behind a label of a roll call: `AYE: Bascom, Nguyen`.
pub fn counts_names(archive: &SourceArchive<'_>, figure: &Figure) -> bool {
    let names = |line: &str| {
        let (label, names) = line.split_once(':')?;
        let label = label.trim().to_lowercase();
        let votes = matches!(
            label.as_str(),
            "aye"
                | "ayes"
                | "yea"
                | "yeas"
                | "yes"
                | "for"
                | "in favor"
                | "in favour"
                | "nay"
                | "nays"
                | "no"
                | "noes"
                | "against"
        );
        let listed = names.split([',', ';']).filter(|name| name.trim().starts_with(char::is_uppercase)).count();
        votes.then_some(listed)
    };
    #[expect(clippy::cast_precision_loss, reason = "the members of a council")]
    let is = |listed: usize| near(listed as f64, figure.value);
    figure.partner.is_some() && archive.readings.iter().flat_map(|source| source.text.lines()).filter_map(names).any(is)
}

/// Whether a figure follows from figures of the sources that stand far apart. One that the draft calls two together is their sum, as it
/// rounds. A total is the sum of a figure beside it and one of a source. A rough share is that of a figure beside it in the
/// largest of a source.
pub fn adds_up(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, figure: &Figure) -> bool {
    let at = reading.line_of(&figure.tokens);
    let has = |list: &WordList| reading.line_tokens(at).iter().any(|token| list.contains(&token.word));
    let (together, total) = (has(&TOGETHER), has(&TOTAL));
    let before = figure.tokens.start.checked_sub(1).and_then(|at| reading.tokens.get(at));
    let share = figure.kind == FigureKind::Percent && before.is_some_and(|token| ABOUT.contains(&token.word));
    if !together && !total && !share {
        return false;
    }
    let beside = || siblings(reading, at).iter().filter(|other| other.start != figure.start && other.value > 0.0);
    // "Together the two" are of the sentence before.
    let lines = at.saturating_sub(1)..=at;
    let spoken: Vec<&str> = lines.flat_map(|line| of_line(reading, line)).collect();
    archive.readings.iter().any(|source| {
        // "100k" may be money.
        let bare = |other: &Figure| {
            matches!((figure.kind, other.kind), (FigureKind::Money(_), FigureKind::Count)) && other.value >= 1_000.0
        };
        let part = |other: &&Figure| {
            (figure.comparable(other) || bare(other)) && other.value > 0.0 && other.value < figure.value
        };
        let off = figure.slack.max(figure.value * 1e-9);
        let fits = |sum: f64| (sum - figure.value).abs() <= off;
        let parts: Vec<&Figure> = source.figures.iter().filter(part).take(VALUES).collect();
        let with = |own: &Figure| parts.iter().any(|other| fits(own.value + other.value));
        // Two that the draft does not speak of make no sum of its.
        let bears = |other: &&Figure| common(&spoken, &of_line(source, source.line_of(&other.tokens))) > 0;
        let two = || {
            let parts: Vec<&Figure> = parts.iter().copied().filter(bears).collect();
            let second =
                |(at, one): (usize, &&Figure)| parts.iter().skip(at + 1).any(|two| fits(one.value + two.value));
            parts.iter().enumerate().any(second)
        };
        let largest = |part: &Figure| {
            let whole = source.figures.iter().filter(|other| part.comparable(other)).map(|other| other.value);
            whole.fold(0.0_f64, f64::max)
        };
        let shares = |own: &Figure| {
            let whole = largest(own);
            own.value < whole && (own.value / whole * 100.0 - figure.value).abs() <= ROUGHLY
        };
        let amount = |own: &&Figure| matches!(own.kind, FigureKind::Count | FigureKind::Money(_));
        together && two()
            || total && beside().filter(part).any(with)
            || share && beside().filter(amount).take(BESIDE).any(shares)
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_texts, rules_of};

    #[test]
    fn what_follows_from_figures_of_the_passage_may_stand() {
        let source = "The harbour has 312 berths for yachts.\n\nThe warden counted 187 yachts in the berths of the harbour. It paid $81,000 for \
                      paint and $50,200 for rope.";
        let fine = "The harbour has 125 more berths than the warden counted yachts.";
        assert_eq!(check_texts(fine, source), [], "{fine}");
        let wrong = "The harbour paid $38,800 for paint and rope, the warden counted.";
        assert_eq!(check_texts(wrong, source).len(), 1);
        let school = "The school has 412 pupils, 37 masters, 23 rooms and 5 gyms.";
        assert_eq!(check_texts("About 62 percent of the pupils walk.", school).len(), 1);
    }

    #[test]
    fn a_sum_of_the_sentence_itself_may_stand() {
        let source = "Twelve anglers came to the weir. Eight anglers called the weir by phone. Three anglers of the weir wrote. The boats \
                      cost £41,000 and the nets £18,000. The weir had 17 visitors.";
        for fine in [
            "Twelve anglers came to the weir, eight called and three wrote, making 23 in all.",
            "The boats cost £41,000 and the nets £18,000, or £59,000 between them.",
            "A total of 23 answered: twelve came to the weir, eight called and three wrote, 23 altogether.",
        ] {
            assert_eq!(check_texts(fine, source), [], "{fine}");
        }
        let wrong = "The boats cost £41,000 and the nets £18,000, or £69,000 between them.";
        assert_eq!(rules_of(wrong, source), ["number.not_found"]);
    }

    #[test]
    fn a_total_of_figures_far_apart_is_one() {
        let source = "The mast cost $1.24 million.\n\nNobody paid.\n\nIn another year the keel cost $852,000.";
        assert_eq!(check_texts("Together the two cost nearly $2.1 million.", source), []);
        assert_eq!(check_texts("Together the two cost nearly $2.6 million.", source).len(), 1);
        let others = format!("{source} The pier in Oslo drew $1.3 million. Bergen gave $1.33 million.");
        assert_eq!(check_texts("Together the two cost nearly $2.6 million.", &others).len(), 1);
        let source = "The club cut the fee by 75 points in May.\n\nNobody paid.\n\nThe mast cost $5 million. The crew got $259,440.";
        assert_eq!(check_texts("The crew got $259,440, roughly five percent of the money.", source), []);
        assert_eq!(check_texts("The crew got $259,440, roughly nine percent of the money.", source).len(), 1);
        let source = "The harbour raised $4,000 in May.\n\nNobody paid.\n\nThe crew gave $1,500.";
        assert_eq!(check_texts("The crew gave $1,500, which brought the total to $5,500.", source), []);
        assert_eq!(check_texts("The crew gave $1,500, which brought the total to $6,500.", source).len(), 1);
    }
}

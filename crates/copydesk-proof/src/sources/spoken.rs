//! Figures in forms that stand for no figure by themselves: `two point two million`, `five euros sixty`, `twenty-two fifty` as people say
//! them, the clock of a chat, and the day on which so many years are over.
//!
//! Why: to read every `twenty-two fifty` as an amount would be wrong. But a draft that has 22.50 has it from there.

use crate::{
    reading::{Figure, FigureKind, ParsedText, Token, near},
    sources::SourceArchive,
    words::{WordList, words},
};
use copydesk_text::words::{NumberWord, number_word};

/// Units between an amount and its hundredths.
static UNITS: WordList =
    words("euro euros dollar dollars pound pounds franc francs crowns kroner metre metres meter meters");

/// Whether a source has the figure in one of these forms.
pub fn told(archive: &SourceArchive<'_>, figure: &Figure) -> bool {
    archive.readings.iter().any(|source| match figure.kind {
        FigureKind::Time => on_the_clock(source, figure),
        FigureKind::Date => over(source, figure),
        FigureKind::Count | FigureKind::Money(_) | FigureKind::Percent => said(&source.tokens, figure.value),
        _ => false,
    })
}

/// Whether a text has a time as a clock shows it, wherever it stands.
fn on_the_clock(source: &ParsedText<'_>, figure: &Figure) -> bool {
    let minutes = figure.value.rem_euclid(720.0);
    let (hour, minute) = ((minutes / 60.0).floor(), minutes % 60.0);
    // A word that is read as a time says itself in which half of the day and in which zone it is.
    let read = |at: usize| {
        let place = source.figures.partition_point(|figure| figure.end <= at);
        source.figures.get(place).is_some_and(|figure| figure.start <= at)
    };
    let shown = |hour: f64| {
        let clock = format!("{hour:02.0}:{minute:02.0}");
        source.text.match_indices(&clock).any(|(at, _)| !read(at))
    };
    let day = figure.value < 720.0;
    (day || !figure.half_day) && shown(hour) || (!day || !figure.half_day) && shown(hour + 12.0)
}

/// Whether a day is some years after one of a text, and the text has that number of years.
fn over(source: &ParsedText<'_>, figure: &Figure) -> bool {
    let years = |number: u32| {
        let is = |other: &Figure| {
            let next = source.tokens.get(other.tokens.end).map_or("", |token| token.word.as_str());
            near(other.value, f64::from(number)) && matches!(next, "years" | "year" | "jahre" | "jahren" | "ans")
        };
        source.figures.iter().any(is)
    };
    let from = |other: &Figure| {
        let apart = figure.year.zip(other.year).and_then(|(later, year)| later.checked_sub(year));
        other.kind == FigureKind::Date && near(other.value, figure.value) && apart.is_some_and(years)
    };
    source.figures.iter().any(from)
}

/// A number in words below a hundred, or in digits, that begins at a word, with the index behind it.
fn number(tokens: &[Token], at: usize) -> Option<(f64, usize)> {
    let word = &tokens.get(at)?.word;
    let Some(NumberWord::Unit(first)) = number_word(word) else {
        return word.parse().ok().map(|number: f64| (number, at + 1));
    };
    let second = tokens.get(at + 1).and_then(|next| number_word(&next.word));
    Some(match second {
        Some(NumberWord::Unit(second)) if first >= 20 && first % 10 == 0 && second < 10 => {
            (f64::from(first + second), at + 2)
        }
        _ => (f64::from(first), at + 1),
    })
}

/// Whether some words say a value with its hundredths, or with decimals behind a `point`.
fn said(tokens: &[Token], value: f64) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    (0..tokens.len()).filter(|at| tokens.get(*at).is_some_and(|token| token.counts)).any(|at| {
        let Some((whole, end)) = number(tokens, at) else { return false };
        if word(end) == "point" {
            let mut told = whole;
            let mut place = 0.1;
            let mut next = end + 1;
            while let Some((digit, behind)) = number(tokens, next).filter(|(digit, _)| *digit < 10.0) {
                told += digit * place;
                place /= 10.0;
                next = behind;
            }
            #[expect(clippy::cast_precision_loss, reason = "scales are powers of ten far below 2^53")]
            let scale = match number_word(word(next)) {
                Some(NumberWord::Scale(scale)) => scale as f64,
                _ => 1.0,
            };
            return next > end + 1 && near(told * scale, value);
        }
        let hundredths = number(tokens, end + usize::from(UNITS.contains(word(end))));
        value.fract() > 0.0 && hundredths.is_some_and(|(cents, _)| cents < 100.0 && near(whole + cents / 100.0, value))
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_texts, rules_of};

    #[test]
    fn what_is_said_may_be_written_in_figures() {
        let source = "BRAM: The wall is one point eight metres. It costs two point two million. A single goes to five euros sixty, and \
                      I'd go to twenty-two fifty for a stall.\n\n[12/06/2025, 19:12:47] Ines: 23 guests are ill\n\nDate of decision: Monday 2 June 2025\n\
                      Work to begin within three years of the decision.\n";
        for fine in [
            "The wall is 1.8 metres high and costs 2.2 million.",
            "A single goes to €5.60, and a stall to 22.50.",
            "At 7.12 p.m. 23 guests were ill.",
            "Work must begin by 2 June 2028.",
        ] {
            assert_eq!(check_texts(fine, source), [], "{fine}");
        }
        for wrong in ["The wall costs 2.6 million.", "A single goes to €5.80.", "At 7.14 p.m. 23 guests were ill."] {
            assert_ne!(rules_of(wrong, source), [""; 0], "{wrong}");
        }
    }
}

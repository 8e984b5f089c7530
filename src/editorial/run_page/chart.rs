//! Bars as SVG. They are made by hand in two dozen lines (docs/decisions/021-charts.md). A library would bring styles
//! that the page's policy forbids, and colours that no dark page has.

use crate::editorial::page_frame::line;

/// Widths in the picture's own units: the names, the longest bar, and the numbers.
const NAMES: f64 = 190.0;
const LONGEST: f64 = 430.0;
const NUMBERS: f64 = 180.0;

/// Height of a row.
const ROW: f64 = 26.0;

/// Most characters of a name; the title of the bar has it whole.
const NAME: usize = 26;

/// A row: its name, one or two quantities, and their words.
pub(super) struct ChartRow {
    pub(super) name: String,
    pub(super) first: u64,
    pub(super) second: u64,
    pub(super) words: String,
}

/// The bars, the longest as wide as there is room. `about` says what they show, for who does not see them.
pub(super) fn bars(about: &str, rows: &[ChartRow]) -> String {
    let most = rows.iter().map(|row| row.first.saturating_add(row.second)).max().unwrap_or(0).max(1);
    #[expect(clippy::cast_precision_loss, reason = "a bar is no count")]
    let width = |amount: u64| amount as f64 / most as f64 * LONGEST;
    let (mut top, mut out) = (0.0, String::new());
    for row in rows {
        let (first, second) = (width(row.first), width(row.second));
        let label = crate::text::sanitise::excerpt(&row.name, NAME);
        out.extend([format!(
            "<g><title>{}: {}</title><text x=\"0\" y=\"{:.0}\">{}</text><rect class=\"bar\" x=\"{NAMES}\" y=\"{:.0}\" width=\"{first:.1}\" \
             height=\"16\"/><rect class=\"bar2\" x=\"{:.1}\" y=\"{:.0}\" width=\"{second:.1}\" height=\"16\"/>\
             <text x=\"{:.1}\" y=\"{:.0}\">{}</text></g>\n",
            line(&row.name),
            line(&row.words),
            top + 17.0,
            line(&label),
            top + 4.0,
            NAMES + first,
            top + 4.0,
            NAMES + first + second + 8.0,
            top + 17.0,
            line(&row.words),
        )]);
        top += ROW;
    }
    format!(
        "<svg role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {} {top:.0}\" width=\"{}\" height=\"{top:.0}\">\n{out}</svg>\n",
        line(about),
        NAMES + LONGEST + NUMBERS,
        NAMES + LONGEST + NUMBERS,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_bar_has_all_the_room_and_a_hostile_name_is_text() {
        let row = |name: &str, first, second| ChartRow {
            name: name.into(),
            first,
            second,
            words: format!("{first} + {second}"),
        };
        let made = bars("Tokens <b>", &[row("writer", 60, 40), row("</text><script>\u{202e}", 0, 50)]);
        assert!(
            made.contains("width=\"258.0\" height=\"16\"") && made.contains("width=\"172.0\" height=\"16\""),
            "{made}"
        );
        assert!(made.contains("width=\"215.0\"") && !made.contains("<script") && !made.contains("<b>"), "{made}");
        assert!(!made.contains('\u{202e}') && made.contains("viewBox=\"0 0 800 52\""), "{made}");
        assert!(bars("x", &[row("nothing", 0, 0)]).contains("width=\"0.0\""), "nothing is divided by nothing");
    }
}

//! Bars as SVG. They are made by hand in two dozen lines (docs/decisions/021-charts.md). A library would bring styles
//! that the page's policy forbids, and colours that no dark page has.

use super::page_frame::line;

/// Widths in the picture's own units: the names, the longest bar, and the numbers.
const NAMES: f64 = 190.0;
const LONGEST: f64 = 430.0;
const NUMBERS: f64 = 180.0;

/// Height of a row.
const ROW: f64 = 26.0;

/// Most characters of a name; the title of the bar has it whole.
const NAME: usize = 26;

/// A row: its name, one or two quantities, the interval in which the first one lies, and their words.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChartRow {
    pub name: String,
    pub first: f64,
    pub second: f64,
    pub interval: Option<[f64; 2]>,
    pub words: String,
}

/// The bars, the longest as wide as there is room. `about` describes them for readers who do not see them.
pub fn bars(about: &str, rows: &[ChartRow]) -> String {
    let end = |row: &ChartRow| (row.first + row.second).max(row.interval.map_or(0.0, |[_, high]| high));
    let most = rows.iter().map(end).filter(|end| end.is_finite()).fold(0.0, f64::max);
    let width = |amount: f64| if most > 0.0 && amount > 0.0 { (amount / most).min(1.0) * LONGEST } else { 0.0 };
    let (mut top, mut out) = (0.0, String::new());
    for row in rows {
        let (first, second) = (width(row.first), width(row.second));
        let label = copydesk_text::sanitise::excerpt(&row.name, NAME);
        let [low, high] = row.interval.map_or([first + second; 2], |ends| ends.map(width));
        let reach = row.interval.map_or_else(String::new, |_| {
            let (low, high, middle) = (NAMES + low, NAMES + high, top + 12.0);
            format!("<path d=\"M{low:.1} {middle:.0}H{high:.1}M{low:.1} {:.0}v8M{high:.1} {:.0}v8\" stroke=\"currentColor\"/>", top + 8.0, top + 8.0)
        });
        out.extend([format!(
            "<g><title>{}: {}</title><text x=\"0\" y=\"{:.0}\">{}</text><rect class=\"bar\" x=\"{NAMES}\" y=\"{:.0}\" width=\"{first:.1}\" \
             height=\"16\"/><rect class=\"bar2\" x=\"{:.1}\" y=\"{:.0}\" width=\"{second:.1}\" height=\"16\"/>\
             {reach}<text x=\"{:.1}\" y=\"{:.0}\">{}</text></g>\n",
            line(&row.name),
            line(&row.words),
            top + 17.0,
            line(&label),
            top + 4.0,
            NAMES + first,
            top + 4.0,
            NAMES + high.max(first + second) + 8.0,
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
        let row = |name: &str, first: f64, second: f64| ChartRow {
            name: name.into(),
            first,
            second,
            interval: None,
            words: format!("{first} + {second}"),
        };
        let made = bars("Tokens <b>", &[row("writer", 60.0, 40.0), row("</text><script>\u{202e}", 0.0, 50.0)]);
        assert!(
            made.contains("width=\"258.0\" height=\"16\"") && made.contains("width=\"172.0\" height=\"16\""),
            "{made}"
        );
        assert!(made.contains("width=\"215.0\"") && !made.contains("<script") && !made.contains("<b>"), "{made}");
        assert!(!made.contains('\u{202e}') && made.contains("viewBox=\"0 0 800 52\""), "{made}");
        for nothing in [0.0, f64::NAN, f64::INFINITY] {
            let made = bars("x", &[ChartRow { words: "no size".into(), ..row("nothing", nothing, 0.0) }]);
            assert!(made.contains("width=\"0.0\"") && !made.contains("NaN") && !made.contains("inf"), "{made}");
        }
    }

    #[test]
    fn an_interval_stands_on_its_bar_and_the_words_behind_it() {
        let row = ChartRow { name: "a".into(), first: 50.0, interval: Some([25.0, 100.0]), ..ChartRow::default() };
        let made = bars("x", &[row]);
        assert!(
            made.contains("width=\"215.0\"") && made.contains("M297.5 12H620.0") && made.contains("<text x=\"628.0\""),
            "{made}"
        );
    }
}

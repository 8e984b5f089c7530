//! The claims of a draft: the score, the list of them, and the selected one with its passage and its witnesses.

use ratatui::{buffer::Buffer, layout::Rect, style::Style, text::Line};

use crate::newsroom::{Claim, ClaimRules, Claims, SimilarityMeasure, Stance};
use crate::text::{count, sanitise};
use crate::tui::{
    app::actions::Action,
    screens::claims::model::{Check, ClaimsPage, Stage},
    widgets::{
        columns::{Column, Table},
        draw,
        theme::Theme,
        words,
    },
};

/// Rows from which the list stays above a claim that is read.
const WITH_LIST_FROM: u16 = 24;

/// Draws the claims over the whole page.
pub fn claims(page: &mut ClaimsPage, area: Rect, buf: &mut Buffer, theme: &Theme) {
    draw::clear(buf, area);
    let title = match page.round {
        0 => Action::ShowClaims.title().to_owned(),
        round => format!("Claims of draft {round}"),
    };
    let inner = draw::margins(draw::pane(buf, area, &title, theme, true));
    let said = match &page.check {
        Check::NoDraft => "There is no draft yet.".to_owned(),
        Check::Off => {
            "The claims of this run are not checked: `claims.enabled` was false when it was opened. A new run reads the configuration \
             anew."
                .to_owned()
        }
        Check::NotYet => "The claims of this draft have not been checked yet: that comes before its gate.".to_owned(),
        Check::Never => {
            "The claims of this draft were not checked: its gate was left, or the run has ended, before that.".to_owned()
        }
        Check::Failed(why) => format!("The claims of this draft could not be checked: {}", sanitise::one_line(why)),
        Check::Done(claims, rules) => match claims.score() {
            None => "Nothing in this draft is a claim that a program can check. So there is no score (it is null), and nothing is \
                     flagged for it."
                .to_owned(),
            Some(score) => {
                let summary = summary(claims, score, *rules, inner.width, theme);
                let below = draw::lines(buf, inner, summary);
                let place = list_and_text(page, below, buf, theme);
                draw::on_frame(buf, area, true, 0, &place, theme);
                return;
            }
        },
    };
    draw::said(buf, inner, &said, theme);
}

/// Draws the list, and below it the selected claim. Returns where their reader is in both.
fn list_and_text(page: &mut ClaimsPage, area: Rect, buf: &mut Buffer, theme: &Theme) -> String {
    let (reads, all) = (page.stage == Stage::Text, page.claims().len());
    // Who reads a claim in a low window needs the list no more.
    let rows = match u16::try_from(all.saturating_add(1)) {
        _ if reads && area.height < WITH_LIST_FROM => 0,
        wanted => wanted.unwrap_or(u16::MAX).min((area.height * 2 / 5).max(3)),
    };
    let (at_list, below) = draw::top(area, rows);
    let position = list(page, at_list, buf, theme);
    let title = format!("Claim {} of {all}", page.selected + 1);
    let at_text = draw::rule(buf, below, &title, theme, reads);
    page.lay(at_text.width);
    page.page.view(at_text, buf, theme);
    words::dotted([&*position, &draw::place_in(&page.page)])
}

/// The score beside its floor; what the similarity was measured by, and what waits for a human.
fn summary(claims: &Claims, score: f64, rules: ClaimRules, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let verified = format!("{} of {} verified", claims.verified(), count(claims.claims.len(), "claim"));
    let floor = rules.score_floor.map(f64::from);
    let (floor, style) = match floor {
        None => ("no floor".to_owned(), theme.heading),
        Some(floor) if score * 100.0 < floor => {
            (format!("! below the floor of {:.2}: flagged", floor / 100.0), theme.warn)
        }
        Some(floor) => (format!("not below the floor of {:.2}", floor / 100.0), theme.heading),
    };
    let waiting = match claims.left_to_a_human().count() {
        0 => String::new(),
        1 => "1 waits for a human".to_owned(),
        several => format!("{several} wait for a human"),
    };
    let wrapped = |text: String, style: Style| {
        let lines = words::wrap_to(&text, usize::from(width), 2);
        lines.into_iter().map(move |line| Line::styled(line, style))
    };
    let first = wrapped(words::dotted([&*verified, &format!("score {score:.2}"), &floor]), style);
    first.chain(wrapped(words::dotted([measured_by(claims), &waiting]), theme.dim)).collect()
}

/// What the similarity was measured by, over all claims that have one.
fn measured_by(claims: &Claims) -> &'static str {
    let by = |measure| claims.claims.iter().any(|claim| claim.similarity.is_some() && claim.measure == measure);
    match (by(SimilarityMeasure::Cosine), by(SimilarityMeasure::Words)) {
        (true, false) => "similarity: cosine of two vectors",
        (false, true) => "similarity: share of a claim's words (no embedder)",
        (true, true) => "similarity: cosine of two vectors, of some the share of their words",
        (false, false) => "similarity: no passage bears on any claim",
    }
}

/// Draws the list. Returns which of it is in sight, where that is some of it.
fn list(page: &mut ClaimsPage, area: Rect, buf: &mut Buffer, theme: &Theme) -> String {
    let (head, rows) = draw::top(area, 1);
    let (room, all) = (usize::from(rows.height), page.claims().len());
    page.top = draw::in_sight(page.top, page.selected, room, all);
    let mut columns = vec![
        Column::text("Stands", 14, 14, 0),
        Column::number("Similar", 7, 0),
        Column::number("Findings", 8, 0),
        Column::text("Claim", 20, 200, 0),
    ];
    if page.claims().iter().any(|claim| claim.resolved.is_some()) {
        columns.push(Column::text("Witnesses", 10, 10, 1));
    }
    let table = Table::new(&columns, area.width);
    table.head(buf, head, theme);
    for ((place, claim), row) in page.claims().iter().enumerate().skip(page.top).zip(rows.rows()) {
        table.row(buf, row, &cells(claim, theme), place == page.selected, theme);
    }
    if room == 0 { String::new() } else { draw::position(page.top, room, all) }
}

fn cells(claim: &Claim, theme: &Theme) -> [(String, Style); 5] {
    let (stands, style) = if claim.verified { ("✓ verified", theme.good) } else { ("✗ not verified", theme.bad) };
    let similar = claim.similarity.map_or_else(|| "none".to_owned(), |similarity| format!("{similarity:.2}"));
    let findings = claim.findings.len();
    let (witnesses, waits) = match claim.resolved.as_ref().map(|resolved| resolved.prevails) {
        None => ("", theme.dim),
        Some(Some(Stance::Carries)) => ("for it", theme.text),
        Some(Some(Stance::Contradicts)) => ("against it", theme.text),
        Some(None) => ("? waiting", theme.warn),
    };
    [
        (stands.to_owned(), style),
        (similar, theme.text),
        (findings.to_string(), if findings == 0 { theme.dim } else { theme.text }),
        (sanitise::excerpt(&claim.text, 300), theme.text),
        (witnesses.to_owned(), waits),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::newsroom::ConflictResolution;
    use crate::tui::{testing::demo_claims, widgets::theme::ThemeName};

    fn said(claims: &Claims, score_floor: Option<u8>) -> Vec<String> {
        let rules = ClaimRules { similarity: 60, score_floor, conflict_resolution: ConflictResolution::Human };
        let lines = summary(claims, claims.score().unwrap(), rules, 76, &Theme::named(ThemeName::Dark));
        lines.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_score_stands_beside_its_floor_and_the_measure_of_all_claims_is_named() {
        let mut claims = demo_claims::claims();
        let cosine = "similarity: cosine of two vectors · 1 waits for a human";
        assert_eq!(said(&claims, None), ["1 of 5 claims verified · score 0.20 · no floor", cosine]);
        let reached = "1 of 5 claims verified · score 0.20 · not below the floor of 0.20";
        assert_eq!(said(&claims, Some(20)), [reached, cosine]);
        let below = "1 of 5 claims verified · score 0.20 · ! below the floor of 0.21: flagged";
        assert_eq!(said(&claims, Some(21)), [below, cosine]);
        if let Some(resolved) = &mut claims.claims[2].resolved {
            resolved.prevails = None;
        }
        claims.claims[1].measure = SimilarityMeasure::Words;
        let some = "similarity: cosine of two vectors, of some the share of their words · 2 wait";
        assert_eq!(said(&claims, None)[1..], [some, "for a human"]);
        claims.claims.truncate(2);
        claims.claims.remove(0);
        assert_eq!(said(&claims, None)[1..], ["similarity: share of a claim's words (no embedder)"]);
        (claims.claims[0].passage, claims.claims[0].similarity) = (None, None);
        assert_eq!(said(&claims, None)[1..], ["similarity: no passage bears on any claim"]);
    }

    #[test]
    fn a_witness_that_prevails_is_a_word_in_the_list() {
        let theme = Theme::named(ThemeName::Dark);
        let mut claims = demo_claims::claims();
        let word = |claim: &Claim| cells(claim, &theme)[4].0.clone();
        assert_eq!([0, 1, 2].map(|place| word(&claims.claims[place])), ["? waiting", "", "for it"]);
        if let Some(resolved) = &mut claims.claims[2].resolved {
            resolved.prevails = Some(Stance::Contradicts);
        }
        assert_eq!(word(&claims.claims[2]), "against it");
    }
}

//! The claims of a draft as a page: the summary, the list, the selected claim with its passage and witnesses, and their keys.

use ratatui::prelude::{Buffer, Line, Rect, Style};

use crate::app::{Action, KeyContext, Model, Overlay, Reaction, Scene, Ways, listed};
use crate::screens::claims::ClaimsPage;
use crate::screens::claims::model::Check;
use crate::screens::claims::told::{label, without_mark};
use crate::screens::story::Tab;
use crate::widgets::{Column, ListAndText, ListStage, Table, Theme, draw, words};
use copydesk_core::editorial::report;
use copydesk_newsroom::{Claim, ClaimRules, Claims, SimilarityMeasure, Stance, Tier};
use copydesk_text::{count, sanitise};

impl Overlay for ClaimsPage {
    fn keys(&self) -> (KeyContext, &'static [Action]) {
        let hints: &[Action] = if self.claims().is_empty() {
            listed![Help Back]
        } else if self.is_searching() {
            listed![NextHit PreviousHit Search Copy Help Back]
        } else {
            listed![Open NextPane Search Copy Help Back]
        };
        (KeyContext::Claims, hints)
    }

    fn why_not(&self, action: Action, _: &Model) -> Option<String> {
        if !matches!(action, Action::Open | Action::Search | Action::Copy) {
            return None;
        }
        let Some(claim) = self.claim() else { return Some("no claims here".into()) };
        if action != Action::Open || self.list.stage == ListStage::List {
            return None;
        }
        match claim.passage.as_ref().map(|passage| passage.tier) {
            Some(Tier::Source | Tier::Found) => None,
            Some(_) => Some("its closest passage is not in this story's sources".into()),
            None => Some("no passage found for this claim".into()),
        }
    }

    fn act(&mut self, action: Action, _: &Scene<'_>) -> Reaction {
        match action {
            Action::Open => Reaction::Then(open_selected),
            Action::Back if self.is_searching() => {
                self.end_search();
                Reaction::CHANGED
            }
            _ => Reaction::Ignored,
        }
    }

    fn list(&mut self) -> Option<(&mut ListAndText, usize)> {
        let count = self.claims().len();
        Some((&mut self.list, count))
    }

    fn lay_selected(&mut self) -> Reaction {
        self.open();
        Reaction::CHANGED
    }

    fn view(&mut self, scene: &Scene<'_>, _: &Ways, area: Rect, buf: &mut Buffer) {
        let theme = &scene.theme;
        let title = match self.round {
            0 => Action::ShowClaims.title().to_owned(),
            round => format!("Claims of draft {round}"),
        };
        let inner = draw::cover(buf, area, &title, theme);
        let said = match &self.check {
            Check::NoDraft => "There is no draft yet.".to_owned(),
            Check::Off => "Claims are not checked in this run: `claims.enabled` was false when it started. \
             Set it to true and start a new run."
                .to_owned(),
            Check::NotYet => "Not checked yet. The claims are checked before the draft waits for you.".to_owned(),
            Check::Never => "The claims of this draft were not checked: the story moved on first.".to_owned(),
            Check::Failed(why) => format!("The claims could not be checked: {}", sanitise::one_line(why)),
            Check::Done(claims, rules) => match claims.score() {
                None => "This draft has no claim that can be checked.".to_owned(),
                Some(score) => {
                    let summary = summary(claims, score, *rules, inner.width, theme);
                    let below = draw::lines(buf, inner, summary);
                    return list_and_text(self, (area, below), buf, theme);
                }
            },
        };
        draw::said(buf, inner, &said, theme);
    }
}

/// Opens the claims of the shown draft; on the Article tab, of the draft that was kept.
pub(crate) fn show(model: &mut Model) {
    let Some(story) = model.story.as_deref() else { return };
    let round = if story.tab == Tab::Article { report::shown_round(&story.journal, story.round) } else { story.round };
    let page = ClaimsPage::new(&story.journal, round);
    model.lay_over(page);
}

/// Enter: opens the selected claim; once it is open, its closest passage in the source.
fn open_selected(model: &mut Model) {
    let Some(page) = model.on_top_mut::<ClaimsPage>() else { return };
    if page.list.stage == ListStage::List {
        page.list.turn(1);
        return;
    }
    let passage = page.claim().and_then(|claim| claim.passage.clone());
    let (Some(passage), Some(story)) = (passage, model.story.as_deref_mut()) else { return };
    if !story.show_passage(&passage) {
        model.warn("the passage is no longer in this story's sources");
        return;
    }
    model.overlays.pop();
    crate::screens::story::update::show(model, Tab::Concerns);
}

/// Goes to the next claim that contains the words.
pub(crate) fn search_for(model: &mut Model, query: &str) {
    let Some(page) = model.on_top_mut::<ClaimsPage>() else { return };
    match page.search(query) {
        Some((hits, claims)) => {
            let others = match claims {
                1 => "no other claim matches".to_owned(),
                claims => format!("{claims} claims match, search again for the next"),
            };
            let place = page.list.selected + 1;
            model.say(format!("{} in claim {place}; {others}", count(hits, "hit")));
        }
        None => model.warn(format!("“{query}” is not in these claims")),
    }
}

/// The journal has grown: the check may have arrived.
pub(crate) fn read(model: &mut Model) {
    let Some(story) = model.story.as_deref() else { return };
    for page in model.overlays.iter_mut().filter_map(|overlay| overlay.page_mut::<ClaimsPage>()) {
        page.read(&story.journal);
    }
}

/// Draws the list and, below it, the selected claim.
fn list_and_text(page: &mut ClaimsPage, areas: (Rect, Rect), buf: &mut Buffer, theme: &Theme) {
    let ClaimsPage { list, ranks, check: Check::Done(Claims { claims, .. }, rules), .. } = page else { return };
    let mut columns = vec![
        Column::text("Result", 14, 14, 0),
        Column::text("Match", 7, 7, 0),
        Column::number("Findings", 8, 0),
        Column::text("Claim", 20, 200, 0),
    ];
    if claims.iter().any(|claim| claim.resolved.is_some()) {
        columns.push(Column::text("Witnesses", 12, 12, 1));
    }
    let cells = |row: usize, _: &Table<'_>| {
        let (place, reason) = ranks.get(row)?;
        Some(cells(claims.get(*place)?, *reason, *rules, theme))
    };
    let title = format!("Claim {} of {}", list.selected + 1, claims.len());
    list.view(&title, claims.len(), &columns, cells, areas, buf, theme);
}

/// How many claims match, whether that is enough, how they were matched, what needs a decision, and why others are to be read.
fn summary(claims: &Claims, score: f64, rules: ClaimRules, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let (verified, weak) = claims.in_words();
    let (floor, style) = match rules.score_floor {
        None => (String::new(), theme.heading),
        Some(floor) if score * 100.0 < f64::from(floor) => {
            (format!("! fewer than the minimum of {floor} %: flagged"), theme.warn)
        }
        Some(floor) => (format!("the minimum of {floor} % is reached"), theme.heading),
    };
    let waiting = match claims.left_to_a_human().count() {
        0 => String::new(),
        1 => "1 needs your decision".to_owned(),
        several => format!("{several} need your decision"),
    };
    let is_read = claims.verified() + claims.on_weak_pages() == claims.claims.len();
    let unread = if is_read { "" } else { "Read these yourself: no single passage says all of it." };
    let wrapped = |text: String, style: Style| {
        let lines = words::wrap_to(&text, usize::from(width), 2);
        lines.into_iter().map(move |line| Line::styled(line, style))
    };
    let first = wrapped(words::dotted([&*verified, &*weak.unwrap_or_default(), &floor]), style);
    let second = wrapped(words::dotted([measured_by(claims), &waiting]), theme.dim);
    first.chain(second).chain(wrapped(unread.to_owned(), theme.dim).filter(|_| !is_read)).collect()
}

fn measured_by(claims: &Claims) -> &'static str {
    let by = |measure| claims.claims.iter().any(|claim| claim.similarity.is_some() && claim.measure == measure);
    match (by(SimilarityMeasure::Cosine), by(SimilarityMeasure::Words)) {
        (true, false) => "Matched by meaning",
        (false, true) => "Matched by shared words",
        (true, true) => "Matched by meaning, some by shared words",
        (false, false) => "No close passage for any claim",
    }
}

/// The cells of a claim. `reason` says in a word why it is worth a look.
fn cells(claim: &Claim, reason: Option<&str>, rules: ClaimRules, theme: &Theme) -> [(String, Style); 5] {
    let stands = label(claim);
    let style = match (claim.verified, claim.is_disputed()) {
        (true, _) => theme.good,
        (false, true) => theme.bad,
        (false, false) => theme.dim,
    };
    let similar = match claim.similarity {
        None => "none",
        Some(similarity) if similarity < rules.similarity.by(claim.measure) => "weak",
        Some(_) => "close",
    };
    let text = words::excerpt(without_mark(&claim.text), 300);
    let text = reason.map_or(text.clone(), |reason| format!("{reason}: {text}"));
    let findings = claim.findings.len();
    let (witnesses, waits) = match claim.resolved.as_ref().map(|resolved| resolved.prevails) {
        None => ("", theme.dim),
        Some(Some(Stance::Carries)) => ("for it", theme.text),
        Some(Some(Stance::Contradicts)) => ("against it", theme.text),
        Some(None) => ("? you decide", theme.warn),
    };
    [
        (stands.to_owned(), style),
        (similar.to_owned(), theme.text),
        (findings.to_string(), if findings == 0 { theme.dim } else { theme.text }),
        (text, theme.text),
        (witnesses.to_owned(), waits),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{testing::demo_claims, widgets::theme::ThemeName};
    use copydesk_newsroom::{ConflictResolution, LeastSimilarity};

    fn rules(score_floor: Option<u8>) -> ClaimRules {
        let similarity = LeastSimilarity { cosine: 70, words: 60 };
        ClaimRules { similarity, score_floor, conflict_resolution: ConflictResolution::Human }
    }

    fn said(claims: &Claims, score_floor: Option<u8>) -> Vec<String> {
        let lines = summary(claims, claims.score().unwrap(), rules(score_floor), 76, &Theme::named(ThemeName::Dark));
        lines.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_score_stands_beside_its_floor_and_the_measure_of_all_claims_is_named() {
        let mut claims = demo_claims::claims();
        let cosine = "Matched by meaning · 1 needs your decision";
        let unread = "Read these yourself: no single passage says all of it.";
        assert_eq!(said(&claims, None), ["1 of 5 claims match a source", cosine, unread]);
        let reached = "1 of 5 claims match a source · the minimum of 20 % is reached";
        assert_eq!(said(&claims, Some(20)), [reached, cosine, unread]);
        let below = "1 of 5 claims match a source · ! fewer than the minimum of 21 %: flagged";
        assert_eq!(said(&claims, Some(21)), [below, cosine, unread]);
        if let Some(resolved) = &mut claims.claims[2].resolved {
            resolved.prevails = None;
        }
        claims.claims[1].measure = SimilarityMeasure::Words;
        let some = "Matched by meaning, some by shared words · 2 need your decision";
        assert_eq!(said(&claims, None)[1..], [some, unread]);
        claims.claims.truncate(2);
        claims.claims.remove(0);
        assert_eq!(said(&claims, None)[1..], ["Matched by shared words", unread]);
        (claims.claims[0].passage, claims.claims[0].similarity) = (None, None);
        assert_eq!(said(&claims, None)[1..], ["No close passage for any claim", unread]);
        claims.claims[0].verified = true;
        assert_eq!(said(&claims, None)[1..], ["No close passage for any claim"]);
    }

    #[test]
    fn a_witness_that_prevails_is_a_word_in_the_list() {
        let theme = Theme::named(ThemeName::Dark);
        let mut claims = demo_claims::claims();
        let word = |claim: &Claim| cells(claim, None, rules(None), &theme)[4].0.clone();
        assert_eq!([0, 1, 2].map(|place| word(&claims.claims[place])), ["? you decide", "", "for it"]);
        if let Some(resolved) = &mut claims.claims[2].resolved {
            resolved.prevails = Some(Stance::Contradicts);
        }
        assert_eq!(word(&claims.claims[2]), "against it");
    }

    #[test]
    fn how_close_a_passage_is_depends_on_the_measure() {
        let theme = Theme::named(ThemeName::Dark);
        let mut claim = demo_claims::claims().claims.remove(0);
        let mut word = |similarity, measure| {
            (claim.similarity, claim.measure) = (similarity, measure);
            cells(&claim, None, rules(None), &theme)[1].0.clone()
        };
        assert_eq!(word(Some(0.65), SimilarityMeasure::Cosine), "weak");
        assert_eq!(word(Some(0.65), SimilarityMeasure::Words), "close");
        assert_eq!(word(None, SimilarityMeasure::Words), "none");
    }
}

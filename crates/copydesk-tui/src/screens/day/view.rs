//! Draws the day in numbers: one column, or two in a wide window; and the texts of a call that is open.

use std::collections::BTreeSet;

use jiff::Timestamp;
use ratatui::prelude::{Buffer, Constraint, Layout, Line, Rect, Span, Style};

use crate::app::Action;
use crate::screens::day::model::{cost, ended, sum};
use crate::screens::day::{DayNumbers, DayPage, DayStage, OpenCall, QueueNow};
use crate::widgets::said::agent_words;
use crate::widgets::{Theme, bars, draw, words};
use copydesk_core::ports::{MessageState, SlowCall};
use copydesk_newsroom::{AttemptEnd, CallFacts, CallLine, Facts, Pool, RunState, amount};
use copydesk_text::{sanitise, thousands};

/// Columns from which the numbers stand in two columns.
const TWO_FROM: u16 = 130;

/// Columns between those two.
const GUTTER: u16 = 3;

/// Columns of the names left of bars.
const NAME: usize = 14;

pub fn page(page: &mut DayPage, now: Timestamp, area: Rect, buf: &mut Buffer, theme: &Theme) {
    if let Some(open) = &mut page.open {
        return text(open, area, buf, theme);
    }
    let date = page.date(now);
    let live = page.day.is_none();
    let day = date.strftime("%A, %-d %b %Y").to_string();
    let title = words::dotted([Action::ShowDay.title(), if live { "today" } else { "" }, &day]);
    let inner = draw::cover(buf, area, &title, theme);
    let at =
        page.trouble.as_ref().map(|trouble| format!("The numbers cannot be read: {}", sanitise::one_line(trouble)));
    let Some(numbers) = page.shown(now) else {
        let said = at.unwrap_or_else(|| "Reading the numbers…".to_owned());
        draw::said(buf, inner, &said, theme);
        return;
    };
    let inner = match at {
        Some(trouble) => draw::lines(buf, inner, [Line::styled(trouble, theme.bad)]),
        None => inner,
    };
    let selected = (page.stage == DayStage::Calls).then_some(page.selected);
    let two = inner.width >= TWO_FROM;
    let width = if two { (inner.width - GUTTER) / 2 } else { inner.width };
    let sections = Sections { numbers, now, live, width, theme };
    let (mut left, (mut right, mut call)) = (sections.first(), sections.second(selected));
    if !two {
        // An empty line between the two.
        left.push(Line::default());
        call = call.map(|row| row + left.len());
        left.append(&mut right);
    }
    let rows = usize::from(inner.height);
    let all = left.len().max(right.len());
    page.top = page.top.min(all.saturating_sub(rows));
    if std::mem::take(&mut page.follows)
        && let Some(row) = call
    {
        // All of them, if there is room.
        let last =
            row + page.numbers.as_ref().map_or(0, |numbers| numbers.slowest.len().saturating_sub(page.selected + 1));
        page.top = draw::in_sight(page.top, last, rows, all);
        page.top = draw::in_sight(page.top, row, rows, all);
    }
    let [at_left, _, at_right] = Layout::horizontal([
        Constraint::Length(width),
        Constraint::Length(if two { GUTTER } else { 0 }),
        Constraint::Fill(1),
    ])
    .areas(inner);
    draw::lines(buf, at_left, left.into_iter().skip(page.top));
    draw::lines(buf, at_right, right.into_iter().skip(page.top));
    draw::on_frame(buf, area, true, 0, &draw::position(page.top, rows, all), theme);
}

/// The prompt and the answer of a call.
fn text(open: &mut OpenCall, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let call = &open.call;
    let story = sanitise::one_line(&call.story.to_string());
    let title = words::dotted([&*story, &call.step.in_words(), &words::duration(call.worked_ms)]);
    let inside = draw::cover(buf, area, &title, theme);
    if open.page.text().is_empty() {
        draw::said(buf, inside, "Reading the call…", theme);
        return;
    }
    open.page.view(inside, buf, theme);
    draw::on_frame(buf, area, true, 0, &draw::place_in(&open.page), theme);
}

struct Sections<'n> {
    numbers: &'n DayNumbers,
    now: Timestamp,
    live: bool,
    width: u16,
    theme: &'n Theme,
}

impl Sections<'_> {
    /// The first section: the day's work hour by hour, the waiting stories, and the failures.
    fn first(&self) -> Vec<Line<'static>> {
        let numbers = self.numbers;
        let mut lines = Vec::new();
        if numbers.is_empty() {
            lines.push(Line::styled(
                if self.live { "Nothing has happened yet today." } else { "Nothing happened on this day." },
                self.theme.heading,
            ));
        } else {
            self.stories(&mut lines);
            self.hours(&mut lines);
        }
        if let Some(waiting) = &numbers.waiting {
            self.waiting(&mut lines, waiting);
        }
        if !numbers.is_empty() {
            self.failures(&mut lines);
            self.saved(&mut lines);
        }
        lines
    }

    /// The agents, and the slowest calls. Returns also which line is the selected call.
    fn second(&self, selected: Option<usize>) -> (Vec<Line<'static>>, Option<usize>) {
        let mut lines = Vec::new();
        if self.numbers.is_empty() {
            return (lines, None);
        }
        self.agents(&mut lines);
        self.heading(&mut lines, "Slowest calls");
        let first = lines.len();
        let slowest = &self.numbers.slowest;
        lines.extend(slowest.iter().enumerate().map(|(place, call)| self.slow(call, selected == Some(place))));
        if slowest.is_empty() {
            lines.push(Line::styled("No call was made.", self.theme.dim));
        }
        (lines, selected.map(|place| first + place))
    }

    fn heading(&self, lines: &mut Vec<Line<'static>>, name: &str) {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.push(Line::styled(name.to_owned(), self.theme.heading));
    }

    /// Wrapped words.
    fn say(&self, lines: &mut Vec<Line<'static>>, text: &str, style: Style) {
        lines.extend(words::wrap(text, usize::from(self.width)).into_iter().map(|line| Line::styled(line, style)));
    }

    fn stories(&self, lines: &mut Vec<Line<'static>>) {
        let Facts { runs, verdicts, decisions, .. } = &self.numbers.whole;
        self.heading(lines, "Stories");
        let begun = counted_as(runs.opened, "run begun", "runs begun");
        let ends = [(runs.succeeded, "finished"), (runs.failed, "failed"), (runs.flagged, "flagged")];
        let ends = ends.map(|(number, end)| counted(number, end));
        let mut said = vec![begun];
        said.extend(ends);
        self.say(lines, &words::dotted(said.iter().map(String::as_str)), self.theme.text);
        if let (Some(rounds), Some(took)) = (runs.rounds.mean(), runs.took.percentile(50)) {
            let line =
                format!("{rounds:.1} rounds on average; half of the runs took at most {}", words::duration(took));
            self.say(lines, &line, self.theme.text);
        }
        let verdicts: Vec<String> = verdicts.iter().map(|(status, number)| format!("{number} {status}")).collect();
        if !verdicts.is_empty() {
            let overruled = decisions.get("override").copied().unwrap_or(0);
            let overruled = counted(overruled, "overruled");
            let said = [format!("Verdicts: {}", verdicts.join(", ")), overruled];
            self.say(lines, &words::dotted(said.iter().map(String::as_str)), self.theme.text);
        }
    }

    fn hours(&self, lines: &mut Vec<Line<'static>>) {
        let numbers = self.numbers;
        self.heading(lines, "Hour by hour");
        let (calls, tokens) =
            (|facts: &Facts| sum(facts, CallFacts::asked), |facts: &Facts| sum(facts, CallFacts::tokens));
        let whole = &numbers.whole;
        self.hour_row(lines, "Stories ended", &thousands(ended(whole)), |facts| amount(ended(facts)));
        self.hour_row(lines, "Calls", &thousands(calls(whole)), |facts| amount(calls(facts)));
        self.hour_row(lines, "Tokens", &words::tokens(tokens(whole)), |facts| amount(tokens(facts)));
        let currencies: BTreeSet<&String> = whole.calls.values().flat_map(|calls| calls.cost.keys()).collect();
        for currency in currencies {
            let total = format!("{:.2}", cost(whole, currency));
            self.hour_row(lines, &format!("Cost in {currency}"), &total, |facts| cost(facts, currency));
        }
        // The hours below every sixth column.
        let each = self.each_hour();
        let mut scale = String::new();
        for (place, (begins, _)) in numbers.hours.iter().enumerate().step_by(6) {
            let column = place * each;
            scale.push_str(&" ".repeat(column.saturating_sub(scale.len())));
            scale.push_str(&begins.to_zoned(words::zone()).hour().to_string());
            scale.push_str(":00");
        }
        let indent = " ".repeat(NAME + TOTAL + 2);
        lines.push(Line::styled(indent + &scale, self.theme.dim));
    }

    /// Columns of an hour.
    fn each_hour(&self) -> usize {
        let room = usize::from(self.width).saturating_sub(NAME + TOTAL + 2);
        (room / self.numbers.hours.len().max(1)).clamp(1, 3)
    }

    fn hour_row(&self, lines: &mut Vec<Line<'static>>, name: &str, total: &str, of: impl Fn(&Facts) -> f64) {
        let values: Vec<Option<f64>> =
            self.numbers.hours.iter().map(|(begins, facts)| (*begins <= self.now).then(|| of(facts))).collect();
        lines.push(Line::from(vec![
            Span::styled(words::padded(name, NAME, false), self.theme.text),
            Span::styled(words::padded(total, TOTAL, true), self.theme.text),
            Span::raw("  "),
            Span::styled(bars::spark(&values, self.each_hour()), self.theme.accent),
        ]));
    }

    fn waiting(&self, lines: &mut Vec<Line<'static>>, waiting: &QueueNow) {
        self.heading(lines, "Now");
        let open = RunState::Open.as_str();
        let stories =
            [(waiting.stories(open, false), "at work or in the queue"), (waiting.stories(open, true), "wait for you")];
        let stories: Vec<String> = stories.iter().map(|(number, what)| format!("{number} {what}")).collect();
        self.say(lines, &format!("Stories: {}", stories.join(" · ")), self.theme.text);
        for pool in Pool::ALL {
            self.pool(lines, waiting, pool);
        }
        for down in &waiting.backlog.down {
            let error = down.error.as_deref().unwrap_or("it asked for a pause");
            let said =
                format!("{} gets no requests now: {}", sanitise::one_line(&down.server), sanitise::excerpt(error, 200));
            self.say(lines, &said, self.theme.bad);
        }
    }

    /// A pool that has slots here, or steps.
    fn pool(&self, lines: &mut Vec<Line<'static>>, now: &QueueNow, pool: Pool) {
        let slots = now.slots.iter().find(|(of, _)| *of == pool).map_or(0, |(_, slots)| *slots as u64);
        let states = [MessageState::Leased, MessageState::Waiting, MessageState::Later, MessageState::Held];
        let [leased, waiting, later, held] = states.map(|state| now.steps(pool, state));
        if slots + leased + waiting + later + held == 0 {
            return;
        }
        let at_work =
            if slots > 0 { format!("{leased} of {slots} at work") } else { format!("{leased} at work elsewhere") };
        let longest = now.backlog.longest.iter().find(|(of, _)| *of == pool).map_or_else(String::new, |(_, since)| {
            let waited = self.now.as_millisecond().saturating_sub(*since);
            format!(", oldest {}", words::elapsed(u64::try_from(waited).unwrap_or(0) / 1_000))
        });
        let waiting = if waiting == 0 { String::new() } else { format!("{waiting} in the queue{longest}") };
        let said = [at_work, waiting, counted(later, "later"), counted(held, "held")];
        let said = words::dotted(said.iter().map(String::as_str));
        let room = usize::from(self.width).saturating_sub(NAME + usize::from(SLOTS) + 2);
        let mut name = words::capital(pool.name());
        let mut slots = bars::slots(leased, slots.max(leased), SLOTS);
        for line in words::wrap(&said, room) {
            lines.push(Line::from(vec![
                Span::styled(words::padded(&std::mem::take(&mut name), NAME, false), self.theme.text),
                Span::styled(words::padded(&std::mem::take(&mut slots), usize::from(SLOTS), false), self.theme.running),
                Span::raw("  "),
                Span::styled(line, self.theme.text),
            ]));
        }
    }

    fn failures(&self, lines: &mut Vec<Line<'static>>) {
        let whole = &self.numbers.whole;
        let Facts { tools, queue, .. } = whole;
        self.heading(lines, "Failures");
        let tool: u64 = tools.values().map(|tool| tool.failed + tool.unknown + tool.lost).sum();
        let (failed, unusable) = (sum(whole, |calls| calls.failed), sum(whole, |calls| calls.unusable));
        let all = [
            (failed, "call without an answer", "calls without an answer"),
            (unusable, "answer that could not be used", "answers that could not be used"),
            (tool, "tool call that failed", "tool calls that failed"),
            (queue.redelivered, "step that was retried", "steps that were retried"),
            (queue.dead, "failed step", "failed steps"),
            (queue.parked, "step that waited for its server", "steps that waited for their server"),
            (queue.servers_down, "time a server was paused", "times a server was paused"),
        ];
        let seen: Vec<_> = all.into_iter().filter(|(number, ..)| *number > 0).collect();
        if seen.is_empty() {
            lines.push(Line::styled("None.", self.theme.text));
        }
        let most = seen.iter().map(|(number, ..)| *number).max().unwrap_or(0);
        for (number, one, more) in seen {
            lines.push(Line::from(vec![
                Span::styled(bars::bar(amount(number), amount(most), SLOTS), self.theme.bad),
                Span::raw("  "),
                Span::styled(counted_as(number, one, more), self.theme.text),
            ]));
        }
    }

    fn saved(&self, lines: &mut Vec<Line<'static>>) {
        let whole = &self.numbers.whole;
        let (known, cached) = (sum(whole, |calls| calls.known), sum(whole, |calls| calls.cached_tokens));
        let look_ups = &whole.look_ups;
        let mut said = Vec::new();
        if look_ups.asked > 0 {
            let asked = thousands(look_ups.asked);
            said.push(format!("The memory answered {} of {asked} look-ups.", thousands(look_ups.remembered)));
        }
        if look_ups.source_tokens > 0 {
            let [read, whole] = [look_ups.retrieved_tokens, look_ups.source_tokens].map(words::tokens);
            said.push(format!("Fact checks read passages of {read} tokens; the whole sources have {whole}."));
        }
        if known > 0 {
            said.push(format!("{} known from an earlier run.", counted_as(known, "answer was", "answers were")));
        }
        if cached > 0 {
            said.push(format!("Servers had {} of the prompts in their cache.", words::tokens_of(cached)));
        }
        if !said.is_empty() {
            self.heading(lines, "Saved");
        }
        for line in said {
            self.say(lines, &line, self.theme.text);
        }
    }

    fn agents(&self, lines: &mut Vec<Line<'static>>) {
        self.heading(lines, "Agents");
        let calls = self.numbers.whole.calls.iter();
        let agents: Vec<(&CallLine, &CallFacts)> = calls.filter(|(_, calls)| calls.asked() > 0).collect();
        if agents.is_empty() {
            self.say(lines, "No model was called.", self.theme.dim);
        }
        let slowest = agents.iter().map(|(_, calls)| p95(calls)).max().unwrap_or(0);
        let most = agents.iter().map(|(_, calls)| calls.tokens()).max().unwrap_or(0);
        for (line, calls) in agents {
            self.agent(lines, line, calls, (amount(slowest), amount(most)));
        }
    }

    /// An agent's calls to a model. The bars compare it with the slowest agent, and with the one that used most tokens.
    fn agent(&self, lines: &mut Vec<Line<'static>>, agent: &CallLine, calls: &CallFacts, (slowest, most): (f64, f64)) {
        let costs: Vec<String> = calls.cost.iter().map(|(currency, cost)| format!("{currency} {cost:.2}")).collect();
        let not_usable = calls.unusable.saturating_add(calls.failed);
        let (made, failed) = (counted_as(calls.asked(), "call", "calls"), counted(not_usable, "failed"));
        let right = words::dotted([&*made, &failed, &costs.join(", ")]);
        let room = usize::from(self.width).saturating_sub(words::width(&right) + 2);
        let name = words::dotted([&*agent_words(&agent.agent), &sanitise::one_line(&agent.model)]);
        lines.push(Line::from(vec![
            Span::styled(words::padded(&name, room, false), self.theme.accent),
            Span::raw("  "),
            Span::styled(right, if not_usable > 0 { self.theme.warn } else { self.theme.text }),
        ]));
        let mean = calls.worked.sum().checked_div(calls.worked.count()).unwrap_or(0);
        let times = format!("mean {}, 95 % within {}", words::duration(mean), words::duration(p95(calls)));
        let [sent, received] = [calls.prompt_tokens, calls.completion_tokens].map(words::tokens);
        let tokens = format!("{sent} sent, {received} received");
        let rows = [("  time", amount(p95(calls)), slowest, times), ("  tokens", amount(calls.tokens()), most, tokens)];
        for (what, value, most, said) in rows {
            lines.push(Line::from(vec![
                Span::styled(words::padded(what, 10, false), self.theme.dim),
                Span::styled(
                    bars::bar(value, most, self.width.saturating_sub(MEASURES).clamp(6, BAR)),
                    self.theme.running,
                ),
                Span::raw("  "),
                Span::styled(said, self.theme.text),
            ]));
        }
    }

    fn slow(&self, call: &SlowCall, selected: bool) -> Line<'static> {
        let end = match call.end {
            AttemptEnd::Answered | AttemptEnd::Known => "",
            AttemptEnd::Unusable => "not usable",
            AttemptEnd::Failed => "no answer",
        };
        let took = words::duration(call.worked_ms);
        let step = words::dotted([&*call.step.in_words(), &agent_words(&call.agent), end]);
        let room = usize::from(self.width).saturating_sub(4 + TOOK + 2);
        let story = words::fit_name(&sanitise::one_line(&call.story.to_string()), (room / 2).min(40));
        let left = room.saturating_sub(words::width(&story) + 2);
        let said = format!(
            "{} {} {}  {story}  {}",
            if selected { "›" } else { " " },
            if end.is_empty() { " " } else { "✗" },
            words::padded(&took, TOOK, true),
            words::fit(&step, left)
        );
        if selected {
            Line::styled(words::padded(&said, usize::from(self.width), false), self.theme.row())
        } else {
            Line::styled(said, if end.is_empty() { self.theme.text } else { self.theme.warn })
        }
    }
}

/// Columns of a total, of slots, of a bar at most, of what stands beside it, and of how long a call took.
const TOTAL: usize = 9;
const SLOTS: u16 = 8;
const BAR: u16 = 20;
const MEASURES: u16 = 50;
const TOOK: usize = 11;

/// Milliseconds within which 95 % of the calls ended.
fn p95(calls: &CallFacts) -> u64 {
    calls.worked.percentile(95).unwrap_or(0)
}

/// `3 failed`; nothing for none.
fn counted(number: u64, what: &str) -> String {
    if number == 0 { String::new() } else { format!("{} {what}", thousands(number)) }
}

fn counted_as(number: u64, one: &str, more: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { more })
}

//! The header: the name of the page, and which servers see the text. The second is never left out.

use ratatui::prelude::{Buffer, Line, Rect, Span, Style};

use crate::app::model::WatchedRecording;
use crate::app::{Model, Screen};
use crate::screens::review::Walk;
use crate::widgets::{draw, words};
use copydesk_core::editorial::extract;
use copydesk_text::sanitise;

/// Draws the line.
pub fn header(model: &Model, row: Rect, buf: &mut Buffer) {
    let width = usize::from(row.width);
    let place = place(model);
    // The name of the page takes the room of a local server's address, not of who answered in a recorded story.
    let is_wide = model.house.recorded.is_some() || model.house.servers.iter().any(|server| !server.here);
    let needed = if is_wide { 0 } else { words::width(&place) + 13 };
    let (server, style) = server(model, width.saturating_sub(needed).max(26).min(width.saturating_sub(24)));
    let used = words::width(&server);
    draw::put_right(buf, row, Span::styled(server, style));
    let room = width.saturating_sub(used + 2);
    let mut spans = vec![Span::styled(words::fit("Copydesk", room), model.theme.accent)];
    if let Some(left) = room.checked_sub(11).filter(|_| !place.is_empty()) {
        spans.push(Span::styled(" · ", model.theme.dim));
        spans.push(Span::styled(words::fit(&place, left), model.theme.heading));
    }
    draw::put(buf, row, Line::from(spans));
}

/// The name of the screen: the desk, or the story's title; on a walk through the review queue, how far it has come.
fn place(model: &Model) -> String {
    match (&model.walk, model.screen, &model.story) {
        (Some(_), Screen::Story, Some(story)) => {
            format!("{} · {}", Walk::words(&model.desk, &story.run.story, model.now), page(model))
        }
        _ => page(model),
    }
}

fn page(model: &Model) -> String {
    let Some(story) = model.story.as_deref().filter(|_| model.screen == Screen::Story) else {
        return format!("Desk of {}", sanitise::one_line(&model.house.editor));
    };
    let named = if story.run.title.trim().is_empty() { &story.run.story } else { &story.run.title };
    let named = sanitise::one_line(named);
    // Every page says that the story is flagged; the Article page says why.
    let is_flagged = !story.run.reasons().is_empty() && story.run.settled_by.is_none();
    match (is_flagged, extract::is_untouched(&story.journal, story.journal.latest_draft())) {
        (true, true) => format!("flagged fact sheet: {named}"),
        (true, false) => format!("flagged: {named}"),
        (false, true) => format!("fact sheet: {named}"),
        (false, false) => named,
    }
}

/// Says which server gets the text, in at most `room` columns, with its style.
pub fn server(model: &Model, room: usize) -> (String, Style) {
    let servers = &model.house.servers;
    if let Some(WatchedRecording { model: told_by, recorded_on, .. }) = &model.house.recorded {
        let said = format!("Recorded {recorded_on}: {}", sanitise::one_line(told_by));
        return (words::fit(&said, room), model.theme.good);
    }
    let mut outside = servers.iter().filter(|server| !server.here);
    if let Some(first) = outside.next() {
        let more = outside.count();
        let more = if more == 0 { String::new() } else { format!(" +{more}") };
        let host = format!("{}{more}", first.host);
        // At least the end of the host's name is said: it is the part that says whose it is.
        let said = ["▲ TEXT LEAVES THIS MACHINE: ", "▲ TEXT GOES OUT: ", "▲ OUT: "]
            .into_iter()
            .find(|words| words::width(words) + words::width(&host) <= room)
            .unwrap_or("▲ OUT: ");
        let host = words::fit_end(&host, room.saturating_sub(words::width(said)));
        return (words::fit(&format!("{said}{host}"), room), model.theme.outside);
    }
    let here = "text stays on this machine";
    let hosts: Vec<&str> = servers.iter().map(|server| server.host.as_str()).collect();
    let whole = if hosts.is_empty() { here.to_owned() } else { format!("{here}: {}", hosts.join(", ")) };
    let said = if words::width(&whole) <= room { whole } else { here.to_owned() };
    (words::fit(&said, room), model.theme.good)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        app::model::Server,
        screens::story::tabs::Tab,
        testing::{demo, demo_story},
    };

    fn said(servers: &[(&str, bool)], room: usize) -> String {
        let mut model = demo::desk();
        model.house.servers =
            servers.iter().map(|(host, here)| Server { host: (*host).to_owned(), here: *here }).collect();
        server(&model, room).0
    }

    #[test]
    fn a_flagged_story_says_so_on_every_page() {
        let mut model = demo_story::story(demo_story::signed(), Tab::Calls);
        assert_eq!(place(&model), "Council votes on Miller Park");
        if let Some(story) = &mut model.story {
            story.run.flags = vec!["a quotation that no source carries as it stands".into()];
        }
        assert_eq!(place(&model), "flagged: Council votes on Miller Park");
        if let Some(story) = &mut model.story {
            story.run.title.clear();
        }
        assert_eq!(place(&model), "flagged: local-news/miller-park-vote");
    }

    #[test]
    fn a_recorded_story_says_on_every_page_who_answered_and_when() {
        let mut model = demo::desk();
        model.house.recorded =
            Some(WatchedRecording { model: "Small 1.5B".into(), recorded_on: "2026-11-27".into(), speed: None });
        assert_eq!(server(&model, 80).0, "Recorded 2026-11-27: Small 1.5B");
        assert_eq!(server(&model, 26).0, "Recorded 2026-11-27…");
    }

    #[test]
    fn which_server_sees_the_text_is_said_at_any_width() {
        assert_eq!(said(&[], 80), "text stays on this machine");
        assert_eq!(said(&[("127.0.0.1:1234", true)], 80), "text stays on this machine: 127.0.0.1:1234");
        assert_eq!(said(&[("127.0.0.1:1234", true)], 36), "text stays on this machine");
        let out = [("127.0.0.1:1234", true), ("api.example.com", false)];
        assert_eq!(said(&out, 80), "▲ TEXT LEAVES THIS MACHINE: api.example.com");
        assert_eq!(said(&out, 36), "▲ TEXT GOES OUT: api.example.com");
        assert_eq!(said(&out, 24), "▲ OUT: api.example.com");
        assert_eq!(said(&out, 18), "▲ OUT: …xample.com");
        let two = [("a.example.com", false), ("b.example.com", false)];
        assert_eq!(said(&two, 80), "▲ TEXT LEAVES THIS MACHINE: a.example.com +1");
    }
}

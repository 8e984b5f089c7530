//! The search: asking as one types, what is found, opening it.

use crate::{
    app::{
        Effect,
        messages::Request,
        messages::{Inquiry, SearchAnswer, Within},
        news::News,
        tests::seat::*,
        ticket::Ticket,
        under_way::{UnderWay, WorkKind},
        update::{Arrival, update},
    },
    screens::{
        search::model::{Scope, SearchPage, SearchStage},
        story::tabs::Tab,
    },
};
use copydesk_core::editorial::testing::at_gate;
use copydesk_core::ports::{Around, Found, Hit, RunKey, Stock, StoreError};
use copydesk_newsroom::{Passage, PathName, StoryKey, Tier};
use std::sync::Arc;

fn hit(story: Option<&str>, tier: Tier, file: &str, text: &str) -> Hit {
    let story = story.map(|slug| StoryKey::new(PathName::new("desk").unwrap(), PathName::new(slug).unwrap()));
    let passage =
        Passage { file: file.into(), start: 0, end: text.len() as u64, text: text.into(), tier, ..Passage::default() };
    Hit { passage, title: file.into(), story, tokens: 3, score: 1.0, text: None, dense: None }
}

fn knowledge(file: &str) -> Hit {
    hit(None, Tier::Knowledge, file, "The park.")
}

fn search(seat: &Seat) -> &SearchPage {
    let found = seat.model.overlays.iter().find_map(|overlay| overlay.page());
    found.unwrap_or_else(|| panic!("{}", seat.state()))
}

/// The only inquiry that was asked for since.
#[track_caller]
fn inquiry(seat: &mut Seat) -> Inquiry {
    let mut asked = seat.asked().into_iter().filter_map(|request| match request {
        Request::Search(inquiry) => Some(*inquiry),
        _ => None,
    });
    let inquiry = asked.next().unwrap();
    assert!(asked.next().is_none());
    inquiry
}

fn bring(seat: &mut Seat, inquiry: &Inquiry, hits: Vec<Hit>) {
    let found = Found { hits, words: 1, words_only: None, degraded: false };
    let answer = Box::new(SearchAnswer { found, ..SearchAnswer::default() });
    seat.hear(News::Found { ticket: inquiry.ticket, answer: Ok(answer) });
}

/// With what `park` has found.
fn found(seat: &mut Seat, hits: Vec<Hit>) {
    seat.keys("L");
    assert_eq!(seat.asked(), [Request::ReadStock]);
    seat.keys("\"p\"");
    inquiry(seat);
    update(&mut seat.model, Arrival::Paste("ark\n".into()));
    seat.keys("backspace \"k\"");
    let mut asked = seat.asked();
    let Some(Request::Search(last)) = asked.pop() else { panic!("{asked:?}") };
    assert_eq!((last.text.as_str(), last.min_credibility), ("park", 0.7));
    bring(seat, &last, hits);
}

/// Takes the request for the text around the selected passage, and returns its ticket.
#[track_caller]
fn around(seat: &mut Seat, file: &str) -> Ticket {
    let asked = seat.asked();
    let [Request::ReadAround(wanted)] = asked.as_slice() else { panic!("{asked:?}") };
    assert_eq!(wanted.passage.file, file);
    wanted.ticket
}

#[test]
fn it_is_searched_as_one_types_and_the_last_answer_counts() {
    let mut seat = Seat::at_desk();
    seat.keys("L \"p\"");
    let first = inquiry(&mut seat);
    assert_eq!(first.within, Within::Everywhere);
    seat.keys("\"a\"");
    let second = inquiry(&mut seat);
    bring(&mut seat, &first, vec![knowledge("stale.md")]);
    assert!(search(&seat).hits().is_empty() && seat.asked().is_empty());
    bring(&mut seat, &second, vec![knowledge("a.md"), knowledge("b.md")]);
    let ticket = around(&mut seat, "a.md");
    seat.hear(News::Around { ticket, around: Some(Around { before: "Before.".into(), after: String::new() }) });
    assert!(search(&seat).page.text().starts_with("Before.\n▼ passage\n"));
    seat.keys("down down");
    around(&mut seat, "b.md");
    // Another place, other texts.
    seat.keys("ctrl-g");
    assert!(inquiry(&mut seat).min_credibility < f64::EPSILON);
    seat.keys("ctrl-o");
    assert_eq!(inquiry(&mut seat).within, Within::Knowledge);
    seat.keys("backspace backspace");
    assert_eq!(inquiry(&mut seat).text, "p");
    assert!(search(&seat).found.is_none() && search(&seat).asked.is_none(), "nothing is looked for any more");
    seat.keys("\"  \" backspace");
    assert_eq!(seat.asked(), []);
    seat.keys("\"x\" ctrl-u");
    assert_eq!(search(&seat).query, "");
}

#[test]
fn what_was_found_is_gone_through_and_a_file_is_read_in_full() {
    let mut seat = Seat::at_desk();
    found(&mut seat, vec![knowledge("a.md"), knowledge("b.md")]);
    around(&mut seat, "a.md");
    seat.keys("enter j");
    around(&mut seat, "b.md");
    assert_eq!((search(&seat).stage, search(&seat).selected), (SearchStage::Hits, 1));
    seat.keys("y");
    let copied = seat.effects.pop();
    let (text, what) = ("b.md, bytes 0-9".into(), "the citation".to_owned());
    assert_eq!(copied, Some(Effect::Copy { text, what }));
    seat.keys("enter down pgdn end");
    assert_eq!((search(&seat).stage, search(&seat).selected), (SearchStage::Passage, 1), "the keys go to its text");
    seat.keys("left");
    assert_eq!(search(&seat).stage, SearchStage::Hits);
    seat.keys("right esc esc");
    assert_eq!(search(&seat).stage, SearchStage::Query);
    seat.keys("tab tab tab shift-tab esc esc s");
    assert_eq!(search(&seat).query, "parks", "in the line it is a letter");
    seat.keys("esc");
    assert!(seat.model.overlays.is_empty());
    // It comes back as it was left, and looks again.
    seat.asked();
    seat.keys("L");
    assert_eq!(inquiry(&mut seat).text, "parks");
    assert_eq!(search(&seat).hits().len(), 2);
}

#[test]
fn a_hit_of_a_story_opens_it_at_the_passage() {
    let journal = at_gate();
    let source = journal.sources().remove(0);
    let words: String = source.text.chars().take(12).collect();
    let mut seat = Seat::at_desk();
    let gone = hit(Some("gone"), Tier::Source, "notes", "Gone.");
    found(&mut seat, vec![hit(Some("park"), Tier::Source, &source.name, &words), gone]);
    seat.keys("enter down enter");
    assert!(seat.state().contains("desk/gone is no longer on the desk"), "{}", seat.state());
    seat.asked();
    seat.keys("up enter");
    assert!(seat.asked().contains(&Request::Open(RunKey(1))));
    assert!(seat.model.overlays.is_empty());
    let (run, journal) = (listed("desk/park", "open"), Arc::new(journal));
    let opened = |seat: &Seat| News::Opened {
        ticket: Some(seat.ticket),
        key: RunKey(1),
        run: run.clone(),
        journal: Arc::clone(&journal),
        seq: 9,
    };
    let news = opened(&seat);
    seat.hear(news);
    let story = seat.model.story.as_ref().unwrap();
    assert_eq!(
        (story.tab, story.concerns.pane.name(), story.concerns.source_name.as_str()),
        (Tab::Concerns, "Source", source.name.as_str())
    );
    // The passages for the concern are found meanwhile; the shown one stays until another concern is selected.
    let concern = story.selected_concern().unwrap().id;
    let before = Arc::clone(story.concerns.source.text());
    seat.hear(News::Passage { key: RunKey(1), round: 1, concern, bearing: None });
    let story = seat.model.story.as_ref().unwrap();
    assert!(Arc::ptr_eq(&before, story.concerns.source.text()));
    seat.keys("J");
    assert!(!Arc::ptr_eq(&before, seat.model.story.as_ref().unwrap().concerns.source.text()));

    // From the story its own sources are a place, and an article opens on its page.
    seat.asked();
    seat.keys("L");
    inquiry(&mut seat);
    seat.keys("ctrl-o");
    let asked = inquiry(&mut seat);
    assert!(matches!(asked.within, Within::Sources { run: RunKey(1), .. }), "{asked:?}");
    bring(
        &mut seat,
        &asked,
        vec![
            hit(Some("park"), Tier::Article, "The park", "Nothing."),
            hit(Some("park"), Tier::Source, "notes", "Nothing."),
        ],
    );
    seat.keys("enter enter");
    let news = opened(&seat);
    // Tickets of what was asked meanwhile are not the story's.
    seat.asked();
    let news = match news {
        News::Opened { key, run, journal, seq, .. } => {
            News::Opened { ticket: seat.model.next.ticket, key, run, journal, seq }
        }
        other => other,
    };
    seat.hear(news);
    assert_eq!(seat.model.story.as_ref().unwrap().tab, Tab::Article);
    assert_eq!(seat.model.searched.as_ref().unwrap().scope, Scope::Sources);

    // A passage of an earlier run's source is in none of this one's.
    seat.keys("L");
    let asked = inquiry(&mut seat);
    bring(&mut seat, &asked, vec![hit(Some("park"), Tier::Source, "notes", "Nothing.")]);
    seat.keys("enter enter");
    let news = News::Opened {
        ticket: seat.model.next.ticket,
        key: RunKey(1),
        run: run.clone(),
        journal: Arc::clone(&journal),
        seq: 9,
    };
    seat.hear(news);
    assert!(seat.state().contains("The passage is from an earlier version"), "{}", seat.state());

    // Left from the story and opened on the desk: its sources are no place any more.
    seat.keys("L esc esc esc L");
    assert_eq!(search(&seat).scope, Scope::Everywhere);
}

#[test]
fn a_search_that_failed_is_asked_again_and_more_that_is_indexed_is_searched() {
    let mut seat = Seat::at_desk();
    found(&mut seat, vec![knowledge("a.md")]);
    seat.keys("\"s\"");
    seat.effects.drain(..seat.effects.len() - 1);
    let asked = inquiry(&mut seat);
    seat.hear(News::Found { ticket: asked.ticket, answer: Err(StoreError::Full { file: "copydesk.db".into() }) });
    assert_eq!(seat.asked(), [], "there is no passage to be read");
    seat.keys("enter");
    let again = inquiry(&mut seat);
    assert_eq!(again.text, "parks");
    bring(&mut seat, &again, vec![knowledge("a.md")]);
    seat.asked();
    let since = seat.model.now;
    let work = |kind, far| News::GoesOn(UnderWay { kind, since, far });
    let over = |kind| News::IsOver { kind, since };
    for news in [work(WorkKind::Files, None), over(WorkKind::Files), work(WorkKind::Files, Some((1, 2)))] {
        seat.hear(news);
        assert_eq!(seat.asked(), []);
    }
    seat.hear(over(WorkKind::Files));
    assert_eq!(inquiry(&mut seat).text, "parks");
    seat.hear(News::Stock(Stock { passages: 7, ..Stock::default() }));
    assert_eq!(search(&seat).stock.as_ref().unwrap().passages, 7);
    seat.keys("esc");
    seat.asked();
    // A closed search ignores the news.
    seat.hear(work(WorkKind::Vectors, Some((1, 2))));
    seat.hear(over(WorkKind::Vectors));
    bring(&mut seat, &again, vec![]);
    seat.hear(News::Stock(Stock::default()));
    seat.hear(News::Around { ticket: again.ticket, around: None });
    assert_eq!(seat.asked(), []);
}

#[test]
fn what_belongs_to_the_search_says_so_elsewhere() {
    let mut seat = Seat::at_desk();
    for action in ["where to search", "trusted only", "copy the citation"] {
        seat.keys(&format!("ctrl-p \"{action}\" enter"));
        assert!(seat.state().contains("open the search first"), "{action}: {}", seat.state());
    }
    seat.keys("L tab y left");
    assert_eq!(search(&seat).stage, SearchStage::Query, "nothing was found");
}

#[test]
fn a_query_of_the_last_time_is_found_again_until_another_is_typed() {
    let mut seat = Seat::at_desk();
    seat.keys("L \"park\"");
    let asked = seat.asked();
    assert_eq!(asked.len(), 5);
    seat.keys("esc L");
    assert_eq!(inquiry(&mut seat).text, "park");
    assert_eq!(search(&seat).query, "park");
    seat.keys("\"m\"");
    assert_eq!(inquiry(&mut seat).text, "m", "what is typed replaces it");
    seat.keys("\"ill\" esc L");
    seat.asked();
    seat.keys("backspace");
    assert_eq!(search(&seat).query, "", "so does taking it away");
    seat.keys("\"x\" esc L");
    seat.asked();
    update(&mut seat.model, Arrival::Paste("the mill".into()));
    assert_eq!(search(&seat).query, "the mill");
}

//! The Publisher between the gate and the sign-off: its notes, accepted or left, and its runs that are replayed.

use crate::support::newsroom::Newsroom;

const SOURCE: &str = "Council minutes\n\nThe Eastbrook Town Council voted 7-2 on Tuesday to renovate Miller Park. \
                      Ruth Voss came with a plan for the park, and the council heard her.\n";

const DRAFT: &str = "# Eastbrook council votes 7-2 to renovate Miller Park\n\n*The park*\n\n\
                     **The council voted 7-2 on Tuesday to renovate Miller Park in Eastbrook.**\n\n\
                     The Eastbrook Town Council voted 7-2 on Tuesday to renovate Miller Park.\n\n#### The plan\n\n\
                     Ruth Voss came w/ a plan for the park, and the council heard her.\n";

/// A story that waits for its sign-off.
fn at_sign_off(checks: bool) -> Newsroom {
    let newsroom = Newsroom::with(|yaml| yaml.replace("  checks: false", &format!("  checks: {checks}")));
    newsroom.write("park.txt", SOURCE.as_bytes());
    newsroom.write("draft.md", DRAFT.as_bytes());
    let done = newsroom.run(&["run", "--plain", "park.txt", "--draft", "draft.md"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let done = newsroom.run(&["decide", "park", "stet", "--reason", "It is right.", "--resume"]);
    assert_eq!(done.code, 0, "{}", done.err);
    newsroom
}

/// The notes of the first round, as the story's only run keeps them.
fn kept(newsroom: &Newsroom) -> Option<String> {
    let runs = std::fs::read_dir(newsroom.path().join("data/output/article_editor_runs/newsroom/park")).unwrap();
    let runs: Vec<_> = runs.map(|run| run.unwrap().path()).collect();
    assert_eq!(runs.len(), 1, "{runs:?}");
    std::fs::read_to_string(runs[0].join("iter1_publisher.json")).ok()
}

#[test]
fn what_the_publisher_notes_is_accepted_as_an_edit_and_replayed() {
    let newsroom = at_sign_off(true);
    let shown = newsroom.run(&["show", "park"]).out;
    let number = |shown: &str, about: &str| {
        let line = shown.lines().find(|line| line.contains("Publisher, note") && line.contains(about));
        let line = line.unwrap_or_else(|| panic!("{about}: {shown}")).trim();
        line.strip_prefix("Publisher, note ").unwrap().split(':').next().unwrap().to_owned()
    };
    let (heading, sign) = (number(&shown, "#### The plan"), number(&shown, "“w/”"));
    let refused = newsroom.run(&["decide", "park", "accept-note", "99"]);
    assert!(
        refused.code == 2 && refused.err.contains("the Publisher has no note 99: it has notes 1 to"),
        "{}",
        refused.err
    );

    let done = newsroom.run(&["decide", "park", "accept-note", &heading, &sign, "--resume"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let draft = newsroom.run(&["show", "park", "--draft"]).out;
    assert!(draft.contains("\n## The plan\n") && draft.contains("came with a plan"), "{draft}");
    let shown = newsroom.run(&["show", "park"]).out;
    assert!(!shown.contains("“w/”"), "the next draft is looked at anew: {shown}");
    let done = newsroom.run(&["decide", "park", "sign-off", "--resume"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(kept(&newsroom).unwrap().contains("#### The plan"));
    newsroom.ran(&["replay", "park", "--into", "again"]);
}

#[test]
fn a_newsroom_that_does_not_ask_the_publisher_has_no_step_and_says_so() {
    let newsroom = at_sign_off(false);
    assert!(!newsroom.run(&["show", "park"]).out.contains("Publisher"));
    let refused = newsroom.run(&["decide", "park", "accept-note", "1"]);
    assert!(refused.code == 2 && refused.err.contains("the Publisher has not looked at this draft"), "{}", refused.err);
    newsroom.run(&["decide", "park", "sign-off", "--resume"]);
    let refused = newsroom.run(&["decide", "park", "accept-note", "1"]);
    assert!(refused.code == 2 && refused.err.contains("does not wait for that"), "{}", refused.err);
    assert_eq!(kept(&newsroom), None);
}

//! A configuration of an earlier version: what the program says of it.

use crate::support::newsroom::Newsroom;

/// A key within a section, with its comment.
const LINKS: &str = "    # false: a link in this folder to a file outside it is left out. Otherwise anybody who can put files here could have\n    # any file of yours indexed. true: such a link is followed.\n    links_out_of_folder: false\n";

/// Without what this version brought.
fn older(yaml: &str) -> String {
    let tui = yaml.find("\n# The screen.\n").unwrap();
    yaml[..tui].replace(
        "  # Stories that a program works on at once; the others wait their turn. `run --auto --concurrency N` sets another number for a batch.\n  stories_at_once: 4\n",
        "",
    )
    .replace(LINKS, "")
}

#[test]
fn an_older_configuration_is_told_every_missing_key() {
    let newsroom = Newsroom::with(|yaml| older(&yaml));
    let done = newsroom.run(&["list"]);
    assert_eq!((done.code, done.out.as_str()), (2, ""), "{}", done.err);
    assert!(done.err.starts_with("the configuration has 10 problems:\n"), "{}", done.err);
    for key in [
        "article_generation.knowledge_base.links_out_of_folder",
        "desk.stories_at_once",
        "tui",
        "prices",
        "research",
        "reading",
        "tools",
        "mcp",
        "transcription",
        "observability",
    ] {
        assert!(done.err.contains(&format!(" {key}: is missing; ")), "{}", done.err);
    }
}

#[test]
fn the_doctor_tells_every_problem_of_the_keys_with_its_line() {
    let newsroom = Newsroom::with(|yaml| yaml.replace("keys: {}", "keys:\n    pallete: [ctrl-k]\n    quit: []"));
    let line = newsroom.read("config/config.yaml").lines().position(|line| line.contains("pallete")).unwrap() + 1;
    let done = newsroom.run(&["doctor"]);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(done.err.ends_with(" parts are fine, 1 needs attention.\n"), "{}", done.err);
    let told = done.out.lines().find(|line| line.starts_with("TO DO  keys")).expect("a line on keys");
    for says in [
        format!("config/config.yaml:{line}: tui.keys.pallete: is not an action; did you mean palette?"),
        format!("config/config.yaml:{}: tui.keys.quit: has no key", line + 1),
    ] {
        assert!(told.contains(&says), "{told}");
    }
}

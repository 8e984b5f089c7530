//! A configuration of an earlier version: what the program says, and what `doctor --add-keys` does.

use std::fs;

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
fn an_older_configuration_is_told_what_adds_the_missing_keys() {
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
    assert!(
        done.err.trim_end().ends_with(
            "`copydesk doctor --add-keys` adds the missing keys with their comments and leaves the rest as it is"
        ),
        "{}",
        done.err
    );
    // A file that lacks nothing is not told so.
    let wrong = Newsroom::with(|yaml| yaml.replace("theme: dark", "theme: pink"));
    assert!(!wrong.run(&["list"]).err.contains("--add-keys"));
}

#[test]
fn the_doctor_adds_missing_keys_and_keeps_the_file_as_it_was() {
    let newsroom = Newsroom::with(|yaml| older(&yaml).replace("max_retries: 1  ", "max_retries:   2"));
    let file = newsroom.path().join("config/config.yaml");
    let before = fs::read_to_string(&file).unwrap();
    private(&file);
    let done = newsroom.run(&["doctor", "--add-keys"]);
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
    assert!(
        done.err.contains(
            "Added to config/config.yaml: article_generation.knowledge_base.links_out_of_folder, desk.stories_at_once, tui, \
             prices, research, reading, tools, mcp, observability, transcription."
        ),
        "{}",
        done.err
    );
    let after = newsroom.read("config/config.yaml");
    assert!(after.contains("  # A bell when a story waits for you.\n  bell: true\n"), "{after}");
    assert!(after.contains("max_retries:   2"), "{after}");
    assert_eq!(newsroom.read("config/config.yaml.before-keys"), before);
    assert_private(&file);
    assert_private(&newsroom.path().join("config/config.yaml.before-keys"));
    assert_eq!(newsroom.run(&["list"]).code, 0);

    // Once more changes nothing, and the next time the older copy is not overwritten.
    let again = newsroom.run(&["doctor", "--add-keys"]);
    assert!(again.err.contains("has every key. Nothing was added"), "{}", again.err);
    assert_eq!(newsroom.read("config/config.yaml"), after);
    fs::write(&file, after.replace("  bell: true\n", "")).unwrap();
    assert_eq!(newsroom.run(&["doctor", "--add-keys"]).code, 0);
    assert_eq!(newsroom.read("config/config.yaml.before-keys"), before);
    assert!(!newsroom.read("config/config.yaml.before-keys2").contains("bell: true"));
}

#[test]
fn where_the_result_could_not_be_used_nothing_is_written() {
    for (change, says) in
        [("engine: magic", "article_generation.engine: must be one of offline"), ("engine: [", "this is not YAML")]
    {
        let newsroom = Newsroom::with(|yaml| older(&yaml).replace("engine: offline", change));
        let before = newsroom.read("config/config.yaml");
        let done = newsroom.run(&["doctor", "--add-keys"]);
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{}", done.err);
        assert!(done.err.contains(says), "{}", done.err);
        assert_eq!(newsroom.read("config/config.yaml"), before);
        assert!(!newsroom.path().join("config/config.yaml.before-keys").exists());
    }
    let newsroom = Newsroom::with(|yaml| {
        let desk = yaml.find("\nproof:\n").unwrap();
        let privacy = yaml.find("\nclaims:\n").unwrap();
        format!("{}\nproof: {{}}\n{}", &yaml[..desk], &yaml[privacy..])
    });
    let done = newsroom.run(&["doctor", "--add-keys"]);
    assert_eq!(done.code, 2, "{}", done.err);
    assert!(done.err.starts_with("proof.enabled, proof.second_opinion cannot be added because of"), "{}", done.err);
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

#[cfg(unix)]
fn private(file: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(file, fs::Permissions::from_mode(0o600)).unwrap();
}

#[cfg(unix)]
fn assert_private(file: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600, "{}", file.display());
}

#[cfg(not(unix))]
fn private(_: &std::path::Path) {}

#[cfg(not(unix))]
fn assert_private(_: &std::path::Path) {}

//! Commands and configurations that cannot be meant: exit code 2, what to do instead, and nothing begun.

use crate::support::newsroom::Newsroom;

#[test]
fn wrong_use_says_what_to_type_and_begins_nothing() {
    let newsroom = Newsroom::offline();
    newsroom.topic();
    newsroom.write("notes.odt", b"PK");
    newsroom.write("empty.txt", b"");
    newsroom.write("blank.md", b"# Only a headline\n");
    newsroom.write("noise.txt", &[0, 159, 146, 150]);
    newsroom.write("no-article.json", b"{\"headline\": \"A\"}");
    std::fs::create_dir(newsroom.path().join("empty")).unwrap();
    std::fs::create_dir(newsroom.path().join("notes")).unwrap();
    newsroom.write("notes/pool.txt", b"The pool opens.");
    std::os::unix::fs::symlink("round.json", newsroom.path().join("round.json")).unwrap();
    for (arguments, says) in [
        (
            "run park.json",
            "To decide every round by the verdicts alone, type: copydesk run --auto park.json (with --plain instead of --auto it stops \
             after each round for `copydesk decide`)",
        ),
        ("run", "<TOPIC>"),
        ("run --auto", "<TOPIC>"),
        ("run --auto nowhere.json", "there is no file or folder nowhere.json"),
        ("run --auto round.json", "there is no file or folder round.json"),
        ("run --auto park.json nowhere", "there is no file or folder nowhere"),
        ("run --auto empty", "the folder empty holds no topic (*.json)"),
        (
            "run --auto notes",
            "the folder notes holds no topic (*.json). Not begun, because they are not topics (.json): pool.txt. Each becomes a story \
             of its own with n on the desk, or with copydesk run notes/*.txt",
        ),
        ("run --auto notes.odt", "notes.odt is neither a topic (.json) nor a source (.txt, .md, .pdf, "),
        (
            "run --auto park.json park.json",
            "are both the story desk/park: two topics of one batch need different channels or slugs (nothing was started)",
        ),
        (
            "run --auto park.json empty.txt --draft blank.md",
            "--draft and --source belong to one topic, but 2 are named",
        ),
        ("run --auto park.json --draft nowhere.md", "nowhere.md cannot be read: No such file"),
        (
            "run --auto park.json --draft empty.txt",
            "the draft empty.txt: the draft is empty; it needs at least a headline and a paragraph",
        ),
        ("run --auto park.json --draft blank.md", "the draft blank.md: the draft has a headline but no text below it"),
        ("run --auto park.json --draft noise.txt", "the draft noise.txt: it is binary data, not text"),
        (
            "run --auto park.json --draft no-article.json",
            "the draft no-article.json: the draft is not an article in JSON: missing field",
        ),
        ("run --auto park.json --source empty.txt", "the source empty.txt: it is empty"),
        ("run --auto park.json --source noise.txt", "the source noise.txt: it is binary data, not text"),
        ("run --auto park.json --source empty", "the folder empty holds no document"),
        ("run --auto park.json --rush", "unexpected argument '--rush'"),
        ("run --plain --json park.json", "'--plain' cannot be used with '--json'"),
        ("--plain frob", "unrecognized subcommand 'frob'"),
        (
            "",
            "copydesk --plain, copydesk list, copydesk list --review, copydesk show STORY, copydesk decide STORY CHOICE;",
        ),
        ("frob", "unrecognized subcommand 'frob'"),
        (
            "--config nowhere.yaml list",
            "there is no configuration file nowhere.yaml; copydesk init --config nowhere.yaml writes one",
        ),
        ("--config empty list", "there is no configuration file empty"),
        ("init", "config.yaml exists. --force replaces it and keeps the old one beside it"),
    ] {
        let done = newsroom.run(&arguments.split_whitespace().collect::<Vec<_>>());
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{arguments}: {}", done.err);
        // What is to be typed repeats the word that lets a desk on a server be used.
        let told = done.err.replace("copydesk --trust ", "copydesk ");
        assert!(told.contains(says), "{arguments}: {told}");
        assert!(!newsroom.path().join("data").exists(), "{arguments}");
    }
    for command in ["show", "log"] {
        let done = newsroom.run(&[command, "nowhere"]);
        assert!(
            done.code == 2 && done.err.contains("There is no story or run nowhere. `copydesk list` lists"),
            "{}",
            done.err
        );
    }
}

#[test]
fn a_name_that_is_no_text_is_named_as_far_as_it_can_be() {
    use std::os::unix::ffi::OsStrExt as _;
    let newsroom = Newsroom::offline();
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.txt");
    std::fs::write(
        newsroom.path().join(name),
        "The council of Eastbrook voted seven to two on Tuesday, the mayor said.\n",
    )
    .unwrap();
    let output = newsroom.command(&["run"]).arg(name).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(newsroom.command(&["run", "--auto"]).arg(name).status().unwrap().success());
}

#[test]
fn a_wrong_configuration_lists_every_problem_with_file_line_key_and_what_belongs_there() {
    let newsroom = Newsroom::with(|yaml| {
        yaml.replace("engine: offline", "engine: magic")
            .replace("encoding: o200k_base", "encodng: o200k_base")
            .replace("editor: The editor", "editor:")
            .replace("    api_key: lm-studio                #", "    api_key: \"\" #")
            .replace("temperature: 0.7", "temperature: warm")
            .replace("max_retries: 1   ", "max_retries: -1 ")
            .replace("    specialist: 16", "    specialist: 0")
            .replace("local_only: true", "local_only: \"yes\"\n  telemetry: true")
    });
    let yaml = newsroom.read("config/config.yaml");
    let line = |text: &str| yaml.lines().position(|line| line.contains(text)).unwrap() + 1;
    for command in [&["list"][..], &["doctor"], &["resume"], &["run", "--auto", newsroom.topic().to_str().unwrap()]] {
        let done = newsroom.run(command);
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{command:?}: {}", done.err);
        assert!(done.err.starts_with("the configuration has 10 problems:\n"), "{}", done.err);
        for (at, says) in [
            (line("editor:"), "editor: must be a text"),
            (line("engine: magic"), "article_generation.engine: must be one of offline, llm, recorded"),
            (line("article_generation:"), "article_generation.encoding: is missing; the template has o200k_base"),
            (
                line("encodng"),
                "article_generation.encodng: is not a key of this section; its keys are engine, recording, encoding,",
            ),
            (line("api_key: \"\""), "article_generation.models.local.api_key: is empty"),
            (
                line("temperature: warm"),
                "article_generation.agents.writer_llm.temperature: must be a number from 0 to 2",
            ),
            (
                line("max_retries: -1"),
                "article_generation.models.local.max_retries: must be a whole number from 0 to 20",
            ),
            (line("specialist: 0"), "desk.pools.specialist: must be a whole number from 1 to 1000"),
            (line("  local_only: "), "privacy.local_only: must be true or false"),
            (
                line("telemetry"),
                "privacy.telemetry: is not a key of this section; its keys are local_only, passphrase_file",
            ),
        ] {
            let says = format!("config/config.yaml:{at}: {says}");
            assert!(done.err.contains(&says), "{says}: {}", done.err);
        }
    }
    assert!(!newsroom.path().join("data").exists());
}

#[test]
fn a_configuration_that_is_no_configuration_says_so() {
    let good = Newsroom::offline().read("config/config.yaml");
    let lines = "bcdefghij".chars().zip("abcdefghi".chars());
    let lines = lines.map(|(to, from)| format!("{to}: &{to} [{}]\n", vec![format!("*{from}"); 9].join(", ")));
    let bomb = ["a: &a [x, x, x, x, x, x, x, x, x]\n".to_owned()].into_iter().chain(lines).collect::<Vec<_>>().concat();
    for (bytes, says) in [
        (b"".to_vec(), "config/config.yaml:1: the file is empty or no list of keys"),
        (b"- a\n".to_vec(), "the file is empty or no list of keys"),
        (b"\xff\xfe".to_vec(), "cannot be read: stream did not contain valid UTF-8"),
        (
            good.replacen("  engine: offline", "\tengine: offline", 1).into_bytes(),
            "this is not YAML: found character that cannot start any token",
        ),
        (b"a: [1\nb: 2".to_vec(), "this is not YAML"),
        (
            format!("{good}\n---\n{good}").into_bytes(),
            "this is not YAML: deserializing from YAML containing more than one document",
        ),
        (
            // A parser would need minutes for it.
            "[".repeat(100_000).into_bytes(),
            "this is not YAML: brackets or lists are nested more than 200 deep at line 1; nobody writes that by hand",
        ),
        ("[".repeat(150).into_bytes(), "this is not YAML: recursion limit exceeded"),
        (bomb.into_bytes(), "this is not YAML: repetition limit exceeded"),
    ] {
        let newsroom = Newsroom::offline();
        newsroom.write("config/config.yaml", &bytes);
        let done = newsroom.run(&["list"]);
        assert!(done.code == 2 && done.err.contains(says), "{says}: {}", done.err);
    }
    for change in [|yaml: &str| format!("\u{feff}{yaml}"), |yaml: &str| yaml.replace('\n', "\r\n")] {
        let newsroom = Newsroom::with(|yaml| change(&yaml));
        assert_eq!(newsroom.run(&["list"]).code, 0, "a byte order mark and Windows line ends do no harm");
    }
}

#[test]
fn a_key_given_twice_is_reported_on_the_line_of_the_second() {
    let newsroom = Newsroom::with(|yaml| yaml + "database: ./other.db\n");
    let last = newsroom.read("config/config.yaml").lines().count();
    let done = newsroom.run(&["list"]);
    assert!(done.code == 2 && done.err.contains(&format!("config.yaml:{last}:")), "{}", done.err);
}

#[test]
fn prompts_and_styles_that_are_not_there_are_named_before_anything_is_spent() {
    let newsroom = Newsroom::at("http://127.0.0.1:1/v1");
    let topic = newsroom.topic();
    let yaml = newsroom.read("config/config.yaml");
    for (from, to, says) in [
        ("writer_prompt_file: writer.md", "writer_prompt_file: missing.md", "missing.md cannot be read"),
        ("specialists_dir: specialists", "specialists_dir: nobody", "nobody/fact_check.md cannot be read"),
        ("    - NATURE_NEWS", "    - TABLOID", "the style TABLOID of article_generation.allowed_styles needs the file"),
        (
            "    - NATURE_NEWS",
            "    - ../../etc/passwd",
            "allowed_styles: has \"../../etc/passwd\", which cannot be a file's name",
        ),
    ] {
        newsroom.write("config/config.yaml", yaml.replacen(from, to, 1).as_bytes());
        let done = newsroom.auto(&topic);
        assert!(done.code == 2 && done.err.contains(says), "{says}: {}", done.err);
        assert!(newsroom.runs().is_empty());
    }
}

#[cfg(not(feature = "mcp"))]
#[test]
fn a_build_without_mcp_says_so() {
    let done = Newsroom::offline().run(&["mcp", "editor"]);
    assert!(done.code == 2 && done.err.contains("built without MCP"), "{}", done.err);
}

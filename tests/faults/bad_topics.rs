//! Topics, sources, drafts, folders and configurations that cannot be used: one clear message each, and nothing beside.

use std::{
    os::unix::process::CommandExt as _,
    process::Stdio,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::support::newsroom::{Done, Newsroom, done};

fn topic(slug: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut topic = json!({
        "source_text": "The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park, the mayor said.",
        "source_metadata": {
            "source_file": "x.json", "channel_name": "desk", "video_id": "v", "video_title": "Minutes",
            "publish_date": null, "topic_slug": slug, "topic_title": "Council votes to renovate park"
        },
    });
    change(&mut topic);
    topic.to_string()
}

fn stories(newsroom: &Newsroom) -> Vec<String> {
    let files = newsroom.files().into_iter().map(|(name, _)| name);
    files.filter_map(|name| name.strip_prefix("data/output/articles/").map(str::to_owned)).collect()
}

/// Nothing was begun: no database, no folder, no file beside those that were there.
fn nothing_begun(newsroom: &Newsroom, done: &Done) {
    assert_eq!((done.code, done.out.as_str()), (2, ""), "{}", done.err);
    assert!(!newsroom.path().join("data").exists(), "{}", done.err);
}

fn has_escape(text: &str) -> bool {
    text.contains(|c: char| c.is_control() && c != '\n')
}

#[test]
fn each_field_that_is_missing_empty_or_of_a_wrong_type_is_named_with_what_belongs_there() {
    let newsroom = Newsroom::offline();
    let mut expected: Vec<(String, String)> = Vec::new();
    let mut add = |name: String, path: &str, value: Option<Value>, says: String| {
        let text = topic(&name, |topic| {
            let (inside, field) = path.rsplit_once('/').unwrap();
            let object = topic.pointer_mut(inside).unwrap().as_object_mut().unwrap();
            match value {
                Some(value) => drop(object.insert(field.to_owned(), value)),
                None => drop(object.remove(field)),
            }
        });
        newsroom.write(&format!("topics/{name}.json"), text.as_bytes());
        expected.push((name, says));
    };
    for field in ["source_file", "channel_name", "video_id", "video_title", "topic_slug", "topic_title", "publish_date"]
    {
        let path = format!("/source_metadata/{field}");
        let says = |what: &str| format!("source_metadata.{field} {what}");
        add(format!("no-{field}"), &path, None, says("is missing; it must be a"));
        add(format!("blank-{field}"), &path, Some(json!(" ")), says("is empty; it must be a"));
        add(format!("list-{field}"), &path, Some(json!([])), says("is a list; it must be a"));
        if field != "publish_date" {
            add(format!("null-{field}"), &path, Some(Value::Null), says("is null; it must be a"));
        }
    }
    for (name, path, value, says) in [
        ("no-source", "/source_text", None, "source_text is missing; it must be a non-empty string: the text that"),
        ("blank-source", "/source_text", Some(json!(" \n")), "source_text is empty; it must be a non-empty string"),
        ("number-source", "/source_text", Some(json!(7)), "source_text is a number; it must be a non-empty string"),
        ("no-metadata", "/source_metadata", None, "source_metadata is missing; it must be an object"),
        ("list-metadata", "/source_metadata", Some(json!([])), "source_metadata is a list; it must be an object"),
        (
            "style",
            "/style_mode",
            Some(json!("TABLOID")),
            "style_mode is \"TABLOID\"; the configuration allows NATURE_NEWS, SCIAM_MAGAZINE",
        ),
        (
            "style-case",
            "/style_mode",
            Some(json!("nature_news")),
            "style_mode is \"nature_news\"; the configuration allows",
        ),
        (
            "null-style",
            "/style_mode",
            Some(Value::Null),
            "style_mode is null; it must be a non-empty string, or left out",
        ),
        ("length", "/target_length_words", Some(json!(900)), "target_length_words is a number; it must be"),
        ("angle", "/optional_angle", Some(json!({})), "optional_angle is an object; it must be"),
        ("extra", "/styel_mode", Some(json!("x")), "styel_mode is not a field of a topic; the fields are source_text,"),
        ("extra-inside", "/source_metadata/url", Some(json!("x")), "source_metadata.url is not a field of a topic"),
    ] {
        add(name.to_owned(), path, value, says.to_owned());
    }
    let done = newsroom.run(&["run", "--auto", "--json", "topics"]);
    assert_eq!(done.code, 1, "{}", done.err);
    let events: Vec<Value> = done.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let closed = events.last().unwrap();
    assert_eq!(
        (&closed["event"], &closed["succeeded"], &closed["failed"]),
        (&json!("batch_closed"), &json!(0), &json!(expected.len()))
    );
    assert_eq!(closed["memory"]["look_ups"], json!(0));
    for (name, says) in expected {
        let file = format!("topics/{name}.json: ");
        let event = events.iter().find(|event| event["error"].as_str().is_some_and(|error| error.starts_with(&file)));
        let error = event.unwrap_or_else(|| panic!("{name}: {}", done.out))["error"].as_str().unwrap();
        assert!(error.contains(&says), "{name}: {error}");
        // A topic that still names its story leaves its canonical file.
        let named = !["channel_name", "topic_slug", "metadata"].iter().any(|field| name.ends_with(field));
        assert_eq!(newsroom.path().join(format!("data/output/articles/desk/{name}.json")).exists(), named, "{name}");
        if named {
            let result = newsroom.json(&format!("data/output/articles/desk/{name}.json"));
            assert_eq!((&result["success"], &result["error"]), (&json!(false), &json!(error)), "{name}");
        }
    }
}

#[test]
fn what_is_no_topic_at_all_says_so_and_the_rest_of_the_batch_goes_on() {
    let newsroom = Newsroom::offline();
    let bom = format!("\u{feff}{}", topic("bom", |_| {}).replace(",\"", ",\r\n\""));
    newsroom.write("in/a-good.json", bom.as_bytes());
    newsroom.write("in/z-good.json", topic("z-good", |_| {}).as_bytes());
    std::fs::create_dir(newsroom.path().join("in/folder.json")).unwrap();
    std::os::unix::fs::symlink("nowhere", newsroom.path().join("in/broken-link.json")).unwrap();
    let utf16: Vec<u8> = topic("x", |_| {}).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let cases: [(&str, Vec<u8>, &str); 10] = [
        ("prose.json", b"Dear editor,".to_vec(), "it is not JSON: look at line 1, column 1 (expected value"),
        ("half.json", topic("half", |_| {}).into_bytes()[..90].to_vec(), "it is not JSON: it ends in the middle"),
        ("void.json", vec![], "it is not JSON: it is empty"),
        ("space.json", b" \n\t\r\n".to_vec(), "it is not JSON: it is empty"),
        ("list.json", b"[{}]".to_vec(), "it is a list; a topic is an object with source_text and source_metadata"),
        ("text.json", b"\"source_text\"".to_vec(), "it is a string; a topic is an object"),
        ("deep.json", vec![b'['; 200_000], "it is not JSON: look at line 1, column 128 (recursion limit exceeded"),
        (
            "huge.json",
            b"{\"source_text\": 1e999}".to_vec(),
            "it is not JSON: look at line 1, column 21 (number out of range",
        ),
        ("latin.json", topic("x", |_| {}).replace("mayor", "maire \u{e9}lu").replace('é', "\0").into_bytes(), ""),
        (
            "utf16.json",
            [&b"\xff\xfe"[..], &utf16].concat(),
            "it is not UTF-8 text (first bad byte at offset 0): save it as UTF-8",
        ),
    ];
    for (name, bytes, _) in &cases {
        let latin = *name == "latin.json";
        let bytes: Vec<u8> = bytes.iter().map(|byte| if latin && *byte == 0 { 0xE9 } else { *byte }).collect();
        newsroom.write(&format!("in/{name}"), &bytes);
    }
    let done = newsroom.run(&["run", "--auto", "in"]);
    std::fs::remove_file(newsroom.path().join("in/broken-link.json")).unwrap();
    assert_eq!(done.code, 1, "{}", done.err);
    for (name, _, says) in &cases {
        let says = if says.is_empty() { "it is not UTF-8 text (first bad byte at offset " } else { *says };
        let line = done.err.lines().find(|line| line.contains(&format!("in/{name}: {says}")));
        assert!(line.is_some(), "{name}: {}", done.err);
    }
    // The topic in another encoding names its story in plain letters.
    let (named, by_file): (Vec<String>, Vec<String>) =
        stories(&newsroom).into_iter().partition(|story| story.starts_with("desk/"));
    assert_eq!(named, ["desk/bom.json", "desk/x.json", "desk/z-good.json"]);
    // Each of the others is on the desk by the name of its file.
    assert!(by_file.len() > 5 && by_file.iter().all(|story| story.starts_with("newsroom/")), "{by_file:?}");
    assert_eq!(newsroom.json("data/output/articles/desk/x.json")["success"], json!(false));
    let results: Vec<&str> = done.out.lines().filter(|line| line.contains("FACT SHEET")).collect();
    assert!(results.len() == 2 && done.out.matches("FAILED").count() == cases.len(), "{}", done.out);
}

#[test]
fn a_name_that_would_leave_its_folder_is_refused_and_makes_no_file() {
    let newsroom = Newsroom::offline();
    let long = "x".repeat(300);
    let names =
        ["../x", "..", "/tmp/copydesk-x", "a/b", "a\\b", "a\0b", "CON", "con.txt", "lpt1", "C:x", "x.", " x", &long];
    for (index, name) in names.iter().enumerate() {
        for field in ["channel_name", "topic_slug"] {
            let text = topic("x", |topic| topic["source_metadata"][field] = json!(name));
            newsroom.write(&format!("in/{index}-{field}.json"), text.as_bytes());
        }
    }
    let before = newsroom.files();
    let done = newsroom.run(&["run", "--auto", "in"]);
    assert_eq!(done.code, 1, "{}", done.err);
    for index in 0..names.len() {
        for field in ["channel_name", "topic_slug"] {
            let says = format!("in/{index}-{field}.json: source_metadata.{field} ");
            assert!(done.err.contains(&says), "{says}: {}", done.err);
        }
    }
    assert!(done.err.contains("is 300 bytes long; 120 at most") && done.err.contains("Windows reserves (con)"));
    assert!(!has_escape(&done.err) && !has_escape(&done.out));
    let new: Vec<String> = newsroom
        .files()
        .into_iter()
        .map(|(name, _)| name)
        .filter(|name| before.iter().all(|(known, _)| known != name))
        .collect();
    // Each is on the desk as a failed story that has the name of its file.
    let own = [
        "data/copydesk.db",
        "data/locks/",
        "data/output/articles/newsroom/",
        "data/output/article_editor_runs/newsroom/",
    ];
    assert!(new.iter().all(|name| own.iter().any(|own| name.starts_with(own))), "{new:?}");
    let plain = |name: &String| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte));
    assert!(new.iter().all(|name| plain(name) && !name.contains("..") && name.len() < 120), "{new:?}");
    for bad in ["../x", "/x", "CON", "", &long] {
        let done = newsroom.run(&["run", "--auto", "in", "--channel", bad]);
        assert!(done.code == 2 && done.err.starts_with("--channel "), "{bad}: {}", done.err);
    }
}

#[test]
fn two_topics_of_one_story_are_refused_before_anything_begins() {
    let newsroom = Newsroom::offline();
    newsroom.write("in/a.json", topic("park", |_| {}).as_bytes());
    newsroom
        .write("in/b.json", topic("PARK", |topic| topic["source_metadata"]["channel_name"] = json!("Desk")).as_bytes());
    let done = newsroom.run(&["run", "--auto", "in"]);
    nothing_begun(&newsroom, &done);
    assert!(done.err.contains("in/a.json and in/b.json are both the story Desk/PARK"), "{}", done.err);
}

#[test]
fn a_wrong_topic_does_not_replace_the_article_of_a_good_one_in_the_same_batch() {
    let newsroom = Newsroom::offline();
    newsroom.write("in/a.json", topic("park", |_| {}).as_bytes());
    newsroom.write("in/b.json", topic("park", |topic| topic["source_text"] = json!("")).as_bytes());
    nothing_begun(&newsroom, &newsroom.run(&["run", "--auto", "in"]));
}

#[test]
fn a_source_of_fifty_megabytes_is_refused_unread_and_an_empty_one_as_well() {
    let newsroom = Newsroom::offline();
    let paragraph = "The council of Eastbrook voted seven to two on Tuesday.\n".repeat(1 << 14);
    newsroom.write("large.txt", paragraph.repeat((50 << 20) / paragraph.len() + 1).as_bytes());
    newsroom.write("large.json", topic("large", |topic| topic["source_text"] = json!("x".repeat(17 << 20))).as_bytes());
    for (name, bytes) in
        [("empty.txt", ""), ("space.md", " \n\r\n "), ("bom.txt", "\u{feff}"), ("heading.md", "#\n\n##\n")]
    {
        newsroom.write(name, bytes.as_bytes());
    }
    // Larger than the memory that the program is given.
    std::fs::File::create(newsroom.path().join("sparse.txt")).unwrap().set_len(1 << 36).unwrap();
    let arguments = "run --auto large.txt large.json sparse.txt empty.txt space.md bom.txt heading.md";
    let mut command = std::process::Command::new("sh");
    let script = format!("ulimit -v 2000000; exec {} {arguments}", env!("CARGO_BIN_EXE_copydesk"));
    let done = done(command.args(["-c", &script]).current_dir(newsroom.path()).output().unwrap());
    assert_eq!(done.code, 1, "{}", done.err);
    for says in [
        "large.txt: it is 50 MB; a source may have 16 MB at most: split it",
        "large.json: it is 17 MB; a source may have 16 MB at most",
        "sparse.txt: it is 65536 MB; a source may have 16 MB at most",
        "empty.txt: it is empty; a source needs text",
        "space.md: it is empty; a source needs text",
        "bom.txt: it is empty; a source needs text",
        "heading.md: it is empty; a source needs text",
    ] {
        assert!(done.err.contains(says), "{says}: {}", done.err);
    }
    for name in ["empty", "space", "bom", "heading", "large", "sparse"] {
        let result = newsroom.json(&format!("data/output/articles/newsroom/{name}.json"));
        assert_eq!((&result["success"], &result["article"]), (&json!(false), &Value::Null));
    }
}

#[test]
fn escapes_written_as_json_escapes_reach_neither_article_nor_screen() {
    let hostile = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{202e}";
    let newsroom = Newsroom::offline();
    let text = format!("The council of {hostile}Eastbrook voted seven to two on Tuesday to renovate Miller Park.");
    newsroom.write(
        "a.json",
        topic("a", |topic| {
            topic["source_text"] = json!(text);
            topic["source_metadata"]["publish_date"] = json!(format!("2026{hostile}"));
            topic["source_metadata"]["source_file"] = json!(format!("x{hostile}.json"));
        })
        .as_bytes(),
    );
    let draft = json!({"headline": format!("Vote{hostile}"), "alternativeHeadline": "B", "articleBody": text, "description": "D"});
    newsroom.write("draft.json", draft.to_string().as_bytes());
    for arguments in [&["run", "--auto", "a.json"][..], &["run", "--auto", "a.json", "--draft", "draft.json"]] {
        let done = newsroom.run(arguments);
        assert!(!has_escape(&done.out) && !has_escape(&done.err), "{:?}", done.err);
        let canonical = newsroom.read("data/output/articles/desk/a.json");
        assert!(!canonical.contains("\\u001b") && !canonical.contains("owned"), "{canonical}");
    }
}

#[test]
fn escapes_in_a_files_name_reach_no_screen() {
    let newsroom = Newsroom::offline();
    newsroom.write("in/\u{1b}]0;owned\u{7}\u{1b}[2J.json", b"{");
    newsroom.write("data/knowledgebase/\u{1b}[2J.txt", b"\xff");
    let done = newsroom.run(&["run", "--auto", "in"]);
    assert!(!has_escape(&done.out) && !has_escape(&done.err), "{:?} {:?}", done.out, done.err);
}

#[test]
fn text_that_is_none_once_it_is_cleaned_is_empty() {
    for (field, hidden) in [
        ("source_text", "\0\0"),
        ("source_text", "\u{1b}[0m"),
        ("source_text", "\u{200b}\u{200b}"),
        ("topic_title", "\u{1b}[0m"),
    ] {
        let newsroom = Newsroom::offline();
        newsroom.write(
            "a.json",
            topic("a", |topic| match field {
                "source_text" => topic[field] = json!(hidden),
                _ => topic["source_metadata"][field] = json!(hidden),
            })
            .as_bytes(),
        );
        let done = newsroom.run(&["run", "--auto", "a.json"]);
        assert!(done.code == 1 && done.err.contains(&format!("{field} is empty")), "{field} {hidden:?}: {}", done.err);
    }
}

#[test]
fn an_article_without_a_word_is_no_success() {
    let newsroom = Newsroom::offline();
    newsroom.write("a.json", topic("a", |topic| topic["source_text"] = json!("Yes. No. And so on.")).as_bytes());
    let done = newsroom.run(&["run", "--auto", "a.json"]);
    assert_eq!(done.code, 1, "{}", newsroom.read("data/output/articles/desk/a.json"));
}

#[test]
fn a_draft_in_json_needs_its_fields_filled() {
    for field in ["headline", "articleBody"] {
        let newsroom = Newsroom::offline();
        let mut draft = json!({"headline": "A", "alternativeHeadline": "B", "articleBody": "The council voted.", "description": "D"});
        draft[field] = json!(" ");
        newsroom.write("draft.json", draft.to_string().as_bytes());
        let done = newsroom.run(&["run", "--auto", newsroom.topic().to_str().unwrap(), "--draft", "draft.json"]);
        nothing_begun(&newsroom, &done);
    }
}

#[test]
fn a_pipe_that_nobody_writes_to_is_not_waited_for() {
    let newsroom = Newsroom::offline();
    let pipe = newsroom.path().join("topic.json");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut child =
        newsroom.command(&["run", "--auto", "topic.json"]).stdout(Stdio::null()).process_group(0).spawn().unwrap();
    let began = Instant::now();
    // However slow the machine is: who waits for the pipe waits for ever.
    while child.try_wait().unwrap().is_none() && began.elapsed() < Duration::from_mins(1) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let waiting = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    assert!(!waiting && child.wait().unwrap().code() == Some(2));
}

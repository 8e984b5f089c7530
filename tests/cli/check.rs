//! A person's own draft against its sources: the real binary, no configuration, no network.

use serde_json::Value;

use crate::support::newsroom::Newsroom;

const NOTES: &str = "Inez Calloway spoke in favor of the ramp. \"I can get to the gate,\" she said. \"In eleven years I have not once \
                     got to the pond.\"\n\nThe council voted on Tuesday to spend $1.8 million on the park, which opened in 1958. \
                     Dennis Pruitt said the work may begin in spring.\n";

const CLEAN: &str = "# Council votes for a ramp at the park\n\nThe council voted on Tuesday to spend $1.8 million on the park, which \
                     opened in 1958.\n\n“In eleven years I have not once got to the pond,” Inez Calloway said.\n";

const FAULTY: &str = "# Council votes for a ramp at the park\n\nThe council voted on Tuesday to spend $2.8 million on the park, which \
                      opened in 1958.\n\n“In eleven years I have only once got to the pond,” Inez Calloway said.\n";

/// A desk without grammar: its word list takes seconds to load in a build for tests, and a run loads it anew.
fn desk(draft: &str) -> Newsroom {
    desk_of(draft, Newsroom::with(|yaml| yaml.replace("grammar: true", "grammar: false")))
}

fn desk_of(draft: &str, newsroom: Newsroom) -> Newsroom {
    newsroom.write("draft.md", draft.as_bytes());
    newsroom.write("notes.txt", NOTES.as_bytes());
    newsroom
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_draft_that_its_sources_carry_is_clean() {
    let newsroom = desk(CLEAN);
    let checked = newsroom.run(&["check", "draft.md", "--source", "notes.txt", "--all"]);
    assert_eq!((checked.code, checked.err.as_str()), (0, ""), "{}", checked.out);
    assert!(
        checked.out.starts_with("0 findings. ") && checked.out.ends_with("\nFindings\n  none\n"),
        "{}",
        checked.out
    );
    assert!(checked.out.contains("MATCHES number “$1.8 million” notes.txt, line 3"), "{}", checked.out);
    assert!(checked.out.contains("MATCHES date “1958” notes.txt, line 3"), "{}", checked.out);
    assert!(checked.out.contains("MATCHES name “Inez Calloway” notes.txt, line 1"), "{}", checked.out);
    assert!(!checked.out.contains("name “The”"), "{}", checked.out);
    assert!(
        checked.out.contains("VERBATIM quotation “In eleven years I have not once got to the pond,”"),
        "{}",
        checked.out
    );
}

#[test]
fn who_asks_for_every_doubt_gets_the_notes_too_and_each_rule_says_how_often_it_was_right() {
    let newsroom = desk(CLEAN);
    let body = "The council voted on Tuesday to spend $1.8 million on the park , a significant milestone.";
    newsroom.write("draft.md", format!("# Council votes for a ramp at the park\n\n{body}\n").as_bytes());
    let check = |level: &[&str]| newsroom.run(&[&["check", "draft.md", "--source", "notes.txt"], level].concat());
    let (usual, every) = (check(&[]), check(&["--level", "note", "--verbose"]));
    assert!(!check(&["--level", "note"]).out.contains("rule comment.judged"), "a rule is shown to who asks for it");
    assert_eq!((usual.code, every.code), (0, 1), "{}{}", usual.out, every.out);
    let rule = copydesk::proof::rules().find(|rule| rule.name == "comment.judged").unwrap();
    let counted = rule.measured.as_ref().unwrap();
    let told = format!("  rule comment.judged: right {} of {} times (on 1,487 summaries", counted.right, counted.of);
    assert!(every.out.contains(&told), "{}", every.out);
    assert_eq!(check(&["--level", "some"]).code, 2);
}

#[test]
fn each_span_that_differs_is_a_row_with_its_passage() {
    let newsroom = desk(FAULTY);
    let checked = newsroom.run(&["check", "draft.md", "--source", "notes.txt", "--json"]);
    assert_eq!(checked.code, 1, "{}{}", checked.out, checked.err);
    let told = json(&checked.out);
    let rows = told["ledger"].as_array().unwrap();
    let findings = told["findings"].as_array().unwrap();
    let statuses: Vec<(&str, &str)> =
        findings.iter().map(|row| (row["kind"].as_str().unwrap(), row["status"].as_str().unwrap())).collect();
    assert_eq!(statuses, [("number", "CONTRADICTED"), ("quotation", "ALTERED")]);
    // Clean text has no concern; each span fits its text, in the draft and in the source.
    let body = FAULTY.split_once("\n\n").unwrap().1.trim_end();
    for row in rows {
        assert_eq!(row["concern_type"].is_null(), !findings.contains(row), "{row}");
        let byte = |place: &Value| usize::try_from(place.as_u64().unwrap()).unwrap();
        let span = |span: &Value| byte(&span[0])..byte(&span[1]);
        if row["field"] == "articleBody" {
            assert_eq!(body.get(span(&row["span"])), row["text"].as_str(), "{row}");
        }
        let passage = &row["passage"];
        if !passage.is_null() {
            assert_eq!(NOTES.get(span(&passage["span"])), passage["text"].as_str(), "{row}");
            assert_eq!(passage["source"], "notes.txt");
        }
    }
    let total = told["coverage"]["total"].as_u64().unwrap();
    assert_eq!(total, rows.len() as u64);
    let unchecked = rows.iter().filter(|row| row["status"] == "UNCHECKED").count() as u64;
    assert_eq!(told["coverage"]["checked"].as_u64(), Some(total - unchecked));
    let lines = newsroom.run(&["check", "draft.md", "--source", "notes.txt"]).out;
    assert!(lines.contains("ALTERED quotation “In eleven years I have "), "{lines}");
    assert!(lines.contains("[-only-]{+not+}"), "{lines}");
    assert!(lines.contains("2 findings. "), "{lines}");
}

#[test]
fn the_findings_come_last_and_what_stands_in_order_is_counted_unless_all_is_asked_for() {
    let newsroom = desk(FAULTY);
    let check = |more: &[&str]| newsroom.run(&[&["check", "draft.md", "--source", "notes.txt"], more].concat()).out;
    let (usual, all) = (check(&[]), check(&["--all"]));
    let lines: Vec<&str> = usual.lines().collect();
    assert!(lines[0].starts_with("2 findings. ") && lines[0].contains("Checked "), "{usual}");
    assert!(lines[1].starts_with("  --all lists the ") && lines[1].ends_with(" without a finding"), "{usual}");
    let last = |text: &str| text.split_once("\nFindings\n").unwrap().1.to_owned();
    let told: Vec<String> = last(&usual).lines().filter(|line| !line.contains(": right ")).map(str::to_owned).collect();
    assert_eq!(
        told,
        [
            "body, line 3: CONTRADICTED number “$2.8 million”. The source has $1.8 million here (notes.txt, line 3).",
            "",
            "body, line 5: ALTERED quotation “In eleven years I have [-only-]{+not+} once got to the pond[-,-]” (notes.txt, line 1)",
        ]
    );
    assert!(!usual.contains("MATCHES") && all.contains("\nNo finding\n  ") && last(&all) == last(&usual), "{all}");
    assert!(all.find("MATCHES").unwrap() < all.find("\nHouse style\n").unwrap(), "{all}");
    assert!(all.find("\nHouse style\n").unwrap() < all.find("\nFindings\n").unwrap(), "{all}");
    assert_eq!(newsroom.run(&["check", "draft.md", "--source", "notes.txt", "--all", "--json"]).code, 2);
}

#[test]
fn a_folder_of_sources_and_a_draft_of_one_paragraph_are_read() {
    let newsroom = desk("The council voted on Tuesday to spend $1.8 million on the park.");
    let folder = newsroom.path().join("sources");
    std::fs::create_dir(&folder).unwrap();
    std::fs::rename(newsroom.path().join("notes.txt"), folder.join("notes.txt")).unwrap();
    std::fs::write(folder.join("picture.jpg"), [0xFF, 0xD8]).unwrap();
    let checked = newsroom.run(&["check", "draft.md", "--source", "sources"]);
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
}

#[test]
fn what_cannot_be_checked_says_what_is_wrong() {
    let newsroom = desk(CLEAN);
    newsroom.write("empty.txt", b" \n");
    newsroom.write("empty.md", b"");
    newsroom.write("binary.txt", &[0, 159, 146, 150]);
    std::fs::create_dir(newsroom.path().join("nothing")).unwrap();
    for (arguments, says) in [
        (["check", "draft.md", "--source", "missing.txt"], "the source missing.txt: "),
        (["check", "draft.md", "--source", "empty.txt"], "the source empty.txt: it is empty"),
        (["check", "draft.md", "--source", "binary.txt"], "the source binary.txt: "),
        (["check", "draft.md", "--source", "nothing"], "the folder nothing holds no document (.txt, .md, .pdf, "),
        (["check", "missing.md", "--source", "notes.txt"], "the draft missing.md: "),
        (["check", "empty.md", "--source", "notes.txt"], "the draft empty.md: "),
    ] {
        let checked = newsroom.run(&arguments);
        assert_eq!((checked.code, checked.out.as_str()), (2, ""), "{arguments:?} {}", checked.err);
        assert!(checked.err.contains(says), "{arguments:?}: {}", checked.err);
    }
    let checked = newsroom.run(&["check", "draft.md"]);
    assert_eq!(checked.code, 2);
    assert!(checked.err.contains("no sources belong to draft.md. Name them: with --source"), "{}", checked.err);
}

/// A rule of a newsroom's own.
const RULE: &str =
    "# Why.\nextends: substitution\nmessage: \"Write '%s' for '%s'.\"\nlevel: error\nswap:\n  opened: began\n";

#[test]
fn house_style_is_noted_and_changes_no_exit_code() {
    let newsroom = desk(
        &CLEAN.replace("The council voted on Tuesday", "In order to begin, the council very nearly voted on Tuesday"),
    );
    let checked = newsroom.run(&["check", "draft.md", "--source", "notes.txt", "--json"]);
    let told = json(&checked.out);
    let notes = told["style"].as_array().unwrap();
    let rules: Vec<(&str, &str)> =
        notes.iter().map(|note| (note["rule"].as_str().unwrap(), note["text"].as_str().unwrap())).collect();
    assert_eq!(rules, [("Copydesk.Wordy", "In order to"), ("Copydesk.Intensifier", "very")]);
    assert_eq!(
        notes[0],
        serde_json::json!({
            "rule": "Copydesk.Wordy", "level": "suggestion", "message": "“To” is shorter than “In order to”.",
            "field": "articleBody", "span": [0, 11], "text": "In order to", "replacement": "To",
        })
    );
    let readability = &told["readability"];
    assert_eq!(readability["measured_as"], "textstat 0.7.13");
    assert!(
        readability["flesch_reading_ease"].is_f64() && readability["flesch_kincaid_grade"].is_f64(),
        "{readability}"
    );
    let without = newsroom.run(&["check", "draft.md", "--source", "notes.txt", "--json", "--no-style"]);
    assert_eq!(without.code, checked.code, "{}", checked.out);
    let told = json(&without.out);
    assert_eq!((told["style"].clone(), told["readability"].clone()), (serde_json::json!([]), Value::Null));
    let lines = newsroom.run(&["check", "draft.md", "--source", "notes.txt"]).out;
    assert!(
        lines.contains("\nHouse style\n  suggestion Copydesk.Wordy: “To” is shorter than “In order to”. “In order to” → “To” (body, line 3)\n"),
        "{lines}"
    );
    assert!(lines.contains("\n2 notes\nReadability: Flesch Reading Ease "), "{lines}");
}

#[test]
fn grammar_and_spelling_are_noted_where_the_configuration_wants_them() {
    let draft = CLEAN.replace("The council voted", "An university saw the counncil vote; it voted");
    let rules = |newsroom: &Newsroom| {
        let checked = newsroom.run(&["check", "draft.md", "--source", "notes.txt", "--json"]);
        json(&checked.out)["style"].as_array().unwrap().iter().map(|note| note["rule"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(rules(&desk_of(&draft, Newsroom::offline())), ["Grammar.AnA", "Spelling.Unknown"]);
    assert_eq!(rules(&desk(&draft)), [] as [&str; 0]);
}

#[test]
fn a_newsrooms_own_style_takes_the_place_of_the_desks() {
    let newsroom = desk(CLEAN);
    std::fs::create_dir_all(newsroom.path().join("styles/House")).unwrap();
    newsroom.write("styles/House/Words.yml", RULE.as_bytes());
    newsroom.write("styles/House/Tagged.yml", b"extends: sequence\nmessage: m\n");
    newsroom.write("styles/House/meta.json", b"{}");
    let rules = |checked: &crate::support::newsroom::Done| {
        json(&checked.out)["style"].as_array().unwrap().iter().map(|note| note["rule"].clone()).collect::<Vec<_>>()
    };
    for folder in ["styles", "styles/House"] {
        let checked = newsroom.run(&["check", "draft.md", "--source", "notes.txt", "--json", "--style", folder]);
        assert_eq!((checked.code, rules(&checked)), (0, vec!["House.Words".into()]), "{}", checked.err);
        assert!(
            checked.err.starts_with("House/Tagged.yml:1: the rule is left out, as it extends sequence: "),
            "{}",
            checked.err
        );
    }
    // The configuration names it for good.
    let config = newsroom.read("config/config.yaml").replace("folders: null", "folders: [styles/House]");
    newsroom.write("config/config.yaml", config.as_bytes());
    let checked = newsroom.run(&["check", "draft.md", "--source", "notes.txt", "--json"]);
    assert_eq!((checked.code, rules(&checked)), (0, vec!["House.Words".into()]), "{}", checked.err);
    // A configuration that cannot be used is passed over, unless it was asked for.
    newsroom.write("config/config.yaml", b"style: [");
    let checked = newsroom.run(&["check", "draft.md", "--source", "notes.txt", "--json"]);
    assert_eq!((checked.code, rules(&checked)), (0, vec![]), "{}", checked.err);
    assert!(checked.err.starts_with("Using the built-in house style, because config/config.yaml: "), "{}", checked.err);
    let checked = newsroom.run(&["check", "draft.md", "--source", "notes.txt", "--config", "config/config.yaml"]);
    assert_eq!((checked.code, checked.out.as_str()), (2, ""), "{}", checked.err);
}

#[test]
fn every_problem_of_a_style_is_told_at_once() {
    let newsroom = desk(CLEAN);
    std::fs::create_dir_all(newsroom.path().join("House")).unwrap();
    std::fs::create_dir_all(newsroom.path().join("empty")).unwrap();
    std::fs::create_dir_all(newsroom.path().join("bytes")).unwrap();
    newsroom.write("House/One.yml", b"extends: existance\n");
    newsroom.write("House/Two.yml", b"extends: existence\nmessage: m\ntokens:\n  - a(\n");
    let checked = newsroom.run(&["check", "draft.md", "--source", "notes.txt", "--style", "House"]);
    assert_eq!((checked.code, checked.out.as_str()), (2, ""), "{}", checked.err);
    let lines: Vec<&str> = checked.err.lines().collect();
    assert_eq!(lines.first(), Some(&"the style House has 2 problems:"));
    assert!(lines[1].starts_with("  House/One.yml:1: extends is \"existance\"; one of existence, "), "{}", checked.err);
    assert!(lines[2].starts_with("  House/Two.yml:4: \"a(\" is no pattern: "), "{}", checked.err);
    // One that is a rule is enough for a check, and house style changes no exit code.
    newsroom.write("House/Three.yml", RULE.as_bytes());
    newsroom.write("House/Bytes.yml", b"extends: \xFF\n");
    newsroom.write("House/Four.yml", format!("{RULE}future_key: 1\n").as_bytes());
    let checked = newsroom.run(&["check", "draft.md", "--source", "notes.txt", "--json", "--style", "House"]);
    assert_eq!(checked.code, 0, "{}", checked.err);
    assert_eq!(json(&checked.out)["style"][0]["rule"], "House.Three", "{}", checked.out);
    let lines: Vec<&str> = checked.err.lines().skip(1).collect();
    assert!(checked.err.starts_with("House/Bytes.yml: the rule is left out: "), "{}", checked.err);
    assert!(lines[0].starts_with("House/Four.yml:7: the rule is left out: future_key is no key "), "{}", checked.err);
    assert!(
        lines[1].starts_with("House/One.yml:1: the rule is left out: extends is \"existance\"; "),
        "{}",
        checked.err
    );
    assert!(lines[2].starts_with("House/Two.yml:4: the rule is left out: \"a(\" is no pattern: "), "{}", checked.err);
    newsroom.write("bytes/Bytes.yml", b"extends: \xFF\n");
    for (folder, says) in [
        ("empty", "the style empty holds no rule (.yml)"),
        ("bytes", "the style bytes holds no rule that can be read"),
        ("missing", "the style missing cannot be read: "),
    ] {
        let checked = newsroom.run(&["check", "draft.md", "--source", "notes.txt", "--style", folder]);
        assert!(checked.code == 2 && checked.err.contains(says), "{}", checked.err);
    }
}

//! `pipeline`, `ablation` and `all`: tables that can be computed again, and evaluations that are stopped and go on.

use std::{
    fs,
    path::PathBuf,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    cells, rows,
    support::{
        erring,
        newsroom::{Newsroom, repository},
        script,
        server::{NOBODY, Reply, Server},
    },
};

/// Topics of the samples, in the folder `topics`.
fn with_topics(newsroom: &Newsroom, names: &[&str]) {
    for name in names {
        let file = repository().join(format!("assets/topics/{name}.json"));
        newsroom.write(&format!("topics/{name}.json"), &fs::read(file).unwrap());
    }
}

fn units(newsroom: &Newsroom, name: &str) -> Vec<String> {
    newsroom.read(&format!("out/{name}.units.jsonl")).lines().skip(1).map(str::to_owned).collect()
}

/// Computes every figure of the files again, by another program.
fn recomputed(newsroom: &Newsroom, names: &[&str]) {
    let script = repository().join(".ci/recompute.py");
    let files: Vec<PathBuf> = names.iter().map(|name| newsroom.path().join(format!("out/{name}.json"))).collect();
    let Ok(done) = Command::new("python3").arg(&script).args(&files).output() else {
        println!("python3 is not here: no figure was computed again");
        return;
    };
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(said.lines().count(), names.len(), "{said}");
    // A figure that is changed afterwards is found, and so is a table, a row or a column that is missing.
    let changed: Vec<PathBuf> = files
        .iter()
        .zip(names)
        .flat_map(|(file, name)| {
            let told: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
            let write = |(at, one): (usize, Value)| {
                newsroom.write(&format!("changed/{name}-{at}.json"), one.to_string().as_bytes())
            };
            spoiled(&told).into_iter().enumerate().map(write).collect::<Vec<_>>()
        })
        .collect();
    let done = Command::new("python3").arg(script).args(&changed).output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    let agrees: Vec<&str> = said.lines().filter(|line| line.ends_with(", 0 differ")).collect();
    assert!(
        agrees.is_empty() && done.status.code() == Some(1),
        "{agrees:#?}\n{}",
        String::from_utf8_lossy(&done.stderr)
    );
    assert_eq!(said.lines().filter(|line| line.contains("figures computed again")).count(), changed.len(), "{said}");
}

/// An evaluation with one thing wrong in each: a figure, a row or a table that is missing, a way that is.
fn spoiled(told: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    let mut add = |change: &dyn Fn(&mut Value)| {
        let mut one = told.clone();
        change(&mut one);
        all.push(one);
    };
    for (at, table) in told["tables"].as_array().unwrap().iter().enumerate() {
        add(&|one| drop(one["tables"].as_array_mut().unwrap().remove(at)));
        let rows = table["rows"].as_array().unwrap();
        for row in [0, rows.len().saturating_sub(1)].into_iter().filter(|row| *row < rows.len()) {
            add(&|one| drop(one["tables"][at]["rows"].as_array_mut().unwrap().remove(row)));
        }
        // The first figure of each kind.
        for (kind, field) in
            [("number", "value"), ("chance", "value"), ("mean", "mean"), ("share", "share"), ("share", "low")]
        {
            let cells = rows.iter().flat_map(|row| row["cells"].as_array().unwrap());
            let Some(found) = cells.into_iter().position(|cell| cell["kind"] == kind) else { continue };
            add(&|one| {
                let rows = one["tables"][at]["rows"].as_array_mut().unwrap();
                let cells = rows.iter_mut().flat_map(|row| row["cells"].as_array_mut().unwrap());
                let cell = cells.into_iter().nth(found).unwrap();
                let value = cell[field].as_f64().unwrap();
                cell[field] = json!(value + 0.000_1 * value.abs().max(1.0));
            });
        }
        if ["stories", "repetitions", "load"].contains(&table["key"].as_str().unwrap()) {
            add(&|one| {
                let table = &mut one["tables"][at];
                table["columns"].as_array_mut().unwrap().remove(0);
                table["rows"]
                    .as_array_mut()
                    .unwrap()
                    .iter_mut()
                    .for_each(|row| drop(row["cells"].as_array_mut().unwrap().remove(0)));
            });
        }
    }
    all
}

const PIPELINE: [&str; 5] = ["pipeline", "--topics", "topics", "--out", "out"];

#[test]
fn stories_of_three_workflows_are_compared_and_every_figure_can_be_computed_again() {
    let newsroom = Newsroom::offline();
    with_topics(&newsroom, &["larkmoor-start-times", "reading-tutoring-study", "tarn-hollow-brewery-jobs"]);
    newsroom.write("topics/torn.json", b"{");
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere.json", newsroom.path().join("topics/gone.json")).unwrap();
    let done = newsroom.ran(&PIPELINE);
    assert!(
        done.err.contains("topics/torn.json: ") && done.err.contains("gone.json: it leads to a file"),
        "{}",
        done.err
    );
    assert!(
        done.out.contains("2 of 5 topics could not be used") && done.out.contains("engine: offline"),
        "{}",
        done.out
    );
    let told = newsroom.json("out/pipeline.json");
    assert_eq!(told["units"].as_array().unwrap().len(), 9);
    let success = cells(&told, "stories", "success");
    assert_eq!((&success[0]["part"], &success[0]["of"]), (&json!(3), &json!(3)));
    // Each desk has a row for each way.
    let desks: Vec<&str> = rows(&told, "desks").iter().map(|row| row["key"].as_str().unwrap()).collect();
    assert_eq!(desks[..3], ["business|four-layer", "business|sequential", "business|single-agent"]);
    assert_eq!(desks.len(), 6);
    assert_eq!(cells(&told, "stories", "rounds")[2]["mean"], 0.0, "nobody reviews one agent alone");
    for (file, begins) in [("md", "# Stories by pipeline\n"), ("html", "<!DOCTYPE html>")] {
        let text = newsroom.read(&format!("out/pipeline.{file}"));
        assert!(text.starts_with(begins) && text.contains("copydesk-eval pipeline"), "{text}");
    }
    assert!(newsroom.read("out/pipeline.html").contains("<svg role=\"img\""));
    assert!(!newsroom.path().join("data").exists(), "the desk itself has none of these stories");
    recomputed(&newsroom, &["pipeline"]);
}

#[test]
fn an_evaluation_that_was_stopped_goes_on_and_never_mixes_configurations() {
    let newsroom = Newsroom::offline();
    with_topics(&newsroom, &["larkmoor-start-times", "reading-tutoring-study"]);
    let alone = [&PIPELINE[..], &["--variants", "single-agent"]].concat();
    newsroom.ran(&alone);
    let before = units(&newsroom, "pipeline");
    assert_eq!(before.len(), 2);
    // Killed while a line was being written: it is measured again, and nothing else.
    let file = newsroom.read("out/pipeline.units.jsonl");
    newsroom.write("out/pipeline.units.jsonl", &file.as_bytes()[..file.len() - 40]);
    fs::create_dir(newsroom.path().join("out/.at-work-pipeline-left")).unwrap();
    let again = newsroom.ran(&alone);
    assert!(again.err.contains("Known from before: 1 story; left: 1."), "{}", again.err);
    let after = units(&newsroom, "pipeline");
    assert_eq!((&after[0], after.len()), (&before[0], 2));
    assert!(!newsroom.path().join("out/.at-work-pipeline-left").exists());
    // Further ways and repetitions add to it.
    newsroom.ran(&[&PIPELINE[..], &["--variants", "sequential,single-agent", "--repeat", "2"]].concat());
    assert_eq!(units(&newsroom, "pipeline")[..2], after);
    assert_eq!(units(&newsroom, "pipeline").len(), 8);
    // A topic that is changed is another one.
    let topic = newsroom.read("topics/larkmoor-start-times.json").replace("250-400", "250-390");
    newsroom.write("topics/larkmoor-start-times.json", topic.as_bytes());
    assert!(newsroom.ran(&alone).err.contains("Known from before: 1 story; left: 1."));
    // Another configuration is refused.
    let yaml = newsroom.read("config/config.yaml");
    newsroom.write("config/config.yaml", format!("{yaml}# another\n").as_bytes());
    let refused = newsroom.run(&alone);
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains("was measured under something else (configuration)"), "{}", refused.err);
    newsroom.ran(&[&alone[..], &["--again"]].concat());
    assert_eq!(units(&newsroom, "pipeline").len(), 2);
    // What nobody can read is said, with its line.
    let file = newsroom.read("out/pipeline.units.jsonl");
    newsroom.write("out/pipeline.units.jsonl", file.replacen("{\"unit\"", "{\"unti\"", 1).as_bytes());
    let refused = newsroom.run(&alone);
    assert!(refused.code == 2 && refused.err.contains("pipeline.units.jsonl, line 2: "), "{}", refused.err);
    newsroom.write("out/pipeline.units.jsonl", b"a list\n");
    let refused = newsroom.run(&alone);
    assert!(refused.code == 2 && refused.err.contains("is no list of measured units"), "{}", refused.err);
    // Two at once do not write into one file.
    newsroom.write("out/pipeline.units.jsonl", b"");
    let file = fs::File::open(newsroom.path().join("out/pipeline.units.jsonl")).unwrap();
    file.lock().unwrap();
    let refused = newsroom.run(&alone);
    assert!(refused.code == 2 && refused.err.contains("another copydesk measures into"), "{}", refused.err);
}

#[cfg(unix)]
#[test]
fn a_kill_loses_only_the_story_at_work() {
    let newsroom = Newsroom::offline();
    with_topics(&newsroom, &["larkmoor-start-times", "reading-tutoring-study", "tarn-hollow-brewery-jobs"]);
    let mut child = newsroom.start(&PIPELINE);
    let file = newsroom.path().join("out/pipeline.units.jsonl");
    let patience = Instant::now() + Duration::from_mins(1);
    while fs::read_to_string(&file).unwrap_or_default().lines().count() < 3 {
        assert!(Instant::now() < patience, "no story is measured");
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = units(&newsroom, "pipeline");
    assert!((2..9).contains(&before.len()), "{before:#?}");
    newsroom.ran(&PIPELINE);
    let after = units(&newsroom, "pipeline");
    assert_eq!((&after[..before.len()], after.len()), (&before[..], 9));
    let left = fs::read_dir(newsroom.path().join("out")).unwrap().flatten();
    assert!(left.into_iter().all(|entry| !entry.file_name().to_string_lossy().starts_with('.')));
}

/// A newsroom whose models are those that err, and topics of some of their stories.
fn erring(names: &[&str]) -> (Newsroom, Server) {
    let stories = erring::stories();
    let topics: Vec<(String, String)> =
        stories.iter().map(|story| (story.name.clone(), story.topic().to_string())).collect();
    let server = Server::start(move |call| erring::reply(&stories, call));
    let newsroom = Newsroom::with(|yaml| {
        yaml.replace("engine: offline", "engine: llm").replace("http://127.0.0.1:1234/v1", &server.base()).replacen(
            "prices: null",
            "prices:\n  - {model: your-model-name, currency: EUR, prompt_per_million: 1.0, completion_per_million: 2.0}",
            1,
        )
    });
    for (name, topic) in topics.iter().filter(|(name, _)| names.contains(&name.as_str())) {
        newsroom.write(&format!("topics/{name}.json"), topic.as_bytes());
    }
    (newsroom, server)
}

#[test]
fn models_that_err_are_measured_with_their_tokens_costs_and_agents() {
    let (newsroom, server) = erring(&["fuel-poverty-1", "fuel-poverty-2"]);
    newsroom.ran(&PIPELINE);
    let told = newsroom.json("out/pipeline.json");
    let calls: u64 = told["units"].as_array().unwrap().iter().map(|unit| unit["calls"].as_u64().unwrap()).sum();
    assert_eq!(calls, server.calls().len() as u64);
    assert_eq!(told["measured_on"]["models"]["writer"], "your-model-name");
    assert!(told["measured_on"]["prompts"].as_str().is_some_and(|digest| digest.len() == 64), "{told:#}");
    let rounds = cells(&told, "stories", "rounds");
    assert_eq!([&rounds[1]["mean"], &rounds[2]["mean"]], [&json!(1.0), &json!(0.0)]);
    let sent = cells(&told, "stories", "tokens_in");
    assert!(sent[0]["mean"].as_f64() > sent[1]["mean"].as_f64() && sent[1]["mean"].as_f64() > sent[2]["mean"].as_f64());
    assert_eq!(cells(&told, "stories", "cost_EUR")[0]["n"], 2);
    assert!(rows(&told, "agents").iter().any(|row| row["key"] == "fact_check"), "{told:#}");
    // One agent alone has the planted faults; those whom its draft goes to remove some.
    let scores = cells(&told, "stories", "score_by_match");
    assert!(scores[0]["mean"].as_f64() > scores[2]["mean"].as_f64(), "{scores:#}");
    recomputed(&newsroom, &["pipeline"]);
}

#[test]
fn each_part_is_turned_off_alone() {
    let (newsroom, server) = erring(&["fuel-poverty-1"]);
    let done =
        newsroom.ran(&["ablation", "--topics", "topics", "--out", "out", "--off", "listener,skills,memory,proof"]);
    let told = newsroom.json("out/ablation.json");
    let columns: Vec<&str> =
        told["tables"][0]["columns"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(columns, ["all on", "no listener", "no skills", "no memory", "no proof"]);
    assert!(done.out.contains("second run of a story in its desk"), "{}", done.out);
    let sent = cells(&told, "stories", "tokens_in");
    assert!(sent[2]["mean"].as_f64() < sent[0]["mean"].as_f64(), "skills are read: {sent:#}");
    let calls = cells(&told, "stories", "calls");
    assert!(calls[3]["mean"].as_f64() > calls[0]["mean"].as_f64(), "what is remembered is not asked: {calls:#}");
    // Only what a unit's own story asked is in it: four of five ways have run another one before.
    let measured: u64 = told["units"].as_array().unwrap().iter().map(|unit| unit["calls"].as_u64().unwrap()).sum();
    assert!(measured < server.calls().len() as u64);
    // One topic is no pair.
    let tested = rows(&told, "tests");
    assert!(
        tested.iter().all(|row| row["cells"][2]["kind"] == "none" && row["cells"][4]["kind"] == "none"),
        "{tested:#?}"
    );
    recomputed(&newsroom, &["ablation"]);
}

#[test]
fn a_part_that_the_engine_does_not_have_is_said_and_not_measured() {
    let newsroom = Newsroom::offline();
    with_topics(&newsroom, &["larkmoor-start-times"]);
    let done = newsroom.run(&["ablation", "--topics", "topics"]);
    assert_eq!(done.code, 2, "{}", done.out);
    for said in
        ["none of these parts can be turned off here", "skills off; only prompts of models have it", "proof off; "]
    {
        assert!(done.err.contains(said), "{said}: {}", done.err);
    }
}

#[test]
fn a_model_that_answers_differently_each_time_is_found_out() {
    let calls = Arc::new(AtomicUsize::new(0));
    let server = Server::start(move |call| match call.agent.as_str() {
        "writer" => {
            let times = calls.fetch_add(1, Ordering::Relaxed);
            let Reply::Text(text) = script::usual(call) else { panic!("a text") };
            let mut draft: Value = serde_json::from_str(&text).unwrap();
            let body = draft["articleBody"].as_str().unwrap().to_owned();
            draft["articleBody"] =
                json!(format!("{body} It rained that day. {}", "The clerk read the list. ".repeat(times)));
            Reply::Text(draft.to_string())
        }
        _ => script::usual(call),
    });
    let newsroom = Newsroom::with(|yaml| {
        yaml.replace("engine: offline", "engine: llm").replace("http://127.0.0.1:1234/v1", &server.base())
    });
    let topic = fs::read(newsroom.topic()).unwrap();
    newsroom.write("topics/park.json", &topic);
    newsroom.ran(&[&PIPELINE[..], &["--variants", "single-agent", "--repeat", "3"]].concat());
    let told = newsroom.json("out/pipeline.json");
    assert_eq!(cells(&told, "repetitions", "articles")[0]["part"], 1);
    // 5 words more each time.
    assert_eq!(cells(&told, "repetitions", "words")[0]["value"], 5.0);
    assert_eq!(cells(&told, "stories", "words")[0]["n"], 1, "repetitions are no topics");
    recomputed(&newsroom, &["pipeline"]);
}

#[test]
fn prompts_beside_the_workspace_are_told_from_what_a_story_writes_there() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::with(|yaml| {
        let shipped = repository().join("prompts/article_editor");
        yaml.replace("engine: offline", "engine: llm")
            .replace("http://127.0.0.1:1234/v1", &server.base())
            .replace(&json!(shipped).to_string(), "./prompts")
            .replace("  folders: null", "  folders: [./rules]")
    });
    let shipped = repository().join("prompts");
    for (from, to) in [("article_editor", "prompts"), ("styles", "styles"), ("agents", "agents")] {
        let done = Command::new("cp").arg("-R").arg(shipped.join(from)).arg(newsroom.path().join(to)).status();
        assert!(done.unwrap().success());
    }
    newsroom
        .write("rules/Very.yml", b"extends: existence\nmessage: \"Leave '%s' out.\"\nlevel: warning\ntokens: [very]\n");
    let topic = fs::read(newsroom.topic()).unwrap();
    newsroom.write("topics/park.json", &topic);
    let alone = [&PIPELINE[..], &["--variants", "single-agent"]].concat();
    newsroom.ran(&alone);
    newsroom.write("articles/other.md", b"of a story");
    let again = newsroom.ran(&alone);
    assert!(again.err.contains("Known from before: 1 story; left: 0."), "{}", again.err);
    // What the desk reads is another one.
    for (file, what) in [
        ("prompts/writer.md", "prompts"),
        ("styles/NATURE_NEWS.md", "prompts"),
        ("agents/reporter/plan.md", "prompts"),
        ("rules/Very.yml", "house style"),
    ] {
        let path = newsroom.path().join(file);
        let before = fs::read_to_string(&path).unwrap();
        newsroom.write(file, format!("{before}\n").as_bytes());
        let refused = newsroom.run(&alone);
        assert_eq!(refused.code, 2, "{file}: {}", refused.err);
        assert!(refused.err.contains(&format!("was measured under something else ({what})")), "{}", refused.err);
        fs::write(path, before).unwrap();
    }
    newsroom.ran(&alone);
}

/// A newsroom with one topic whose models are at `base`, where no server is waited for.
fn impatient(base: &str) -> Newsroom {
    let newsroom = Newsroom::with(|yaml| {
        yaml.replace("engine: offline", "engine: llm")
            .replace("http://127.0.0.1:1234/v1", base)
            .replace("retry_delay: 2.0", "retry_delay: 0.0")
            .replace("    backoff_seconds: 5\n", "    backoff_seconds: 0.05\n")
            .replace("    rest_seconds: 5\n", "    rest_seconds: 0.2\n")
            .replace("    longest_rest_seconds: 60\n", "    longest_rest_seconds: 0.5\n")
            .replace("give_up_after_minutes: 10", "give_up_after_minutes: 0")
    });
    let topic = fs::read(newsroom.topic()).unwrap();
    newsroom.write("topics/park.json", &topic);
    newsroom
}

#[test]
fn a_server_that_is_down_stops_an_evaluation_and_is_no_figure() {
    let newsroom = impatient(&format!("http://{NOBODY}/v1"));
    let done = newsroom.run(&PIPELINE);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(done.err.contains(&format!("{NOBODY} is down")), "{}", done.err);
    assert!(done.err.contains("0 stories were measured; the same command goes on from here"), "{}", done.err);
    assert_eq!(units(&newsroom, "pipeline"), Vec::<String>::new());
    assert!(!done.err.contains("copydesk resume"), "the story's desk is gone: {}", done.err);
    // The first run of a story in its desk is a run like the second one.
    let done = newsroom.run(&["ablation", "--topics", "topics", "--out", "out", "--off", "memory"]);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(done.err.contains("park-before: ") && done.err.contains(&format!("{NOBODY} is down")), "{}", done.err);
    assert_eq!(units(&newsroom, "ablation"), Vec::<String>::new());
}

#[test]
fn a_load_that_a_server_stops_is_not_kept_and_says_that_it_is_not_all() {
    let full = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&full);
    let server = Server::start(move |call| {
        if seen.load(Ordering::Relaxed) { Reply::Status(503, vec![], "no room".into()) } else { script::usual(call) }
    });
    let newsroom = impatient(&server.base());
    let load = ["load", "--topics", "topics", "--out", "out", "--at"];
    newsroom.ran(&[&load[..], &["1"]].concat());
    full.store(true, Ordering::Relaxed);
    let both = [&load[..], &["1,2"]].concat();
    let done = newsroom.run(&both);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(done.err.contains("1 at once: known from before") && done.err.contains(" is down ("), "{}", done.err);
    assert!(done.err.contains("the same command goes on from here"), "{}", done.err);
    assert!(!done.err.contains("copydesk resume"), "{}", done.err);
    assert!(done.out.contains("This is not all: the evaluation was stopped before its end."), "{}", done.out);
    assert_eq!(units(&newsroom, "load").len(), 1);
    full.store(false, Ordering::Relaxed);
    let done = newsroom.ran(&both);
    assert!(
        !done.err.contains("2 at once: known") && !done.out.contains("This is not all"),
        "{}{}",
        done.out,
        done.err
    );
    assert_eq!(units(&newsroom, "load").len(), 2);
}

#[test]
fn a_first_run_that_fails_is_an_error_of_what_was_to_be_measured() {
    let server = Server::start(|call| match call.agent.as_str() {
        "writer" if call.before == 0 => Reply::Status(400, vec![], "no such model".into()),
        _ => script::usual(call),
    });
    let newsroom = impatient(&server.base());
    newsroom.ran(&["ablation", "--topics", "topics", "--out", "out", "--off", "memory"]);
    let told = newsroom.json("out/ablation.json");
    let unit = &told["units"][0];
    assert_eq!((&unit["variant"], &unit["passed"]), (&json!("all-on"), &json!(false)));
    assert!(
        unit["error"]
            .as_str()
            .is_some_and(|error| error.starts_with("the first run, which fills the memory, failed: ")),
        "{unit:#}"
    );
    recomputed(&newsroom, &["ablation"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_between_two_stories_is_heard() {
    use nix::{
        sys::signal::{Signal, kill},
        unistd::Pid,
    };
    let newsroom = Newsroom::offline();
    with_topics(&newsroom, &["larkmoor-start-times", "reading-tutoring-study", "tarn-hollow-brewery-jobs"]);
    let begun = |arguments: &[&str], name: &str| {
        let mut child = newsroom.start(arguments);
        let file = newsroom.path().join(format!("out/{name}.units.jsonl"));
        let patience = Instant::now() + Duration::from_mins(1);
        while fs::read_to_string(&file).unwrap_or_default().lines().count() < 2 {
            assert!(Instant::now() < patience, "nothing is measured");
            std::thread::sleep(Duration::from_millis(1));
        }
        // It has just been kept: the next one's desk is not open.
        kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGINT).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert_eq!(units(&newsroom, name).len(), 1);
    };
    begun(&PIPELINE, "pipeline");
    begun(&["load", "--topics", "topics", "--out", "out", "--at", "1,2,3"], "load");
    for name in ["pipeline", "load"] {
        let told = newsroom.json(&format!("out/{name}.json"));
        assert!(told["notes"].to_string().contains("This is not all"), "{told:#}");
    }
}

#[test]
fn everything_is_measured_into_one_folder() {
    let newsroom = Newsroom::offline();
    with_topics(&newsroom, &["larkmoor-start-times", "reading-tutoring-study"]);
    let filler = "The clerk put an item on file. ".repeat(40);
    let source = format!("The board met on Monday. {filler}The water rates rise by 4 per cent in May. {filler}");
    let document = json!({"variants": [{
        "id": "v01", "kind": "number", "find": "rise by 4 per cent", "replace": "rise by 7 per cent", "wrong": "7",
        "passages": ["The water rates rise by 4 per cent in May."]
    }]});
    newsroom.write("set/rates/source.txt", source.as_bytes());
    newsroom.write("set/rates/article.md", b"# Board raises rates\n\nThe water rates rise by 4 per cent in May.\n");
    newsroom.write("set/rates/document.json", document.to_string().as_bytes());
    let texts = json!([
        {"doc": "The park opened in 1958.", "summary": "The park opened in 1958.", "label": 1, "split": "evaluation"},
        {"doc": "The park opened in 1958.", "summary": "The park opened in 1985.", "label": 0, "split": "evaluation"},
    ]);
    newsroom.write("summedits/park.json", texts.to_string().as_bytes());
    newsroom.write("beir/corpus.jsonl", b"{\"_id\":\"a\",\"title\":\"\",\"text\":\"The park opened in 1958.\"}\n{\"_id\":\"b\",\"title\":\"\",\"text\":\"Rates rise in May.\"}\n");
    newsroom.write(
        "beir/queries.jsonl",
        b"{\"_id\":\"q\",\"text\":\"When did the park open?\"}\n{\"_id\":\"r\",\"text\":\"When do rates rise?\"}\n",
    );
    newsroom.write("beir/qrels/test.tsv", b"query-id\tcorpus-id\tscore\nq\ta\t1\nr\tb\t1\n");
    let all = [
        "all",
        "--out",
        "out",
        "--topics",
        "topics",
        "--newsroom",
        "set",
        "--summedits",
        "summedits",
        "--beir",
        "beir",
    ];
    let done = newsroom.ran(&all);
    assert!(done.err.contains("out/index.html has 6 evaluations"), "{}", done.err);
    let index = newsroom.read("out/index.html");
    for name in ["newsroom", "context", "proof", "retrieval", "pipeline", "load"] {
        assert!(index.contains(&format!("<a href=\"#{name}\">")) && index.contains(&format!("href=\"{name}.html\"")));
    }
    recomputed(&newsroom, &["newsroom", "context", "proof", "retrieval", "pipeline", "load"]);
    // What cannot be measured stops nothing else.
    fs::remove_file(newsroom.path().join("summedits/park.json")).unwrap();
    let done = newsroom.run(&all);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(done.err.contains("proof: ") && done.err.contains("has 5 evaluations"), "{}", done.err);
    let nothing = newsroom.run(&["all", "--out", "out"]);
    assert!(nothing.code == 2 && nothing.err.contains("there is nothing to measure"), "{}", nothing.err);
}

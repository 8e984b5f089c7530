//! A model's opinions on the sentences that the proof could not bind: never a part of the proof, and off as delivered.

mod second_opinion {
    use std::{
        io::{BufRead, BufReader},
        sync::{
            Arc,
            atomic::{AtomicBool, Ordering},
        },
    };

    use copydesk::newsroom::{Opinions, Thought};
    use serde_json::{Value, json};

    use crate::support::{
        newsroom::{Newsroom, own_key},
        script,
        server::{Call, Reply, Server},
    };

    const SOURCE: &str = "The council met on Tuesday in the old hall. Ana Reyes, the mayor, said that work at the park may begin in April. \
                          Nobody has counted the trees there since the storm of last winter.";

    /// Two sentences that the source does not bind.
    const BODY: &str = "The council met on Tuesday in the old hall. Work at the park will begin in spring, said Ana Reyes, the mayor. \
                        After the storm of last winter somebody counted 40 trees there.";

    /// The sentences of the batch.
    fn asked(call: &Call) -> Vec<Value> {
        let (_, fenced) = call.user.split_once("<passages>").unwrap();
        serde_json::from_str(fenced.split_once("</passages>").unwrap().0).unwrap()
    }

    fn opinions(call: &Call) -> String {
        let one = |sentence: &Value| {
            json!({"sentence": sentence["sentence"], "thought": "not_carried", "quotations":
                ["work at the park may begin in April", "work at the park will begin in spring"]})
        };
        json!({ "opinions": asked(call).iter().map(one).collect::<Vec<_>>() }).to_string()
    }

    fn writes(call: &Call) -> Reply {
        Reply::Text(match call.agent.as_str() {
            "writer" | "revision" => json!({
                "headline": "Council met on Tuesday", "alternativeHeadline": "Council met on Tuesday",
                "articleBody": BODY, "description": "The council met on Tuesday.",
            })
            .to_string(),
            "article_review" => "No concerns.".to_owned(),
            "concern_mapping" => json!({ "mappings": [] }).to_string(),
            "second_opinion" => opinions(call),
            _ => json!({
                "concern_id": script::concern(call), "misleading": false, "status": "KEEP", "rationale": "Near enough.",
                "suggested_fix": null, "evidence": null, "citations": null,
            })
            .to_string(),
        })
    }

    fn newsroom(server: &Server, asks: &str) -> Newsroom {
        let newsroom = Newsroom::at_with(&server.base(), |yaml| {
            yaml.replacen("  enabled: false", "  enabled: true", 2)
                .replace("second_opinion: null", &format!("second_opinion: {asks}"))
        });
        newsroom.topic_with(|topic| topic["source_text"] = json!(SOURCE));
        newsroom
    }

    fn of(newsroom: &Newsroom) -> Vec<Opinions> {
        newsroom.record("park").journal.opinions(1).cloned().collect()
    }

    /// The steps and the score of a story, whatever a model thinks.
    fn rest(newsroom: &Newsroom) -> (Vec<String>, Value) {
        let steps = newsroom.record("park").steps().into_iter().filter(|step| !step.contains(".o")).collect();
        (steps, newsroom.canonical()["success"].clone())
    }

    #[test]
    fn a_model_is_asked_about_what_does_not_match_and_changes_nothing() {
        let server = Server::start(writes);
        let newsroom = newsroom(&server, "concern_mapping_llm");
        let told = newsroom.run(&["doctor"]).out;
        assert!(told.contains("second opinion: the model of concern_mapping\n"), "{told}");
        let done = newsroom.run(&["run", "--auto", "park.json"]);
        assert_eq!(done.code, 0, "{}", done.err);
        assert_eq!(server.count("second_opinion"), 1);
        let call = server.calls().into_iter().find(|call| call.agent == "second_opinion").unwrap();
        let sentences = asked(&call);
        let texts: Vec<&str> = sentences.iter().map(|asked| asked["text"].as_str().unwrap()).collect();
        assert!(texts.contains(&"Work at the park will begin in spring, said Ana Reyes, the mayor."), "{texts:?}");
        assert!(!texts.contains(&"The council met on Tuesday in the old hall."), "what matches is not asked about");
        let [opinions] = &of(&newsroom)[..] else { panic!("one batch") };
        assert_eq!((opinions.by.as_str(), &opinions.problem), ("your-model-name", &None));
        assert_eq!(opinions.given.len(), texts.len());
        let work = &opinions.given[texts.iter().position(|text| text.starts_with("Work at")).unwrap()];
        assert_eq!((work.thought, work.quoted.len(), work.thrown_away), (Thought::NotCarried, 1, 1));
        let span = &work.quoted[0];
        assert_eq!(SOURCE.get(span.start..span.end), Some("work at the park may begin in April"));
        // Answers are read again from the record.
        let replayed = newsroom.run(&["replay", "park", "--into", "again", "--json"]);
        assert_eq!(replayed.code, 0, "{}{}", replayed.out, replayed.err);

        let plain = Server::start(writes);
        let without = super::second_opinion::newsroom(&plain, "null");
        assert_eq!(without.run(&["run", "--auto", "park.json"]).code, 0);
        assert_eq!((plain.count("second_opinion"), of(&without)), (0, vec![]));
        assert_eq!(rest(&newsroom), rest(&without));
    }

    #[test]
    fn an_answer_that_is_no_use_leaves_the_proof_as_it_was_and_one_line_says_so() {
        type Bad = fn(&Call) -> Reply;
        let refused: Bad = |_| Reply::Text("They are all fine.".into());
        let down: Bad = |_| Reply::Status(503, vec![], "busy".into());
        for (reply, said, calls) in [(refused, "not the JSON that was asked for", 2), (down, "503", 2)] {
            let server = Server::start(move |call| match call.agent.as_str() {
                "second_opinion" => reply(call),
                _ => writes(call),
            });
            let newsroom = newsroom(&server, "writer_llm");
            let done = newsroom.run(&["run", "--auto", "park.json"]);
            assert_eq!(done.code, 0, "{}", done.err);
            assert_eq!(server.count("second_opinion"), calls, "{said}");
            let [opinions] = &of(&newsroom)[..] else { panic!("one batch") };
            assert!(opinions.given.is_empty() && opinions.problem.as_ref().unwrap().contains(said), "{opinions:?}");
            let lines = newsroom.run(&["log", "park"]).out;
            let told = lines.lines().filter(|line| line.contains("no opinion: ")).count();
            assert_eq!(told, 1, "{lines}");
            assert_eq!(newsroom.canonical()["success"], true);
            let replayed = newsroom.run(&["replay", "park", "--into", "again", "--json"]);
            assert_eq!(replayed.code, 0, "{}{}", replayed.out, replayed.err);
        }
    }

    #[test]
    fn a_budget_that_an_opinion_could_pass_costs_the_opinion_and_not_the_story() {
        let server = Server::start(writes);
        let newsroom = newsroom(&server, "style_review_llm");
        let yaml = newsroom.read("config/config.yaml").replace("story_tokens: null", "story_tokens: 40000");
        let yaml = own_key(&yaml, "style_review", "max_tokens: 60000");
        newsroom.write("config/config.yaml", yaml.as_bytes());
        let done = newsroom.run(&["run", "--auto", "park.json"]);
        assert_eq!(done.code, 0, "{}{}", done.out, done.err);
        assert_eq!((server.count("second_opinion"), server.count("article_review")), (0, 1));
        let [opinions] = &of(&newsroom)[..] else { panic!("one batch") };
        let problem = opinions.problem.as_ref().unwrap();
        assert!(problem.starts_with("the budget is used up: ") && !problem.contains("reopen"), "{problem}");
    }

    #[test]
    fn a_killed_run_does_not_ask_for_an_opinion_twice() {
        let hangs = Arc::new(AtomicBool::new(true));
        let hung = Arc::clone(&hangs);
        let server = Server::start(move |call| match call.agent.as_str() {
            "article_review" if hung.load(Ordering::Relaxed) => Reply::Hang,
            _ => writes(call),
        });
        let newsroom = newsroom(&server, "fact_check_llm");
        let mut child = newsroom.start(&["run", "--auto", "--json", "park.json"]);
        let given = BufReader::new(child.stdout.take().unwrap())
            .lines()
            .map_while(Result::ok)
            .any(|line| line.contains("step_done") && line.contains("r1.o1"));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(given);
        hangs.store(false, Ordering::Relaxed);
        let resumed = newsroom.run(&["resume"]);
        assert_eq!(resumed.code, 0, "{}", resumed.err);
        assert_eq!((server.count("second_opinion"), of(&newsroom).len()), (1, 1));
    }

    #[test]
    fn an_agent_that_there_is_not_is_a_problem_of_the_configuration() {
        let server = Server::start(writes);
        let newsroom = newsroom(&server, "judge_llm");
        let done = newsroom.run(&["run", "--auto", "park.json"]);
        assert_eq!(done.code, 2, "{}", done.err);
        assert!(done.err.contains("proof.second_opinion: must be null or one of writer_llm,"), "{}", done.err);
    }
}

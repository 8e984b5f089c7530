//! What a model thinks of the sentences that the proof could not bind: never a part of the proof, off unless somebody asks for it.

#[cfg(feature = "embedding")]
mod entailment {
    use copydesk::{
        newsroom::{Opinions, Step},
        proof,
    };
    use serde_json::{Value, json};

    use crate::support::newsroom::Newsroom;

    const NOTES: &str = "The council voted on Tuesday to spend $1.8 million on the park, which opened in 1958.\n\nDennis Pruitt said the \
                         work may begin in spring.\n";
    const DRAFT: &str = "# Council votes for a park\n\nThe council voted on Tuesday to spend $1.8 million on the park, which opened in \
                         1958.\n\nDennis Pruitt said the work will begin in spring, after the council spent $2.8 million.\n";

    fn desk(folder: &str) -> Newsroom {
        let newsroom = Newsroom::with(|yaml| {
            yaml.replace("grammar: true", "grammar: false")
                .replace("entailment: null", &format!("entailment: {{model_dir: {folder}}}"))
        });
        newsroom.write("draft.md", DRAFT.as_bytes());
        newsroom.write("notes.txt", NOTES.as_bytes());
        newsroom
    }

    fn model() -> &'static str {
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/entailment/roberta")
    }

    const CHECK: [&str; 4] = ["check", "draft.md", "--source", "notes.txt"];

    #[test]
    fn a_check_tells_what_the_model_thinks_beside_a_proof_that_is_the_same() {
        let with = desk(model());
        let without = desk("x");
        let config = without.read("config/config.yaml").replace("entailment: {model_dir: x}", "entailment: null");
        without.write("config/config.yaml", config.as_bytes());
        let json_of = |newsroom: &Newsroom| {
            let done = newsroom.run(&[&CHECK[..], &["--json"]].concat());
            (done.code, serde_json::from_str::<Value>(&done.out).unwrap(), done.err)
        };
        let (code, mut told, err) = json_of(&with);
        let opinions = told.as_object_mut().unwrap().remove("opinions").unwrap();
        assert_eq!((code, told, err), json_of(&without), "the proof is as it was");
        assert!(opinions["by"].as_str().unwrap().starts_with("roberta, weights "), "{opinions}");
        let given = opinions["given"].as_array().unwrap();
        let body = DRAFT.split_once("\n\n").unwrap().1;
        let texts: Vec<&str> = given
            .iter()
            .filter(|opinion| opinion["field"] == "articleBody")
            .map(|opinion| {
                assert!(["carried", "not_carried", "contradicts"].contains(&opinion["thought"].as_str().unwrap()));
                let at = |key: &str| usize::try_from(opinion[key].as_u64().unwrap()).unwrap();
                &body[at("start")..at("end")]
            })
            .collect();
        assert_eq!(
            texts,
            ["Dennis Pruitt said the work will begin in spring, after the council spent $2.8 million."],
            "what matches is not asked about"
        );
        let lines = with.run(&CHECK).out;
        assert!(
            lines.starts_with("What roberta, weights ") && lines.contains("thinks. This is no proof.\n"),
            "{lines}"
        );
        assert!(
            lines.contains("  a model thinks: the passages ") && lines.contains(" %) “Dennis Pruitt said"),
            "{lines}"
        );
        assert!(lines.ends_with(&without.run(&CHECK).out), "{lines}");
    }

    #[test]
    fn a_folder_that_is_no_model_leaves_the_check_as_it_is_and_says_so_in_one_line() {
        let newsroom = desk("./models/none");
        let done = newsroom.run(&CHECK);
        assert_eq!(done.code, 1);
        let said: Vec<&str> = done.err.lines().filter(|line| line.starts_with("No model was asked: ")).collect();
        assert_eq!(said.len(), 1, "{}", done.err);
        assert!(said[0].contains("models/none/config.json: there is no such folder"), "{}", done.err);
        assert!(done.out.starts_with("2 findings") || done.out.starts_with("1 finding"), "{}", done.out);
    }

    #[test]
    fn a_storys_proof_keeps_what_the_model_thinks_and_a_replay_needs_no_model() {
        let newsroom = desk(model());
        let topic = newsroom.topic_with(|topic| topic["source_text"] = json!(NOTES));
        let topic = topic.to_str().unwrap();
        let done = newsroom.run(&["run", "--plain", topic, "--draft", "draft.md"]);
        assert_eq!(done.code, 0, "{}", done.err);
        let journal = newsroom.record("park").journal;
        let step = Step::Prove { round: 1 };
        assert!(journal.entries().iter().any(|entry| entry.step == step));
        let kept = journal.proof(1).unwrap().kept.clone().unwrap();
        let article = &journal.draft(1).unwrap().article;
        assert_eq!(kept.doubts, proof::doubts(article, &journal.opening.sources(), &kept.ledger));
        let opinions: Vec<&Opinions> = journal.opinions(1).collect();
        assert_eq!((opinions.len(), opinions[0].given.len()), (1, kept.doubts.len()));
        let doubt = kept.doubts.last().unwrap();
        assert!(doubt.text.starts_with("Dennis Pruitt said the work will begin"), "{doubt:?}");
        assert!(doubt.passages.iter().all(|span| NOTES.get(span.start..span.end) == Some(&*span.text)), "{doubt:?}");
        let gone = newsroom.read("config/config.yaml").replace(model(), "./models/none");
        newsroom.write("config/config.yaml", gone.as_bytes());
        let replayed = newsroom.run(&["replay", "park", "--into", "again", "--json"]);
        assert_eq!(replayed.code, 0, "{}{}", replayed.out, replayed.err);
    }
}

#[cfg(not(feature = "embedding"))]
#[test]
fn a_build_without_the_feature_says_so_and_checks_all_the_same() {
    let newsroom = crate::support::newsroom::Newsroom::with(|yaml| {
        yaml.replace("grammar: true", "grammar: false")
            .replace("entailment: null", "entailment: {model_dir: ./models/none}")
    });
    newsroom.write("draft.md", b"# Bridge opens\n\nThe bridge opened in 1958 on Canal Road in the town.\n");
    newsroom.write("notes.txt", b"The bridge on Canal Road in the town opened in 1985.\n");
    let done = newsroom.run(&["check", "draft.md", "--source", "notes.txt"]);
    assert_eq!(done.code, 1, "{}", done.out);
    assert!(
        done.err.contains("No model was asked: proof.entailment.model_dir names a folder, but this build"),
        "{}",
        done.err
    );
}

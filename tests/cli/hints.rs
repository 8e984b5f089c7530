//! What one story learned is a hint for the next: shown to model and person with its origin, journalled, and never a witness.

use serde_json::{Value, json};

use crate::support::{
    newsroom::{Done, Newsroom},
    script,
    server::{Call, Reply, Server},
};

/// The first story is right; the second has a number and a name wrong, and no source that speaks of either.
const RIGHT: &str = "The council of Eastbrook has nine members. Inez Calloway leads the council of Eastbrook.";
const WRONG: &str = "The council of Eastbrook has eleven members. Inez Caloway leads it now.";
const DOUBTED: [&str; 2] = ["eleven members", "Inez Caloway"];
const HEADING: &str = "Hints from earlier stories (not evidence)";

fn reply(call: &Call) -> Reply {
    let second = !call.user.contains("TOPIC_SLUG: mill");
    Reply::Text(match call.agent.as_str() {
        "writer" | "revision" => {
            let body = if second { WRONG } else { RIGHT };
            json!({"headline": "News", "alternativeHeadline": "More", "articleBody": body, "description": "Short."})
                .to_string()
        }
        "article_review" if call.user.contains("eleven members") => {
            DOUBTED.map(|excerpt| format!("- “{excerpt}” unsupported_fact: is it so?")).join("\n")
        }
        "article_review" => "No concerns.".to_owned(),
        "concern_mapping" => {
            let mapping = |id: usize| json!({"concern_id": id, "concern_type": "unsupported_fact", "selected_agent": "fact_check", "confidence": "high", "reason": "fits"});
            json!({"mappings": (1..=DOUBTED.len()).map(mapping).collect::<Vec<_>>()}).to_string()
        }
        // It cites and quotes the hint, which it must not.
        _ => json!({
            "concern_id": script::concern(call), "misleading": false, "status": "KEEP", "rationale": "r", "suggested_fix": null,
            "evidence": "“The council of Eastbrook has nine members.”", "citations": ["desk/mill"]
        })
        .to_string(),
    })
}

fn newsroom(server: &Server, hints: bool) -> Newsroom {
    Newsroom::at_with(&server.base(), |yaml| {
        let (claims, on) = ("claims:\n  enabled: false", "    hints: true\n");
        assert!(yaml.contains(claims) && yaml.contains(on), "{yaml}");
        yaml.replace(claims, "claims:\n  enabled: true").replace(on, &format!("    hints: {hints}\n"))
    })
}

fn about(newsroom: &Newsroom, slug: &str, source: &str) -> Done {
    let topic = newsroom.topic_with(|topic| {
        topic["source_metadata"]["topic_slug"] = json!(slug);
        topic["source_text"] = json!(source);
    });
    newsroom.auto(&topic)
}

/// Both stories; the second one's fact-check prompts.
fn both(newsroom: &Newsroom, server: &Server) -> Vec<String> {
    server.forget();
    assert_eq!(about(newsroom, "mill", RIGHT).code, 0);
    about(newsroom, "park", "A fire destroyed the mill on Friday night.");
    server.calls().into_iter().filter(|call| call.agent == "fact_check").map(|call| call.user).collect()
}

fn shown(newsroom: &Newsroom) -> Value {
    serde_json::from_str(&newsroom.run(&["show", "park", "--json"]).out).unwrap()
}

#[test]
fn a_story_is_given_what_an_earlier_one_learned_and_it_witnesses_nothing() {
    let server = Server::start(reply);
    let newsroom = newsroom(&server, true);
    let prompts = both(&newsroom, &server);
    assert_eq!(prompts.len(), 2);
    assert!(prompts[0].contains(HEADING) && prompts[0].contains("desk/mill, 20"), "{}", prompts[0]);
    assert!(prompts[0].contains("“The council of Eastbrook has nine members.” (matched"), "{}", prompts[0]);
    assert!(prompts[1].contains("the name “Inez Calloway” (as"), "{}", prompts[1]);

    let told = shown(&newsroom);
    assert_eq!(told["hints"][0]["hints"][0]["story"], json!("desk/mill"), "{told}");
    let person = newsroom.run(&["show", "park"]).out;
    assert!(person.contains("hint from an earlier story (not evidence): desk/mill, 20"), "{person}");
    for verdict in newsroom.json("data/output/articles/desk/park.json")["editor_report"]["iterations"][0]["verdicts"]
        .as_array()
        .unwrap()
    {
        assert_eq!(verdict["citations"], json!(null));
        assert!(
            verdict["evidence"].as_str().unwrap().ends_with("[Not found: no source has these words.]"),
            "{verdict}"
        );
    }
    assert_eq!(told["claims"]["verified"], json!(0), "no claim counts a hint: {told}");

    let again = newsroom.run(&["replay", "park", "--into", "again", "--json"]);
    assert_eq!(again.code, 0, "{}", again.out);

    newsroom.run(&["delete", "mill", "--yes"]);
    server.forget();
    about(&newsroom, "pond", "A fire destroyed the mill on Friday night.");
    assert!(server.calls().iter().all(|call| !call.user.contains("desk/mill")), "a deleted story gives no hints");
}

#[test]
fn without_hints_prompts_and_verdicts_are_those_of_a_story_alone() {
    let server = Server::start(reply);
    let (with, without, alone) = (newsroom(&server, true), newsroom(&server, false), newsroom(&server, true));
    both(&with, &server);
    let silent = both(&without, &server);
    server.forget();
    about(&alone, "park", "A fire destroyed the mill on Friday night.");
    let own: Vec<String> =
        server.calls().into_iter().filter(|call| call.agent == "fact_check").map(|call| call.user).collect();
    assert_eq!(silent, own);
    assert!(silent.iter().all(|prompt| !prompt.contains(HEADING)));
    let verdicts = |newsroom: &Newsroom| {
        newsroom.json("data/output/articles/desk/park.json")["editor_report"]["iterations"][0]["verdicts"].clone()
    };
    assert_eq!((verdicts(&with), shown(&without)["hints"].clone()), (verdicts(&without), json!([])));
}

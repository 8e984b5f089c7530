//! Each tool, on texts that a newsroom would give it.

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{ServedAgent, ServedDesk, ToolRefusal};
use copydesk_core::ports::{Clock, Found, Hit, Passages, Query, StoreError, StoryText, TextMatch};
use copydesk_newsroom::{Passage, StoryKey, Tier};
use copydesk_style::{Dictionary, Style, StyleReview};
use copydesk_text::spelling::HouseSpelling;

const MINUTES: &str = "Minutes of the town council\n\nThe council voted 5-2 on Tuesday to spend $1.8 million on Miller Park. \
                       \"I can get to the gate,\" Inez Calloway said. \"In eleven years I have not once got to the pond.\"";

struct Noon;

impl Clock for Noon {
    fn now(&self) -> Timestamp {
        "2026-11-23T12:00:00Z".parse().unwrap()
    }
}

/// Finds one passage, and says in it what it was asked.
struct OnePassage;

#[async_trait]
impl Passages for OnePassage {
    async fn search(&self, query: &Query) -> Result<Found, StoreError> {
        let passage = Passage {
            file: "parks.md".into(),
            text: format!("{} {:?} {:?} {}", query.text, query.areas, query.filter, query.count),
            credibility: Some(0.9),
            ..Passage::default()
        };
        let text = Some(TextMatch { rank: 1, score: 1.0, words: vec!["park".into()] });
        let hit = Hit { passage, title: "Parks".into(), story: None, tokens: 3, score: 0.876, text, dense: None };
        Ok(Found { hits: vec![hit], words: 1, words_only: Some("No embedder.".into()), degraded: false })
    }

    async fn search_each(&self, _queries: &[Query]) -> Result<Vec<Found>, StoreError> {
        Ok(Vec::new())
    }

    async fn similarity(&self, _one: &str, _other: &str) -> Result<Option<f64>, StoreError> {
        Ok(None)
    }

    async fn version(&self) -> Result<String, StoreError> {
        Ok(String::new())
    }

    async fn shelve(
        &self,
        _story: &StoryKey,
        _tier: Tier,
        _texts: &[copydesk_core::ports::ShelvedText],
    ) -> Result<(Vec<StoryText>, u64), StoreError> {
        Ok((Vec::new(), 0))
    }
}

pub(super) fn desk() -> ServedDesk {
    let style = Style::of_the_house().unwrap();
    ServedDesk {
        books: None,
        stories: None,
        style: Arc::new(move |article, sources| {
            let dictionary = Dictionary::new(article, sources);
            StyleReview::new(article, &dictionary, &style, Some(HouseSpelling::Either))
        }),
        passages: Arc::new(OnePassage),
        clock: Arc::new(Noon),
        min_credibility: 0.7,
        top: 5,
        way_out: None,
    }
}

async fn asked(name: &str, given: Value) -> Result<Value, ToolRefusal> {
    let all = [ServedAgent::Reporter, ServedAgent::Editor, ServedAgent::FactChecker, ServedAgent::Publisher];
    let tool = all.into_iter().flat_map(ServedAgent::tools).find(|tool| tool.name == name).unwrap();
    let answer = tool.call(&desk(), given).await?;
    fits(&tool.answer_schema, &answer, name);
    Ok(answer)
}

/// Holds an answer against the part of JSON Schema that answers are described in.
fn fits(schema: &Value, value: &Value, at: &str) {
    if let Some(ways) = ["anyOf", "oneOf"].iter().find_map(|of| schema[of].as_array()) {
        let way = |way: &&Value| way["const"] == *value || way["type"] == "null" && value.is_null();
        let way = ways
            .iter()
            .find(way)
            .or_else(|| ways.iter().find(|way| way.get("const").is_none() && way["type"] != "null"));
        return match way {
            Some(way) if way.get("const").is_some() || value.is_null() => {}
            Some(way) => fits(way, value, at),
            None => panic!("{at} is not one of {ways:?}: {value}"),
        };
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let allowed = match &schema["type"] {
        Value::String(one) => vec![one.as_str()],
        several => several
            .as_array()
            .unwrap_or_else(|| panic!("{at} has no type: {schema}"))
            .iter()
            .filter_map(Value::as_str)
            .collect(),
    };
    assert!(
        allowed.contains(&kind) || kind == "integer" && allowed.contains(&"number"),
        "{at} is {kind}, not {allowed:?}"
    );
    if let Some(words) = schema["enum"].as_array() {
        assert!(words.contains(value), "{at} is {value}, not one of {words:?}");
    }
    for entry in value.as_array().into_iter().flatten() {
        fits(&schema["items"], entry, &format!("{at}[]"));
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        assert!(value.get(name).is_some(), "{at}.{name} is missing");
    }
    for (name, field) in value.as_object().into_iter().flatten() {
        let own = schema["properties"].get(name).unwrap_or(&schema["additionalProperties"]);
        assert!(own.is_object(), "{at}.{name} is not described");
        fits(own, field, &format!("{at}.{name}"));
    }
}

async fn call(name: &str, given: Value) -> Value {
    asked(name, given).await.unwrap()
}

fn minutes() -> Value {
    json!([{ "name": "Minutes", "text": MINUTES }])
}

#[test]
fn each_agent_has_its_tools_and_all_are_described() {
    let names = |agent: ServedAgent| agent.tools().into_iter().map(|tool| tool.name).collect::<Vec<_>>();
    assert_eq!(names(ServedAgent::Reporter), ["evaluate_credibility", "analyze_research", "search_knowledge_base"]);
    assert_eq!(
        names(ServedAgent::Editor),
        [
            "check_readability",
            "check_grammar",
            "check_style",
            "identify_facts",
            "check_citations",
            "analyze_gaps",
            "check_spelling"
        ]
    );
    assert_eq!(
        names(ServedAgent::FactChecker),
        [
            "identify_claims",
            "search_evidence",
            "cross_reference",
            "detect_contradictions",
            "check_quotation",
            "score_credibility",
            "check_draft"
        ]
    );
    assert_eq!(
        names(ServedAgent::Publisher),
        [
            "convert_format",
            "check_search",
            "score_headline",
            "generate_metadata",
            "check_accessibility",
            "publish",
            "send_email"
        ]
    );
    let agents = [ServedAgent::Reporter, ServedAgent::Editor, ServedAgent::FactChecker, ServedAgent::Publisher];
    for tool in agents.map(ServedAgent::tools).concat() {
        let (schema, name) = (&tool.schema, tool.name);
        assert_eq!((&schema["type"], &schema["additionalProperties"]), (&json!("object"), &json!(false)), "{name}");
        assert!(!schema["required"].as_array().unwrap().is_empty(), "{name}");
        assert_eq!(tool.answer_schema["type"], "object", "{name}");
        assert!(!format!("{schema}{}", tool.answer_schema).contains("$ref"), "{name}");
        for (argument, its) in schema["properties"].as_object().unwrap() {
            assert!(its["description"].is_string() || argument == "source", "{name}: {argument} has no description");
        }
        assert!(tool.description.len() > 80 && tool.title.len() < 40, "{name}");
    }
}

#[tokio::test]
async fn a_quotation_stands_differs_or_has_another_speaker() {
    let given =
        |quotation: &str, speaker: &str| json!({ "quotation": quotation, "speaker": speaker, "sources": minutes() });
    let right =
        call("check_quotation", given("“In eleven years I have not once got to the pond.”", "Inez Calloway")).await;
    assert_eq!((&right["stands"], &right["rows"][0]["status"]), (&json!(true), &json!("VERBATIM")), "{right}");
    assert_eq!(
        (&right["rows"][0]["source"]["source"], &right["rows"][0]["source"]["line"]),
        (&json!("Minutes"), &json!(3))
    );
    let altered = call("check_quotation", given("In eleven years I have only once got to the pond", "")).await;
    assert_eq!((&altered["stands"], &altered["rows"][0]["status"]), (&json!(false), &json!("ALTERED")), "{altered}");
    assert!(altered["rows"][0]["source"]["text"].as_str().unwrap().contains("not once"), "{altered}");
    let other = call("check_quotation", given("I can get to the gate.", "Dennis Pruitt")).await;
    assert_eq!(other["stands"], false, "{other}");
}

#[tokio::test]
async fn a_draft_is_held_against_its_sources() {
    let given = json!({
        "draft": "The council voted on Tuesday.\n\nIt will spend $2.8 million on Miller Park.",
        "headline": "Council votes for park", "sources": minutes(),
    });
    let answer = call("check_draft", given.clone()).await;
    let row = &answer["rows"]["entries"][0];
    assert_eq!(
        (&answer["findings"], &row["footing"], &row["place"]["line"]),
        (&json!(1), &json!("conflicts"), &json!(3))
    );
    assert_eq!((&row["place"]["text"], &row["source"]["line"]), (&json!("$2.8 million"), &json!(3)), "{answer}");
    let all = call("check_draft", {
        let mut given = given;
        given["all"] = json!(true);
        given["notes"] = json!(true);
        given
    })
    .await;
    assert!(all["rows"]["entries"].as_array().unwrap().len() > 2, "{all}");
}

#[tokio::test]
async fn a_claim_has_its_evidence_and_what_each_source_says() {
    let sources = json!([
        { "name": "Minutes", "text": MINUTES },
        { "name": "Courier", "text": "The council voted 4-3 on Tuesday to spend $1.8 million on Miller Park." },
        { "name": "Weather", "text": "It rained all day." },
    ]);
    let claim = "The council voted 5-2 on Tuesday to spend $1.8 million on Miller Park.";
    let said = call("cross_reference", json!({ "claim": claim, "sources": sources })).await;
    assert_eq!((&said["supports"], &said["contradicts"]), (&json!(1), &json!(1)), "{said}");
    assert_eq!(said["silent"], json!(["Weather"]));
    assert_eq!(said["said"][0]["place"]["line"], 3);
    let found = call("search_evidence", json!({ "claim": claim, "sources": sources, "count": 2 })).await;
    assert_eq!(found["word_for_word"]["source"], "Minutes", "{found}");
    assert_eq!(found["sentences"].as_array().unwrap().len(), 2);
    assert_eq!(found["sentences"][0]["shared_words"], 1.0);
    let against = call("detect_contradictions", json!({ "sources": sources, "resolve_by": "primary_source" })).await;
    let entries = against["contradictions"]["entries"].as_array().unwrap();
    assert_eq!((entries.len(), &entries[0]["prevails"]), (1, &json!("supports")), "{against}");
    assert_eq!(entries[0]["said"][0]["stance"], "contradicts");
    let open = call("detect_contradictions", json!({ "sources": sources })).await;
    assert_eq!(open["contradictions"]["entries"][0]["prevails"], Value::Null);
    let claims = call("identify_claims", json!({ "text": "Is it late? The council voted 5-2.\nIt was lovely." })).await;
    assert_eq!(claims["claims"]["entries"][0]["text"], "The council voted 5-2.", "{claims}");
}

#[tokio::test]
async fn sources_are_ranked_by_credibility_with_reasons() {
    let vote = "The council voted 5-2 on Tuesday to spend $1.8 million on Miller Park.";
    let other = "The council voted 4-3 on Tuesday to spend $1.8 million on Miller Park.";
    let official = json!({
        "name": "Minutes", "address": "https://www.springfield.gov/minutes", "published": "2026-10-07", "text": vote,
    });
    let blog = json!({ "name": "Blog", "address": "https://a.blogspot.com/", "text": other });
    let copy = json!({ "name": "Copy", "address": "https://b.example/", "text": vote });
    let ranked = call("score_credibility", json!({ "sources": [blog, copy, official] })).await;
    let names: Vec<&Value> = ranked["sources"].as_array().unwrap().iter().map(|source| &source["name"]).collect();
    assert_eq!(names, ["Minutes", "Copy", "Blog"], "{ranked}");
    assert_eq!(ranked["sources"][0]["others"][0]["stance"], "contradicts");
    assert_eq!(ranked["sources"][0]["others"].as_array().unwrap().len(), 1, "a copy is no other source: {ranked}");
    let alone = call("evaluate_credibility", json!({ "source": official })).await;
    let supported =
        call("evaluate_credibility", json!({ "source": official, "others": [{ "name": "Notes", "text": MINUTES }] }))
            .await;
    assert!(supported["score"].as_f64() > alone["score"].as_f64(), "{supported}");
    assert_eq!((alone["reasons"].as_array().unwrap().len(), alone.get("note")), (5, None));
    // Pages of one publisher are one voice, in either tool.
    let page = |host: &str, publisher: &str, text: &str| json!({ "address": format!("https://{host}/"), "publisher": publisher, "text": text });
    for (publisher, said) in
        [("Acme Inc.", "No other source was compared."), ("Gazette", "Other sources that say the same: 1.")]
    {
        let (source, other) = (page("a.example", "Acme Inc.", vote), page("b.example", publisher, MINUTES));
        let ranked = call("score_credibility", json!({ "sources": [source, other] })).await;
        let evaluated = call("evaluate_credibility", json!({ "source": source, "others": [other] })).await;
        for scored in [&ranked["sources"][0], &ranked["sources"][1], &evaluated] {
            assert!(scored["reasons"][4].as_str().unwrap().starts_with(said), "{publisher}: {scored}");
        }
    }
    // An address is enough.
    let addresses =
        ["https://a.blogspot.com/", "https://www.springfield.gov/minutes"].map(|at| json!({ "address": at }));
    let ranked = call("score_credibility", json!({ "sources": addresses })).await;
    assert_eq!(ranked["sources"][0]["name"], "https://www.springfield.gov/minutes", "{ranked}");
    let note = ranked["sources"][0]["note"].as_str().unwrap();
    assert!(note.starts_with("Scored by its address alone, which was not opened."), "{ranked}");
}

#[tokio::test]
async fn research_and_drafts_are_held_against_questions() {
    let questions = json!(["How much will the council spend on Miller Park?", "Who designed the playground swings?"]);
    let research = call("analyze_research", json!({ "questions": questions, "sources": minutes() })).await;
    assert_eq!(research["open_questions"], json!(["Who designed the playground swings?"]), "{research}");
    assert_eq!(research["questions"][0]["places"][0]["line"], 3);
    let given = json!({ "draft": "The council met.", "questions": questions, "sources": minutes() });
    let gaps = call("analyze_gaps", given).await;
    let states: Vec<&Value> = gaps["questions"].as_array().unwrap().iter().map(|question| &question["state"]).collect();
    assert_eq!(states, ["only_in_sources", "nowhere"], "{gaps}");
    let given = json!({ "draft": "The council will spend $1.8 million on Miller Park.", "questions": questions });
    assert_eq!(call("analyze_gaps", given).await["questions"][0]["state"], "in_draft");
}

#[tokio::test]
async fn language_is_checked_by_its_own_tool_each() {
    let text = "It should of been a hour.\n\nAt the end of the day, the counsil made a desision about Calloway.";
    let rules = |answer: &Value| -> Vec<String> {
        let notes = answer["notes"]["entries"].as_array().unwrap();
        notes.iter().map(|note| format!("{} {}", note["rule"].as_str().unwrap(), note["line"])).collect()
    };
    let grammar = rules(&call("check_grammar", json!({ "text": text })).await);
    assert!(
        !grammar.is_empty() && grammar.iter().all(|rule| rule.starts_with("Grammar.") && rule.ends_with(" 1")),
        "{grammar:?}"
    );
    let style = rules(&call("check_style", json!({ "text": text, "headline": "A Headline." })).await);
    assert!(style.contains(&"Copydesk.HeadlineStop 1".to_owned()), "{style:?}");
    assert!(style.iter().all(|rule| !rule.starts_with("Grammar.") && !rule.starts_with("Spelling.")), "{style:?}");
    let spelling = call("check_spelling", json!({ "text": text })).await;
    assert_eq!(rules(&spelling).iter().filter(|rule| *rule == "Spelling.Unknown 3").count(), 2, "{spelling}");
    let known =
        call("check_spelling", json!({ "text": text, "sources": [{ "name": "s", "text": "The counsil spoke." }] }))
            .await;
    assert_eq!(rules(&known), ["Spelling.Unknown 3"], "{known}");
    let long = format!("{} end. Short.", "word ".repeat(30));
    let measured = call("check_readability", json!({ "text": long })).await;
    assert_eq!((&measured["readability"]["words"], &measured["long_sentences"][0]["words"]), (&json!(32), &json!(31)));
}

#[tokio::test]
async fn facts_and_citations_have_places() {
    let text = "Inez Calloway paid $40 on May 5.\n\n“I can get to the gate,” she said.";
    let facts = call("identify_facts", json!({ "text": text, "headline": "Calloway pays $40" })).await;
    for kind in ["name", "number", "date", "quotation"] {
        assert!(facts["counts"][kind].as_u64() > Some(0), "{kind}: {facts}");
    }
    assert_eq!(facts["facts"]["entries"][0]["within"], "headline");
    let text = "It cost $4.[^1] It closed.[^2]\n\n[^1]: See https://a.example/x\n[^3]: Nobody.\n[^1]: Again.";
    let cited = call("check_citations", json!({ "text": text, "sources": minutes() })).await;
    let problems: Vec<String> = cited["problems"]["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| format!("{} {}", problem["line"], problem["problem"].as_str().unwrap()))
        .collect();
    assert_eq!(
        problems,
        [
            "1 The mark [^2] has no footnote.",
            "4 No mark refers to the footnote [^3].",
            "5 The footnote [^1] stands twice."
        ]
    );
    assert!(cited["not_in_sources"].to_string().contains("a.example"), "{cited}");
    assert!(call("check_citations", json!({ "text": text })).await.get("not_in_sources").is_none());
}

#[tokio::test]
async fn the_knowledge_base_is_searched_as_asked() {
    let found = call("search_knowledge_base", json!({ "query": "park" })).await;
    assert_eq!(
        found,
        json!({
            "passages": [{
                "file": "parks.md", "title": "Parks", "heading": "", "kind": "knowledge", "credibility": 0.9, "published": null,
                "start": 0, "end": 0, "score": 0.88, "why": "Found: park",
                "text": "park [Knowledge, Stories { tiers: [] }] Filter { min_credibility: 0.7, from: None, until: None } 5",
            }],
            "note": "No embedder.",
        })
    );
    let given =
        json!({ "query": "park", "within": "articles", "min_credibility": 0, "from": "2026-01-01", "count": 2 });
    let text = call("search_knowledge_base", given).await["passages"][0]["text"].to_string();
    assert!(
        text.contains("[Article]") && text.contains("min_credibility: 0.0, from: Some") && text.ends_with("2\""),
        "{text}"
    );
    for within in ["knowledge_base", "sources"] {
        call("search_knowledge_base", json!({ "query": "park", "within": within })).await;
    }
    for wrong in
        [json!({ "min_credibility": 2 }), json!({ "count": 0 }), json!({ "from": "soon" }), json!({ "within": "x" })]
    {
        let mut given = wrong;
        given["query"] = json!("park");
        assert!(matches!(asked("search_knowledge_base", given).await, Err(ToolRefusal::Arguments(_))));
    }
}

#[tokio::test]
async fn arguments_are_read_strictly_and_bounded() {
    let said = async |name: &str, given: Value| asked(name, given).await.unwrap_err().to_string();
    assert_eq!(
        said("check_grammar", json!({ "text": "a", "txt": "b" })).await,
        "The arguments cannot be read: unknown field `txt`, expected `text` or `headline`. The tool's input schema says what belongs there."
    );
    assert_eq!(said("check_grammar", json!({ "text": " \u{200B}" })).await, "\"text\" is empty. Send a text.");
    assert_eq!(
        said("cross_reference", json!({ "claim": "a", "sources": [] })).await,
        "\"sources\" is empty. Send a text."
    );
    for (name, given) in [
        ("analyze_gaps", json!({ "draft": "a", "questions": [] })),
        ("analyze_research", json!({ "questions": [], "sources": minutes() })),
        ("score_credibility", json!({ "sources": [] })),
        ("evaluate_credibility", json!({ "source": { "name": "a", "address": "" } })),
    ] {
        assert!(matches!(asked(name, given).await, Err(ToolRefusal::Empty(_))), "{name}");
    }
    let long = "word ".repeat(200_001);
    assert_eq!(
        said("check_grammar", json!({ "text": long })).await,
        "The texts of this call have 1000005 bytes; at most 1000000 are read. Send a part of them."
    );
    let many: Vec<Value> = (0..51).map(|number| json!({ "name": number.to_string(), "text": "a" })).collect();
    assert!(
        said("cross_reference", json!({ "claim": "a", "sources": many }))
            .await
            .starts_with("A list of this call has 51 entries")
    );
    // Hidden characters are removed, and lines stay lines.
    let hidden = call("identify_claims", json!({ "text": "Hello\r\nthere.\u{202E}\r\nThe council voted 5-2." })).await;
    assert_eq!(
        (&hidden["claims"]["entries"][0]["line"], &hidden["claims"]["entries"][0]["text"]),
        (&json!(3), &json!("The council voted 5-2."))
    );
}

#[tokio::test]
async fn long_answers_are_cut_and_say_so() {
    let text = "The council voted 5-2. ".repeat(600);
    let claims = call("identify_claims", json!({ "text": text })).await;
    assert_eq!(
        (claims["claims"]["entries"].as_array().unwrap().len(), &claims["claims"]["left_out"]),
        (500, &json!(100))
    );
}

fn vote(headline: &str) -> Value {
    json!({
        "headline": headline,
        "description": "The council voted 7-2 on Tuesday for the park, if the state pays a grant.",
        "text": "The Eastbrook Town Council voted 7-2 on Tuesday to spend $4.2 million on Miller Park. Ruth Voss spoke for the plan.\n\n\
                 #### Cost\n\nThe PTA waits. Click [here](https://m.example) for the council minutes.\n",
    })
}

#[tokio::test]
async fn a_headline_that_the_text_contradicts_gets_no_point() {
    let right = call("score_headline", vote("Eastbrook council votes 7-2 for $4.2 million Miller Park plan")).await;
    assert_eq!((&right["total"], &right["notes"]["entries"]), (&json!(8), &json!([])), "{right}");
    let wrong = call("score_headline", vote("Eastbrook council votes 7-2 for $5.2 million Miller Park plan")).await;
    assert_eq!((&wrong["total"], &wrong["criteria"][0]["points"]), (&json!(0), &json!(0)), "{wrong}");
    let note = &wrong["notes"]["entries"][0];
    assert_eq!(
        (&note["within"], &note["fix"]),
        (&json!("headline"), &json!("Say it as the body does, or leave it out."))
    );
}

#[tokio::test]
async fn the_publisher_describes_an_article_and_says_what_to_mend() {
    let given = vote("Eastbrook council votes for Miller Park");
    let metadata = call("generate_metadata", given.clone()).await;
    assert_eq!(
        (&metadata["people"], &metadata["organisations"], &metadata["places"]),
        (&json!(["Ruth Voss"]), &json!(["Eastbrook Town Council"]), &json!(["Miller Park"])),
        "{metadata}"
    );
    let search = call("check_search", given.clone()).await;
    assert_eq!(
        (&search["slug"], &search["notes"]["entries"]),
        (&json!("eastbrook-council-votes-miller-park"), &json!([]))
    );
    let barriers = call("check_accessibility", given).await;
    let places: Vec<(&str, u64, &str)> = barriers["notes"]["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|note| {
            (
                note["text"].as_str().unwrap(),
                note["line"].as_u64().unwrap(),
                note["replacement"].as_str().unwrap_or("-"),
            )
        })
        .collect();
    assert_eq!(
        places,
        [
            ("#### Cost", 3, "## Cost"),
            ("PTA", 5, "-"),
            ("[here](https://m.example) for the council minutes", 5, "[the council minutes](https://m.example)")
        ]
    );
}

#[tokio::test]
async fn a_converted_article_is_withheld_and_runs_nothing() {
    let mut article = vote("Vote</title><script>alert(1)</script>\r\nBcc: all@example.org");
    let given =
        |to: &str, article: &Value| json!({ "article": article, "to": to, "written_by": "both", "desk": "city" });
    let page = call("convert_format", given("html", &article)).await;
    assert!(!page["content"].as_str().unwrap().contains("<script>alert"), "{page}");
    assert_eq!(page["notes"]["entries"][0]["within"], "headline", "{page}");
    let object = call("convert_format", given("ninjs", &article)).await;
    let object: Value = serde_json::from_str(object["content"].as_str().unwrap()).unwrap();
    assert_eq!((&object["pubStatus"], &object["slugline"]), (&json!("withheld"), &json!("city")));
    article["text"] = json!(" \u{200B}");
    let refused = asked("convert_format", given("markdown", &article)).await;
    assert_eq!(refused.unwrap_err(), ToolRefusal::Empty("text"));
}

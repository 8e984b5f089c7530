//! Pages that a search cites are opened, over real HTTP: kept as a witness, held against the claim, marked where it fails; hostile pages hold
//! nothing up, and nothing is opened twice.

use std::{
    io::{BufRead, BufReader},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::support::{
    documents,
    newsroom::Newsroom,
    script,
    server::{Call, Latch, Reply, Server},
};

/// The claim of the concern that looks for evidence is “a fifth of the budget”.
const CARRIES: &str = "<html><head><title>Budget of Eastbrook</title><meta name=author content='Jane Poe'><meta property='og:site_name' \
                       content='Eastbrook Gazette'><meta name=date content='2026-03-12'></head><body><nav>Menu</nav><p>Ada Quill spoke first. Lighting is a \
                       fifth of the budget, the auditors wrote.</p></body></html>";

const OTHER: &str = "The budget was passed on Monday. A third of it went to the library.";

/// Pages by their path; everything else is not there.
fn pages() -> Server {
    Server::start(|call| {
        let html = |text: &str| Reply::Raw("text/html; charset=utf-8", text.as_bytes().to_vec());
        let on = |to: &str| Reply::Status(302, vec![("location", to.to_owned())], String::new());
        match call.user.as_str() {
            "/carries" => html(CARRIES),
            "/other" => Reply::Raw("text/plain", OTHER.as_bytes().to_vec()),
            "/paper" => Reply::Raw(
                "application/pdf",
                documents::pdf(&["The audit.\nA fifth of the whole budget is for lamps."]),
            ),
            "/large" => Reply::Raw("text/plain", vec![b'x'; (8 << 20) + 1]),
            "/garbage" => Reply::Raw("text/html", (0..=255u8).cycle().take(5000).collect()),
            "/picture" => Reply::Raw("text/html", b"\x89PNG\r\n\x1a\n".to_vec()),
            "/blank" => html("<html><script>alert(1)</script></html>"),
            "/loop" => on("/loop"),
            "/once" => on("/carries"),
            "/inside" => on("http://10.0.0.1/secret"),
            "/out" => on("https://elsewhere.example/"),
            "/file" => on("file:///etc/passwd"),
            "/nowhere" => Reply::Status(302, vec![], String::new()),
            "/cut" => Reply::Cut("It breaks off.".into(), 9),
            "/endless" => Reply::Slow("x".repeat(9 << 20), 1 << 20, Duration::from_millis(1)),
            "/hang" => Reply::Hang,
            _ => Reply::Status(404, vec![], "gone".into()),
        }
    })
}

/// A model's server whose search cites these, and whose verdict on the second concern cites all of them.
fn models(citations: Vec<String>) -> Server {
    Server::start(move |call| scripted(call, &citations))
}

fn scripted(call: &Call, citations: &[String]) -> Reply {
    match call.agent.as_str() {
        "evidence_search" => Reply::Cited("A fifth, it is said.".into(), citations.to_vec()),
        "evidence_finding" => {
            let mut verdict: Value = serde_json::from_str(&script::verdict(script::concern(call))).unwrap();
            verdict["citations"] = json!(citations);
            Reply::Text(verdict.to_string())
        }
        _ => script::usual(call),
    }
}

fn newsroom(models: &Server, local_only: bool) -> Newsroom {
    let perplexity = format!(
        "perplexity:\n    api_base: {}\n    api_key: pplx-secret-key-1\n    model: sonar\n    timeout_seconds: 6",
        models.base()
    );
    Newsroom::at_with(&models.base(), |yaml| {
        let yaml = yaml.replace("perplexity: null", &perplexity).replace("timeout_seconds: 20", "timeout_seconds: 6");
        if local_only { yaml } else { yaml.replace("local_only: true", "local_only: false") }
    })
}

#[test]
fn a_footnote_is_held_against_the_page_that_it_cites_and_not_against_the_story() {
    // A page that was opened, and a source of the story.
    for (note, raised) in [
        ("Budget of Eastbrook, {page}: “Lighting is a fifth of the budget,” Ada Quill and the auditors wrote.", None),
        ("{page}, opened on 28 November 2026.", None),
        // Its head alone says so.
        ("Jane Poe, Budget of Eastbrook, Eastbrook Gazette, 12 March 2026, {page}.", None),
        ("Joan Roe, Budget of Eastbrook, {page}.", Some("Joan Roe")),
        (
            "Budget of Eastbrook, {page}: “Lighting is a third of the whole budget.”",
            Some("a third of the whole budget"),
        ),
        ("Minutes, line 1: “The council of Eastbrook voted seven to two on Tuesday.”", None),
        ("Minutes, line 1: “The minutes name the month of May.”", Some("name the month of May")),
        // The day of the topic's own text is that of its metadata.
        ("Minutes, 6 October 2026, line 1", None),
        ("Minutes, 7 October 2026, line 1", Some("7 October")),
        // By its title alone, and by the address that a redirection ends at.
        ("Budget of Eastbrook: “Lighting is a fifth of the budget,” Ada Quill and the auditors wrote.", None),
        ("Budget of Eastbrook: “Lighting is a third of the whole budget.”", Some("a third of the whole budget")),
        ("{once}: “Lighting is a third of the whole budget.”", Some("a third of the whole budget")),
        // Nobody could read it.
        ("The Gazette, {gone}", Some("What it cites could not be read")),
    ] {
        let pages = pages();
        let [page, once, gone] = ["/carries", "/once", "/gone"].map(|path| pages.page(path));
        let note = note.replace("{page}", &page).replace("{once}", &once).replace("{gone}", &gone);
        let cited = [once, gone, "Minutes, line 1".to_owned()];
        let written = note.clone();
        let models = Server::start(move |call| match call.agent.as_str() {
            "revision" => {
                let mut article: Value = serde_json::from_str(&script::article(2)).unwrap();
                article["articleBody"] = json!(format!(
                    "The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park.[^1]\n\n## Footnotes\n\n[^1]: {written}\n"
                ));
                Reply::Text(article.to_string())
            }
            _ => scripted(call, &cited),
        });
        let newsroom = newsroom_with_proof(&models);
        let done = newsroom.auto(&newsroom.topic());
        assert!(done.code < 2, "{}", done.err);
        let files = newsroom.files();
        let text = |name: &str| {
            files
                .iter()
                .find(|(path, _)| path.ends_with(name))
                .map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned())
        };
        let draft = text("/iter2_writer_draft.json").expect("a second draft");
        assert!(draft.contains("[^1]: "), "a verdict cites it: {draft}");
        let review = text("/iter2_article_review.json").expect("its review");
        for wrong in [
            "Joan Roe",
            "a third of the whole budget",
            "name the month of May",
            "7 October",
            "What it cites could not be read",
        ] {
            assert_eq!(review.contains(wrong), raised == Some(wrong), "{note}: {review}");
        }
        // The writer got it as a reader should read it.
        let asked = models.calls().into_iter().find(|call| call.agent == "revision").expect("a revision").user;
        let told = "Budget of Eastbrook. Jane Poe, Eastbrook Gazette, 2026-03-12. ";
        assert!(asked.contains(&format!("\"{told}{page} (opened ")), "{asked}");
        for fine in
            ["28 November", "Jane Poe", "Eastbrook Gazette", "12 March", "6 October", "Ada Quill", "seven to two"]
        {
            assert!(!review.contains(fine), "{note}: {review}");
        }
    }
}

#[test]
fn a_footnote_whose_page_nobody_kept_is_left_to_a_person() {
    let newsroom = Newsroom::offline();
    let said = "The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park.";
    newsroom.write("notes.txt", said.as_bytes());
    let note = "https://gazette.example/park, opened on 28 November 2026: \"Ninety-nine ducks live there.\"";
    newsroom.write("draft.md", format!("# Park\n\n{said}[^1]\n\n## Footnotes\n\n[^1]: {note}\n").as_bytes());
    let checked = newsroom.run(&["check", "draft.md", "--source", "notes.txt", "--json"]);
    let told: Value = serde_json::from_str(&checked.out).unwrap();
    assert_eq!(told["findings"], json!([]), "nothing is held against it");
    let rows = told["ledger"].as_array().unwrap();
    let row = rows.iter().find(|row| row["rule"] == "footnote.page").expect("a row of its own");
    assert_eq!((&row["status"], &row["text"]), (&json!("UNCHECKED"), &json!(note)));
    let all = newsroom.run(&["check", "draft.md", "--source", "notes.txt", "--all"]).out;
    assert!(all.contains("No text of what it cites was kept: read it yourself"), "{all}");
}

#[test]
fn the_source_of_a_run_is_cited_by_its_file_as_that_of_a_check_is() {
    let said = "The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park.";
    let words = "“The pond has waited for ten years,” Mayor Dana Voss said.";
    for (note, raised) in [
        ("council-minutes.txt, line 1", None),
        ("Council minutes, line 1", None),
        ("council-minutes.txt, line 99", Some("line 99")),
        ("Council minutes, line 3: “The pond has waited for nine years.”", Some("nine years")),
    ] {
        let newsroom = Newsroom::offline();
        newsroom.write("council-minutes.txt", format!("{said}\n\n{words}\n").as_bytes());
        newsroom.write("draft.md", format!("# Park\n\n{said}[^1]\n\n## Footnotes\n\n[^1]: {note}\n").as_bytes());
        let done = newsroom.run(&["run", "--auto", "council-minutes.txt", "--draft", "draft.md"]);
        assert!(done.code < 2, "{note}: {}", done.err);
        let files = newsroom.files();
        let review = files.iter().find(|(path, _)| path.ends_with("/iter1_article_review.json")).expect("its review");
        let review = String::from_utf8_lossy(&review.1);
        assert_eq!(review.contains("concern_id"), raised.is_some(), "{note}: {review}");
        assert!(raised.is_none_or(|raised| review.contains(raised)), "{note}: {review}");
    }
}

#[test]
fn citations_as_people_write_them_lead_to_their_source_and_a_wrong_place_is_a_finding_with_the_right_one() {
    let newsroom = Newsroom::offline();
    let said = "The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park.";
    let words = "“The pond has waited for ten years,” Mayor Dana Voss said.";
    newsroom
        .write("council-minutes.txt", format!("{said}\n\n{words}\n\nThe plan costs 2.4 million dollars.\n").as_bytes());
    let check = |body: &str| {
        newsroom.write("draft.md", format!("# Park\n\n{body}\n").as_bytes());
        newsroom.run(&["check", "draft.md", "--source", "council-minutes.txt", "--no-style", "--all"])
    };
    let quoted = |mark: &str| words.replace("years", &format!("years{mark}"));
    for body in [
        format!("{said}[^a]\n\n### Footnotes\n\n[^a]: Council minutes, p. 3"),
        format!(
            "{said}[1] {}\n\n## References\n\n[1] Council minutes, line 1\n[2] See council minutes, para. 2",
            quoted("[2]")
        ),
        format!("{said}¹ {}\n\n**Notes**\n\n1. council-minutes.txt, line 1\n2. Council Minutes, l. 3", quoted("²")),
        format!("{said}[^1]\n\n[^1]: https://eastbrook.example/minutes (accessed 3 May 2026)"),
    ] {
        let done = check(&body);
        assert!(
            done.code == 0 && !done.out.contains("ELIDED") && done.err.is_empty(),
            "{body}: {}{}",
            done.out,
            done.err
        );
        let unread = done.out.contains("No text of what it cites was kept");
        assert_eq!(unread, body.contains("https"), "{body}: {}", done.out);
    }
    for (note, found) in [
        ("[^1]: Council minutes, line 40", "“line 40”. These words stand in line 3 (council-minutes.txt, line 3)."),
        (
            "[^1]: Council minutes, para. 1",
            "“para. 1”. These words stand in paragraph 2 (council-minutes.txt, line 3).",
        ),
        (
            "[^1]: Council minutes, line 5: “The plan costs 2.4 million dollars.” [^2]\n[^2]: Council minutes, line 9",
            "“line 9”. council-minutes.txt has 5 lines.",
        ),
    ] {
        let done = check(&format!("{}\n\n## Footnotes\n\n{note}", quoted("[^1]")));
        assert!(done.code == 1 && done.out.contains(found), "{note}: {}", done.out);
    }
}

#[test]
fn marks_of_footnotes_in_any_state_are_read_and_those_that_lead_nowhere_are_told() {
    let newsroom = Newsroom::offline();
    let said = "The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park.";
    let words = "“The pond has waited for ten years,” Mayor Dana Voss said.";
    newsroom.write("notes.txt", format!("{said}\n\n{words}\n\nThe plan costs 2.4 million dollars.\n").as_bytes());
    let (vote, cost) = ("[^1]: notes.txt, line 1", "[^2]: notes.txt, line 5: “The plan costs 2.4 million dollars.”");
    let quoted = words.replace("years", "years[^1]");
    for (body, told) in [
        // To nothing, twice to one, out of order, nested, inside a quotation; one that nobody leads to, and two of one label.
        (format!("{said}[^9]"), &["the mark [^9] leads to no footnote"][..]),
        (format!("{said}[^1] The plan costs 2.4 million dollars.[^1]\n\n## Footnotes\n\n{vote}"), &[]),
        (format!("The plan costs 2.4 million dollars.[^2] {said}[^1]\n\n## Footnotes\n\n{vote}\n{cost}"), &[]),
        (format!("{said}[^1]\n\n## Footnotes\n\n{vote}.[^2]\n{cost}"), &[]),
        (format!("{quoted}\n\n## Footnotes\n\n[^1]: notes.txt, line 3"), &[]),
        (format!("{said}\n\n{vote}"), &["no mark leads to the footnote [^1]"]),
        (format!("{said}[^1]\n\n{vote}\n{vote}"), &["2 footnotes have the label [^1]: a reader sees one of them"]),
    ] {
        newsroom.write("draft.md", format!("# Park\n\n{body}\n").as_bytes());
        let done = newsroom.run(&["check", "draft.md", "--source", "notes.txt", "--no-style"]);
        assert!(done.code == 0 && done.out.starts_with("0 findings."), "{body}: {}", done.out);
        assert_eq!(done.err.lines().collect::<Vec<_>>(), told, "{body}");
    }
    // A nested note is held against what it cites as any other one.
    let wrong = format!("{said}[^1]\n\n## Footnotes\n\n{vote}.[^2]\n{}", cost.replace("2.4", "9.4"));
    newsroom.write("draft.md", format!("# Park\n\n{wrong}\n").as_bytes());
    let done = newsroom.run(&["check", "draft.md", "--source", "notes.txt", "--no-style"]);
    assert!(done.code == 1 && done.out.starts_with("1 finding."), "{}", done.out);
}

#[test]
fn marks_that_lead_nowhere_are_taken_out_of_a_writers_draft_and_said() {
    let pages = pages();
    let page = pages.page("/carries");
    let cited = [page.clone(), "Minutes, line 1".to_owned()];
    let body = format!(
        "The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park.[^2][^9] “Lighting[^1] is a fifth of the budget,” the \
         auditors wrote.[^1]\n\n## Footnotes\n\n[^1]: Budget of Eastbrook, {page}.\n[^2]: Minutes, line 1. As in [^1].\n[^1]: {page}/other\n"
    );
    let models = Server::start(move |call| match call.agent.as_str() {
        "revision" => {
            let mut article: Value = serde_json::from_str(&script::article(2)).unwrap();
            article["articleBody"] = json!(body);
            Reply::Text(article.to_string())
        }
        _ => scripted(call, &cited),
    });
    let newsroom = newsroom_with_proof(&models);
    let done = newsroom.auto(&newsroom.topic());
    assert!(done.code < 2, "{}", done.err);
    let draft = super::assign::artifact(&newsroom, "iter2_writer_draft.json");
    let draft: Value = serde_json::from_str(&draft).unwrap();
    let text = draft["articleBody"].as_str().unwrap();
    assert!(
        text.contains("Park.[^2] “Lighting[^1] is") && text.contains("[^2]: Minutes, line 1. As in [^1]."),
        "{text}"
    );
    assert!(!text.contains("[^9]") && !text.contains("/other"), "{text}");
    let said = newsroom.run(&["show", "desk/park"]).out;
    assert!(said.contains("[^9]"), "{said}");
    // Readers get each note once, as real footnotes too.
    let html = newsroom.ran(&["export", "desk/park", "--format", "html"]).out;
    assert!(!html.contains("[^") && html.matches("id=\"fn-1\"").count() < 2, "{html}");
}

fn newsroom_with_proof(models: &Server) -> Newsroom {
    let base = newsroom(models, true);
    let path = base.path().join("config/config.yaml");
    let yaml = std::fs::read_to_string(&path).unwrap();
    let at = yaml.find("\nproof:").unwrap();
    let (before, proof) = yaml.split_at(at);
    let proved = before.to_owned() + &proof.replacen("enabled: false", "enabled: true", 1);
    assert!(proved != yaml, "the proof was off");
    std::fs::write(&path, proved).unwrap();
    base
}

/// The entries of `show --json` on each citation.
fn shown(newsroom: &Newsroom) -> Vec<Value> {
    let shown: Value = serde_json::from_str(&newsroom.run(&["show", "desk/park", "--json"]).out).unwrap();
    shown["citations"].as_array().unwrap().clone()
}

#[test]
fn a_searxng_server_looks_for_evidence_and_its_pages_are_held_against_the_claim() {
    let pages = pages();
    let page = pages.page("/carries");
    let given = page.clone();
    let searched = Server::start(move |call| {
        assert_eq!(call.user, "/search");
        let results = json!({"results": [{"title": "Budget", "url": given, "content": "A fifth.", "engine": "x"}]});
        Reply::raw("application/json", results.to_string())
    });
    let cited = page.clone();
    let models = Server::start(move |call| scripted(call, std::slice::from_ref(&cited)));
    let search = format!(
        "\n  search:\n    provider: searxng\n    api_base: {}\n    timeout_seconds: 5\n    most_results: 8",
        searched.page("").trim_end_matches('/')
    );
    let newsroom = Newsroom::at_with(&models.base(), |yaml| yaml.replace("\n  search: null", &search));
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 0, "{}", done.err);
    let shown = shown(&newsroom);
    assert_eq!(shown[0]["state"]["opened"]["carries"], json!("verbatim"), "{shown:?}");
    assert_eq!((searched.count("page"), models.count("evidence_search")), (1, 0), "no model is asked to search");
}

/// Why each citation was not opened.
fn why(newsroom: &Newsroom) -> Vec<String> {
    let why = |cited: &Value| cited["state"]["not_opened"]["why"].as_str().unwrap_or("opened").to_owned();
    shown(newsroom).iter().map(why).collect()
}

#[cfg(feature = "pdf")]
#[test]
fn a_citation_is_opened_kept_and_held_against_the_claim() {
    let pages = pages();
    let cited: Vec<String> = ["/carries", "/other", "/paper", "/once"].map(|path| pages.page(path)).to_vec();
    let models = models(cited.clone());
    let newsroom = newsroom(&models, true);
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(pages.count("page"), 5, "one is sent on");
    assert!(pages.calls().iter().all(|call| call.authorization.is_empty()));

    let shown = shown(&newsroom);
    let opened: Vec<&Value> = shown.iter().map(|cited| &cited["state"]["opened"]).collect();
    let carries: Vec<&str> = opened.iter().map(|page| page["carries"].as_str().unwrap()).collect();
    assert_eq!(carries, ["verbatim", "not", "in_substance", "verbatim"]);
    let titles: Vec<&str> = opened.iter().map(|page| page["title"].as_str().unwrap()).collect();
    assert_eq!(titles[0], "Budget of Eastbrook");
    assert_eq!(opened[0]["passage"]["text"], json!("Lighting is a fifth of the budget, the auditors wrote."));
    assert_eq!(opened[0]["passage"]["tier"], json!("evidence"));
    assert!(opened[1]["passage"]["text"].as_str().unwrap().contains("A third of it"), "{}", opened[1]);
    assert_eq!(opened[3]["address"], json!(pages.page("/carries")));

    // The texts are the story's, of a tier of their own; the places are bytes of them.
    let database = rusqlite::Connection::open(newsroom.path().join("data/copydesk.db")).unwrap();
    let mut kept = database.prepare("SELECT name, digest FROM document WHERE tier = 'evidence' ORDER BY name").unwrap();
    let kept: Vec<(String, String)> =
        kept.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect();
    let names: Vec<&str> = kept.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, [&cited[0], &cited[1], &cited[2]]);
    for (page, (_, digest)) in opened.iter().zip(&kept) {
        assert_eq!(page["digest"].as_str(), Some(digest.as_str()));
    }

    // Who asks for pages finds them, though the knowledge base is trusted further.
    let searched = newsroom.run(&["kb", "search", "--json", "--in", "evidence", "auditors"]);
    let searched: Value = serde_json::from_str(&searched.out).unwrap();
    assert_eq!(searched["hits"][0]["passage"]["file"], json!(cited[0]), "{searched}");

    // The judge is told; the writer hears of it only what a verdict cites.
    let calls = models.calls();
    let judge = calls.iter().find(|call| call.agent == "evidence_finding").unwrap();
    assert!(judge.user.contains("opened, carries the claim word for word"), "{}", judge.user);
    assert!(judge.user.contains("the auditors wrote") && judge.user.contains("opened, does not carry the claim"));
    let heard = |call: &Call| call.body.to_string();
    for call in calls.iter().filter(|call| call.agent != "evidence_finding") {
        let heard = heard(call);
        for words in ["auditors wrote", "A third of it", "for lamps"] {
            assert!(!heard.contains(words), "{} hears of a page: {words}", call.agent);
        }
    }
    assert!(calls.iter().any(|call| call.agent == "revision" && heard(call).contains("/carries")));

    // Citations are passed on as they came, marked where a person reads.
    let verdict = newsroom.canonical()["editor_report"]["iterations"][0]["verdicts"][1].clone();
    assert_eq!(verdict["citations"], json!(cited));
    let said = newsroom.run(&["show", "desk/park"]).out;
    assert!(said.contains(&format!("citation {}: opened, carries the claim word for word", cited[0])), "{said}");
    assert!(said.contains(&format!("citation {}: opened, does not carry the claim", cited[1])), "{said}");
}

#[test]
fn a_citation_that_cannot_be_opened_says_why_and_holds_nothing_up() {
    let pages = pages();
    let paths = ["/gone", "/large", "/loop", "/inside", "/out", "/file", "/nowhere", "/hang"];
    let mut cited: Vec<String> = paths.map(|path| pages.page(path)).to_vec();
    cited.push("Smith et al., 2024".into());
    let models = models(cited);
    let newsroom = newsroom(&models, true);
    let began = Instant::now();
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(began.elapsed() < Duration::from_secs(30));
    let host = pages.page("").replace("http://", "");
    let said = why(&newsroom);
    assert_eq!(
        said,
        [
            format!("{host} answered 404"),
            "it is larger than 8192 KB (tools.fetch.longest_page_kb)".into(),
            "it redirects more than 3 times".into(),
            "10.0.0.1 is not this machine and privacy.local_only is true".into(),
            "elsewhere.example is not this machine and privacy.local_only is true".into(),
            "it is not a web address".into(),
            format!("{host} redirects to no address"),
            "it did not arrive within 6 s (tools.fetch.timeout_seconds)".into(),
            "only the first 8 citations of a search are".into(),
        ]
    );
    assert_eq!(pages.calls().iter().filter(|call| call.user == "/loop").count(), 4);
    let judge = models.calls().into_iter().find(|call| call.agent == "evidence_finding").unwrap();
    assert!(judge.user.contains("not opened: it is larger than 8192 KB"), "{}", judge.user);
}

#[test]
fn what_holds_no_text_is_marked_so() {
    let pages = pages();
    let mut cited: Vec<String> =
        ["/garbage", "/picture", "/blank", "/cut", "/endless"].map(|path| pages.page(path)).to_vec();
    cited.extend(["Smith et al., 2024".into(), "http://user:word@127.0.0.1/".into(), "https://a.example/".into()]);
    let models = models(cited);
    let newsroom = newsroom(&models, true);
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    let host = pages.page("").replace("http://", "");
    let said = why(&newsroom);
    assert_eq!(
        said,
        [
            "it is binary data, not text",
            "it is a picture (PNG), not text",
            "it shows no text without its scripts: save it as the browser shows it, and give the file as a source",
            &format!("{host} stopped in the middle of it"),
            "it is larger than 8192 KB (tools.fetch.longest_page_kb)",
            "it is not a web address",
            "its address holds a user name or a password",
            "a.example is not this machine and privacy.local_only is true",
        ]
    );
}

#[test]
fn where_every_host_is_allowed_nobody_is_led_to_this_machine() {
    let pages = pages();
    let local = pages.page("/carries").replace("127.0.0.1", "localhost");
    let models = models(vec![pages.page("/carries"), local.clone(), "http://[::1]/".into()]);
    let newsroom = newsroom(&models, false);
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    let host = |address: &str| address.replace("http://", "").replace("/carries", "");
    assert_eq!(
        why(&newsroom),
        [&host(&pages.page("/carries")), &host(&local), "[::1]"].map(|host| format!("{host} is not a public address"))
    );
    assert_eq!(pages.count("page"), 0);
}

/// Starts the usual story, and kills the program once it has said that `step` is done.
fn killed_after(newsroom: &Newsroom, step: &str) {
    let topic = newsroom.topic();
    let mut child = newsroom.start(&["run", "--auto", "--json", topic.to_str().unwrap()]);
    let done = format!("\"step\":\"{step}\"");
    let found = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok)
        .any(|line| line.contains("step_done") && line.contains(&done));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(found, "{step} is done before the end");
}

#[test]
fn killed_between_the_search_and_the_verdict_a_run_opens_nothing_again() {
    let pages = pages();
    let cited = vec![pages.page("/carries")];
    let latch = Latch::default();
    let (held, given) = (latch.clone(), cited.clone());
    let models = Server::start(move |call| match call.agent.as_str() {
        "evidence_finding" => Reply::Held(script::verdict(script::concern(call)), 5, held.clone()),
        _ => scripted(call, &given),
    });
    let newsroom = newsroom(&models, true);
    killed_after(&newsroom, "r1.c2.open");
    latch.open();
    let resumed = newsroom.run(&["resume"]);
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    assert_eq!((pages.count("page"), models.count("evidence_search")), (1, 1));
    assert_eq!(shown(&newsroom)[0]["state"]["opened"]["carries"], json!("verbatim"));
}

#[test]
fn killed_while_a_page_is_opened_a_run_opens_that_once_more_and_searches_no_more() {
    let pages = Server::start(|call| match call.before {
        0 => Reply::Hang,
        _ => Reply::Raw("text/html", CARRIES.as_bytes().to_vec()),
    });
    let models = models(vec![pages.page("/carries")]);
    let newsroom = newsroom(&models, true);
    killed_after(&newsroom, "r1.c2.search");
    let resumed = newsroom.run(&["resume"]);
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    assert!(pages.count("page") <= 2);
    assert_eq!(models.count("evidence_search"), 1);
    assert_eq!(shown(&newsroom).len(), 1);
}

//! Stories that begin with a question and rest on pages of the web: from the page that was found to the line that is read, by commands.

use serde_json::Value;

use super::assign::{artifact, replays};
use crate::support::{
    newsroom::Newsroom,
    server::{Reply, Server},
};

fn page(head: &str, body: &str) -> Reply {
    Reply::raw("text/html; charset=utf-8", format!("<html><head>{head}</head><body><main>{body}</main></body></html>"))
}

/// A newsroom without models that opens pages of this machine.
fn newsroom(change: impl FnOnce(String) -> String) -> Newsroom {
    Newsroom::with(|yaml| change(yaml.replace("respects_robots: true", "respects_robots: false")))
}

fn only_story(newsroom: &Newsroom) -> String {
    let listed: Value = serde_json::from_str(&newsroom.ran(&["list", "--json"]).out).unwrap();
    listed[0]["story"].as_str().expect("a story").to_owned()
}

/// The only story, after an assignment was given and, at its questions, let go on.
fn assigned(newsroom: &Newsroom, assignment: &str) -> String {
    newsroom.ran(&["assign", assignment, "--plain"]);
    let story = only_story(newsroom);
    newsroom.ran(&["decide", &story, "continue", "--resume"]);
    story
}

const ARTICLE: &str = "# Eastbrook votes seven to two to renovate Miller Park\n\n*The plan costs 2.4 million dollars*\n\n\
    > The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park.\n\n\
    The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park. The plan for Miller Park costs 2.4 million dollars.\n\n\
    “The pond has waited for ten years,” Mayor Dana Voss said after the vote.\n\n\
    Miller Park opened in 1958. Its paths have not been renewed since 1987.\n";

#[test]
fn a_question_and_three_pages_become_a_signed_article_whose_every_sentence_leads_to_its_page() {
    let server = Server::start(|call| match call.user.as_str() {
        "/minutes" => page(
            "<title>Minutes of the council</title><meta name=author content=\"Ann Lee\">",
            "<p>The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park. The plan for Miller Park costs 2.4 million \
             dollars and lays 1.4 miles of paths.</p>",
        ),
        "/gazette" => page(
            "<title>Mayor on the vote for Miller Park</title>",
            "<p>“The pond has waited for ten years,” Mayor Dana Voss said after the vote of the council of Eastbrook on Miller Park.</p>",
        ),
        _ => page(
            "<title>Parks department: Miller Park</title>",
            "<p>Miller Park opened in 1958. Its pond covers three acres, and its paths have not been renewed since 1987.</p>",
        ),
    });
    let pages = ["/minutes", "/gazette", "/parks"].map(|path| server.page(path));
    let newsroom = newsroom(|yaml| yaml);
    let [minutes, gazette, parks] = &pages;
    let story = assigned(
        &newsroom,
        &format!(
            "What does the plan for Miller Park cost, and how did the council of Eastbrook vote? What did Mayor Dana Voss say of the pond? \
             When did Miller Park open, and how old are its paths? See {minutes} {gazette} {parks}"
        ),
    );
    let research: Value = serde_json::from_str(&artifact(&newsroom, "research_p1.json")).unwrap();
    assert_eq!(research["questions"].as_array().unwrap().len(), 3, "pages are no question: {research}");
    newsroom.write("article.md", ARTICLE.as_bytes());
    for words in [&["edit", "article.md"][..], &["continue"], &["continue"]] {
        newsroom.ran(&[&["decide", &story], words, &["--resume"]].concat());
    }
    let signed = newsroom.ran(&["decide", &story, "sign-off", "--resume"]).out;
    assert!(signed.contains("SUCCESS") && !signed.contains("FACT SHEET"), "a person wrote it: {signed}");
    // Each sentence leads to its page, though each page is weak; the last of a row from one page has the mark.
    let export =
        |form: &str, style: &str| newsroom.ran(&["export", &story, "--format", form, "--citations", style]).out;
    let inline = export("markdown", "inline");
    let (body, sources) = inline.split_once("\n## Sources\n").expect("a list of sources");
    let marked: Vec<&str> = body.trim_end().rsplit("\n\n").take(3).collect();
    for (paragraph, (number, page)) in marked.iter().rev().zip((1..).zip(&pages)) {
        assert!(paragraph.ends_with(&format!(" [\\[{number}\\]](<{page}>)")), "{page}: {inline}");
        assert!(
            sources.contains(&format!("\n{number}. ")) && sources.contains(&format!("<{page}> (opened ")),
            "{inline}"
        );
    }
    let notes = export("markdown", "notes");
    let html = export("html", "inline");
    newsroom.ran(&["export", &story, "--format", "docx", "--citations", "notes", "--out", "article.docx"]);
    let document = std::fs::File::open(newsroom.path().join("article.docx")).unwrap();
    let mut document = zip::ZipArchive::new(document).unwrap();
    let footnotes = std::io::read_to_string(document.by_name("word/footnotes.xml").unwrap()).unwrap();
    let ninjs: Value = serde_json::from_str(&export("ninjs", "none")).unwrap();
    for page in &pages {
        assert!(footnotes.contains(page.as_str()), "{footnotes}");
        assert!(notes.contains(&format!("<{page}>")) && html.contains(&format!("href=\"{page}\"")), "{notes}{html}");
        assert!(
            ninjs["infoSources"].as_array().unwrap().iter().any(|source| source["uri"] == *page.as_str()),
            "{ninjs}"
        );
    }
    let shown = newsroom.ran(&["show", &story]).out;
    assert!(!shown.contains("of 0 tokens") && !shown.contains("saved 100 %"), "{shown}");
    replays(&newsroom);
}

#[test]
fn weak_pages_that_agree_verify_nothing_are_all_named_and_the_worst_claim_comes_first() {
    let server = Server::start(|call| {
        let more = match call.user.as_str() {
            "/a" => "A reader sent this in.",
            "/b" => "The pond is green.",
            _ => "More on this tomorrow.",
        };
        page(
            "<title>My week</title>",
            &format!("<p>Miller Park opened in 1958. The plan for Miller Park costs 2.4 million dollars. {more}</p>"),
        )
    });
    let pages = ["/a", "/b", "/c"].map(|path| server.page(path));
    let newsroom = newsroom(|yaml| yaml);
    let assignment =
        format!("What does the plan for Miller Park cost? When was Miller Park opened? See {}", pages.join(" "));
    let done = newsroom.run(&["assign", &assignment, "--auto"]);
    assert!(done.code < 2, "{}\n{}", done.out, done.err);
    assert!(!newsroom.ran(&["list"]).out.contains("See http"), "its title is the questions");
    let shown = newsroom.ran(&["show", &only_story(&newsroom)]).out;
    let named = shown.lines().filter(|line| line.trim_start().starts_with("rests on weak pages alone"));
    let order: Vec<&str> = named.map(|line| line.rsplit("/c ").next().unwrap_or_default()).collect();
    assert!(order[0].starts_with("(money)") && order[1].starts_with("(figure)"), "{order:?}");
    assert!(shown.contains("claims match a trusted source (fact-check score 0.00); "), "{shown}");
    assert!(shown.contains(&format!("rests on weak pages alone, {}", pages.join(", "))), "{shown}");
    assert!(shown.contains("its sources are weak: 3 pages, the best of credibility 0."), "{shown}");
    // An editor reads that, and why, before a decision.
    let desk = self::newsroom(|yaml| yaml);
    let story = assigned(&desk, &assignment);
    let weak = [
        "Its sources are weak: 3 pages, the best of credibility 0.",
        " (the kind of publisher is not known, no byline, no date",
    ];
    let decided = desk.ran(&["decide", &story, "feedback", "Name the mayor."]).err;
    for told in [&decided, &desk.ran(&["show", &story]).out] {
        assert!(weak.iter().all(|said| told.contains(said)), "{told}");
    }
    let claims: Value = serde_json::from_str(&artifact(&newsroom, "iter1_claims.json")).unwrap();
    assert!(claims["claims"].as_array().unwrap().iter().all(|claim| claim["verified"] == false), "{claims}");
    replays(&newsroom);
    // At a gate the worst is told before all else.
    newsroom.write("notes.txt", b"The council met on Tuesday. It spoke of Miller Park.\n");
    let draft = "# Council meets\n\nThe council met on Tuesday. Nine members came. The plan for Miller Park costs 2.4 million dollars.\n";
    newsroom.write("draft.md", draft.as_bytes());
    let gate = newsroom.run(&["run", "--plain", "notes.txt", "--draft", "draft.md"]).out;
    let first = gate.lines().find(|line| line.contains("Check first")).unwrap_or_else(|| panic!("{gate}"));
    assert_eq!(first, "  Check first (money): “The plan for Miller Park costs 2.4 million dollars.”", "{gate}");
}

const SHELL: &str = "<title>Park news</title><div id=root></div><script src=app.js></script>";

#[cfg(unix)]
#[test]
fn text_for_programs_is_read_a_page_of_scripts_is_drawn_if_asked_and_one_without_text_is_refused_by_name() {
    let server = Server::start(|call| match call.user.as_str() {
        "/data" => page(
            "<title>Council votes</title><script type=\"application/ld+json\">{\"@type\": \"NewsArticle\", \"headline\": \"Council votes\", \
             \"author\": {\"name\": \"Ada Quill\"}, \"articleBody\": \"The plan for Miller Park costs 2.4 million dollars, and the council of \
             Eastbrook voted for it.\"}</script>",
            "<div id=root></div><script src=app.js></script>",
        ),
        "/app" => Reply::raw("text/html", SHELL),
        "/large" => Reply::raw("text/html", vec![b'x'; 50 << 20]),
        _ => page("<title>Nothing</title>", ""),
    });
    let [data, app, large, empty] = ["/data", "/app", "/large", "/empty"].map(|path| server.page(path));
    let drawn = "printf '<title>Drawn</title><article><p>The work on Miller Park begins in April, the council of Eastbrook was told.</p></article>'";
    for render in [None, Some(format!("render: [/bin/sh, -c, \"{}\", \"{{url}}\"]", drawn.replace('"', "\\\"")))] {
        let is_drawn = render.is_some();
        let newsroom = newsroom(|yaml| match render {
            Some(render) => yaml.replace("render: null", &render),
            None => yaml,
        });
        let assignment = format!(
            "What does the plan for Miller Park cost? When does the work on Miller Park begin? See {data} {app} {large} {empty}"
        );
        let done = newsroom.run(&["--trust", "assign", &assignment, "--auto"]);
        assert!(done.code < 2, "{}\n{}", done.out, done.err);
        let shown = newsroom.ran(&["show", &only_story(&newsroom)]).out;
        let line = |address: &str| {
            let asked = format!("fetch_content “{address}”");
            shown.lines().find(|line| line.contains(&asked)).unwrap_or_else(|| panic!("{address}: {shown}")).to_owned()
        };
        assert!(line(&data).ends_with("S1 Council votes"), "{shown}");
        let dossier = artifact(&newsroom, "dossier.md");
        assert!(dossier.contains("costs 2.4 million dollars"), "{dossier}");
        assert_eq!(dossier.contains("begins in April"), is_drawn, "{dossier}");
        let refused =
            |address: &str, why: &str| line(address).contains(&format!("failed: {address} was not opened: {why}"));
        assert!(is_drawn || refused(&app, "it shows no text without its scripts"), "{shown}");
        assert!(refused(&large, "it is larger than 8192 KB (tools.fetch.longest_page_kb)"), "{shown}");
        assert!(refused(&empty, "it is empty"), "no program is started for it: {shown}");
        replays(&newsroom);
    }
    // A story whose only page has no text ends with what to do.
    let newsroom = newsroom(|yaml| yaml);
    let done = newsroom.run(&["assign", &format!("What does the plan for Miller Park cost? See {empty}"), "--auto"]);
    let said = format!("{}{}", done.out, done.err);
    assert!(done.code == 1 && said.contains("the research found nothing on this assignment"), "{said}");
}

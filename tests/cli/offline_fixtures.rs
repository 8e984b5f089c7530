//! The offline desk against drafts that humans wrote: clean ones pass, planted errors are raised, the loop settles.

use std::{fs, path::PathBuf};

use copydesk::{
    agents::offline::{mapping, review, revise, specialists, writer},
    newsroom::{ArticleResponse, Concern, Finding, PathName, Source, SourceMetadata, Status, Topic},
    proof,
    text::{sentences::sentences, words::words},
};

/// Errors that must be raised, of thirty.
const LEAST: usize = 20;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The Markdown form of a draft: `# headline`, `*alternative headline*`, `> description`, body.
fn article(markdown: &str) -> ArticleResponse {
    let mut found = ArticleResponse {
        headline: String::new(),
        alternativeHeadline: String::new(),
        articleBody: String::new(),
        description: String::new(),
    };
    let mut body: Vec<&str> = Vec::new();
    for block in markdown.split("\n\n").map(str::trim).filter(|block| !block.is_empty()) {
        let head = body.is_empty();
        if let Some(text) = block.strip_prefix("# ").filter(|_| head && found.headline.is_empty()) {
            text.clone_into(&mut found.headline);
        } else if let Some(text) = block.strip_prefix("> ").filter(|_| head && found.description.is_empty()) {
            text.clone_into(&mut found.description);
        } else if head && found.alternativeHeadline.is_empty() && block.starts_with('*') && block.ends_with('*') {
            block.trim_matches('*').clone_into(&mut found.alternativeHeadline);
        } else {
            body.push(block);
        }
    }
    found.articleBody = body.join("\n\n");
    found
}

struct Story {
    slug: String,
    topic: Topic,
    sources: Vec<Source>,
}

fn stories() -> Vec<Story> {
    let mut found: Vec<Story> = fs::read_dir(root().join("assets/topics"))
        .unwrap()
        .flatten()
        .map(|entry| {
            let file = entry.file_name().to_string_lossy().into_owned();
            let value: serde_json::Value = serde_json::from_str(&read(&format!("assets/topics/{file}"))).unwrap();
            let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
            let metadata = &value["source_metadata"];
            let topic = Topic {
                source_text: text(&value["source_text"]),
                source_metadata: SourceMetadata {
                    source_file: text(&metadata["source_file"]),
                    channel_name: PathName::new(text(&metadata["channel_name"])).unwrap(),
                    video_id: text(&metadata["video_id"]),
                    video_title: text(&metadata["video_title"]),
                    publish_date: metadata["publish_date"].as_str().map(str::to_owned),
                    topic_slug: PathName::new(text(&metadata["topic_slug"])).unwrap(),
                    topic_title: text(&metadata["topic_title"]),
                },
                style_mode: text(&value["style_mode"]),
                target_length_words: text(&value["target_length_words"]),
                optional_angle: value["optional_angle"].as_str().map(str::to_owned),
            };
            let sources =
                vec![Source { name: topic.source_metadata.video_title.clone(), text: topic.source_text.clone() }];
            Story { slug: file.trim_end_matches(".json").to_owned(), topic, sources }
        })
        .collect();
    found.sort_by(|a, b| a.slug.cmp(&b.slug));
    found
}

#[derive(serde::Deserialize)]
struct Case {
    topic: String,
    file: String,
    kind: String,
    planted: String,
}

fn planted() -> Vec<Case> {
    let mut all: Vec<Case> = Vec::new();
    for list in ["planted-1.json", "planted-2.json"] {
        all.extend(serde_json::from_str::<Vec<Case>>(&read(&format!("tests/fixtures/drafts/{list}"))).unwrap());
    }
    all
}

fn story<'s>(stories: &'s [Story], slug: &str) -> &'s Story {
    stories.iter().find(|story| story.slug == slug).unwrap_or_else(|| panic!("no topic {slug}"))
}

/// Whether a finding touches the planted words or the sentence that holds them.
fn touches(finding: &Finding, article: &ArticleResponse, planted: &str) -> bool {
    let text = article.fields().into_iter().find(|(name, _)| *name == finding.field).map_or("", |(_, text)| text);
    let Some(start) = text.find(planted) else { return false };
    let end = start + planted.len();
    let held: Vec<_> = sentences(text).into_iter().filter(|range| range.start < end && start < range.end).collect();
    let from = held.first().map_or(start, |range| range.start.min(start));
    let to = held.last().map_or(end, |range| range.end.max(end));
    finding.start < to && from < finding.end
}

#[test]
fn clean_drafts_give_no_finding() {
    for story in stories() {
        let draft = article(&read(&format!("tests/fixtures/drafts/{}/clean.md", story.slug)));
        assert_eq!(proof::check(&draft, &story.sources), [], "{}", story.slug);
    }
}

#[test]
fn planted_errors_are_raised() {
    let (stories, planted) = (stories(), planted());
    for kind in ["wrong_figure", "wrong_name", "altered_quotation", "inflated_certainty", "unsupported_sentence"] {
        assert_eq!(planted.iter().filter(|error| error.kind == kind).count(), 6, "{kind}");
    }
    let mut missed: Vec<String> = Vec::new();
    let mut beside: Vec<String> = Vec::new();
    for error in &planted {
        let draft = article(&read(&format!("tests/fixtures/drafts/{}/{}", error.topic, error.file)));
        let findings = proof::check(&draft, &story(&stories, &error.topic).sources);
        if !findings.iter().any(|finding| touches(finding, &draft, &error.planted)) {
            missed.push(format!("{}/{}: {}", error.topic, error.file, error.planted));
        }
        let others = findings.iter().filter(|finding| !touches(finding, &draft, &error.planted));
        beside
            .extend(others.map(|finding| format!("{}/{}: {} {}", error.topic, error.file, finding.rule, finding.text)));
    }
    let raised = planted.len() - missed.len();
    // The README's figures: `cargo test --test cli offline_fixtures -- --nocapture`.
    eprintln!("{raised} of {} planted errors raised, {} findings beside them; missed:", planted.len(), beside.len());
    for line in &missed {
        eprintln!("  {line}");
    }
    assert!(raised >= LEAST, "{raised} of {} raised; missed:\n{}", planted.len(), missed.join("\n"));
    assert!(beside.len() <= 2, "raised beside the planted errors:\n{}", beside.join("\n"));
}

/// Review, mapping, verdicts, revision: until the proof finds nothing, no fix is left, or the rounds are used up.
fn rounds(mut draft: ArticleResponse, sources: &[Source]) -> (ArticleResponse, usize, Vec<Finding>) {
    for round in 1..=3 {
        let review = review::review(&draft, sources, &[], None);
        if review.findings.is_empty() {
            assert_eq!(review.raw.markdown_bullets, "");
            return (draft, round, Vec::new());
        }
        let concerns: Vec<Concern> = review
            .raw
            .markdown_bullets
            .lines()
            .zip(1..)
            .map(|(line, concern_id)| {
                let note = line.strip_prefix("- ").unwrap();
                let excerpt = note.split_once('“').and_then(|(_, rest)| rest.split_once('”')).unwrap().0;
                Concern { concern_id, excerpt: excerpt.to_owned(), review_note: note.to_owned() }
            })
            .collect();
        assert_eq!(concerns.len(), review.findings.len());
        let mapped =
            mapping::map(&concerns.iter().collect::<Vec<_>>(), &review.findings.iter().collect::<Vec<_>>()).mappings;
        let fixes: Vec<Option<String>> = mapped
            .iter()
            .zip(&concerns)
            .zip(&review.findings)
            .map(|((mapping, concern), finding)| {
                let verdict =
                    specialists::judge(mapping.selected_agent, concern, Some(finding), &draft, (sources, &[]), &[]);
                assert!(verdict.status != Status::Keep && verdict.misleading);
                assert!(verdict.suggested_fix.is_some() || finding.replacement.is_none(), "{finding:?}");
                verdict.suggested_fix
            })
            .collect();
        let to_dos: Vec<String> = fixes.into_iter().flatten().collect();
        if to_dos.is_empty() {
            return (draft, round, review.findings);
        }
        let revised = revise::revise(&draft, &to_dos, sources);
        assert_eq!(revised.undone, [""; 0], "{to_dos:?}");
        draft = revised.article;
    }
    let left = proof::check(&draft, sources);
    (draft, 4, left)
}

#[test]
fn the_loop_settles_on_every_faulty_draft() {
    let stories = stories();
    for error in planted() {
        let draft = article(&read(&format!("tests/fixtures/drafts/{}/{}", error.topic, error.file)));
        let before = words(&draft.articleBody).len();
        let (settled, _, left) = rounds(draft, &story(&stories, &error.topic).sources);
        assert!(left.iter().all(|finding| finding.replacement.is_none()), "{}/{}: {left:?}", error.topic, error.file);
        let after = words(&settled.articleBody).len();
        assert!(after * 10 >= before * 9, "{}/{}: {before} words became {after}", error.topic, error.file);
        assert!(settled.fields().iter().all(|(_, text)| !text.trim().is_empty()));
    }
}

#[test]
fn the_loop_settles_on_the_sample_draft() {
    let stories = stories();
    let draft = article(&read("assets/drafts/miller-park-renovation.md"));
    let sources = &story(&stories, "miller-park-renovation").sources;
    assert!(proof::check(&draft, sources).len() >= 4);
    let (settled, round, left) = rounds(draft, sources);
    assert_eq!(left, []);
    assert!(round <= 3, "{round} rounds: {settled:?}");
}

#[test]
fn the_writers_own_briefs_pass_the_proof() {
    for story in stories() {
        let draft = writer::draft(&story.topic, &story.sources);
        assert_eq!(proof::check(&draft.article, &story.sources), [], "{}", story.slug);
        let count = words(&draft.article.articleBody).len();
        assert!((200..=400).contains(&count), "{}: {count} words; {:?}", story.slug, draft.undone);
        // A description that the text already has is left out.
        let missing = draft.article.fields().into_iter().find(|(name, text)| text.is_empty() && *name != "description");
        assert_eq!(missing, None, "{:?}", draft.article);
    }
}

//! What the loop makes of drafts with planted faults if every agent errs: how many faults reach the canonical article, what it costs,
//! and how often a specialist was shown what decides.

use std::{collections::BTreeMap, sync::Arc, thread, time::Duration};

use serde_json::{Value, json};

use crate::support::{
    erring::{self, Shown, Story, fold},
    newsroom::Newsroom,
    server::{Call, Reply, Server},
};

/// What one story came to, or several.
#[derive(Debug, Default, Clone)]
struct Figures {
    stories: usize,
    passed: usize,
    faults: usize,
    reached: usize,
    removed_with_their_sentence: usize,
    sentences: usize,
    sentences_removed: usize,
    sentences_drifted: usize,
    fact_checks_of_faults: LookUps,
    fact_checks_of_true_words: LookUps,
    other_specialists: LookUps,
    calls: usize,
    bytes_asked: usize,
    bytes_answered: usize,
    bytes_repeated: usize,
}

/// What the prompts of specialists held of what decides.
#[derive(Debug, Default, Clone)]
struct LookUps {
    /// Calls whose concern a passage of the source decides.
    decided: usize,
    held: usize,
    held_all: usize,
    /// Calls whose concern no passage decides.
    not_decided: usize,
}

impl LookUps {
    fn add(&mut self, other: &Self) {
        self.decided += other.decided;
        self.held += other.held;
        self.held_all += other.held_all;
        self.not_decided += other.not_decided;
    }

    fn count(&mut self, shown: Shown) {
        self.decided += 1;
        self.held += usize::from(shown.held > 0);
        self.held_all += usize::from(shown.held == shown.deciding);
    }

    fn share(&self) -> String {
        share(self.held, self.decided)
    }
}

impl Figures {
    fn of(story: &Story, outcome: &Outcome, calls: &[Call]) -> Self {
        let body = fold(outcome.article["articleBody"].as_str().unwrap());
        let has = |text: &str| body.contains(&fold(text));
        let count = |faults: &dyn Fn(&erring::Fault) -> bool| story.faults.iter().filter(|fault| faults(fault)).count();
        let whole: Vec<&erring::Sentence> = story.sentences.iter().filter(|sentence| !sentence.touched).collect();
        let drifted =
            whole.iter().filter(|sentence| sentence.drifted.as_ref().is_some_and(|drift| has(&drift.replace)));
        let gone = whole.iter().filter(|sentence| !has(&sentence.text)).count();
        let mut figures = Self {
            stories: 1,
            passed: usize::from(outcome.success),
            faults: story.faults.len(),
            reached: count(&|fault| has(&fault.replace)),
            removed_with_their_sentence: count(&|fault| !has(&fault.replace) && !has(&fault.find)),
            sentences: whole.len(),
            sentences_drifted: drifted.count(),
            calls: calls.len(),
            bytes_asked: calls.iter().map(|call| erring::prompt(call).len()).sum(),
            bytes_answered: calls.iter().map(|call| story.answer(call).len()).sum(),
            bytes_repeated: repeated(calls),
            ..Self::default()
        };
        figures.sentences_removed = gone - figures.sentences_drifted;
        for call in calls.iter().filter(|call| is_specialist(&call.agent)) {
            let shown = story.shown(call);
            let kind = match shown {
                _ if call.agent != "fact_check" => &mut figures.other_specialists,
                Some(Shown { fault: true, .. }) => &mut figures.fact_checks_of_faults,
                _ => &mut figures.fact_checks_of_true_words,
            };
            match shown {
                Some(shown) => kind.count(shown),
                None => kind.not_decided += 1,
            }
        }
        figures
    }

    fn add(&mut self, other: &Self) {
        self.stories += other.stories;
        self.passed += other.passed;
        self.faults += other.faults;
        self.reached += other.reached;
        self.removed_with_their_sentence += other.removed_with_their_sentence;
        self.sentences += other.sentences;
        self.sentences_removed += other.sentences_removed;
        self.sentences_drifted += other.sentences_drifted;
        self.fact_checks_of_faults.add(&other.fact_checks_of_faults);
        self.fact_checks_of_true_words.add(&other.fact_checks_of_true_words);
        self.other_specialists.add(&other.other_specialists);
        self.calls += other.calls;
        self.bytes_asked += other.bytes_asked;
        self.bytes_answered += other.bytes_answered;
        self.bytes_repeated += other.bytes_repeated;
    }

    fn fact_checks(&self) -> LookUps {
        let mut both = self.fact_checks_of_faults.clone();
        both.add(&self.fact_checks_of_true_words);
        both
    }

    /// Of all specialists.
    fn look_ups(&self) -> LookUps {
        let mut all = self.fact_checks();
        all.add(&self.other_specialists);
        all
    }

    /// The rows of the table in docs/measurements.md.
    fn rows(&self) -> Vec<(&'static str, String)> {
        let (fact_checks, all) = (self.fact_checks(), self.look_ups());
        let a_story = |count: usize| format!("{:.1}", ratio(count, self.stories));
        vec![
            ("stories that passed within three rounds", share(self.passed, self.stories)),
            ("planted faults that reach the canonical article", share(self.reached, self.faults)),
            ("planted faults removed with their whole sentence", share(self.removed_with_their_sentence, self.faults)),
            ("true sentences removed", share(self.sentences_removed, self.sentences)),
            ("true sentences in which the writer swapped a word", share(self.sentences_drifted, self.sentences)),
            ("fact checks whose prompt held a deciding passage", fact_checks.share()),
            ("– of faults", self.fact_checks_of_faults.share()),
            ("– of true words", self.fact_checks_of_true_words.share()),
            ("– that held every deciding passage", share(fact_checks.held_all, fact_checks.decided)),
            ("the same for all specialists", all.share()),
            ("specialists' calls that no passage decides, left out of these shares", all.not_decided.to_string()),
            ("calls a story", a_story(self.calls)),
            ("tokens a story, prompts (bytes / 4)", (self.bytes_asked / 4 / self.stories).to_string()),
            ("tokens a story, answers (bytes / 4)", (self.bytes_answered / 4 / self.stories).to_string()),
            (
                "share of the prompts that begins as an earlier prompt of the same agent, in bytes",
                share(self.bytes_repeated, self.bytes_asked),
            ),
        ]
    }
}

fn is_specialist(agent: &str) -> bool {
    ["fact_check", "evidence_finding", "opinion", "attribution", "style_review"].contains(&agent)
}

#[expect(clippy::cast_precision_loss, reason = "counts of a few millions")]
fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn share(part: usize, whole: usize) -> String {
    format!("{part} of {whole} ({:.1} %)", 100.0 * ratio(part, whole))
}

/// The bytes with which a story's prompts begin as an earlier prompt of the same agent: what a server could keep. The sum is the same
/// in whatever order specialists that work at once ask.
fn repeated(calls: &[Call]) -> usize {
    let mut earlier: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut bytes = 0;
    for call in calls {
        let prompt = erring::prompt(call);
        let known = earlier.entry(&call.agent).or_default();
        let common = |other: &String| other.bytes().zip(prompt.bytes()).take_while(|(a, b)| a == b).count();
        bytes += known.iter().map(common).max().unwrap_or(0);
        known.push(prompt);
    }
    bytes
}

/// How a story ended.
#[derive(Debug, PartialEq)]
struct Outcome {
    success: bool,
    article: Value,
}

/// Runs a story from its faulty draft with the delivered settings, but so many specialists at once. Answers take as long as `pause` says.
fn run(story: &Arc<Story>, at_once: usize, pause: fn(&Call) -> u64) -> (Outcome, Vec<Call>) {
    let server = {
        let story = Arc::clone(story);
        Server::start(move |call| {
            Reply::Late(Duration::from_millis(pause(call)), Box::new(Reply::Whole(story.answer(call))))
        })
    };
    let newsroom = Newsroom::with(|yaml| {
        yaml.replace("engine: offline", "engine: llm")
            .replace("http://127.0.0.1:1234/v1", &server.base())
            .replace("specialists_of_a_story: 8", &format!("specialists_of_a_story: {at_once}"))
    });
    let topic = newsroom.topic_with(|topic| {
        topic["source_text"] = json!(story.source);
        topic["source_metadata"]["video_title"] = json!(story.title);
        topic["source_metadata"]["topic_title"] = json!(story.title);
    });
    let draft = newsroom.write("draft.json", story.draft().as_bytes());
    let done = newsroom.run(&["run", "--auto", "--draft", draft.to_str().unwrap(), topic.to_str().unwrap()]);
    assert!(done.code < 2, "{}: {} {}", story.name, done.out, done.err);
    let canonical = newsroom.canonical();
    let outcome = Outcome { success: canonical["success"] == json!(true), article: canonical["article"].clone() };
    (outcome, server.calls())
}

/// A story with the delivered settings.
fn measured(story: &Arc<Story>) -> Figures {
    let (outcome, calls) = run(story, 4, |_| 0);
    Figures::of(story, &outcome, &calls)
}

#[test]
fn planted_faults_are_followed_to_the_canonical_article() {
    let stories: Vec<Arc<Story>> = erring::stories().into_iter().map(Arc::new).collect();
    let figures: Vec<Figures> = thread::scope(|scope| {
        let halves = [0, 1].map(|first| {
            let half = stories.iter().skip(first).step_by(2);
            scope.spawn(|| half.map(measured).collect::<Vec<_>>())
        });
        halves.into_iter().flat_map(|half| half.join().unwrap()).collect()
    });
    let mut total = Figures::default();
    for one in &figures {
        total.add(one);
    }
    for (name, figure) in total.rows() {
        println!("| {name} | {figure} |");
    }
    assert_eq!(total.stories, 16);
    assert!(total.faults >= 80, "{total:#?}");
    for one in &figures {
        assert!((4..=6).contains(&one.faults), "{one:#?}");
        assert!(one.reached + one.removed_with_their_sentence <= one.faults, "{one:#?}");
        assert!(one.fact_checks().decided > 0, "{one:#?}");
    }
    // The shares stand for nearly all calls.
    let all = total.look_ups();
    assert!(all.not_decided * 10 < all.decided, "{all:#?}");
}

#[test]
fn the_outcome_does_not_depend_on_how_many_specialists_work_at_once() {
    // A story of which reviewer and proof raise the same words.
    let story = erring::stories().into_iter().find(|story| story.name == "quest-settlement-2").unwrap();
    let story = Arc::new(story);
    // The first to be asked is the last to answer.
    let pause = |call: &Call| 40_u64.saturating_sub(10 * call.before as u64);
    let outcomes = [1, 2, 4, 8].map(|at_once| run(&story, at_once, pause).0);
    for outcome in &outcomes {
        assert_eq!(outcome, &outcomes[0]);
    }
}

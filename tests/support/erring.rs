//! A scripted newsroom that errs: its reviewer misses planted faults and invents some, its specialists know only what their prompt
//! holds, and its writer forgets to-dos and drifts.
//!
//! Every answer follows from the words of its prompt and the story's name. What a prompt holds is found by these words, wherever they stand, and
//! a concern by its JSON; so prompts may be laid out in any way.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    ops::Range,
    path::Path,
};

use copydesk::text::sentences::sentences;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::server::{Call, Reply};

/// How often the reviewer raises a fault that is in the draft.
const RAISED: f64 = 0.7;
/// True sentences that the reviewer finds fault with in each review.
const INVENTED: usize = 2;
/// How often the writer does what a to-do says.
const OBEYED: f64 = 0.9;
/// How often the writer, with a to-do, also swaps a word in another sentence.
const DRIFTS: f64 = 0.1;
/// Words of a true sentence that the reviewer quotes.
const PHRASE: usize = 4;

/// A document with its true article, and the faults that its draft has.
pub struct Story {
    pub name: String,
    pub title: String,
    pub source: String,
    headline: String,
    body: String,
    pub faults: Vec<Fault>,
    pub sentences: Vec<Sentence>,
}

/// What is wrong in a draft: planted, or made by the writer in a sentence that was true.
pub struct Fault {
    id: String,
    kind: &'static str,
    specialist: &'static str,
    pub find: String,
    pub replace: String,
    /// The words that are wrong.
    wrong: String,
    /// The words that the reviewer quotes: the wrong ones, or more of them if they also stand elsewhere.
    excerpt: String,
    /// What the reviewer and the specialist say of it.
    why: String,
    /// The source's words that decide. None: the source says nothing of it.
    passages: Vec<String>,
}

/// A sentence of the true article.
pub struct Sentence {
    id: String,
    pub text: String,
    /// Whether a planted fault touches it.
    pub touched: bool,
    /// The source's sentences that share most words with it.
    support: Vec<String>,
    /// Some words of it. None: it has no clear support in a single sentence.
    phrase: Option<String>,
    /// What becomes of it when the writer drifts.
    pub drifted: Option<Fault>,
}

/// What a concern is about.
enum Subject<'s> {
    Fault(&'s Fault),
    True(&'s Sentence),
    /// True words that the proof asks about.
    Else,
}

/// What the prompt of a specialist held of what decides its concern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// Whether the concern is about a fault; otherwise the reviewer invented it.
    pub fault: bool,
    /// The passages that decide it, and how many of them the prompt held.
    pub deciding: usize,
    pub held: usize,
}

/// `document.json`.
#[derive(Deserialize)]
struct Paper {
    title: String,
    variants: Vec<Variant>,
}

#[derive(Deserialize)]
struct Variant {
    id: String,
    kind: String,
    find: String,
    replace: String,
    wrong: String,
    passages: Vec<String>,
    why: String,
}

/// The stories of the newsroom set's open half, two for each document with half of its faults each.
pub fn stories() -> Vec<Story> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sets = package.ancestors().map(|folder| folder.join("tests/newsroom/dev"));
    let root = sets.into_iter().find(|folder| folder.is_dir()).expect("the set of documents");
    let mut folders: Vec<_> = fs::read_dir(root).expect("the set").flatten().map(|entry| entry.path()).collect();
    folders.sort();
    folders.iter().flat_map(|folder| [0, 1].map(|half| Story::read(folder, half))).collect()
}

/// The story that a prompt is about, of several. None if it has nothing of any.
pub fn about<'s>(stories: &'s [Story], asked: &str) -> Option<&'s Story> {
    let folded = fold(asked);
    let excerpts: Vec<String> = concerns(asked).values().map(|excerpt| fold(excerpt)).collect();
    let (presence, story) = stories
        .iter()
        .map(|story| (story.presence(&folded, &excerpts), story))
        .reduce(|best, other| if other.0 > best.0 { other } else { best })?;
    (presence > 0).then_some(story)
}

/// The reply of a server that plays the agents of several stories, with the tokens that prompt and answer have.
pub fn reply(stories: &[Story], call: &Call) -> Reply {
    let asked = prompt(call);
    let Some(story) = about(stories, &asked) else {
        return Reply::Status(400, vec![], "this prompt is about none of the stories".to_owned());
    };
    let answer = story.answer(call);
    let [sent, received] = [&asked, &answer].map(|text| copydesk::text::tokens::count("o200k_base", text));
    let body = json!({
        "choices": [{"message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": sent, "completion_tokens": received, "total_tokens": sent + received}
    });
    Reply::raw("application/json", body.to_string())
}

impl Story {
    /// Reads a document and plants every second fault, from the first or the second on.
    fn read(folder: &Path, half: usize) -> Self {
        let text = |file: &str| fs::read_to_string(folder.join(file)).expect("a text");
        let (source, article) = (text("source.txt"), text("article.md"));
        let paper: Paper = serde_json::from_str(&text("document.json")).expect("document.json");
        let (headline, body) = article.split_once("\n\n").expect("a headline");
        let body = body.trim().to_owned();
        let planted = planted(&body, &source, paper.variants, half);
        let mut story = Self {
            name: format!("{}-{}", folder.file_name().expect("a name").to_string_lossy(), half + 1),
            title: paper.title,
            headline: headline.trim_start_matches("# ").to_owned(),
            sentences: true_sentences(&body, &source, &planted),
            faults: planted.into_iter().map(|(_, fault)| fault).collect(),
            source,
            body,
        };
        let draft = fold(&story.draft_body());
        for fault in &mut story.faults {
            if draft.matches(&fold(&fault.wrong)).count() > 1 {
                fault.excerpt = fault.replace.clone();
            }
            // What the draft itself says, no look-up has to find.
            fault.passages.retain(|passage| !draft.contains(&fold(passage)));
        }
        story
    }

    /// The draft with its planted faults, as JSON.
    pub fn draft(&self) -> String {
        self.article(&self.draft_body())
    }

    fn draft_body(&self) -> String {
        self.faults.iter().fold(self.body.clone(), |body, fault| body.replace(&fault.find, &fault.replace))
    }

    fn article(&self, body: &str) -> String {
        json!({
            "headline": self.headline, "alternativeHeadline": self.headline, "articleBody": body, "description": self.title
        })
        .to_string()
    }

    /// Its title as a topic: two stories of one document have different ones.
    pub fn topic_title(&self) -> String {
        format!("{} ({})", self.title, self.name)
    }

    /// Its topic, for a desk that writes it anew.
    pub fn topic(&self) -> Value {
        json!({
            "source_text": self.source,
            "source_metadata": {
                "source_file": format!("{}.json", self.name), "channel_name": "documents", "video_id": self.name,
                "video_title": self.title, "publish_date": "2026-10-06", "topic_slug": self.name,
                "topic_title": self.topic_title()
            },
            "target_length_words": "250-500"
        })
    }

    /// How much of this story a prompt has.
    fn presence(&self, folded: &str, excerpts: &[String]) -> usize {
        let has = |text: &str| folded.contains(&fold(text));
        let quoted = |text: &str| excerpts.contains(&fold(text));
        let faults = self.all_faults();
        let faults =
            faults.filter(|fault| has(&fault.replace) || quoted(&fault.excerpt) || quoted(&fault.wrong)).count();
        let told = |sentence: &&Sentence| sentence.phrase.as_deref().is_some_and(quoted) || has(&sentence.text);
        let sentences = self.sentences.iter().filter(told).count();
        1_000 * usize::from(has(&self.topic_title())) + 10 * faults + sentences
    }

    /// What the model says to a call. It depends on the call's words alone, so that a repeated call is answered alike.
    pub fn answer(&self, call: &Call) -> String {
        let asked = prompt(call);
        match call.agent.as_str() {
            "writer" => self.draft(),
            "article_review" => self.review(&asked),
            "concern_mapping" => self.mapping(&asked),
            "revision" => self.revision(&asked),
            agent => self.verdict(agent, &asked),
        }
    }

    /// What a specialist's prompt held. None: no passage decides, because the source is silent or the proof asks about true words.
    pub fn shown(&self, call: &Call) -> Option<Shown> {
        let asked = prompt(call);
        let (_, excerpt) = concerns(&asked).into_iter().next().expect("a concern");
        let (fault, deciding) = match self.subject(&excerpt) {
            Subject::Fault(fault) => (true, &fault.passages),
            Subject::True(sentence) => (false, &sentence.support),
            Subject::Else => return None,
        };
        let folded = fold(&asked);
        let held = deciding.iter().filter(|passage| folded.contains(&fold(passage))).count();
        (!deciding.is_empty()).then_some(Shown { fault, deciding: deciding.len(), held })
    }

    /// Every fault that a draft of this story may have.
    fn all_faults(&self) -> impl Iterator<Item = &Fault> {
        self.faults.iter().chain(self.sentences.iter().filter_map(|sentence| sentence.drifted.as_ref()))
    }

    fn review(&self, asked: &str) -> String {
        let folded = fold(asked);
        let state = self.state(&folded);
        let raised = self
            .all_faults()
            .filter(|fault| folded.contains(&fold(&fault.replace)) && self.chance("raise", &fault.id, &state) < RAISED)
            .map(|fault| format!("- “{}” {}: {}", fault.excerpt, fault.kind, fault.why));
        let mut untouched: Vec<(&Sentence, &String)> = self
            .sentences
            .iter()
            .filter(|sentence| !sentence.touched && folded.contains(&fold(&sentence.text)))
            .filter_map(|sentence| Some((sentence, sentence.phrase.as_ref()?)))
            .collect();
        untouched
            .sort_by(|a, b| self.chance("invent", &a.0.id, &state).total_cmp(&self.chance("invent", &b.0.id, &state)));
        let invented = untouched
            .into_iter()
            .take(INVENTED)
            .map(|(_, phrase)| format!("- “{phrase}” unsupported_fact: The source does not say this."));
        raised.chain(invented).collect::<Vec<_>>().join("\n")
    }

    fn mapping(&self, asked: &str) -> String {
        let mappings: Vec<Value> = concerns(asked)
            .into_iter()
            .map(|(id, excerpt)| {
                let (kind, specialist) = match self.subject(&excerpt) {
                    Subject::Fault(fault) => (fault.kind, fault.specialist),
                    Subject::True(_) | Subject::Else => ("unsupported_fact", "fact_check"),
                };
                json!({
                    "concern_id": id, "concern_type": kind, "selected_agent": specialist, "confidence": "high", "reason": "It fits."
                })
            })
            .collect();
        json!({ "mappings": mappings }).to_string()
    }

    fn verdict(&self, agent: &str, asked: &str) -> String {
        let (id, excerpt) = concerns(asked).into_iter().next().expect("a concern");
        let folded = fold(asked);
        let holds = |passages: &[String]| passages.iter().any(|passage| folded.contains(&fold(passage)));
        let not_found =
            if agent == "fact_check" { "Not found: nothing here bears on it." } else { "It has no ground." };
        let (status, rationale, fix) = match self.subject(&excerpt) {
            Subject::Fault(fault) if holds(&fault.passages) => {
                let fix = format!("Write “{}” for “{}” [{}: right].", fault.find, fault.replace, fault.id);
                ("REWRITE", fault.why.as_str(), Some(fix))
            }
            Subject::Fault(fault) if fault.passages.is_empty() => {
                let fix = format!("Delete what is said beyond “{}” [{}: right].", fault.find, fault.id);
                ("REMOVE", not_found, Some(fix))
            }
            Subject::Fault(fault) => ("REMOVE", not_found, Some(deletion(&excerpt, &fault.id))),
            Subject::True(sentence) if !holds(&sentence.support) => {
                ("REMOVE", not_found, Some(deletion(&excerpt, &sentence.id)))
            }
            Subject::True(_) | Subject::Else => ("KEEP", "The source says so.", None),
        };
        json!({
            "concern_id": id, "misleading": status != "KEEP", "status": status, "rationale": rationale, "suggested_fix": fix,
            "evidence": null, "citations": null
        })
        .to_string()
    }

    fn revision(&self, asked: &str) -> String {
        let article = objects(asked)
            .into_iter()
            .filter_map(|object| Some(object.get("articleBody")?.as_str()?.to_owned()))
            .max_by_key(String::len);
        let mut body = article.expect("an article to revise");
        let state = self.state(&fold(&body));
        let to_do = |id: &str, what: &str| asked.contains(&format!("[{id}: {what}]"));
        let obeys = |id: &str| self.chance("obey", id, &state) < OBEYED;
        let mut given = Vec::new();
        for fault in self.all_faults().filter(|fault| to_do(&fault.id, "right")) {
            given.push(&fault.id);
            if obeys(&fault.id) {
                body = body.replace(&fault.replace, &fault.find);
            }
        }
        for fault in self.all_faults().filter(|fault| to_do(&fault.id, "delete")) {
            given.push(&fault.id);
            if obeys(&fault.id) {
                body = without(&body, &fault.replace);
            }
        }
        for sentence in self.sentences.iter().filter(|sentence| to_do(&sentence.id, "delete")) {
            given.push(&sentence.id);
            if obeys(&sentence.id) {
                body = without(&body, &sentence.text);
            }
        }
        for id in given.into_iter().filter(|id| self.chance("drift", id, &state) < DRIFTS) {
            let drifts = self.sentences.iter().filter_map(|sentence| sentence.drifted.as_ref());
            let possible = drifts.filter(|drift| body.contains(&drift.find));
            let chosen = possible.min_by(|a, b| {
                let at = |drift: &Fault| self.chance(&format!("drift at {}", drift.id), id, &state);
                at(a).total_cmp(&at(b))
            });
            if let Some(drift) = chosen {
                body = body.replace(&drift.find, &drift.replace);
            }
        }
        self.article(&body)
    }

    /// What an excerpt is about: the words that the reviewer quotes; of those that the proof quotes, what overlaps with a fault.
    fn subject(&self, excerpt: &str) -> Subject<'_> {
        let words = fold(excerpt);
        let fault = |wanted: &dyn Fn(&Fault) -> bool| self.all_faults().find(|fault| wanted(fault)).map(Subject::Fault);
        let sentence = |wanted: &dyn Fn(&Sentence) -> bool| self.sentences.iter().find(|sentence| wanted(sentence));
        fault(&|fault| fold(&fault.excerpt) == words || fold(&fault.wrong) == words)
            .or_else(|| {
                sentence(&|sentence| sentence.phrase.as_deref().is_some_and(|phrase| fold(phrase) == words))
                    .map(Subject::True)
            })
            .or_else(|| {
                sentence(&|sentence| !sentence.touched && fold(&sentence.text).contains(&words)).map(|_| Subject::Else)
            })
            .or_else(|| fault(&|fault| words.contains(&fold(&fault.wrong)) || fold(&fault.replace).contains(&words)))
            .unwrap_or(Subject::Else)
    }

    /// Which faults and true sentences a text has: the same draft in another prompt is the same state.
    fn state(&self, folded: &str) -> String {
        let faults = self.all_faults().filter(|fault| folded.contains(&fold(&fault.replace))).map(|fault| &*fault.id);
        let sentences = self.sentences.iter().filter(|sentence| folded.contains(&fold(&sentence.text)));
        faults.chain(sentences.map(|sentence| &*sentence.id)).collect::<Vec<_>>().join(" ")
    }

    /// A number from 0 to 1 that is the same for the same question about the same draft.
    fn chance(&self, what: &str, whom: &str, state: &str) -> f64 {
        let digest = Sha256::digest(format!("{} {what} {whom} {state}", self.name));
        let number = digest.iter().take(4).fold(0_u32, |number, byte| (number << 8) | u32::from(*byte));
        f64::from(number) / f64::from(u32::MAX)
    }
}

/// Everything that a call says, as the model reads it.
pub fn prompt(call: &Call) -> String {
    let messages = call.body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    messages.iter().filter_map(|message| message["content"].as_str()).collect::<Vec<_>>().join("\n\n")
}

/// The text's words in lower case between single spaces, one before the first and one behind the last: what stands in a text stands in
/// it whatever became of its white space, marks and escapes.
pub fn fold(text: &str) -> String {
    let text = text.replace("\\n", " ").to_lowercase();
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.fold(" ".to_owned(), |folded, word| folded + word + " ")
}

fn deletion(excerpt: &str, id: &str) -> String {
    format!("Delete the sentence with “{excerpt}” [{id}: delete].")
}

/// Each JSON object in a text, those inside others too.
fn objects(text: &str) -> Vec<Value> {
    let begins = text.match_indices('{').filter_map(|(place, _)| text.get(place..));
    begins.filter_map(|rest| serde_json::Deserializer::from_str(rest).into_iter().next()?.ok()).collect()
}

/// The concerns in a text, each once, by number and excerpt.
fn concerns(text: &str) -> BTreeMap<u64, String> {
    let concern =
        |object: Value| Some((object.get("concern_id")?.as_u64()?, object.get("excerpt")?.as_str()?.to_owned()));
    objects(text).into_iter().filter_map(concern).collect()
}

/// A body without the sentences that `words` touch.
fn without(body: &str, words: &str) -> String {
    let Some(start) = body.find(words) else { return body.to_owned() };
    let place = start..start + words.len();
    let mut rest = body.to_owned();
    for range in sentences(body).into_iter().rev().filter(|range| overlap(range, &place)) {
        let space = body[range.end..].find(|c: char| c != ' ').map_or(body.len(), |space| range.end + space);
        rest.replace_range(range.start..space, "");
    }
    let paragraphs = rest.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Every second of the variants that do not overlap, with the place of each in the true article.
fn planted(body: &str, source: &str, variants: Vec<Variant>, half: usize) -> Vec<(Range<usize>, Fault)> {
    let source = fold(source);
    let mut planted: Vec<(Range<usize>, Fault)> = Vec::new();
    for variant in variants.into_iter().skip(half).step_by(2) {
        let start = body.find(&variant.find).expect("the words that change");
        let place = start..start + variant.find.len();
        // A fault whose words the source has cannot be told from the source in a prompt.
        let told = !source.contains(&fold(&variant.replace));
        if told && !planted.iter().any(|(other, _)| overlap(other, &place)) {
            planted.push((place, variant.into()));
        }
    }
    planted
}

impl From<Variant> for Fault {
    fn from(variant: Variant) -> Self {
        let (kind, specialist) = match variant.kind.as_str() {
            "wrong_speaker" => ("attribution_gap", "attribution"),
            "certainty" => ("certainty_inflation", "opinion"),
            "cause" => ("inferred_fact", "fact_check"),
            "detail" | "invented" => ("scope_expansion", "fact_check"),
            _ => ("unsupported_fact", "fact_check"),
        };
        let excerpt = variant.wrong.trim_matches(['“', '”', '"', ',', '.']).to_owned();
        Self {
            id: variant.id,
            kind,
            specialist,
            find: variant.find,
            replace: variant.replace,
            wrong: variant.wrong,
            excerpt,
            why: variant.why,
            passages: variant.passages,
        }
    }
}

fn true_sentences(body: &str, source: &str, planted: &[(Range<usize>, Fault)]) -> Vec<Sentence> {
    let witnesses = Witnesses::of(source);
    let ranges = sentences(body);
    let texts: Vec<&str> = ranges.iter().map(|range| &body[range.clone()]).collect();
    let mut all = Vec::new();
    for (at, (range, text)) in ranges.iter().zip(&texts).enumerate() {
        let touched = planted.iter().any(|(place, _)| overlap(place, range));
        let support = witnesses.of_sentence(text);
        let phrase = witnesses.phrase(text, &support, &fold(body));
        let other = texts[(at + 1) % texts.len()];
        let drifted = if touched { None } else { drift(at, text, other, &support) };
        all.push(Sentence { id: format!("s{at:02}"), text: (*text).to_owned(), touched, support, phrase, drifted });
    }
    all
}

/// The sentence with its longest plain word of those that its support has swapped for that of another sentence.
fn drift(at: usize, text: &str, other: &str, support: &[String]) -> Option<Fault> {
    let witness = words(support.first()?);
    let longest = |text: &str, wanted: &dyn Fn(&str) -> bool| {
        let plain = text.split(' ').filter(|word| word.chars().all(|c| c.is_ascii_lowercase()));
        plain.filter(|word| wanted(word)).max_by_key(|word| word.len()).map(str::to_owned)
    };
    let (old, new) = (longest(text, &|word| witness.contains(word))?, longest(other, &|word| !witness.contains(word))?);
    let words: Vec<&str> = text.split(' ').collect();
    let place = words.iter().position(|word| *word == old)?;
    let changed = |from: usize, to: usize| {
        let swapped = words.iter().enumerate().map(|(at, word)| if at == place { new.as_str() } else { word });
        swapped.skip(from).take(to - from).collect::<Vec<_>>().join(" ")
    };
    (old.len() > 4).then(|| Fault {
        id: format!("d{at:02}"),
        kind: "unsupported_fact",
        specialist: "fact_check",
        find: text.to_owned(),
        replace: changed(0, words.len()),
        wrong: new.clone(),
        excerpt: changed(place.saturating_sub(1), (place + 2).min(words.len())).replace(['“', '”'], ""),
        why: format!("The source does not say “{new}” here."),
        passages: support.to_vec(),
    })
}

/// A source's sentences, and how much each word tells.
struct Witnesses {
    sentences: Vec<(String, BTreeSet<String>)>,
    weights: BTreeMap<String, f64>,
    /// The weight of a word that no sentence has, and of one that one sentence has.
    unknown: f64,
}

impl Witnesses {
    fn of(source: &str) -> Self {
        let texts = sentences(source).into_iter().map(|range| source[range].to_owned());
        let sentences: Vec<_> = texts.map(|text| (text.clone(), words(&text))).collect();
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for word in sentences.iter().flat_map(|(_, words)| words) {
            *counts.entry(word.clone()).or_default() += 1;
        }
        let all = f64::from(u32::try_from(sentences.len()).expect("few sentences"));
        let weights = counts.into_iter().map(|(word, count)| (word, (all / f64::from(count)).ln())).collect();
        Self { sentences, weights, unknown: all.ln() }
    }

    fn weight<'w>(&self, words: impl IntoIterator<Item = &'w String>) -> f64 {
        words.into_iter().map(|word| self.weights.get(word).copied().unwrap_or(self.unknown)).sum()
    }

    /// The weight of what two sets of words share.
    fn shared(&self, one: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
        self.weight(one.intersection(other))
    }

    /// The sentences that share most with `text`: the best, and those that are nearly as good.
    fn of_sentence(&self, text: &str) -> Vec<String> {
        let asked = words(text);
        let scores: Vec<f64> = self.sentences.iter().map(|(_, words)| self.shared(&asked, words)).collect();
        let best = scores.iter().copied().fold(0.0, f64::max);
        let near = self.sentences.iter().zip(scores).filter(|(_, score)| *score > 0.0 && *score >= best * 0.9);
        near.map(|((text, _), _)| text.clone()).collect()
    }

    /// Some words in a row of `text`, if one sentence of the source has half of what `text` tells and half of what they tell: not those
    /// that it has best, which any search would find. They have no quotation marks, and stand in the body only here.
    fn phrase(&self, text: &str, support: &[String], body: &str) -> Option<String> {
        let witness = words(support.first()?);
        let supported = |text: &str| {
            let told = words(text);
            self.shared(&told, &witness) >= self.weight(&told) / 2.0
        };
        let spoken: Vec<&str> = text.split(' ').collect();
        let phrases = spoken.windows(PHRASE).map(|phrase| phrase.join(" "));
        let plain = phrases.filter(|phrase| !phrase.contains(['“', '”', '"', '\n']));
        let alone = plain.filter(|phrase| body.matches(&fold(phrase)).count() == 1);
        let possible: Vec<String> = alone.filter(|phrase| supported(phrase)).collect();
        let chosen = possible.get(text.len() % possible.len().max(1))?;
        supported(text).then(|| chosen.trim_matches([',', '.', ';', ':']).to_owned())
    }
}

fn words(text: &str) -> BTreeSet<String> {
    fold(text).split_whitespace().map(str::to_owned).collect()
}

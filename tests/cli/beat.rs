//! The calls that the memory saves over ten stories of one beat: the council of a town, week after week, with documents that the desk keeps. Its
//! stories repeat their background in the same sentences, and some sentences are repeated when they are no longer true.

use std::collections::BTreeMap;

use copydesk::{
    editorial::{memory_key::normalise, savings::Savings},
    newsroom::{Journal, Outcome, Status, Verdict},
};
use serde_json::{Value, json};

use crate::support::{
    erring::prompt,
    newsroom::Newsroom,
    script,
    server::{Call, Reply, Server},
};

/// A sentence that the reviewer doubts wherever it stands.
struct Claim {
    sentence: &'static str,
    excerpt: &'static str,
    /// The rulings; the first that a witness says decides.
    rulings: &'static [(&'static str, Ruling)],
}

/// The meaning of a witness's words for a claim.
#[derive(Clone, Copy)]
enum Ruling {
    Keep,
    /// The sentence to write instead.
    Mend(&'static str),
    /// True in a story of this month; otherwise the sentence to write instead.
    In(&'static str, &'static str),
}

use Ruling::{In, Keep, Mend};

const NINE: &str = "The council of Eastbrook has nine members and meets in the old school on Mill Street.";
const STUDY: &str = "Homes beside a renovated park sell for more.";
const CITED: &str = "https://evidence.example/parks";

const CLAIMS: &[Claim] = &[
    // Two concerns of one sentence.
    Claim { sentence: NINE, excerpt: "nine members", rulings: &[("has nine members", Keep)] },
    Claim { sentence: NINE, excerpt: "the old school", rulings: &[("in the old school on Mill Street", Keep)] },
    // The same excerpt in two sentences, one of them wrong.
    Claim {
        sentence: "The plan for Miller Park lays 1.8 miles of paths.",
        excerpt: "1.8",
        rulings: &[("lays 1.4 miles of paths", Mend("The plan for Miller Park lays 1.4 miles of paths."))],
    },
    Claim {
        sentence: "The library wing at Miller Park will cover 1.8 acres.",
        excerpt: "1.8",
        rulings: &[("1.8 acres for the library wing", Keep)],
    },
    // The minutes of one week contradict the plan.
    Claim {
        sentence: "The renovation of Miller Park costs $2.4 million.",
        excerpt: "$2.4 million",
        rulings: &[
            ("now costs $2.9 million", Mend("The renovation of Miller Park costs $2.9 million.")),
            ("costs $2.4 million", Keep),
        ],
    },
    // The ordinance is changed in the sixth week.
    Claim {
        sentence: "Herons nest at Garlow Pond until the end of July.",
        excerpt: "until the end of July",
        rulings: &[
            ("from February until the end of July", Keep),
            ("from March until the end of August", Mend("Herons nest at Garlow Pond until the end of August.")),
        ],
    },
    // It depends on the day on which it is said.
    Claim {
        sentence: "The fishing season at Garlow Pond opens next month.",
        excerpt: "next month",
        rulings: &[("fishing season at Garlow Pond opens on 1 May", In("2026-04", "The season opens on 1 May."))],
    },
    // No witness speaks of it.
    Claim { sentence: "Mayor Ana Reyes has never missed a meeting.", excerpt: "never missed a meeting", rulings: &[] },
    // Two meetings, two votes.
    Claim {
        sentence: "The vote was unanimous.",
        excerpt: "unanimous",
        rulings: &[("vote was unanimous", Keep), ("vote was eight to one", Mend("The vote was eight to one."))],
    },
    // A claim for a search outside.
    Claim { sentence: STUDY, excerpt: "sell for more", rulings: &[("found the same", Keep)] },
];

const COUNCIL: &str = "# The council\n\nThe council of Eastbrook has nine members. They are elected for four years. It meets on Tuesdays in \
                       the old school on Mill Street.\n";
const PLAN: &str = "# The plan for Miller Park\n\nThe plan for Miller Park lays 1.4 miles of paths and sets aside 1.8 acres for the library \
                    wing. The renovation of Miller Park costs $2.4 million.\n";
const POND: &str = "# The ordinance on Garlow Pond\n\nHerons nest at Garlow Pond from February until the end of July. No boat may be out on the \
                    water before that. The fishing season at Garlow Pond opens on 1 May.\n";

/// A story of the beat.
struct Week {
    slug: &'static str,
    day: &'static str,
    /// The council's decision, its vote and the cost; the draft has another cost.
    what: &'static str,
    vote: &'static str,
    cost: u32,
    /// The rest of the minutes.
    minutes: &'static str,
    /// Background that the story repeats, by its place in `CLAIMS`.
    background: &'static [usize],
}

const WEEKS: [Week; 10] = [
    Week {
        slug: "parking",
        day: "2026-03-03",
        what: "raise the parking fees",
        vote: "seven to two",
        cost: 41,
        minutes: "Mr. Tull asked about the meters on Canal Road.",
        background: &[0, 1, 2, 5],
    },
    Week {
        slug: "bus",
        day: "2026-03-10",
        what: "extend the bus line",
        vote: "six to three",
        cost: 73,
        minutes: "Ms. Voss asked when the drivers are hired.",
        background: &[0, 1, 4, 9],
    },
    Week {
        slug: "roof",
        day: "2026-03-17",
        what: "mend the roof of the school",
        vote: "nine to none",
        cost: 118,
        minutes: "The vote was unanimous. Ms. Voss thanked the builders.",
        background: &[3, 7, 8],
    },
    Week {
        slug: "library",
        day: "2026-03-24",
        what: "open the library on Sundays",
        vote: "seven to two",
        cost: 29,
        minutes: "The librarian spoke of the plan for Miller Park and its 1.4 miles of paths; it lays 1.4 miles of paths, she said.",
        background: &[0, 1, 2, 3, 6],
    },
    Week {
        slug: "market",
        day: "2026-03-31",
        what: "let the stalls of the market stay overnight",
        vote: "five to four",
        cost: 12,
        minutes: "Two residents spoke of the noise.",
        background: &[4, 5, 9, 7],
    },
    Week {
        slug: "lamps",
        day: "2026-04-07",
        what: "replace the street lamps",
        vote: "eight to one",
        cost: 305,
        minutes: "The treasurer has asked three firms.",
        background: &[0, 1, 5, 6],
    },
    Week {
        slug: "park",
        day: "2026-04-14",
        what: "begin the work at Miller Park",
        vote: "seven to two",
        cost: 88,
        minutes: "The renovation of Miller Park now costs $2.9 million, the treasurer said.",
        background: &[2, 3, 4, 9],
    },
    Week {
        slug: "brigade",
        day: "2026-04-21",
        what: "buy a ladder for the fire brigade",
        vote: "eight to one",
        cost: 540,
        minutes: "The vote was eight to one. Mr. Tull voted against it.",
        background: &[0, 1, 8, 6],
    },
    Week {
        slug: "pool",
        day: "2026-04-28",
        what: "heat the swimming pool",
        vote: "six to three",
        cost: 64,
        minutes: "Ms. Voss asked for a report in autumn.",
        background: &[2, 3, 5, 9, 7],
    },
    Week {
        slug: "dogs",
        day: "2026-05-05",
        what: "fence the meadow for dogs",
        vote: "seven to two",
        cost: 17,
        minutes: "The petition has 212 names.",
        background: &[0, 1, 4, 6],
    },
];

/// From this week on, the ordinance has the other words.
const AMENDED: usize = 5;

impl Week {
    fn source(&self) -> String {
        format!("Motion to {}. Carried {}. It costs ${},000. {}", self.what, self.vote, self.cost, self.minutes)
    }

    fn right(&self) -> String {
        format!("The council voted {} on Tuesday to {} for ${},000.", self.vote, self.what, self.cost)
    }

    fn wrong(&self) -> String {
        format!("The council voted {} on Tuesday to {} for ${},000.", self.vote, self.what, self.cost + 5)
    }

    fn draft(&self) -> String {
        let mut sentences = vec![self.wrong()];
        for sentence in self.background.iter().map(|place| CLAIMS[*place].sentence.to_owned()) {
            if sentences.last() != Some(&sentence) {
                sentences.push(sentence);
            }
        }
        article(&sentences.join("\n\n"))
    }
}

fn article(body: &str) -> String {
    json!({"headline": "Council votes", "alternativeHeadline": "A vote", "articleBody": body, "description": "A vote."})
        .to_string()
}

/// The doubted places of a text that has a story's article: excerpt and sentence, in the order of the bullets.
fn doubts(text: &str) -> Vec<(String, String)> {
    let mut doubts = Vec::new();
    for week in &WEEKS {
        for sentence in [week.wrong(), week.right()].into_iter().filter(|sentence| text.contains(sentence)) {
            doubts.push((sentence.rsplit(' ').next().unwrap().trim_end_matches('.').to_owned(), sentence));
        }
    }
    let claims = CLAIMS.iter().filter(|claim| text.contains(claim.sentence));
    doubts.extend(claims.map(|claim| (claim.excerpt.to_owned(), claim.sentence.to_owned())));
    doubts
}

/// The ruling on a sentence by the witnesses, each with its number, the story's own source with none; and the number of the one that
/// decides.
fn judged(doubt: &(String, String), day: &str, witnesses: &[(Option<usize>, &str)]) -> (Status, String, Option<usize>) {
    let (excerpt, sentence) = doubt;
    let week = WEEKS.iter().find(|week| [week.wrong(), week.right()].contains(sentence));
    let news =
        week.map(|week| (format!("It costs ${},000", week.cost), Some(week.right()).filter(|right| right != sentence)));
    let background = CLAIMS.iter().find(|claim| (claim.excerpt, claim.sentence) == (excerpt, sentence));
    let background = background.into_iter().flat_map(|claim| claim.rulings).map(|(words, ruling)| {
        let right = match ruling {
            Keep => None,
            Mend(right) => Some(*right),
            In(month, right) => (!day.starts_with(month)).then_some(*right),
        };
        ((*words).to_owned(), right.map(str::to_owned))
    });
    for (words, right) in news.into_iter().chain(background) {
        if let Some((number, _)) = witnesses.iter().find(|(_, text)| text.contains(&words)) {
            return match right {
                None => (Status::Keep, format!("“{excerpt}” of “{sentence}”: {words}."), *number),
                Some(right) => (Status::Rewrite, format!("Write “{right}” instead of “{sentence}”."), *number),
            };
        }
    }
    (Status::Remove, format!("Delete “{sentence}”."), None)
}

fn part<'t>(text: &'t str, tag: &str) -> &'t str {
    let from = text.rsplit_once(&format!("<{tag}>\n")).unwrap_or_else(|| panic!("no {tag} in {text}")).1;
    from.split_once(&format!("\n</{tag}>")).unwrap().0
}

/// A specialist judges the sentence that its prompt marks by what its prompt shows, and by nothing else.
fn verdict(call: &Call) -> String {
    // Place and attribution stand below it.
    let sentence = part(&call.user, "sentence").lines().next().unwrap_or_default();
    let bare = sentence.replace(['⟦', '⟧'], "");
    let (_, rest) = sentence.split_once('⟦').unwrap();
    let excerpt = rest.split_once('⟧').unwrap().0.to_owned();
    let passages = part(&call.user, "passages");
    let day = part(&call.user, "metadata").split_once("PUBLISH_DATE: ").unwrap().1;
    let listed = passages.split("\n\n[").zip(1..).map(|(text, number)| (Some(number), text));
    let search = (call.agent == "evidence_finding").then(|| (None, part(&call.user, "evidence")));
    let own = std::iter::once((None, part(&call.user, "source_text")));
    let witnesses: Vec<(Option<usize>, &str)> = own.chain(search).chain(listed).collect();
    let (status, said, number) = judged(&(excerpt, bare), day, &witnesses);
    let citation =
        if call.agent == "evidence_finding" { Some(CITED.to_owned()) } else { number.map(|n| format!("[{n}]")) };
    json!({
        "concern_id": script::concern(call), "misleading": status != Status::Keep, "status": status, "rationale": said,
        "suggested_fix": (status != Status::Keep).then_some(&said), "evidence": null, "citations": citation.map(|it| [it])
    })
    .to_string()
}

fn answer(call: &Call) -> String {
    let asked = prompt(call);
    match call.agent.as_str() {
        "writer" => WEEKS.iter().find(|week| asked.contains(&week.source())).unwrap().draft(),
        "revision" => {
            let written: Value = serde_json::from_str(part(&call.user, "article")).unwrap();
            let mut body = written["articleBody"].as_str().unwrap().to_owned();
            for (_, sentence) in doubts(&body) {
                let instead = asked.split_once(&format!("” instead of “{sentence}”")).map(|(before, _)| before);
                let right = instead.and_then(|before| before.rsplit_once("Write “")).map(|(_, right)| right);
                let gone = asked.contains(&format!("Delete “{sentence}”")).then_some("");
                if let Some(instead) = right.or(gone) {
                    body = body.replace(&sentence, instead);
                }
            }
            article(&body.replace("\n\n\n\n", "\n\n"))
        }
        "article_review" => {
            let bullet = |(excerpt, _)| format!("- “{excerpt}” unsupported_fact: is it so?");
            doubts(&asked).into_iter().map(bullet).collect::<Vec<_>>().join("\n")
        }
        "concern_mapping" => {
            let mapping = |((_, sentence), id): ((String, String), usize)| {
                let agent = if sentence == STUDY { "evidence_finding" } else { "fact_check" };
                json!({"concern_id": id, "concern_type": "unsupported_fact", "selected_agent": agent, "confidence": "high", "reason": "fits"})
            };
            let mappings: Vec<Value> = doubts(&asked).into_iter().zip(1..).map(mapping).collect();
            json!({ "mappings": mappings }).to_string()
        }
        _ => verdict(call),
    }
}

fn server() -> Server {
    Server::start(|call| match call.agent.as_str() {
        "evidence_search" => Reply::Cited("A study of 2024 found the same.".into(), vec![CITED.into()]),
        _ => Reply::Whole(answer(call)),
    })
}

fn desk(server: &Server) -> Newsroom {
    let perplexity = format!(
        "perplexity:\n    api_base: {}\n    api_key: pplx-secret-key-1\n    model: sonar\n    timeout_seconds: 5",
        server.base()
    );
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        yaml.replace("perplexity: null", &perplexity).replace("claims:\n  enabled: true", "claims:\n  enabled: false")
    });
    for (name, text) in [("council.md", COUNCIL), ("plan.md", PLAN)] {
        newsroom.write(&format!("data/knowledgebase/{name}"), text.as_bytes());
    }
    newsroom
}

/// The knowledge base's document that changes.
fn ordinance(week: usize) -> String {
    let words = "from February until the end of July";
    if week < AMENDED { POND.to_owned() } else { POND.replace(words, "from March until the end of August") }
}

/// The counts of a beat.
#[derive(Debug, Default, PartialEq)]
struct Figures {
    look_ups: usize,
    /// Answered by a check of the same story, and by one of another.
    own: usize,
    others: usize,
    calls: usize,
    asked: usize,
    answered: usize,
    passed: usize,
    /// By the program's own count.
    not_made: u64,
}

/// A story's verdicts, each round's in order, without what a call took; and its article.
type Result = (Vec<Vec<Verdict>>, Value);

/// One story on a desk.
fn run(newsroom: &Newsroom, server: &Server, at: usize, figures: &mut Figures) -> Result {
    let week = &WEEKS[at];
    newsroom.write("data/knowledgebase/pond.md", ordinance(at).as_bytes());
    server.forget();
    let topic = newsroom.topic_with(|topic| {
        topic["source_text"] = json!(week.source());
        topic["source_metadata"]["topic_slug"] = json!(week.slug);
        topic["source_metadata"]["publish_date"] = json!(week.day);
        topic["source_metadata"]["video_id"] = json!(week.slug);
    });
    let done = newsroom.auto(&topic);
    assert!(done.code < 2, "{}: {}", week.slug, done.err);
    let journal = newsroom.record(week.slug).journal;
    let canonical = newsroom.json(&format!("data/output/articles/desk/{}.json", week.slug));
    count(&journal, week, figures);
    figures.passed += usize::from(canonical["success"] == json!(true));
    for call in server.calls() {
        figures.calls += 1;
        figures.asked += prompt(&call).len();
        figures.answered += if call.agent == "evidence_search" { 31 } else { answer(&call).len() };
    }
    let rounds = (1..=3).map_while(|round| judged_as_they_must_be(&journal, round, at));
    (rounds.collect(), canonical["article"].clone())
}

fn count(journal: &Journal, week: &Week, figures: &mut Figures) {
    let look_ups = journal.entries().iter().filter_map(|entry| match &entry.outcome {
        Outcome::LookUp(look_up) => Some(look_up),
        _ => None,
    });
    for look_up in look_ups {
        figures.look_ups += 1;
        if let Some(record) = &look_up.remembered {
            assert_eq!(record.normalized_query(), look_up.normalized_query);
            let own = record.article_id() == format!("desk/{}", week.slug);
            *(if own { &mut figures.own } else { &mut figures.others }) += 1;
        }
    }
    figures.not_made += Savings::of(journal).calls_not_made;
}

/// The verdicts of a round, each of which must be about its own sentence, and be that which this week's source and documents give.
fn judged_as_they_must_be(journal: &Journal, round: u32, at: usize) -> Option<Vec<Verdict>> {
    let week = &WEEKS[at];
    let concerns = &journal.concerns(round)?.concerns;
    let doubts = doubts(&journal.draft(round)?.article.articleBody);
    assert_eq!(concerns.len(), doubts.len(), "{}", week.slug);
    let (source, pond) = (week.source(), ordinance(at));
    let search = "found the same".to_owned();
    let witnesses: Vec<(Option<usize>, &str)> =
        [&source, COUNCIL, PLAN, &pond, &search].into_iter().map(|text| (None, text)).collect();
    let given = journal.verdicts(round);
    let verdicts = concerns.iter().zip(&doubts).map(|(concern, doubt)| {
        let (excerpt, sentence) = doubt;
        assert_eq!(&concern.excerpt, excerpt);
        let verdict = given.iter().find(|verdict| verdict.concern_id == concern.concern_id).unwrap();
        let (status, said, _) = judged(doubt, week.day, &witnesses);
        assert_eq!((verdict.status, &verdict.rationale), (status, &said), "{}, round {round}", week.slug);
        let marked = sentence.replacen(excerpt, &format!("⟦{excerpt}⟧"), 1);
        let look_up = journal.look_up(round, concern.concern_id).unwrap();
        assert_eq!(look_up.normalized_query, normalise(&marked));
        verdict.clone()
    });
    Some(verdicts.collect())
}

#[test]
fn the_memory_of_a_beat_saves_calls_and_changes_no_verdict() {
    let server = server();
    let (mut apart, mut together) = (Figures::default(), Figures::default());
    let alone: BTreeMap<usize, Result> =
        (0..WEEKS.len()).map(|at| (at, run(&desk(&server), &server, at, &mut apart))).collect();
    let one = desk(&server);
    let beat: BTreeMap<usize, Result> =
        (0..WEEKS.len()).map(|at| (at, run(&one, &server, at, &mut together))).collect();
    for (name, figure) in [
        ("look-ups", &(|it: &Figures| it.look_ups.to_string()) as &dyn Fn(&Figures) -> String),
        ("– answered by a check of the same story", &|it| it.own.to_string()),
        ("– answered by a check of another story", &|it| it.others.to_string()),
        ("calls", &|it| it.calls.to_string()),
        ("tokens of prompts (bytes / 4)", &|it| (it.asked / 4).to_string()),
        ("tokens of answers (bytes / 4)", &|it| (it.answered / 4).to_string()),
        ("stories that passed", &|it| it.passed.to_string()),
    ] {
        println!("| {name} | {} | {} |", figure(&apart), figure(&together));
    }
    assert!(alone.values().all(|(rounds, _)| rounds.len() > 1), "{alone:?}");
    assert_eq!(beat, alone, "the same verdicts and articles");
    assert!(apart.others == 0 && together.others > 0, "{together:?}");
    assert_eq!(apart.look_ups, together.look_ups);
    assert_eq!(apart.calls - together.calls, usize::try_from(together.not_made - apart.not_made).unwrap());
    assert!(apart.asked > together.asked && apart.answered > together.answered);
}

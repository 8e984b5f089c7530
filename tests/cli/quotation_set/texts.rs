//! Texts with words that somebody said.

use std::{fs, path::Path};

use copydesk::text::sentences::{sentences, speaker};

/// A source, and what is quoted from it.
pub struct Text {
    pub name: String,
    pub words: String,
    /// Sentences without marks in them.
    pub quotes: Vec<String>,
    /// Quotations with their speakers, as the draft names them.
    pub said: Vec<(String, String)>,
    /// Everybody who speaks.
    pub speakers: Vec<String>,
}

/// Who says what, told as newspapers, transcripts and notes tell it. The first line names the speakers.
const OWN: &[&str] = &[
    "Inez Calloway; Thomas Pruitt; Helen Stavrakis; Marguerite Foley
“I can get to the gate,” said Inez Calloway, 74, who uses a wheelchair. “In eleven years I have not once got to the pond.”

Councilmember Thomas Pruitt, who voted against the plan, called it hasty. “We have three estimates and none of them is from this year,” Pruitt said. “You do not sign a lease on a guess.”

“The pond was never meant to be fenced,” Helen Stavrakis, a retired surveyor, told the council.

Asked about the swings, Marguerite Foley laughed: “My own children broke two of them in 1998.”",
    "Priya Nandakumar; Raymond Tull; Miriam Voss
[00:00:14] VOSS: Good evening, we have a quorum and we will not vote tonight.

[00:01:02] TULL: The plant is forty-one years old. I would rather replace a pump in April than in a blizzard.

[00:02:40] NANDAKUMAR: The fixed charge pays for pipes whether or not anybody opens a tap.

[00:03:11] VOSS: Thank you. I own two taps and I open both.

Miriam Voss chaired the hearing, Raymond Tull spoke for the utility and Priya Nandakumar for the consultants.",
    "Ellis Thorne; Judith Ashgrove; Anders Holt
Ellis Thorne (secretary): “The books were open for nine days and eleven people came to read them.”

Judith Ashgrove (chair): “Nobody at this table is paid more than the night baker. That was true when I was elected and it is true tonight.”

Anders Holt, in an e-mail: “The lights at Foundry Road were timed for a street with half as many cars.”",
    "Lorraine Abney; Dennis Pruett
According to Lorraine Abney, the deputy chief, “the roof went first and the stairs held for another nine minutes.”

“We found no sign that anybody slept there,” fire marshal Dennis Pruett said. He added: “The alarm was tested in March and it worked.”

Abney wrote in her log: “Two ladders on the north side. Wind turning.”",
    "Ingrid Solheim; Marcus Teague; Carol Svoboda
“We have been brewing in a building where you have to move a forklift to open a door,” said Ingrid Solheim, chief executive and co-founder. “It keeps you thin, but it doesn’t make more beer.”

Marcus Teague, who runs the diner across the street, said, “I counted nineteen trucks before breakfast on a single Tuesday.”

“Nineteen is what they promised us for a whole week,” said the village clerk, Carol Svoboda.",
    "Hannah Lindqvist; Joy Mbanefo; Gerald Whitlock
“Our study cannot tell a parent what to do on Monday morning,” Hannah Lindqvist said. Whether tutoring caused the gain, she added, “is a question that this design was never able to answer.”

“I drove bus fourteen for six winters,” Joy Mbanefo said, “and I never saw a child wait in daylight.”

Gerald Whitlock, the board’s president, answered that the buses “will run on time or they will run without me.”",
];

/// Own texts, the topics that the repository ships, and those of the folder that is named, if one is.
pub fn all() -> Vec<Text> {
    let mut all: Vec<Text> = OWN
        .iter()
        .zip(1..)
        .map(|(text, number)| {
            let (speakers, words) = text.split_once('\n').unwrap();
            let speakers: Vec<String> = speakers.split("; ").map(str::to_owned).collect();
            Text { said: attributed(words, &speakers), speakers, ..plain(format!("own {number}"), words.to_owned()) }
        })
        .collect();
    let topics = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/topics");
    for file in files(&topics) {
        let topic: serde_json::Value = serde_json::from_str(&file.1).unwrap();
        all.push(plain(file.0, topic["source_text"].as_str().unwrap().to_owned()));
    }
    #[expect(clippy::disallowed_methods, reason = "other texts are the tests' business, not the program's")]
    if let Some(folder) = std::env::var_os("QUOTATION_TEXTS") {
        all.extend(files(Path::new(&folder)).into_iter().map(|(name, words)| plain(name, words)));
    }
    all
}

fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), fs::read_to_string(entry.path()).unwrap()))
        .collect();
    found.sort();
    found
}

/// A text of which any sentence is quoted that has neither marks nor a label in it.
fn plain(name: String, words: String) -> Text {
    let quotes = sentences(&words)
        .into_iter()
        .map(|range| words[range].split_whitespace().collect::<Vec<_>>().join(" "))
        .map(|sentence| {
            let from = speaker(&sentence).map_or(0, |label| label.end + 1);
            sentence[from..].trim_matches(['“', '”', '"', ' ', '-', '>', '*']).to_owned()
        })
        .filter(|sentence| {
            let count = sentence.split(' ').count();
            (6..=60).contains(&count)
                && !sentence.contains(['“', '”', '"', '[', ']', '(', ')', '#', '|', '…', '*', '_'])
        })
        .filter(|sentence| !sentence.contains("..") && sentence.chars().filter(|c| c.is_alphabetic()).count() > 20)
        .take(40)
        .collect();
    Text { name, words, quotes, said: Vec::new(), speakers: Vec::new() }
}

/// Each quotation of an own text with the one speaker whom its paragraph or its label names.
fn attributed(words: &str, speakers: &[String]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for paragraph in words.split("\n\n") {
        let surname = |speaker: &&String| {
            let last = speaker.rsplit(' ').next().unwrap();
            paragraph.contains(last) || paragraph.contains(&format!("{}:", last.to_uppercase()))
        };
        let named: Vec<&String> = speakers.iter().filter(surname).collect();
        let [one] = named.as_slice() else { continue };
        let pieces: Vec<&str> = match paragraph.split_once("]: ").or_else(|| paragraph.split_once(": ")) {
            Some((label, rest)) if label.starts_with('[') => vec![rest],
            _ => paragraph.split('“').skip(1).filter_map(|rest| rest.split('”').next()).collect(),
        };
        for piece in pieces {
            found.push((piece.trim_end_matches([',', '.']).to_owned(), (*one).clone()));
        }
    }
    found
}

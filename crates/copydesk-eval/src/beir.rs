//! A collection in BEIR's layout: `corpus.jsonl`, `queries.jsonl`, `qrels/NAME.tsv`.

use std::{
    collections::{BTreeMap, HashMap},
    fs::File,
    io::{BufRead, BufReader, Read as _},
};

use copydesk::text::sanitise;
use serde::{Deserialize, de::DeserializeOwned};

use crate::prelude::*;

/// Most bytes of a line: a text of a collection is a passage or an article, no library.
const LONGEST: u64 = 32 << 20;

/// A text.
#[derive(Debug, Deserialize)]
pub(crate) struct Text {
    #[serde(rename = "_id")]
    pub(crate) id: String,
    #[serde(default)]
    pub(crate) title: String,
    #[serde(rename = "text")]
    pub(crate) body: String,
}

#[derive(Debug, Deserialize)]
struct Question {
    #[serde(rename = "_id")]
    id: String,
    text: String,
}

/// A question with the grades of the texts that bear on it.
#[derive(Debug)]
pub(crate) struct JudgedQuestion {
    pub(crate) text: String,
    pub(crate) grades: HashMap<String, u32>,
}

/// The questions that `qrels/SPLIT.tsv` judges, by their names.
pub(crate) fn judged(folder: &Path, split: &str) -> Result<Vec<JudgedQuestion>> {
    let path = folder.join("qrels").join(format!("{split}.tsv"));
    let mut grades: BTreeMap<String, HashMap<String, u32>> = BTreeMap::new();
    for (line, number) in lines(&path)?.zip(1_u64..) {
        let line = line?;
        let mut columns = line.trim_end().split('\t');
        let (Some(query), Some(text), Some(grade)) = (columns.next(), columns.next(), columns.next()) else {
            return Err(wrong(&path, number, "is no line of three columns: query-id, corpus-id, score"));
        };
        match grade.parse() {
            Ok(grade) => {
                grades.entry(query.to_owned()).or_default().insert(text.to_owned(), grade);
            }
            Err(_) if number == 1 => {} // The head.
            Err(_) => return Err(wrong(&path, number, "has a score that is no whole number")),
        }
    }
    let path = folder.join("queries.jsonl");
    let mut judged = Vec::new();
    for question in objects::<Question>(path.clone(), "question with _id and text")? {
        let question = question?;
        if let Some(grades) = grades.remove(&question.id) {
            judged.push(JudgedQuestion { text: sanitise::clean(&question.text).into_owned(), grades });
        }
    }
    if judged.is_empty() {
        let shown = sanitise::one_line(&path.display().to_string());
        return Err(wrong_use(format!("{shown} has no question that qrels/{split}.tsv judges")));
    }
    Ok(judged)
}

/// The texts, one after the other.
pub(crate) fn corpus(folder: &Path) -> Result<impl Iterator<Item = Result<Text>> + use<>> {
    let texts = objects::<Text>(folder.join("corpus.jsonl"), "text with _id, title and text")?;
    let cleaned = |Text { id, title, body }| Text {
        id,
        title: sanitise::one_line(&title),
        body: sanitise::clean(&body).into_owned(),
    };
    Ok(texts.map(move |text| text.map(cleaned)))
}

/// The objects of a file with one on each line; `what` says what each has to be.
fn objects<T: DeserializeOwned>(path: PathBuf, what: &'static str) -> Result<impl Iterator<Item = Result<T>> + use<T>> {
    let read = lines(&path)?.zip(1_u64..);
    let written = read.filter(|(line, _)| line.as_ref().map_or(true, |line| !line.trim().is_empty()));
    Ok(written.map(move |(line, number)| {
        serde_json::from_str::<T>(&line?).map_err(|error| wrong(&path, number, &format!("is no {what}: {error}")))
    }))
}

fn wrong(path: &Path, line: u64, what: &str) -> anyhow::Error {
    wrong_use(format!("{}, line {line}: it {what}", sanitise::one_line(&path.display().to_string())))
}

/// The lines of a file, read as they are asked for.
fn lines(path: &Path) -> Result<impl Iterator<Item = Result<String>> + use<>> {
    let shown = sanitise::one_line(&path.display().to_string());
    let cannot = move |error: std::io::Error| -> anyhow::Error {
        wrong_use(format!("{shown} cannot be read: {error}; the layout is corpus.jsonl, queries.jsonl, qrels/test.tsv"))
    };
    let mut file = BufReader::new(File::open(path).map_err(&cannot)?);
    let path: PathBuf = path.to_owned();
    let mut number = 0;
    Ok(std::iter::from_fn(move || {
        number += 1;
        let mut line = Vec::new();
        let read = file.by_ref().take(LONGEST + 1).read_until(b'\n', &mut line);
        match read {
            Ok(0) => None,
            Ok(_) if line.len() as u64 > LONGEST => Some(Err(wrong(&path, number, "is longer than 32 MB"))),
            Ok(_) => Some(String::from_utf8(line).map_err(|_| wrong(&path, number, "is not UTF-8"))),
            Err(error) => Some(Err(cannot(error))),
        }
    }))
}

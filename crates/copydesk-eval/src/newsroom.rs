//! `copydesk-eval newsroom`: the proof on articles about real public documents, each with one planted error.

use std::{
    collections::BTreeMap,
    fs,
    io::{Cursor, Read as _},
};

use copydesk::{
    cli::intake::{files, words::gravity},
    editorial::drafts,
    newsroom::ArticleResponse,
    proof::Gravity,
    text::sanitise,
};
use serde::Deserialize;

use crate::prelude::*;
use crate::{
    basis,
    kept::{EvalDone, EvalOutput},
    planted::{self, PlantedDocument, PlantedError, PlantedOutcome, PlantedScores, TrueOutcome},
    scoring::judge_all,
};

/// A packed set unpacks to at most so many bytes a file.
const LARGEST: u64 = 4 << 20;

#[derive(Debug, Args)]
pub(crate) struct NewsroomEvalArgs {
    /// A folder with a folder for each document (source.txt, article.md, document.json), or a sealed set: the same as a
    /// .zip. A sealed set prints counts only.
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    #[command(flatten)]
    output: EvalOutput,
    /// Also list each error with the rules that raised it, and each false finding; never of a sealed set.
    #[arg(long)]
    each: bool,
    /// The least grave rules that count.
    #[arg(long, value_name = "LEVEL", value_parser = gravity(), default_value = "concern")]
    level: Gravity,
}

pub(crate) fn measure(arguments: NewsroomEvalArgs) -> Result<EvalDone> {
    let NewsroomEvalArgs { data, output, each, level } = arguments;
    let sealed = files::is(&data, &["zip"]);
    if sealed && each {
        return Err(wrong_use("a sealed set shows only its counts; use --each with a folder"));
    }
    let basis = EvalBasis { data: Some(basis::of_data(&data)?), ..basis::of_program("none") };
    let judged = judge_all(&read(&data)?, |document| planted::judge(document, level))?;
    let (truths, errors): (Vec<TrueOutcome>, Vec<Vec<PlantedOutcome>>) = judged.into_iter().unzip();
    let errors = errors.concat();
    let scores = PlantedScores::of(&truths, &errors);
    if each {
        headless::data(&planted::planted_list(&truths, &errors))?;
    }
    let mut evaluation = basis::begun("newsroom", "The proof on planted errors", basis);
    (evaluation.tables, evaluation.units) = planted::planted_evaluation(&scores, &truths, &errors, sealed);
    output.publish(evaluation, Exit::Fine)
}

/// `document.json`. Its other fields (title, address, licence) are for people.
#[derive(Debug, Deserialize)]
struct Paper {
    variants: Vec<Variant>,
}

#[derive(Debug, Deserialize)]
struct Variant {
    id: String,
    kind: String,
    find: String,
    replace: String,
    wrong: String,
    passages: Vec<String>,
}

/// The texts of a set, by the name of the document and then of the file.
type Set = BTreeMap<String, BTreeMap<String, String>>;

/// The documents of a folder or of a packed set.
pub(crate) fn read(data: &Path) -> Result<Vec<PlantedDocument>> {
    let shown = sanitise::one_line(&data.display().to_string());
    let set = if files::is(data, &["zip"]) { unpacked(data)? } else { listed(data)? };
    let documents: Vec<PlantedDocument> =
        set.iter().map(|(name, files)| document(name, files)).collect::<Result<_>>()?;
    if documents.is_empty() {
        return Err(wrong_use(format!(
            "{shown} holds no document (a folder with source.txt, article.md, document.json)"
        )));
    }
    Ok(documents)
}

fn listed(data: &Path) -> Result<Set> {
    let mut set = Set::new();
    let cannot = |error: std::io::Error| WrongUse(format!("{} cannot be read: {error}", data.display()));
    for folder in fs::read_dir(data).map_err(cannot)?.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()) {
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let files = set.entry(name).or_default();
        for file in FILES {
            let bytes = files::read_bounded(&folder.join(file))?.map_err(|error| WrongUse(error.to_string()))?;
            files.insert(file.to_owned(), String::from_utf8(bytes)?);
        }
    }
    Ok(set)
}

const FILES: [&str; 3] = ["source.txt", "article.md", "document.json"];

fn unpacked(data: &Path) -> Result<Set> {
    let bytes = files::read_bounded(data)?.map_err(|error| WrongUse(error.to_string()))?;
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes))?;
    let mut set = Set::new();
    for index in 0..archive.len() {
        let file = archive.by_index(index)?;
        let path = PathBuf::from(file.name()?.as_ref());
        let name =
            |path: Option<&std::ffi::OsStr>| path.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let (folder, own) = (name(path.parent().and_then(Path::file_name)), name(path.file_name()));
        if FILES.contains(&own.as_str()) {
            let mut text = String::new();
            file.take(LARGEST).read_to_string(&mut text)?;
            set.entry(folder).or_default().insert(own, text);
        }
    }
    Ok(set)
}

fn document(name: &str, files: &BTreeMap<String, String>) -> Result<PlantedDocument> {
    let wrong = |what: &str| WrongUse(format!("the document {}: {what}", sanitise::excerpt(name, 60)));
    let text = |file: &str| files.get(file).ok_or_else(|| wrong(&format!("it has no {file}")));
    let source = text("source.txt")?.clone();
    let article = drafts::own(text("article.md")?).map_err(|error| wrong(&error.to_string()))?;
    let paper: Paper = serde_json::from_str(text("document.json")?).map_err(|error| wrong(&error.to_string()))?;
    let errors = paper
        .variants
        .iter()
        .map(|variant| {
            planted_error(&article, &source, variant).ok_or_else(|| {
                wrong(&format!("variant {} does not fit its texts", sanitise::excerpt(&variant.id, 20))).into()
            })
        })
        .collect::<Result<_>>()?;
    Ok(PlantedDocument { name: name.to_owned(), source, article, errors })
}

/// The body with one error. None if its words are not where it says.
fn planted_error(article: &ArticleResponse, source: &str, variant: &Variant) -> Option<PlantedError> {
    let body = &article.articleBody;
    let at = body.find(&variant.find)?;
    let wrong = at + variant.replace.find(&variant.wrong)?;
    let place = |passage: &String| source.find(passage.as_str()).map(|at| at..at + passage.len());
    Some(PlantedError {
        id: variant.id.clone(),
        kind: variant.kind.clone(),
        body: body.replacen(&variant.find, &variant.replace, 1),
        wrong: wrong..wrong + variant.wrong.len(),
        passages: variant.passages.iter().map(place).collect::<Option<_>>()?,
    })
}

//! The sources that belong to a draft if nobody names them. Its front matter does, or a folder beside it has its name, or a file
//! `.copydesk.yaml` in its folder or one above does.

use std::{collections::BTreeMap, fs};

use serde::Deserialize;

use crate::cli::prelude::*;
use crate::editorial::drafts;
use crate::newsroom::Finding;

/// The file that names the sources of all drafts in its folder and below.
const FILE: &str = ".copydesk.yaml";

/// Most bytes of that file, and of front matter.
const LARGEST: usize = 64 << 10;

/// What a draft's front matter says to Copydesk. Its other keys are for other programs.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct DraftFacts {
    #[serde(deserialize_with = "one_or_more")]
    sources: Vec<PathBuf>,
    /// Words of the draft that stand although the proof objects, each with the reason.
    accepted: BTreeMap<String, String>,
}

impl DraftFacts {
    /// Of a draft with this text.
    ///
    /// # Errors
    /// If its front matter cannot be read.
    pub(crate) fn of(text: &str) -> Result<Self> {
        let Some((yaml, _)) = drafts::front_matter(text) else { return Ok(Self::default()) };
        parsed(yaml).map_err(|why| wrong_use(format!("the draft's front matter: {why}")))
    }

    /// Why a finding stands, if its words were accepted with a reason.
    pub(crate) fn accepted(&self, finding: &Finding) -> Option<&str> {
        self.accepted.get(&finding.text).map(|reason| reason.trim()).filter(|reason| !reason.is_empty())
    }
}

/// The sources of a draft, files and folders.
///
/// # Errors
/// If none belongs to it, or if what names them cannot be read.
pub(crate) fn sources_of(draft: &Path, facts: &DraftFacts) -> Result<Vec<PathBuf>> {
    if let Some(sources) = found(draft, facts)? {
        return Ok(sources);
    }
    let beside = draft.with_extension("sources");
    Err(wrong_use(format!(
        "no sources belong to {}. Name them: with --source, in its front matter (`sources: [notes.txt]`), in a folder {} beside it, or in a \
         file {FILE} above it",
        draft.display(),
        beside.file_name().unwrap_or_default().display(),
    )))
}

/// The sources of a draft, if any belong to it.
///
/// # Errors
/// If what names them cannot be read.
pub(crate) fn found(draft: &Path, facts: &DraftFacts) -> Result<Option<Vec<PathBuf>>> {
    let folder = draft.parent().unwrap_or(Path::new(""));
    if !facts.sources.is_empty() {
        return Ok(Some(facts.sources.iter().map(|source| folder.join(source)).collect()));
    }
    let beside = draft.with_extension("sources");
    if beside.is_dir() {
        return Ok(Some(vec![beside]));
    }
    let whole = std::path::absolute(draft).unwrap_or_else(|_| draft.to_owned());
    for folder in whole.ancestors().skip(1) {
        let file = folder.join(FILE);
        if !file.is_file() {
            continue;
        }
        let shown = file.display();
        let text = fs::read_to_string(&file).map_err(|error| wrong_use(format!("{shown}: {error}")))?;
        let facts: DraftFacts = parsed(&text).map_err(|why| wrong_use(format!("{shown}: {why}")))?;
        if facts.sources.is_empty() {
            return Err(wrong_use(format!("{shown}: it names no sources; write `sources: [notes.txt]`")));
        }
        return Ok(Some(facts.sources.iter().map(|source| folder.join(source)).collect()));
    }
    Ok(None)
}

#[derive(Debug, thiserror::Error)]
enum FactsError {
    #[error("it has more than {LARGEST} bytes")]
    TooLong,
    #[error(transparent)]
    Yaml(#[from] serde_yaml::Error),
}

fn parsed(yaml: &str) -> Result<DraftFacts, FactsError> {
    if yaml.len() > LARGEST {
        return Err(FactsError::TooLong);
    }
    if yaml.trim().is_empty() {
        return Ok(DraftFacts::default());
    }
    Ok(serde_yaml::from_str(yaml)?)
}

/// A name, or a list of them.
fn one_or_more<'de, D: serde::Deserializer<'de>>(given: D) -> Result<Vec<PathBuf>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMore {
        One(PathBuf),
        More(Vec<PathBuf>),
    }
    Ok(match OneOrMore::deserialize(given)? {
        OneOrMore::One(path) => vec![path],
        OneOrMore::More(paths) => paths,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(yaml: &str) -> DraftFacts {
        DraftFacts::of(&format!("---\n{yaml}---\nText.\n")).unwrap()
    }

    #[test]
    fn front_matter_names_sources_beside_the_draft() {
        let draft = Path::new("desk/park.md");
        for yaml in ["sources: notes.txt\n", "title: The park\nsources: [notes.txt]\n"] {
            assert_eq!(sources_of(draft, &facts(yaml)).unwrap(), [PathBuf::from("desk/notes.txt")], "{yaml}");
        }
        let why = DraftFacts::of("---\nsources: {a: b}\n---\nText.\n").unwrap_err().to_string();
        assert!(why.starts_with("the draft's front matter: "), "{why}");
        assert_eq!(DraftFacts::of("Text.\n").unwrap(), DraftFacts::default());
    }

    #[test]
    fn a_folder_beside_the_draft_comes_before_a_file_above_it() {
        let folder = tempfile::tempdir().unwrap();
        let draft = folder.path().join("city/park.md");
        fs::create_dir_all(folder.path().join("city")).unwrap();
        let none = sources_of(&draft, &DraftFacts::default()).unwrap_err().to_string();
        assert!(none.contains("a folder park.sources beside it"), "{none}");
        fs::write(folder.path().join(FILE), "sources: [minutes]\n").unwrap();
        assert_eq!(sources_of(&draft, &DraftFacts::default()).unwrap(), [folder.path().join("minutes")]);
        let beside = folder.path().join("city/park.sources");
        fs::create_dir(&beside).unwrap();
        assert_eq!(sources_of(&draft, &DraftFacts::default()).unwrap(), [beside]);
        fs::write(folder.path().join("city").join(FILE), "title: x\n").unwrap();
        let why = sources_of(&folder.path().join("city/other.md"), &DraftFacts::default()).unwrap_err().to_string();
        assert!(why.ends_with("it names no sources; write `sources: [notes.txt]`"), "{why}");
    }
}

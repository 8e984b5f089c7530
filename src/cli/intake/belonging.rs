//! The sources that belong to a draft if nobody names them. Its front matter does, or a folder beside it has its name, or a file
//! `.copydesk.yaml` in its folder or one above does.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::Read as _,
};

use serde::Deserialize;

use crate::cli::intake::watch::{self, FilesSeen};
use crate::cli::prelude::*;
use crate::documents::{self, ReadingPurpose};
use crate::{editorial::drafts, knowledge::reading};

/// The file that names the sources of all drafts in its folder and below.
const FILE: &str = ".copydesk.yaml";

/// Most bytes of that file, and of front matter.
const LARGEST: usize = 64 << 10;

/// What a draft's front matter says to Copydesk. Its other keys are for other programs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
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

    /// Of a draft's file, in any encoding. One that is no draft has none: whoever reads it next says why.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub(crate) fn in_file(file: &Path) -> Result<Self> {
        Self::of(&reading::document(file, ReadingPurpose::Draft).map(|read| read.text).unwrap_or_default())
    }

    /// Why words of the draft stand, if they were accepted with a reason.
    pub(crate) fn accepted(&self, words: &str) -> Option<&str> {
        self.accepted.get(words).map(|reason| reason.trim()).filter(|reason| !reason.is_empty())
    }

    /// The facts of an open draft with this text: its own, and what another editor has accepted in its `file` since. `known` has the words
    /// that this text accepts or has accepted, so that what its author takes back is not accepted again.
    ///
    /// # Errors
    /// As [`Self::of`], about the text. A file that cannot be read adds nothing.
    pub(crate) fn of_open(text: &str, file: &Path, known: &mut BTreeSet<String>) -> Result<Self> {
        let mut facts = Self::of(text)?;
        known.extend(
            facts.accepted.iter().filter(|(_, reason)| !reason.trim().is_empty()).map(|(words, _)| words.clone()),
        );
        let mut head = Vec::new();
        let read = fs::File::open(file).and_then(|file| file.take(2 * LARGEST as u64).read_to_end(&mut head));
        let saved = read.ok().and_then(|_| documents::read("draft.md", &head, ReadingPurpose::Draft).ok());
        if let Some(Ok(saved)) = saved.map(|saved| Self::of(&saved.text)) {
            facts.accepted.extend(saved.accepted.into_iter().filter(|(words, _)| !known.contains(words)));
        }
        Ok(facts)
    }

    /// Whether both name the same sources.
    pub(crate) fn same_sources(&self, other: &Self) -> bool {
        self.sources == other.sources
    }
}

/// The sources of a draft, files and folders.
///
/// # Errors
/// If none belongs to it, or if what names them cannot be read.
pub(crate) fn sources_of(draft: &Path, facts: &DraftFacts) -> Result<Vec<PathBuf>> {
    if let Some(sources) = sources_if_any(draft, facts)? {
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

/// How the sources of a draft stand, without the draft itself: a folder of sources may be the one that it lies in. Nothing if none belongs
/// to it, or if what names them cannot be read.
pub(crate) fn sources_seen(draft: &Path, facts: &DraftFacts) -> FilesSeen {
    let sources = sources_if_any(draft, facts).ok().flatten().unwrap_or_default();
    watch::files_seen(sources.iter().map(PathBuf::as_path)).without(draft)
}

/// The sources of a draft, if any belong to it.
///
/// # Errors
/// If what names them cannot be read.
pub(crate) fn sources_if_any(draft: &Path, facts: &DraftFacts) -> Result<Option<Vec<PathBuf>>> {
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

fn parsed(yaml: &str) -> Result<DraftFacts> {
    anyhow::ensure!(yaml.len() <= LARGEST, "it has more than {LARGEST} bytes");
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
    fn what_another_editor_accepts_counts_until_the_author_takes_it_back() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("park.md");
        let draft = |accepted: &str| format!("---\naccepted: {{{accepted}}}\n---\nText.\n");
        let mut known = BTreeSet::new();
        let mut open = |text: &str| {
            let facts = DraftFacts::of_open(text, &file, &mut known).unwrap();
            facts.accepted.into_iter().map(|(words, why)| format!("{words}: {why}")).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(open(&draft("'1958': mine")), "1958: mine", "there is no file yet");
        fs::write(&file, draft("'1958': theirs, '$2': theirs")).unwrap();
        assert_eq!(open(&draft("'1958': mine, '$2': ''")), "$2: theirs, 1958: mine");
        assert_eq!(open("Text.\n"), "$2: theirs", "the author has taken 1958 back");
        fs::write(&file, "---\naccepted: [\n---\n").unwrap();
        assert_eq!(open(&draft("'9': mine")), "9: mine");
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

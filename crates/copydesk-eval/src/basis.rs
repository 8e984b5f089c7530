//! The conditions of an evaluation: the program, the engine with its models, and digests of the files that were read.

use std::{collections::BTreeMap, fs};

use anyhow::Context as _;
use copydesk::{
    cli::wiring::{clock, files, skills},
    config::Engine,
    newsroom::Agent,
};
use sha2::{Digest as _, Sha256};

use crate::evaluation::Evaluation;
use crate::prelude::*;

/// The basis of stories that are run with these settings.
pub(crate) fn of_desk(settings: &Settings) -> Result<EvalBasis> {
    let generation = &settings.article_generation;
    let models = Agent::all().filter_map(|agent| {
        let model = generation.models.of(agent)?;
        Some((agent.name().to_owned(), model.model.clone()))
    });
    let asks = generation.engine.has_models();
    let recording = generation.recording.as_ref().filter(|_| generation.engine == Engine::Recorded);
    Ok(EvalBasis {
        models: if asks { models.collect() } else { BTreeMap::new() },
        configuration: Some(of_file(&settings.file)?),
        prompts: if asks { Some(of_prompts(settings)?) } else { None },
        house_style: of_house_style(settings)?,
        recording: recording.map(|file| of_file(file)).transpose()?,
        ..of_program(generation.engine.name())
    })
}

/// SHA-256 of the prompts, the styles, and the skills and profiles of agents, each in the desk's own folder. Other files beside these
/// folders do not count, because they may be the workspace.
fn of_prompts(settings: &Settings) -> Result<String> {
    let mut folders = vec![settings.article_generation.editor.prompts.root_dir.clone()];
    let beside = [files::styles_folder(settings), skills::folder(settings)];
    folders.extend(beside.into_iter().filter(|folder| folder.is_dir()));
    of_all(&folders)
}

/// SHA-256 of the rules of house style that stories are read with. None if those are the program's own, or there are none.
fn of_house_style(settings: &Settings) -> Result<Option<String>> {
    let folders = &settings.style.folders;
    (settings.style.in_stories && !folders.is_empty()).then(|| of_all(folders)).transpose()
}

/// The basis of what reads no configuration.
pub(crate) fn of_program(engine: &str) -> EvalBasis {
    EvalBasis { version: env!("CARGO_PKG_VERSION").to_owned(), engine: engine.to_owned(), ..EvalBasis::default() }
}

/// SHA-256 of a file, in hex.
pub(crate) fn of_file(file: &Path) -> Result<String> {
    let bytes = fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
    Ok(hex::encode(Sha256::digest(bytes)))
}

/// SHA-256 of a file, or of every file of a folder.
pub(crate) fn of_data(data: &Path) -> Result<String> {
    if data.is_dir() { of_files(data) } else { of_file(data) }
}

/// SHA-256 of the digests of several files and folders.
pub(crate) fn of_all(paths: &[PathBuf]) -> Result<String> {
    let digests: Vec<String> = paths.iter().map(|path| of_data(path)).collect::<Result<_>>()?;
    Ok(hex::encode(Sha256::digest(digests.join("\n"))))
}

/// SHA-256 of every file below a folder: the name of each below it, the length of its content, and that, in the order of names. Hidden
/// files do not count.
pub(crate) fn of_files(folder: &Path) -> Result<String> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inside) = folders.pop() {
        let entries = fs::read_dir(&inside).with_context(|| format!("{} cannot be read", inside.display()))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            match (hidden, path.is_symlink(), path.is_dir()) {
                (true, ..) | (_, true, true) => {}
                (_, _, true) => folders.push(path),
                (_, _, false) => files.push(path),
            }
        }
    }
    let name = |file: &PathBuf| file.strip_prefix(folder).unwrap_or(file).to_string_lossy().into_owned();
    files.sort_by_key(&name);
    let mut digest = Sha256::new();
    for file in files.iter().filter(|file| file.is_file()) {
        let bytes = fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
        digest.update(format!("{}\n{}\n", name(file), bytes.len()));
        digest.update(bytes);
    }
    Ok(hex::encode(digest.finalize()))
}

/// An evaluation without its tables.
pub(crate) fn begun(name: &'static str, title: &str, measured_on: EvalBasis) -> Evaluation {
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    Evaluation {
        name,
        title: title.to_owned(),
        command: shell_words::join(std::iter::once("copydesk-eval".to_owned()).chain(words)),
        made_at: clock::now(),
        measured_on,
        tables: Vec::new(),
        notes: Vec::new(),
        units: Vec::new(),
    }
}

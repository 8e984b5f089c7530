//! Keeps the measured units of an evaluation in a folder. Each unit is kept as it ends, so that the same command goes on where it was
//! stopped.
//!
//! The file has a line for what was measured under, then a line for each unit. A line that a crash left unfinished is dropped.

use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions, TryLockError},
    io::{Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};
use copydesk::{
    cli::{Exit, WrongUse, handed_over, wrong_use},
    headless,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use tempfile::TempDir;

use crate::evaluation::{EvalBasis, EvalTable, Evaluation, evaluation_markdown, evaluation_text, evaluations_page};

/// The desks that units are measured in have folders with this at the beginning of their names.
const AT_WORK: &str = ".at-work-";

/// Most bytes of a file of units.
const LARGEST: u64 = 1 << 30;

/// Where the results of an evaluation go.
#[derive(Debug, Clone, Args)]
pub(crate) struct EvalOutput {
    /// A folder for the results: Markdown, JSON, HTML. Stories are kept there as each ends, so the same command continues from there.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl EvalOutput {
    /// Writes the files and prints the tables, or their JSON.
    pub(crate) fn publish(&self, evaluation: Evaluation, exit: Exit) -> Result<EvalDone> {
        if let Some(folder) = &self.out {
            write(folder, &evaluation)?;
        }
        headless::data(&if self.json { serde_json::to_string(&evaluation)? } else { evaluation_text(&evaluation) })?;
        Ok(EvalDone { exit, evaluation: Some(evaluation) })
    }
}

#[derive(Debug, Clone, Args)]
pub(crate) struct EvalKeeping {
    #[command(flatten)]
    output: EvalOutput,
    /// Measure everything anew that the folder has.
    #[arg(long, requires = "out")]
    again: bool,
}

/// How an evaluation ended, and what it came to as far as it went.
pub(crate) struct EvalDone {
    pub(crate) exit: Exit,
    pub(crate) evaluation: Option<Evaluation>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    measured_on: EvalBasis,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    unit: String,
    measured: Value,
}

/// The units of an evaluation, and where its results go.
pub(crate) struct KeptUnits {
    keeping: EvalKeeping,
    name: &'static str,
    /// None if nothing is kept.
    file: Option<File>,
    units: HashMap<String, Value>,
}

impl EvalKeeping {
    /// Opens what was measured before under the same.
    pub(crate) fn open(&self, name: &'static str, basis: &EvalBasis) -> Result<KeptUnits> {
        let mut kept = KeptUnits { keeping: self.clone(), name, file: None, units: HashMap::new() };
        let Some(folder) = &self.output.out else { return Ok(kept) };
        let cannot = |error: std::io::Error| WrongUse(format!("{} cannot be written: {error}", folder.display()));
        fs::create_dir_all(folder).map_err(cannot)?;
        let path = folder.join(format!("{name}.units.jsonl"));
        let mut file =
            OpenOptions::new().create(true).read(true).write(true).truncate(false).open(&path).map_err(cannot)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let busy =
                    format!("another copydesk measures into {}; wait for it, or use another folder", path.display());
                return Err(wrong_use(busy));
            }
            Err(TryLockError::Error(error)) => return Err(cannot(error).into()),
        }
        // The desks belong to a killed program, because no running program holds the lock.
        remove_desks(folder, name);
        if self.again {
            file.set_len(0)?;
        }
        kept.read(&mut file, &path, basis)?;
        kept.file = Some(file);
        Ok(kept)
    }
}

impl KeptUnits {
    /// Reads the units, and leaves the file ready for the next one.
    fn read(&mut self, file: &mut File, path: &Path, basis: &EvalBasis) -> Result<()> {
        let mut text = Vec::new();
        file.take(LARGEST).read_to_end(&mut text)?;
        let shown = path.display();
        // A line is written in one piece with its end; a line without an end was being written when the program or the machine stopped.
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        text.truncate(whole);
        let mut lines = text.split_inclusive(|byte| *byte == b'\n');
        let Some(first) = lines.next() else {
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            return append(file, self.name, &serde_json::to_string(&Head { measured_on: basis.clone() })?);
        };
        let Ok(Head { measured_on }) = serde_json::from_slice(first) else {
            return Err(wrong_use(format!("{shown} is no list of measured units; use another folder")));
        };
        let differ = measured_on.differences(basis)?;
        if !differ.is_empty() {
            return Err(wrong_use(format!(
                "{shown} was measured under something else ({}); use another folder, or --again to measure all anew",
                differ.join(", ")
            )));
        }
        for (at, line) in lines.enumerate() {
            let Line { unit, measured } = serde_json::from_slice(line).map_err(|error| {
                WrongUse(format!("{shown}, line {}: {error}; delete that line, or use --again", at + 2))
            })?;
            self.units.insert(unit, measured);
        }
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::End(0))?;
        Ok(())
    }

    /// The result of a unit. If it cannot be read in its present form, the unit is measured again.
    pub(crate) fn known<T: DeserializeOwned>(&self, unit: &str) -> Option<T> {
        serde_json::from_value(self.units.get(unit)?.clone()).ok()
    }

    /// Keeps a unit. If this returns, it survives a crash.
    pub(crate) fn keep<T: Serialize>(&mut self, unit: String, measured: &T) -> Result<()> {
        let measured = serde_json::to_value(measured)?;
        if let Some(file) = &mut self.file {
            let line = serde_json::to_string(&Line { unit: unit.clone(), measured: measured.clone() })?;
            append(file, self.name, &line)?;
        }
        self.units.insert(unit, measured);
        Ok(())
    }

    /// An empty folder for the desk of one unit, which goes with what is returned.
    pub(crate) fn desk(&self) -> Result<TempDir> {
        let prefix = format!("{AT_WORK}{}-", self.name);
        let mut builder = tempfile::Builder::new();
        let made = match &self.keeping.output.out {
            Some(folder) => builder.prefix(&prefix).tempdir_in(folder),
            None => builder.prefix("copydesk-eval-").tempdir(),
        };
        made.context("no temporary folder can be made for the desk")
    }

    /// Says why an evaluation stopped, and how it goes on. If a person stopped it, nothing has failed.
    pub(crate) fn stopped(&self, why: Option<String>, measured: usize, what: &str) -> Exit {
        let exit = if why.is_some() { Exit::Failed } else { Exit::Interrupted };
        let why = why.unwrap_or_else(|| "It was interrupted".to_owned());
        let goes_on =
            if self.file.is_some() { "the same command goes on from here" } else { "with --out DIR it could go on" };
        headless::message(&format!("{why}. {measured} {what} were measured; {goes_on}."));
        exit
    }

    /// Publishes what `tables` makes of the units, if there are any.
    pub(crate) fn publish<U: Serialize>(
        &self,
        mut evaluation: Evaluation,
        units: &[U],
        tables: &dyn Fn(&[U]) -> Vec<EvalTable>,
        exit: Exit,
    ) -> Result<EvalDone> {
        if units.is_empty() {
            return Ok(EvalDone { exit, evaluation: None });
        }
        let not_all = "This is not all: the evaluation was stopped before its end.";
        evaluation.notes.extend((exit != Exit::Fine).then(|| not_all.to_owned()));
        evaluation.tables = tables(units);
        evaluation.units = units.iter().map(serde_json::to_value).collect::<serde_json::Result<_>>()?;
        self.keeping.output.publish(evaluation, exit)
    }
}

fn append(file: &mut File, name: &str, line: &str) -> Result<()> {
    let written = file.write_all(format!("{line}\n").as_bytes()).and_then(|()| file.sync_data());
    written.with_context(|| format!("{name} cannot be kept"))
}

/// Writes an evaluation's files.
fn write(folder: &Path, evaluation: &Evaluation) -> Result<()> {
    let name = evaluation.name;
    let page = evaluations_page(&evaluation.title, &[evaluation]);
    write_file(&folder.join(format!("{name}.md")), &evaluation_markdown(evaluation))?;
    write_file(&folder.join(format!("{name}.json")), &(serde_json::to_string(evaluation)? + "\n"))?;
    write_file(&folder.join(format!("{name}.html")), &page)?;
    headless::message(&format!("{}/{name}.md, .json and .html are written.", folder.display()));
    Ok(())
}

/// Writes a file whole or not at all.
pub(crate) fn write_file(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().unwrap_or(path);
    let written = fs::create_dir_all(folder).and_then(|()| handed_over::write(path, text.as_bytes(), true));
    Ok(written.map_err(|error| WrongUse(format!("{} cannot be written: {error}", path.display())))?)
}

/// The name of a choice on the command line.
pub(crate) fn option_name(choice: &impl ValueEnum) -> String {
    choice.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

/// Removes the desks that an earlier call left behind. A desk that cannot be removed does no harm.
fn remove_desks(folder: &Path, name: &str) {
    let prefix = format!("{AT_WORK}{name}-");
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

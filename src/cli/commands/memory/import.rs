//! `copydesk memory import`: records that another desk, or this one, left as files.

use std::{fmt::Display, fs, io::Read as _};

use crate::cli::intake::files;
use crate::cli::prelude::*;
use crate::{desk, editorial::memory_file, knowledge::regular, newsroom::MemoryRecord, ports::Imported, text::count};

/// Records of one transaction.
const BATCH: usize = 200;

/// The counts over all files.
#[derive(Default)]
struct Tally {
    new: usize,
    struck: usize,
    known: usize,
    expired: usize,
    outdated: usize,
    bad: usize,
}

pub(crate) async fn import(settings: &Settings, store: &Store, paths: Vec<PathBuf>) -> Result<Exit> {
    let mut tally = Tally::default();
    let mut files = Vec::new();
    for path in paths {
        gather(&path, true, &mut files, &mut tally);
    }
    let since = settings::memory_since(settings);
    let outputs = wiring::outputs(settings);
    let bar = headless::Bar::new("importing", "files");
    let mut done = 0;
    for batch in files.chunks(BATCH) {
        let mut records = Vec::new();
        for file in batch {
            match read(file) {
                Ok(record) => records.push(record),
                Err(why) => tally.refuse(file, &why),
            }
        }
        tally.expired += records.iter().filter(|record| record.is_expired(since.as_deref())).count();
        tally.outdated += records.iter().filter(|record| record.is_outdated()).count();
        for told in desk::import(store, &outputs, records, &settings.editor, &clock::now()).await? {
            match told {
                Imported::New => tally.new += 1,
                Imported::Struck => tally.struck += 1,
                Imported::Known => tally.known += 1,
            }
        }
        done += batch.len();
        bar.at(done, files.len());
    }
    drop(bar);
    tally.say(settings);
    Ok(if tally.bad == 0 { Exit::Fine } else { Exit::Failed })
}

/// The files of `path`, in the order of their names: itself, or every `.json` below it. Links below it are not followed, so that none leads
/// round in a circle.
fn gather(path: &Path, named: bool, files: &mut Vec<PathBuf>, tally: &mut Tally) {
    let found = if named { fs::metadata(path) } else { fs::symlink_metadata(path) };
    match found {
        Ok(found) if found.is_dir() => match fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
            Ok(mut inside) => {
                inside.sort_by_key(fs::DirEntry::file_name);
                for entry in inside {
                    gather(&entry.path(), false, files, tally);
                }
            }
            Err(error) => tally.refuse(path, &error),
        },
        Ok(found) if named && !found.is_file() => tally.refuse(path, &"it is no file and no folder"),
        Ok(found) => {
            let is_record = files::is(path, &["json"]);
            if found.is_file() && (named || is_record) {
                files.push(path.to_owned());
            }
        }
        Err(error) => tally.refuse(path, &error),
    }
}

fn read(file: &Path) -> Result<MemoryRecord> {
    regular::check(file)?;
    let mut bytes = Vec::new();
    // One byte more than allowed tells that it is too large.
    fs::File::open(file)?.take(memory_file::LARGEST + 1).read_to_end(&mut bytes)?;
    Ok(memory_file::read(&bytes, clock::SystemClock.now())?)
}

impl Tally {
    fn refuse(&mut self, path: &Path, why: &dyn Display) {
        self.bad += 1;
        headless::message(&format!("{}: {why} (left out)", path.display()));
    }

    fn say(&self, settings: &Settings) {
        let Self { new, struck, known, expired, outdated, bad } = self;
        headless::message(&format!(
            "Imported {} into the memory; {known} were there already.",
            count(new + struck, "record")
        ));
        let days = settings.article_generation.institutional_memory.expires_after_days.unwrap_or_default();
        let days = count(days, "day");
        let key = "article_generation.institutional_memory.expires_after_days";
        let others = [
            (struck, "record", "not reused: an editor overruled or struck the same record".to_owned()),
            (expired, "record", format!("older than {days} and not reused ({key})")),
            (
                outdated,
                "record",
                "of an earlier version and not reused: nothing says which sentence was checked".to_owned(),
            ),
            (bad, "file", "left out".to_owned()),
        ];
        for (number, what, why) in others.into_iter().filter(|(number, ..)| **number > 0) {
            headless::message(&format!("{} {why}.", count(*number, what)));
        }
    }
}

//! Finding the configuration, or writing the first one.

use std::fs;

use anyhow::Context;
use directories::ProjectDirs;

use crate::cli::prelude::*;
use crate::cli::wiring::{files, mcp, passphrase, readers, trust};
use crate::config::{self, ConfigError};
use crate::{editorial::expiry, knowledge::regular, tui::app::keymap::KeyMap};

pub use super::trust::LOCAL;

/// Most bytes of a configuration.
pub(crate) const MOST_BYTES: u64 = 4 << 20;

/// The place of the configuration's file.
pub enum FoundConfig {
    /// It exists.
    File(PathBuf),
    /// None exists; the platform's folder is where the first one belongs.
    Nowhere(PathBuf),
}

/// Looks for the configuration: the given file, `./config/config.yaml`, the platform's configuration folder.
///
/// # Errors
/// [`WrongUse`] if the given file does not exist, or the one of the current folder cannot be looked at.
pub fn find(given: Option<&Path>) -> Result<FoundConfig> {
    if let Some(file) = given {
        if !file.exists() || file.is_dir() {
            return Err(wrong_use(format!(
                "there is no configuration file {}; copydesk init --config {0} writes one",
                file.display()
            )));
        }
        return Ok(FoundConfig::File(file.to_owned()));
    }
    let local = PathBuf::from(LOCAL);
    // One that is there but cannot be read must not be passed over for another, which may allow more.
    match fs::symlink_metadata(&local) {
        Ok(_) => return Ok(FoundConfig::File(local)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(wrong_use(format!("{LOCAL} cannot be read: {error}"))),
    }
    let folder = ProjectDirs::from("", "", "copydesk")
        .map(|folders| folders.config_dir().to_owned())
        .context("this system names no folder for configurations; give one with --config FILE")?;
    let file = folder.join("config.yaml");
    Ok(if file.is_file() { FoundConfig::File(file) } else { FoundConfig::Nowhere(file) })
}

/// The settings. If there is no configuration, the first one is written, with the prompts, and a message says so.
///
/// # Errors
/// [`WrongUse`] if it cannot be read or used.
pub fn load(given: Option<&Path>) -> Result<Settings> {
    let (settings, written) = load_or_write(given)?;
    headless::messages(written);
    Ok(settings)
}

/// The same; the message about the first configuration is returned.
///
/// # Errors
/// [`WrongUse`] if it cannot be read or used.
pub fn load_or_write(given: Option<&Path>) -> Result<(Settings, Option<String>)> {
    let mut written = None;
    let file = match find(given)? {
        FoundConfig::File(file) => file,
        FoundConfig::Nowhere(file) => {
            let prompts = write_first(&file)?;
            written = Some(format!(
                "No configuration was found, so a first one was written: {} (engine: offline, no server needed). Its prompts and styles \
                 are in {}. `copydesk init` writes one for your model servers.",
                file.display(),
                prompts.display()
            ));
            file
        }
    };
    let settings = read(&file)?;
    mcp::built_in(&settings).map_err(|error| WrongUse(error.to_string()))?;
    Ok((settings, written))
}

/// Whether the first configuration is unchanged since it was written: the screen then asks for settings.
pub(crate) fn is_first(file: &Path) -> bool {
    let folder = file.parent().unwrap_or_else(|| Path::new("."));
    regular::read_to_string(file, MOST_BYTES).is_ok_and(|yaml| yaml == first_yaml(&folder.join("prompts")))
}

/// The settings of a text, as if `file` in the current folder held it.
///
/// # Errors
/// [`WrongUse`] with every problem of it.
pub fn parsed(file: &Path, yaml: &str) -> Result<Settings> {
    let current = std::env::current_dir().context("the current folder cannot be read")?;
    Ok(config::load(file, yaml, &current).map_err(|error| WrongUse(error.to_string()))?)
}

/// Reads one file.
///
/// # Errors
/// [`WrongUse`] with every problem of it, or if it is not trusted.
pub fn read(file: &Path) -> Result<Settings> {
    let yaml = regular::read_to_string(file, MOST_BYTES)
        .map_err(|error| WrongUse(format!("the configuration {} cannot be read: {error}", file.display())))?;
    let settings = parsed(file, &yaml)?;
    trust::check(&settings)?;
    readers::configure(&settings);
    passphrase::unlock(&settings)?;
    Ok(settings)
}

/// The screen's keys, with those of the configuration; every problem of them at once, like those of the rest of the file.
pub(crate) fn keys(settings: &Settings) -> Result<KeyMap> {
    KeyMap::new(&settings.tui.keys).map_err(|problems| {
        let error = ConfigError { file: settings.file.clone(), problems };
        WrongUse(error.to_string()).into()
    })
}

/// Writes the template with the prompts beside it; the file's own folder holds both, so that it works from anywhere. Returns the
/// folder of prompts and styles.
fn write_first(file: &Path) -> Result<PathBuf> {
    let folder = file.parent().unwrap_or_else(|| Path::new("."));
    let prompts = folder.join("prompts");
    files::write_prompts(&prompts)?;
    files::write_new(file, &first_yaml(&prompts))?;
    Ok(prompts)
}

fn first_yaml(prompts: &Path) -> String {
    let root = prompts.join("article_editor");
    config::TEMPLATE.replacen("./prompts/article_editor", &files::yaml_text(&root.display().to_string()), 1)
}

/// From when on a memory record is offered.
pub(crate) fn memory_since(settings: &Settings) -> Option<String> {
    let days = settings.article_generation.institutional_memory.expires_after_days;
    expiry::since(clock::SystemClock.now(), days)
}

//! Whether the configuration of the current folder may reach beyond that folder.
//!
//! A folder may come from a stranger. So what its configuration asks for is shown once, before anything of it is used.
//! The person's state folder keeps what was allowed.

use std::{fs, sync::OnceLock};

use directories::ProjectDirs;
use sha2::{Digest as _, Sha256};

use crate::cli::prelude::*;
use crate::config::{Engine, McpAt, TargetPlace};

/// The configuration of a newsroom's own folder.
pub const LOCAL: &str = "config/config.yaml";

/// `--trust` was given.
static GIVEN: OnceLock<()> = OnceLock::new();

/// From now on the configuration of the current folder is trusted.
pub(in crate::cli) fn give() {
    // It is given once a process at most.
    let _ = GIVEN.set(());
}

/// Lets the configuration of the current folder be used if it asks for nothing beyond the folder, was allowed before, or is allowed now.
/// Another file was named by the person or is the person's own.
///
/// # Errors
/// [`WrongUse`] if it is not allowed; the message says what it asks for and what to do.
pub(super) fn check(settings: &Settings) -> Result<()> {
    let Some(asked) = Asked::by(settings)? else { return Ok(()) };
    if asked.is_known() {
        return Ok(());
    }
    if GIVEN.get().is_some() {
        return keep(settings);
    }
    let shown = asked.shown();
    if headless::asked(&shown, "Use it? [y/N] ")?.is_some_and(|answer| matches!(answer.as_str(), "y" | "yes")) {
        return keep(settings);
    }
    let next = "Nothing of it was used. If you know the folder and want that, give --trust once; it is then remembered";
    Err(wrong_use(format!("{shown}\n{next}")))
}

/// Remembers that what the configuration asks for is allowed: this program wrote it, or the person said so.
pub(crate) fn keep(settings: &Settings) -> Result<()> {
    let Some(asked) = Asked::by(settings)? else { return Ok(()) };
    // Without a state folder, --trust holds for this time.
    let Some(note) = asked.note() else { return Ok(()) };
    let cannot = || format!("what you allowed cannot be remembered in {}", note.display());
    if let Some(folder) = note.parent() {
        fs::create_dir_all(folder).with_context(cannot)?;
    }
    fs::write(&note, format!("{}\n", asked.file.display())).with_context(cannot)
}

/// The wishes of a configuration beyond its folder.
struct Asked {
    /// The file, without links.
    file: PathBuf,
    /// Other users of the machine own the file or can change it.
    by_others: bool,
    wishes: Vec<String>,
    /// Keys and the like, which are part of what is allowed and are not shown.
    unseen: Vec<String>,
}

impl Asked {
    /// None if it is the person's own file, or asks for nothing.
    fn by(settings: &Settings) -> Result<Option<Self>> {
        if settings.file != Path::new(LOCAL) {
            return Ok(None);
        }
        let here = std::env::current_dir().and_then(fs::canonicalize).context("the current folder cannot be read")?;
        let file = fs::canonicalize(&settings.file).context("the configuration cannot be found")?;
        let by_others = is_others(&file);
        let wishes = wishes(settings, &here, by_others);
        let unseen = settings.secrets().all().map(|secret| secret.reveal().to_owned()).collect();
        Ok((!wishes.is_empty()).then_some(Self { file, by_others, wishes, unseen }))
    }

    fn is_known(&self) -> bool {
        self.note().is_some_and(|note| note.is_file())
    }

    /// The file that says that this is allowed; none if the system names no folder for it.
    fn note(&self) -> Option<PathBuf> {
        let folders = ProjectDirs::from("", "", "copydesk")?;
        let folder = folders.state_dir().unwrap_or_else(|| folders.data_local_dir());
        let mut digest = Sha256::new();
        let file = self.file.to_string_lossy();
        for part in [file.as_ref()].into_iter().chain(self.wishes.iter().chain(&self.unseen).map(String::as_str)) {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        }
        Some(folder.join("trusted").join(hex::encode(digest.finalize())))
    }

    fn shown(&self) -> String {
        let whose = if self.by_others { "Another user owns it or can change it. " } else { "" };
        let wishes = self.wishes.join("\n  ");
        format!(
            "The configuration {} was not used before. {whose}It asks for more than this folder:\n  {wishes}",
            self.file.display()
        )
    }
}

/// The wishes of `settings` beyond the folder `here`, a line each. On a machine of several users, any user may run a server on it, so such
/// a server is named if others can write the file.
fn wishes(settings: &Settings, here: &Path, by_others: bool) -> Vec<String> {
    let generation = &settings.article_generation;
    let mut wishes = Vec::new();
    let used = generation.engine == Engine::Llm;
    for endpoint in settings.endpoints() {
        let is_model = [".agents.", ".models."].iter().any(|part| endpoint.setting.contains(part));
        if !endpoint.is_loopback() || (by_others && (used || !is_model)) {
            let told = format!("it sends texts to {} (", endpoint.authority());
            // Each agent may name the same server.
            if !wishes.iter().any(|wish: &String| wish.starts_with(&told)) {
                wishes.push(format!("{told}{})", endpoint.setting));
            }
        }
    }
    for server in &settings.mcp {
        if let McpAt::Program(program) = &server.at {
            let line = shell_words::join(std::iter::once(&program.command).chain(&program.args));
            wishes.push(format!("it starts a program: {line} ({})", server.setting));
        }
    }
    if let Some(player) = settings.transcription.as_ref().and_then(|server| server.player.as_ref()) {
        wishes.push(format!("it starts a program: {} (transcription.player)", shell_words::join(player.words())));
    }
    if let Some(renderer) = &settings.tools.fetch.render {
        let line = shell_words::join(std::iter::once(&renderer.program).chain(&renderer.arguments));
        wishes.push(format!("it starts a program: {line} (tools.fetch.render)"));
    }
    let output = &generation.editor.output;
    let memory = &generation.institutional_memory.data_dir;
    let database = settings.database.file().map(|file| (file, "database"));
    if database.is_none() {
        wishes.push(format!("it keeps its stories on {} (database)", settings.database));
    }
    for (path, key) in database.into_iter().chain([
        (&*output.final_articles_dir.path, "article_generation.editor.output.final_articles_dir"),
        (&output.run_artifacts_dir.path, "article_generation.editor.output.run_artifacts_dir"),
        (&generation.knowledge_base.data_dir.path, "article_generation.knowledge_base.data_dir"),
        (&memory.path, "article_generation.institutional_memory.data_dir"),
    ]) {
        if !real(path).starts_with(here) {
            wishes.push(format!("it uses {}, outside this folder ({key})", path.display()));
        }
    }
    if let Some(key) = settings.publisher.signing_key.as_ref().filter(|key| !real(key).starts_with(here)) {
        wishes.push(format!("it signs records with {}, outside this folder (publisher.signing_key)", key.display()));
    }
    for target in &settings.publisher.targets {
        if let TargetPlace::Folder(folder) = &target.at
            && !real(folder).starts_with(here)
        {
            wishes.push(format!("it writes to {}, outside this folder ({})", folder.display(), target.setting));
        }
    }
    if generation.knowledge_base.links_out_of_folder {
        let key = "article_generation.knowledge_base.links_out_of_folder";
        wishes.push(format!("it reads what links in its knowledge folder lead to ({key})"));
    }
    if settings.reading.without_sandbox {
        wishes.push("it reads files also if their readers cannot be confined (reading.without_sandbox)".to_owned());
    }
    wishes
}

/// A path without links, as far as it exists.
fn real(path: &Path) -> PathBuf {
    for part in path.ancestors() {
        if let Ok(found) = fs::canonicalize(part) {
            return path.strip_prefix(part).map_or_else(|_| found.clone(), |rest| found.join(rest));
        }
    }
    path.to_owned()
}

/// Whether another user owns a file or can change it.
#[cfg(unix)]
fn is_others(file: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let own = rustix::process::getuid().as_raw();
    fs::metadata(file).is_ok_and(|found| {
        let group = found.mode() & 0o020 != 0 && found.gid() != rustix::process::getgid().as_raw();
        ![own, 0].contains(&found.uid()) || found.mode() & 0o002 != 0 || group
    })
}

#[cfg(not(unix))]
fn is_others(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config;

    fn asked(changes: &[(&str, &str)], by_others: bool) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path().canonicalize().unwrap();
        let mut yaml = config::TEMPLATE.to_owned();
        for (from, to) in changes {
            assert!(yaml.contains(from), "{from}");
            yaml = yaml.replace(from, to);
        }
        wishes(&config::load(Path::new(LOCAL), &yaml, &here).unwrap(), &here, by_others)
    }

    #[test]
    fn the_template_and_a_server_of_this_machine_ask_for_nothing() {
        assert_eq!(asked(&[], false), Vec::<String>::new());
        assert_eq!(asked(&[], true), Vec::<String>::new());
        assert_eq!(asked(&[("engine: offline", "engine: llm")], false), Vec::<String>::new());
        // In a file that other users can write, the server may be theirs.
        assert!(
            asked(&[("engine: offline", "engine: llm")], true)[0].starts_with("it sends texts to 127.0.0.1:1234 (")
        );
    }

    #[test]
    fn servers_elsewhere_and_folders_elsewhere_are_named() {
        let said = asked(
            &[
                ("http://127.0.0.1:1234/v1", "https://models.example/v1"),
                ("local_only: true", "local_only: false"),
                ("./data/copydesk.db", "/elsewhere/copydesk.db"),
                ("without_sandbox: false", "without_sandbox: true"),
                ("render: null", "render: [chromium, --dump-dom, \"{url}\"]"),
                ("targets: null", "targets: [{name: site, kind: folder, format: html, folder: /elsewhere/site}]"),
            ],
            false,
        );
        assert!(said.iter().any(|line| line.starts_with("it sends texts to models.example")), "{said:?}");
        assert!(
            said.contains(&"it uses /elsewhere/copydesk.db, outside this folder (database)".to_owned()),
            "{said:?}"
        );
        assert!(said.iter().any(|line| line.starts_with("it writes to /elsewhere/site")), "{said:?}");
        assert!(said.iter().any(|line| line.starts_with("it starts a program: chromium --dump-dom ")), "{said:?}");
        assert!(said.last().unwrap().contains("without_sandbox"), "{said:?}");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_out_of_the_folder_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path().canonicalize().unwrap();
        std::os::unix::fs::symlink("/usr", here.join("data")).unwrap();
        assert_eq!(real(&here.join("data/output/articles")), Path::new("/usr/output/articles"));
        assert_eq!(real(&here.join("other/output")), here.join("other/output"));
    }
}

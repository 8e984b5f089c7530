//! Editing a text in a person's own editor, as terminals have it: `$VISUAL`, else `$EDITOR`. A saved text is never
//! lost: it comes back, or its file stays and is named.

use std::{
    fs,
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    process::ExitStatus,
    time::Duration,
};

use tokio::process::{Child, Command};

use crate::terminal::variable::variable;
use copydesk_text::sanitise;

/// How long an editor may take to end: some save the text first.
const GRACE: Duration = Duration::from_secs(1);

/// Most bytes that are read back: a hundred times a long article.
const MOST_BYTES: u64 = 10_000_000;

/// Why no text came back. The text that was given is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// Neither variable is set.
    #[error(
        "no editor is named: set VISUAL or EDITOR to its command, such as `export EDITOR=nano`, and start the program again"
    )]
    NoEditor,
    /// VISUAL or EDITOR holds no command.
    #[error("${variable} is no command ({value:?}): a quotation mark is not closed")]
    NoCommand { variable: &'static str, value: String },
    /// The program was not found or may not be run.
    #[error("{command} cannot be started: {error}")]
    CannotStart { command: String, error: io::Error },
    /// The program said that something went wrong, or was told to (`:cq` in vi).
    #[error("{command} ended with {status} and nothing was saved")]
    Ended { command: String, status: ExitStatus },
    /// The temporary file cannot be made.
    #[error("the file for the editor cannot be written: {0}")]
    File(#[from] io::Error),
    /// The saved text cannot be read.
    #[error("what was saved cannot be read ({error}); your text is as it was: {}", file.display())]
    Unreadable { file: PathBuf, error: io::Error },
    /// The saved file is no text, or too large.
    #[error("what was saved is {what}; your text is as it was, and the file is kept in {}", file.display())]
    Unusable { what: &'static str, file: PathBuf },
}

/// A person's editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideEditor {
    program: String,
    arguments: Vec<String>,
}

impl OutsideEditor {
    /// The editor that `$VISUAL` or `$EDITOR` names.
    ///
    /// # Errors
    /// [`EditError::NoEditor`], [`EditError::NoCommand`].
    pub fn named() -> Result<Self, EditError> {
        let set = |name: &'static str| Some((name, variable(name).filter(|value| !value.trim().is_empty())?));
        let (name, value) = ["VISUAL", "EDITOR"].into_iter().find_map(set).ok_or(EditError::NoEditor)?;
        Self::command(name, &value)
    }

    /// A command with its arguments, quoted as in a shell; no shell runs it.
    fn command(variable: &'static str, value: &str) -> Result<Self, EditError> {
        let no_command = || EditError::NoCommand { variable, value: value.to_owned() };
        let mut words = shell_words::split(value).map_err(|_| no_command())?.into_iter();
        let program = words.next().ok_or_else(no_command)?;
        Ok(Self { program, arguments: words.collect() })
    }

    /// Starts the editor on a file with `text` that only its owner can read. The terminal is to be lent before. Needs a runtime.
    ///
    /// # Errors
    /// [`EditError::File`], [`EditError::CannotStart`].
    pub fn open(&self, text: &str) -> Result<OpenText, EditError> {
        let mut file = tempfile::Builder::new().prefix("copydesk-").suffix(".md").tempfile()?;
        file.write_all(text.as_bytes())?;
        file.flush()?;
        // Editors that save under a new name would leave an open file behind.
        let file = file.into_temp_path();
        let child = Command::new(&self.program)
            .args(&self.arguments)
            .arg(&file)
            .spawn()
            .map_err(|error| EditError::CannotStart { command: self.program.clone(), error })?;
        // From here on it may hold what a person typed: it goes when that has been read, and not before.
        let file = file.keep().map_err(|error| error.error)?;
        Ok(OpenText { child, command: self.program.clone(), file, before: text.to_owned() })
    }
}

/// A text that is open in a person's editor.
pub struct OpenText {
    child: Child,
    command: String,
    file: PathBuf,
    before: String,
}

/// The result of editing.
#[derive(Debug, PartialEq, Eq)]
pub struct Edited {
    /// The saved text; `None` if it is unchanged.
    pub text: Option<String>,
    /// A message for the person.
    pub remark: Option<String>,
}

impl OpenText {
    /// Waits until the editor has ended. Can be dropped while it waits.
    ///
    /// # Errors
    /// If it cannot be waited for.
    pub async fn ended(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Returns the saved text even if the editor program failed: it may have failed after it saved.
    ///
    /// # Errors
    /// [`EditError::Ended`] if it failed and saved nothing; [`EditError::Unreadable`] and [`EditError::Unusable`] name the file,
    /// which stays.
    pub fn taken(self, ended: io::Result<ExitStatus>) -> Result<Edited, EditError> {
        let Self { command, file, before, .. } = self;
        let saved = match read(&file) {
            Ok(Ok(saved)) => saved,
            Ok(Err(what)) => return Err(EditError::Unusable { what, file }),
            Err(error) => return Err(EditError::Unreadable { file, error }),
        };
        let mut saved = sanitise::clean(&saved).into_owned();
        // Editors end the last line.
        if !before.ends_with('\n') && saved.ends_with('\n') {
            saved.pop();
        }
        // If the file cannot be deleted, it stays in the folder for such files.
        let _ = fs::remove_file(&file);
        let text = (saved != before).then_some(saved);
        let remark = match ended {
            Ok(status) if status.success() => None,
            // If saving failed, an empty file is left.
            Ok(status) if text.as_ref().is_none_or(|text| sanitise::is_blank(text)) => {
                return Err(EditError::Ended { command, status });
            }
            Ok(status) => Some(format!("{command} ended with {status}; what it had saved is here")),
            Err(error) => Some(format!("{command} cannot be waited for ({error}); what it had saved is here")),
        };
        Ok(Edited { text, remark })
    }

    /// Tells the editor to end with this program, and gives it a moment for it. The file stays, with what was saved, and whatever
    /// the editor wrote down beside it. Also says whether the editor ended by itself, so that the terminal is in order.
    pub async fn abandon(mut self) -> (PathBuf, bool) {
        terminate(&self.child);
        let ended = tokio::time::timeout(GRACE, self.child.wait()).await;
        (self.file, matches!(ended, Ok(Ok(status)) if status.code().is_some()))
    }
}

#[cfg(unix)]
fn terminate(child: &Child) {
    let id = child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw);
    if let Some(id) = id {
        // It may have ended in this moment.
        let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
    }
}

#[cfg(not(unix))]
fn terminate(_: &Child) {}

/// The text of a file, or why it is not text.
fn read(path: &Path) -> io::Result<Result<String, &'static str>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Ok(Err("longer than 10 MB"));
    }
    Ok(String::from_utf8(bytes).map_err(|_| "not UTF-8 text"))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn editor(script: &str) -> OutsideEditor {
        // The file is the script's $0.
        OutsideEditor { program: "sh".into(), arguments: vec!["-c".into(), script.into()] }
    }

    fn edit(editor: &OutsideEditor, text: &str) -> Result<Edited, EditError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut open = editor.open(text)?;
            let ended = open.ended().await;
            open.taken(ended)
        })
    }

    fn text(edited: Result<Edited, EditError>) -> Option<String> {
        let edited = edited.unwrap();
        assert_eq!(edited.remark, None);
        edited.text
    }

    #[test]
    fn what_was_saved_comes_back() {
        let edited = text(edit(&editor("printf 'One more line.\\n' >> \"$0\""), "A draft.\n"));
        assert_eq!(edited.as_deref(), Some("A draft.\nOne more line.\n"));
        // Saved under a new name and moved over the old one, with the line end that editors add and an escape.
        let script = "printf 'Caf\\303\\251\\033[2J\\n' > \"$0.new\" && mv \"$0.new\" \"$0\"";
        assert_eq!(text(edit(&editor(script), "A draft")).as_deref(), Some("Café"));
    }

    #[test]
    fn what_was_not_changed_is_none() {
        assert_eq!(text(edit(&editor("true"), "A draft.")), None);
        assert_eq!(text(edit(&editor("echo >> \"$0\""), "A draft.")), None);
    }

    #[test]
    fn the_file_is_markdown_for_its_owner_alone_and_goes_afterwards() {
        let folder = tempfile::tempdir().unwrap();
        let seen = folder.path().join("seen");
        let script = format!("ls -l \"$0\" > '{}'; rm -f \"$0.none\"", seen.display());
        edit(&editor(&script), "secret").unwrap();
        let line = fs::read_to_string(seen).unwrap();
        assert!(line.starts_with("-rw-------"), "{line}");
        let path = line.split_whitespace().last().unwrap();
        let path = Path::new(path);
        assert!(path.extension().is_some_and(|ending| ending == "md") && !path.exists(), "{}", path.display());
    }

    #[test]
    fn what_was_saved_comes_back_from_an_editor_that_fails_too() {
        let edited = edit(&editor("echo saved > \"$0\"; exit 3"), "A draft.").unwrap();
        let remark = "sh ended with exit status: 3; what it had saved is here".to_owned();
        assert_eq!(edited, Edited { text: Some("saved".into()), remark: Some(remark) });
        let edited = edit(&editor("echo saved > \"$0\"; kill -TERM $$"), "A draft.").unwrap();
        assert_eq!(edited.text.as_deref(), Some("saved"));
    }

    #[test]
    fn an_edit_that_fails_says_why_and_takes_nothing_over() {
        for script in ["exit 3", ": > \"$0\"; exit 3"] {
            let ended = edit(&editor(script), "A draft.").unwrap_err();
            assert_eq!(ended.to_string(), "sh ended with exit status: 3 and nothing was saved");
        }
        let missing = edit(&OutsideEditor { program: "no-such-editor".into(), arguments: vec![] }, "").unwrap_err();
        assert!(missing.to_string().starts_with("no-such-editor cannot be started: "), "{missing}");
        let unusable = edit(&editor("printf '\\377' > \"$0\"; exit 3"), "A draft.").unwrap_err();
        let EditError::Unusable { what, file } = unusable else { panic!("it is no text: {unusable}") };
        assert_eq!((what, fs::read(&file).unwrap()), ("not UTF-8 text", vec![0xFF]));
        fs::remove_file(file).unwrap();
        let gone = edit(&editor("rm \"$0\""), "A draft.").unwrap_err();
        assert!(matches!(gone, EditError::Unreadable { .. }), "{gone}");
    }

    #[test]
    fn an_editor_that_is_told_to_end_leaves_its_file() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let abandon = |script: &str, before_it: &str| {
            runtime.block_on(async {
                let open = editor(script).open("A draft.").unwrap();
                while fs::read_to_string(&open.file).unwrap() != before_it {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
                let (file, in_order) = open.abandon().await;
                let left = fs::read_to_string(&file).unwrap();
                fs::remove_file(file).unwrap();
                (left, in_order)
            })
        };
        let script = "trap 'echo last > \"$0\"; exit 1' TERM; echo first > \"$0\"; while :; do sleep 0.01; done";
        assert_eq!(abandon(script, "first\n"), ("last\n".to_owned(), true));
        let script = "echo first > \"$0\"; exec sleep 60";
        assert_eq!(abandon(script, "first\n"), ("first\n".to_owned(), false), "ended by the signal");
    }

    #[test]
    fn a_command_is_split_as_a_shell_would() {
        let split = |value: &str| OutsideEditor::command("EDITOR", value).unwrap();
        assert_eq!(split("code --wait"), OutsideEditor { program: "code".into(), arguments: vec!["--wait".into()] });
        assert_eq!(split("'/opt/my editor/e' -n").program, "/opt/my editor/e");
        assert_eq!(
            OutsideEditor::command("VISUAL", "vi 'oh").unwrap_err().to_string(),
            "$VISUAL is no command (\"vi 'oh\"): a quotation mark is not closed"
        );
    }
}

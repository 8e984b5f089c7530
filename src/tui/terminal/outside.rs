//! Editing a text in a person's own editor, as terminals have it: `$VISUAL`, else `$EDITOR`.

use std::{
    fs,
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
};

use crate::text::sanitise;

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
    /// The variable holds no command.
    #[error("${variable} is no command ({value:?}): a quotation mark is not closed")]
    NoCommand {
        /// VISUAL or EDITOR.
        variable: &'static str,
        /// What it holds.
        value: String,
    },
    /// The program was not found or may not be run.
    #[error("{command} cannot be started: {error}")]
    CannotStart {
        /// The command.
        command: String,
        /// Why.
        error: io::Error,
    },
    /// The program said that something went wrong, or was told to (`:cq` in vi).
    #[error("{command} ended with {status}; nothing was taken over")]
    Ended {
        /// The command.
        command: String,
        /// Its end.
        status: ExitStatus,
    },
    /// The temporary file failed.
    #[error("the file for the editor cannot be written or read: {0}")]
    File(#[from] io::Error),
    /// What was saved is no text, or too much.
    #[error("what was saved is {what}; nothing was taken over, and it is kept in {}", file.display())]
    Unusable {
        /// What it is.
        what: &'static str,
        /// Where it is.
        file: PathBuf,
    },
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
        ["VISUAL", "EDITOR"]
            .into_iter()
            .find_map(|name| super::variable(name).filter(|value| !value.trim().is_empty()).map(|value| (name, value)))
            .map_or(Err(EditError::NoEditor), |(variable, value)| Self::command(variable, &value))
    }

    /// A command with its arguments, quoted as in a shell; no shell runs it.
    fn command(variable: &'static str, value: &str) -> Result<Self, EditError> {
        let no_command = || EditError::NoCommand { variable, value: value.to_owned() };
        let mut words = shell_words::split(value).map_err(|_| no_command())?.into_iter();
        let program = words.next().ok_or_else(no_command)?;
        Ok(Self { program, arguments: words.collect() })
    }

    /// Starts the editor on a file with `text` that only its owner can read, waits until it ends, and reads what was saved.
    /// None where that is the same.
    ///
    /// # Errors
    /// [`EditError`].
    pub fn edit(&self, text: &str) -> Result<Option<String>, EditError> {
        let mut file = tempfile::Builder::new().prefix("copydesk-").suffix(".md").tempfile()?;
        file.write_all(text.as_bytes())?;
        file.flush()?;
        // Editors that save under a new name would leave an open file behind.
        let path = file.into_temp_path();
        let command = self.program.clone();
        let status = Command::new(&self.program)
            .args(&self.arguments)
            .arg(&path)
            .status()
            .map_err(|error| EditError::CannotStart { command: command.clone(), error })?;
        if !status.success() {
            return Err(EditError::Ended { command, status });
        }
        let saved = match read(&path)? {
            Ok(saved) => saved,
            Err(what) => {
                let file = path.keep().map_err(|error| error.error)?;
                return Err(EditError::Unusable { what, file });
            }
        };
        let mut saved = sanitise::clean(&saved).into_owned();
        // Editors end the last line.
        if !text.ends_with('\n') && saved.ends_with('\n') {
            saved.pop();
        }
        Ok((saved != text).then_some(saved))
    }
}

/// The text of a file, or what it is instead.
fn read(path: &Path) -> io::Result<Result<String, &'static str>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Ok(Err("longer than 10 MB"));
    }
    Ok(String::from_utf8(bytes).map_err(|_| "no UTF-8 text"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn editor(script: &str) -> OutsideEditor {
        // The file is the script's $0.
        OutsideEditor { program: "sh".into(), arguments: vec!["-c".into(), script.into()] }
    }

    #[test]
    fn what_was_saved_comes_back() {
        let edited = editor("printf 'One more line.\\n' >> \"$0\"").edit("A draft.\n").unwrap();
        assert_eq!(edited.as_deref(), Some("A draft.\nOne more line.\n"));
        // Saved under a new name and moved over the old one, with the line end that editors add and an escape.
        let script = "printf 'Caf\\303\\251\\033[2J\\n' > \"$0.new\" && mv \"$0.new\" \"$0\"";
        assert_eq!(editor(script).edit("A draft").unwrap().as_deref(), Some("Café"));
    }

    #[test]
    fn what_was_not_changed_is_none() {
        assert_eq!(editor("true").edit("A draft.").unwrap(), None);
        assert_eq!(editor("echo >> \"$0\"").edit("A draft.").unwrap(), None);
    }

    #[test]
    fn the_file_is_markdown_for_its_owner_alone_and_goes_afterwards() {
        let folder = tempfile::tempdir().unwrap();
        let seen = folder.path().join("seen");
        let script = format!("ls -l \"$0\" > '{}'; rm -f \"$0.none\"", seen.display());
        editor(&script).edit("secret").unwrap();
        let line = fs::read_to_string(seen).unwrap();
        assert!(line.starts_with("-rw-------"), "{line}");
        let path = line.split_whitespace().last().unwrap();
        let path = Path::new(path);
        assert!(path.extension().is_some_and(|ending| ending == "md") && !path.exists(), "{}", path.display());
    }

    #[test]
    fn an_edit_that_fails_says_why_and_takes_nothing_over() {
        let ended = editor("echo lost > \"$0\"; exit 3").edit("A draft.").unwrap_err();
        assert_eq!(ended.to_string(), "sh ended with exit status: 3; nothing was taken over");
        let missing = OutsideEditor { program: "no-such-editor".into(), arguments: vec![] }.edit("").unwrap_err();
        assert!(missing.to_string().starts_with("no-such-editor cannot be started: "), "{missing}");
        let EditError::Unusable { what, file } = editor("printf '\\377' > \"$0\"").edit("A draft.").unwrap_err() else {
            panic!("it is no text");
        };
        assert_eq!((what, fs::read(&file).unwrap()), ("no UTF-8 text", vec![0xFF]));
        fs::remove_file(file).unwrap();
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

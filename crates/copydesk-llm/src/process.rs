//! Programs that the configuration names. Each gets little of what this process knows, has a process group of its own,
//! and ends with whatever it started.

use std::{
    env::consts::EXE_SUFFIX,
    ffi::OsStr,
    path::{Path, PathBuf},
};

use tokio::process::{Child, Command};

/// The environment variables that a program gets from this one, so that it finds its files and its language.
const PASSED_ON: [&str; 3] = ["PATH", "HOME", "LANG"];

/// A command without arguments.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.env_clear();
    // Nothing of this configures Copydesk.
    command.envs(std::env::vars_os().filter(|(name, _)| PASSED_ON.iter().any(|passed| name == passed)));
    command.kill_on_drop(true);
    #[cfg(unix)]
    command.process_group(0);
    command
}

/// Whether a program can be started: a file of its own path, or one of that name in the search path.
pub fn is_installed(program: &str) -> bool {
    let is_program = |path: &Path| {
        let Ok(found) = path.metadata() else { return false };
        #[cfg(unix)]
        let runs = std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o111 != 0;
        #[cfg(not(unix))]
        let runs = true;
        found.is_file() && runs
    };
    let named = |folder: PathBuf| {
        is_program(&folder.join(program)) || is_program(&folder.join(format!("{program}{EXE_SUFFIX}")))
    };
    // A whole path stays as it is, in whatever folder it is looked up.
    let searched = std::env::vars_os().find(|(name, _)| name.eq_ignore_ascii_case("PATH"));
    let folders = searched.iter().flat_map(|(_, folders)| std::env::split_paths(folders));
    if Path::new(program).is_absolute() { named(PathBuf::new()) } else { folders.into_iter().any(named) }
}

/// A process, and those that it started: all end with this.
pub(crate) struct Process {
    pub(crate) child: Child,
    /// Their group; none once it was ended.
    #[cfg(unix)]
    group: Option<rustix::process::Pid>,
}

impl Process {
    /// A child that a [`command`] started.
    pub(crate) fn of(child: Child) -> Self {
        Self {
            #[cfg(unix)]
            group: child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw),
            child,
        }
    }

    pub(crate) fn end(&mut self) {
        #[cfg(unix)]
        if let Some(group) = self.group.take() {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

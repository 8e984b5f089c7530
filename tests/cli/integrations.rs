//! The hook and the action of `assets/integrations`, in a repository of drafts made for the test.

use std::{env, ffi::OsString, fs, path::Path, process::Command};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::newsroom::{Done, done, repository};

const NOTES: &str = "The council voted on Tuesday to spend $1.8 million on the park, which opened in 1958.\n";
const RIGHT: &str = "# Council votes\n\nThe council voted on Tuesday to spend $1.8 million on the park.\n";

/// A command in the folder, with this build's program on its path and nobody's own settings.
fn command(folder: &Path, program: &str, arguments: &[&str]) -> Command {
    let own = Path::new(env!("CARGO_BIN_EXE_copydesk")).parent().unwrap();
    #[expect(clippy::disallowed_methods, reason = "git and the shell are found on the path of the tests")]
    let path = env::var_os("PATH").unwrap_or_default();
    let path: Vec<_> = std::iter::once(own.to_owned()).chain(env::split_paths(&path)).collect();
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).env("PATH", env::join_paths(path).unwrap()).env("HOME", folder);
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("XDG_CONFIG_HOME", folder.join("none"));
    command
}

fn git(folder: &Path, arguments: &[&str]) -> Done {
    let who = ["-c", "user.name=Ada", "-c", "user.email=ada@localhost"];
    done(command(folder, "git", &[&who, arguments].concat()).output().expect("git"))
}

/// A repository with a right draft beside its notes, and a page that has none.
fn drafts() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::create_dir(path.join("-a park.sources")).unwrap();
    fs::write(path.join("-a park.sources/notes.txt"), NOTES).unwrap();
    fs::write(path.join("-a park.md"), RIGHT).unwrap();
    fs::write(path.join("README.md"), "# Drafts\n\nIn 1999 there were 7 of them.\n").unwrap();
    assert_eq!(git(path, &["init", "--quiet"]).code, 0);
    assert_eq!(git(path, &["add", "."]).code, 0);
    folder
}

#[test]
fn a_commit_with_a_false_figure_is_stopped() {
    let folder = drafts();
    let path = folder.path();
    let hook = repository().join("assets/integrations/pre-commit");
    fs::create_dir_all(path.join(".git/hooks")).unwrap();
    fs::copy(hook, path.join(".git/hooks/pre-commit")).unwrap();
    let first = git(path, &["commit", "--quiet", "-m", "A right draft"]);
    assert_eq!(first.code, 0, "{}{}", first.out, first.err);
    fs::write(path.join("-a park.md"), RIGHT.replace("$1.8", "$2.8")).unwrap();
    let stopped = git(path, &["commit", "--quiet", "-am", "A false figure"]);
    let said = format!("{}{}", stopped.out, stopped.err);
    assert!(stopped.code != 0 && said.contains("$1.8 million") && said.contains("The commit was stopped"), "{said}");
    // Of several drafts each finding has its file's name, and nothing is said of a right one.
    fs::write(path.join("right.md"), format!("---\nsources: ['-a park.sources']\n---\n\n{RIGHT}")).unwrap();
    git(path, &["add", "."]);
    let stopped = git(path, &["commit", "--quiet", "-m", "One of two"]);
    assert!(stopped.err.starts_with("-a park.md:\n1 finding.") && !stopped.err.contains("right.md"), "{}", stopped.err);
    fs::write(path.join("-a park.md"), RIGHT).unwrap();
    let right = git(path, &["commit", "--quiet", "-am", "Right drafts"]);
    assert_eq!((right.code, right.out.as_str(), right.err.as_str()), (0, "", ""));
}

#[test]
fn the_action_makes_an_annotation_of_each_finding() {
    let folder = drafts();
    fs::write(folder.path().join("-a park.md"), RIGHT.replace("$1.8", "$2.8")).unwrap();
    let action = fs::read_to_string(repository().join("assets/integrations/action.yml")).unwrap();
    let action: Value = serde_yaml::from_str(&action).unwrap();
    let step = action["runs"]["steps"][0]["run"].as_str().unwrap();
    let drafts = OsString::from(action["inputs"]["drafts"]["default"].as_str().unwrap());
    let mut shell = command(folder.path(), "bash", &["--noprofile", "--norc", "-eo", "pipefail", "-c", step]);
    let ran = done(shell.env("DRAFTS", drafts).output().unwrap());
    assert!(ran.code != 0, "{}", ran.out);
    let figures: Vec<&str> = ran.out.lines().filter(|line| line.contains("title=number.")).collect();
    assert!(figures.len() == 1 && figures[0].starts_with("::warning file=-a park.md,line=3,"), "{}", ran.out);
}

/// What a release is called by the workflow that makes it, by `cargo binstall` and by the guide.
#[test]
fn the_files_of_a_release_have_one_name_everywhere() {
    let read = |name: &str| fs::read_to_string(repository().join(name)).unwrap();
    let (manifest, guide) = (read("Cargo.toml"), read("docs/guide/installation.md"));
    let workflow: Value = serde_yaml::from_str(&read(".github/workflows/release.yml")).unwrap();
    let binaries = &workflow["jobs"]["binaries"];
    let upload = binaries["steps"].as_array().unwrap().iter().find(|step| step["with"]["bin"].is_string()).unwrap();
    // The action names its archives NAME-TARGET, and the folder in them as well.
    assert_eq!((&upload["with"]["bin"], &upload["with"]["leading-dir"]), (&"copydesk".into(), &true.into()));
    let targets = binaries["strategy"]["matrix"]["include"].as_array().unwrap();
    for target in targets.iter().map(|one| one["target"].as_str().unwrap()) {
        let ending = if target.contains("windows") { "zip" } else { "tar.gz" };
        assert!(guide.contains(&format!("`copydesk-{target}.{ending}`")), "{target}");
    }
    for line in [
        "pkg-url = \"{ repo }/releases/download/v{ version }/{ name }-{ target }{ archive-suffix }\"\npkg-fmt = \"tgz\"",
        "bin-dir = \"{ name }-{ target }/{ bin }{ binary-ext }\"",
        "[package.metadata.binstall.overrides.x86_64-pc-windows-msvc]\npkg-fmt = \"zip\"",
    ] {
        assert!(manifest.contains(line), "{line}");
    }
    // Name, version and description of the wheel are those of the manifest.
    let wheel = read("assets/packaging/pyproject.toml");
    assert!(
        wheel.contains("dynamic = [\"version\", \"description\"]") && wheel.contains("name = \"copydesk\""),
        "{wheel}"
    );
}

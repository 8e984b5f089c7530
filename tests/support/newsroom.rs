//! A newsroom in a temporary folder, and the real binary at work in it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::atomic::{AtomicU64, Ordering},
};

use regex::Regex;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The program under test: of the package whose tests these are.
const PROGRAM: &str = match (option_env!("CARGO_BIN_EXE_copydesk"), option_env!("CARGO_BIN_EXE_copydesk-eval")) {
    (Some(program), _) | (_, Some(program)) => program,
    _ => panic!("tests of a package without a program"),
};

/// The folder of the repository.
pub fn repository() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("assets").is_dir()).expect("the repository has assets")
}

const TEMPLATE: &str = include_str!("../../config/config.yaml.template");

pub struct Newsroom {
    folder: TempDir,
}

/// What a finished program left.
#[derive(Debug)]
pub struct Done {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// The configuration in which an agent has a key of its own, such as `temperature: 0.9`, beside its shared model.
pub fn own_key(yaml: &str, agent: &str, key: &str) -> String {
    let start = format!(" {agent}_llm:\n");
    let at = yaml.find(&start).unwrap_or_else(|| panic!("no section {agent}")) + start.len();
    let (before, section) = yaml.split_at(at);
    let indent = section.len() - section.trim_start_matches(' ').len();
    let lines =
        section.split_inclusive('\n').take_while(|line| line.len() - line.trim_start_matches(' ').len() == indent);
    let old = lines.clone().map(str::len).sum();
    let name = key.split_inclusive(':').next().expect("a key");
    let kept: String = lines.filter(|line| !line.trim_start().starts_with(name)).collect();
    format!("{before}{kept}{}{key}\n{}", " ".repeat(indent), section.split_at(old).1)
}

impl Newsroom {
    /// With `engine: offline`.
    pub fn offline() -> Self {
        Self::with(|yaml| yaml)
    }

    /// With `engine: llm` and every agent at `base`; no pause between attempts, and no proof beside the model's review: the
    /// scripted stories say things that their sources do not.
    pub fn at(base: &str) -> Self {
        Self::at_with(base, |yaml| yaml)
    }

    /// Likewise, with the configuration changed.
    pub fn at_with(base: &str, change: impl FnOnce(String) -> String) -> Self {
        Self::with(|yaml| {
            change(
                yaml.replace("engine: offline", "engine: llm")
                    .replace("http://127.0.0.1:1234/v1", base)
                    .replace("retry_delay: 2.0", "retry_delay: 0.0")
                    // Calls in the order of concern, one by one, so that a script can count them.
                    .replace("specialists_of_a_story: 8", "specialists_of_a_story: 1")
                    // The drafts of scripts are shorter than articles; what is too short has tests of its own.
                    .replace("default_target_length_words: 900-1200", "default_target_length_words: 10-1200")
                    // A failing call fails at once; what is tried again later has tests of its own.
                    .replace("max_redeliveries: 3", "max_redeliveries: 0")
                    .replace("  enabled: true", "  enabled: false"),
            )
        })
    }

    pub fn with(change: impl FnOnce(String) -> String) -> Self {
        let newsroom = Self { folder: tempfile::tempdir().expect("a folder") };
        let prompts = repository().join("prompts/article_editor");
        let workspace = json!(newsroom.path()).to_string();
        let yaml = TEMPLATE.replacen("workspace: .", &format!("workspace: {workspace}"), 1).replacen(
            "./prompts/article_editor",
            &json!(prompts).to_string(),
            1,
        );
        let mut yaml = change(yaml);
        if let Some(server) = server_of_all_desks() {
            static DESKS: AtomicU64 = AtomicU64::new(0);
            let schema = format!("cli_{}_{}", std::process::id(), DESKS.fetch_add(1, Ordering::Relaxed));
            yaml = yaml.replace("database: ./data/copydesk.db\n", &format!("database: {server}?schema={schema}\n"));
        }
        newsroom.write("config/config.yaml", yaml.as_bytes());
        newsroom
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(&path, bytes).expect("a file");
        path
    }

    pub fn read(&self, name: &str) -> String {
        let path = self.path().join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).expect("JSON")
    }

    /// The usual story's topic.
    pub fn topic(&self) -> PathBuf {
        self.topic_with(|_| {})
    }

    pub fn topic_with(&self, change: impl FnOnce(&mut Value)) -> PathBuf {
        let mut topic = json!({
            "source_text": "The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park. The minutes name no month.",
            "source_metadata": {
                "source_file": "park.json", "channel_name": "desk", "video_id": "m1", "video_title": "Minutes",
                "publish_date": "2026-10-06", "topic_slug": "park", "topic_title": "Council votes to renovate park"
            },
            "target_length_words": "10-120"
        });
        change(&mut topic);
        self.write("park.json", topic.to_string().as_bytes())
    }

    /// The canonical result of the usual story.
    pub fn canonical(&self) -> Value {
        self.json("data/output/articles/desk/park.json")
    }

    /// The run folders of the usual story, by name.
    pub fn runs(&self) -> Vec<PathBuf> {
        let mut runs: Vec<PathBuf> = fs::read_dir(self.path().join("data/output/article_editor_runs/desk/park"))
            .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
            .unwrap_or_default();
        runs.sort();
        runs
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        // Servers that are programs are asked about, and so is that of the desk; who tests them means to use them.
        let trust = self.trust_of_server().or(self.has_line("      command: ").then_some("--trust"));
        command
            .args(trust.filter(|trust| !arguments.contains(trust)))
            .args(arguments)
            .current_dir(self.path())
            .env("HOME", self.path().join("home"))
            // Local times are the same on every machine, as in the tests' terminals.
            .env("TZ", "UTC")
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("XDG_STATE_HOME")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// `--trust` if the desk is on the server of all desks: the program asks about a configuration that names one.
    pub fn trust_of_server(&self) -> Option<&'static str> {
        (server_of_all_desks().is_some() && self.has_line("database: postgres://")).then_some("--trust")
    }

    fn has_line(&self, beginning: &str) -> bool {
        let config = fs::read_to_string(self.path().join("config/config.yaml")).unwrap_or_default();
        config.lines().any(|line| line.starts_with(beginning))
    }

    pub fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).spawn().expect("the program starts")
    }

    pub fn run(&self, arguments: &[&str]) -> Done {
        done(self.command(arguments).output().expect("the program runs"))
    }

    /// Likewise; it must end well.
    #[track_caller]
    pub fn ran(&self, arguments: &[&str]) -> Done {
        let done = self.run(arguments);
        assert_eq!(done.code, 0, "{arguments:?}: {} {}", done.out, done.err);
        done
    }

    /// `run --auto TOPIC`.
    pub fn auto(&self, topic: &Path) -> Done {
        self.run(&["run", "--auto", topic.to_str().expect("UTF-8")])
    }

    /// The workspace's results with run ids and times made alike.
    pub fn results(&self) -> Vec<(String, String)> {
        let run = Regex::new(r"\d{8}T\d{6}Z_[0-9a-f]{8}").expect("a pattern");
        let time = Regex::new(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z").expect("a pattern");
        self.files()
            .into_iter()
            .filter(|(name, _)| name.starts_with("data/output") || name.starts_with("data/institutional_memory"))
            .inspect(|(name, _)| assert!(!name.ends_with(".writing"), "{name} was left behind"))
            .map(|(name, bytes)| {
                let text = String::from_utf8(bytes).expect("UTF-8");
                let text = time.replace_all(&run.replace_all(&text, "RUN"), "TIME").into_owned();
                (run.replace_all(&name, "RUN").into_owned(), text)
            })
            .collect()
    }

    /// Every file below the workspace, with its content.
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let mut files = Vec::new();
        collect(self.path(), self.path(), &mut files);
        files.sort();
        files
    }
}

/// Runs statements on the server of all desks, with the tables of this newsroom's desk. Returns what they find.
pub fn psql(newsroom: &Newsroom, sql: &str) -> String {
    let yaml = newsroom.read("config/config.yaml");
    let (_, schema) = yaml.split_once("?schema=").expect("a desk on the server");
    let schema = schema.lines().next().unwrap_or_default();
    let sql = format!("SET search_path = {schema}, public; {sql}");
    psql_at(&server_of_all_desks().expect("the server"), &sql)
}

/// Runs statements on a server. Returns what they find.
pub fn psql_at(server: &str, sql: &str) -> String {
    let tool = Path::new(&named("COPYDESK_TEST_POSTGRES_TOOLS").expect("the tools")).join("psql");
    let arguments = ["-qAt", "-v", "ON_ERROR_STOP=1", "-c", sql, server];
    let found = done(Command::new(tool).args(arguments).output().expect("psql runs"));
    assert_eq!(found.code, 0, "{sql}: {}", found.err);
    found.out.trim().to_owned()
}

/// A server, or a program for one, that `.ci/postgres` names. Says so if it names none, since a test is left out then.
#[expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a person or `.ci/postgres` names the servers of tests"
)]
pub fn named(variable: &str) -> Option<String> {
    let named = std::env::var(variable).ok();
    if named.is_none() {
        eprintln!("not run: {variable} names no server");
    }
    named
}

/// The server on which each desk of the tests is a schema, if all are to be there: `.ci/on-postgres` says so.
#[expect(clippy::disallowed_methods, reason = "`.ci/on-postgres` says where the desks are")]
pub fn server_of_all_desks() -> Option<String> {
    std::env::var("COPYDESK_TEST_DESKS").ok()
}

pub fn done(output: Output) -> Done {
    Done {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let name = path.strip_prefix(root).expect("inside").display().to_string();
            files.push((name, fs::read(&path).expect("a file")));
        }
    }
}

//! The configuration of a folder is asked about before it reaches out of the folder.

use std::process::Stdio;

use crate::support::newsroom::{Done, Newsroom, done};

/// A newsroom whose configuration sends texts to another machine and writes to another folder.
fn reaching(folder: &str) -> Newsroom {
    let folder = folder.to_owned();
    Newsroom::at_with("https://models.example/v1", move |yaml| {
        yaml.replace("local_only: true", "local_only: false")
            .replace("./data/copydesk.db", &format!("{folder}/desk.db"))
    })
}

#[track_caller]
fn is_refused(refused: &Done) {
    assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{}", refused.err);
    for part in [
        "config/config.yaml was not used before",
        "it sends texts to models.example",
        "outside this folder (database)",
        "Nothing of it was used",
        "--trust",
    ] {
        assert!(refused.err.contains(part), "{part}: {}", refused.err);
    }
}

#[test]
fn a_configuration_that_reaches_out_of_its_folder_is_used_once_it_is_trusted() {
    let elsewhere = tempfile::tempdir().unwrap();
    let database = elsewhere.path().join("desk.db");
    let newsroom = reaching(elsewhere.path().to_str().unwrap());
    for command in [["list"].as_slice(), &["doctor"], &["kb", "status"], &["run", "--auto", "park.json"]] {
        is_refused(&newsroom.run(command));
    }
    assert!(!database.exists(), "nothing was written");
    newsroom.ran(&["--trust", "list"]);
    assert!(database.exists());
    newsroom.ran(&["list"]);
    // A setting that reaches no server can be changed; another server is another question.
    let yaml = newsroom.read("config/config.yaml");
    newsroom.write("config/config.yaml", yaml.replace("editor_max_rounds: 3", "editor_max_rounds: 2").as_bytes());
    newsroom.ran(&["list"]);
    newsroom.write("config/config.yaml", yaml.replace("models.example", "other.example").as_bytes());
    let other = newsroom.run(&["list"]);
    assert!(other.code == 2 && other.err.contains("other.example"), "{}", other.err);
    // A key of somebody else is another account.
    newsroom
        .write("config/config.yaml", yaml.replace("api_key: lm-studio", "api_key: sk-other-account-0123").as_bytes());
    is_refused(&newsroom.run(&["list"]));
}

#[test]
fn a_file_that_is_named_and_one_that_stays_in_its_folder_are_not_asked_about() {
    let elsewhere = tempfile::tempdir().unwrap();
    let newsroom = reaching(elsewhere.path().to_str().unwrap());
    newsroom.write("own.yaml", newsroom.read("config/config.yaml").as_bytes());
    newsroom.ran(&["list", "--config", "own.yaml"]);
    Newsroom::at("http://127.0.0.1:9/v1").ran(&["list"]);
}

#[test]
fn what_init_writes_is_trusted() {
    let newsroom = Newsroom::offline();
    std::fs::remove_file(newsroom.path().join("config/config.yaml")).unwrap();
    newsroom.ran(&["init", "--server", "http://127.0.0.1:9/v1"]);
    newsroom.ran(&["list"]);
}

#[cfg(unix)]
#[test]
fn a_file_that_others_can_write_is_asked_about_for_servers_of_this_machine_too() {
    use std::os::unix::fs::PermissionsExt as _;
    let newsroom = Newsroom::at("http://127.0.0.1:9/v1");
    let file = newsroom.path().join("config/config.yaml");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o666)).unwrap();
    let refused = newsroom.run(&["list"]);
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains("Another user owns it or can change it"), "{}", refused.err);
    newsroom.ran(&["list", "--trust"]);
    newsroom.ran(&["list"]);
}

#[test]
fn without_a_terminal_nobody_is_asked() {
    let elsewhere = tempfile::tempdir().unwrap();
    let newsroom = reaching(elsewhere.path().to_str().unwrap());
    let mut child = newsroom.command(&["list"]).stdin(Stdio::piped()).spawn().unwrap();
    // It may have ended before anybody could answer.
    let _ = std::io::Write::write_all(child.stdin.as_mut().unwrap(), b"yes\n");
    is_refused(&done(child.wait_with_output().unwrap()));
}

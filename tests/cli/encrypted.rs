//! An encrypted database: nothing of it can be read without its passphrase, and a desk that lies open is moved into one.

use crate::support::newsroom::Newsroom;

#[cfg(not(feature = "sqlcipher"))]
#[test]
fn a_build_without_encryption_says_so() {
    let newsroom = Newsroom::with(|yaml| yaml.replace("passphrase_file: null", "passphrase_file: desk.key"));
    let refused = newsroom.run(&["list"]);
    assert!(refused.code == 2 && refused.err.contains("this build of copydesk encrypts nothing"), "{}", refused.err);
}

#[cfg(feature = "sqlcipher")]
fn with_key(newsroom: &Newsroom, key: Option<&str>) {
    let yaml = newsroom.read("config/config.yaml");
    let (open, closed) = ("passphrase_file: null", "passphrase_file: desk.key");
    let yaml = if key.is_some() { yaml.replace(open, closed) } else { yaml.replace(closed, open) };
    newsroom.write("config/config.yaml", yaml.as_bytes());
    newsroom.write("desk.key", key.unwrap_or_default().as_bytes());
}

#[cfg(feature = "sqlcipher")]
#[test]
fn an_open_desk_is_moved_into_an_encrypted_one_and_nothing_of_it_is_read_without_the_passphrase() {
    let holds = |bytes: &[u8], words: &str| bytes.windows(words.len()).any(|window| window == words.as_bytes());
    let newsroom = Newsroom::offline();
    newsroom.auto(&newsroom.topic());
    newsroom.ran(&["backup", "before.backup"]);
    with_key(&newsroom, Some("correct horse battery\n"));
    let refused = newsroom.run(&["list"]);
    assert!(refused.code == 2 && refused.err.contains("it is not encrypted"), "{}", refused.err);
    newsroom.ran(&["restore", "before.backup"]);
    assert!(newsroom.ran(&["list"]).out.contains("desk/park"));
    newsroom.auto(&newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = "mill".into()));
    newsroom.ran(&["audit", "verify"]);
    newsroom.ran(&["replay", "mill"]);
    newsroom.ran(&["backup", "after.backup"]);
    for file in ["data/copydesk.db", "after.backup"] {
        let bytes = std::fs::read(newsroom.path().join(file)).unwrap();
        assert!(bytes.len() > 10_000 && !bytes.starts_with(b"SQLite format 3"), "{file}");
        assert!(!holds(&bytes, "CREATE TABLE") && !holds(&bytes, "park"), "{file}");
    }
    with_key(&newsroom, None);
    let refused = newsroom.run(&["list"]);
    assert!(refused.code == 2 && refused.err.contains("or it is encrypted"), "{}", refused.err);
    for (key, says) in [
        ("another passphrase", "its passphrase is another one"),
        ("short", "at least 12 characters"),
        ("two lines of\nwhatever it is", "one line of at least 12"),
    ] {
        with_key(&newsroom, Some(key));
        let refused = newsroom.run(&["list"]);
        assert!(refused.code == 2 && refused.err.contains(says), "{key}: {}", refused.err);
    }
    with_key(&newsroom, Some("correct horse battery"));
    newsroom.ran(&["restore", "after.backup"]);
    assert!(newsroom.ran(&["list"]).out.contains("desk/mill"));
    std::fs::remove_file(newsroom.path().join("desk.key")).unwrap();
    let refused = newsroom.run(&["list"]);
    assert!(refused.code == 2 && refused.err.contains("cannot be read"), "{}", refused.err);
}

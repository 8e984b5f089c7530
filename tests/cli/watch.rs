//! `copydesk watch`: drafts that land in a folder beside their sources.

use crate::{
    check_documents::Watched,
    support::{documents::docx, newsroom::Newsroom},
};

#[test]
fn every_draft_beside_its_sources_gets_a_copy_with_the_findings() {
    let newsroom = Newsroom::with(|yaml| yaml.replace("grammar: true", "grammar: false"));
    let notes = "The council voted on Tuesday to spend $1.8 million on the park, which opened in 1958.\n";
    let wrong = "The council voted on Tuesday to spend $2.8 million on the park.";
    newsroom.write("in/park.sources/notes.txt", notes.as_bytes());
    newsroom.write("in/park.md", format!("# Park\n\n{wrong}\n").as_bytes());
    newsroom.write("in/word.sources/notes.txt", notes.as_bytes());
    newsroom.write("in/word.docx", &docx(&format!("<w:p><w:r><w:t>{wrong}</w:t></w:r></w:p>")));
    newsroom.write("in/broken.docx", b"no document");
    newsroom.write("in/broken.sources/notes.txt", notes.as_bytes());
    newsroom.write("in/alone.md", b"# Alone\n\nText.\n");
    let watched = newsroom.run(&["watch", "in", "--once", "--no-style"]);
    assert_eq!(watched.code, 0, "{}", watched.err);
    for line in ["in/park.md: 1 finding, see in/park.checked.html", "in/word.docx: 1 finding, see in/word.checked.docx"]
    {
        assert!(watched.err.contains(line), "{}", watched.err);
    }
    assert!(watched.err.contains("in/alone.md: no sources belong to it"), "{}", watched.err);
    assert!(watched.err.contains("in/broken.docx: "), "{}", watched.err);
    assert!(newsroom.read("in/park.checked.html").contains("$1.8 million"));
    // Its own copies are no drafts.
    let again = newsroom.run(&["watch", "in", "--once", "--no-style"]);
    assert!(!again.err.contains("checked.html:"), "{}", again.err);
    let missing = newsroom.run(&["watch", "nowhere", "--once"]);
    assert!(missing.code == 2 && missing.err.contains("the folder nowhere"), "{}", missing.err);
}

#[test]
fn a_draft_is_checked_again_when_its_sources_land_or_change() {
    let newsroom = Newsroom::with(|yaml| yaml);
    newsroom.write("in/park.md", b"# Park\n\nThe council voted on Tuesday to spend $2.8 million on the park.\n");
    newsroom.write("in/.copydesk.yaml", b"sources: other\n");
    newsroom.write("in/other/notes.txt", b"The council voted on Tuesday to spend $2.8 million on the park.\n");
    let watched = Watched::start(&newsroom, &["watch", "in", "--no-style"]);
    watched.until("err: in/park.md: 0 findings, ");
    newsroom.write("in/park.sources/notes.txt", b"The council voted on Tuesday to spend $1.8 million on the park.\n");
    watched.until("err: in/park.md: 1 finding, ");
    newsroom.write("in/park.sources/later.txt", b"The council voted on Tuesday to spend $2.8 million on the park.\n");
    watched.until("err: in/park.md: 0 findings, ");
    std::fs::remove_dir_all(newsroom.path().join("in/park.sources")).unwrap();
    std::fs::remove_file(newsroom.path().join("in/.copydesk.yaml")).unwrap();
    watched.until("err: in/park.md: no sources belong to it");
    // A folder that is its own source has the copies in it, and they say what the draft says.
    newsroom.write("in/notes.txt", b"The council voted on Tuesday to spend $1.8 million on the park.\n");
    newsroom.write("in/.copydesk.yaml", b"sources: .\n");
    watched.until("err: in/park.md: 1 finding, ");
}

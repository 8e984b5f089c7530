//! The removals by retention, as a table and as JSON.

use serde_json::{Value, json};

use super::{
    megabytes,
    table::{headings, set_in},
};
use crate::{desk::Swept, newsroom::local_time, text::count};

/// One line a story, the longest at rest first; then what becomes free in all. None if nothing is removed.
pub fn swept_table(swept: &Swept) -> Option<String> {
    let mut parts = Vec::new();
    if !swept.stories.is_empty() {
        let mut table = headings(["story", "ended", "calls", "vectors", "folders", "artifacts"]);
        for story in &swept.stories {
            table.push(vec![
                story.story.to_string(),
                local_time(&story.changed_at).chars().take(10).collect(),
                story.calls.to_string(),
                story.vectors.to_string(),
                story.folders.len().to_string(),
                size(story.folder_bytes),
            ]);
        }
        parts.push(set_in(&table));
    }
    let (calls, folders) = (swept.texts.calls, swept.stories.iter().map(|story| story.folders.len()).sum::<usize>());
    let artifacts: u64 = swept.stories.iter().map(|story| story.folder_bytes).sum();
    let vectors: u64 = swept.stories.iter().map(|story| story.vectors).sum();
    let records = swept.records;
    let all = [
        (calls > 0, format!("texts of {}: {}", count(calls, "call"), size(swept.texts.bytes))),
        (vectors > 0, format!("vectors of {}", count(vectors, "passage"))),
        (folders > 0, format!("{} of artifacts: {}", count(folders, "folder"), size(artifacts))),
        (records > 0, format!("{}: {}", count(records, "expired memory record"), size(swept.memory.bytes))),
    ];
    let all: Vec<String> = all.into_iter().filter_map(|(is_any, said)| is_any.then_some(said)).collect();
    (!all.is_empty()).then(|| {
        parts.push(all.join("\n"));
        parts.join("\n\n")
    })
}

/// The same for programs.
pub fn swept_json(swept: &Swept, dry_run: bool) -> Value {
    let stories: Vec<Value> = swept
        .stories
        .iter()
        .map(|story| {
            json!({
                "story": story.story.to_string(),
                "over_since": story.changed_at,
                "calls": story.calls,
                "vectors": story.vectors,
                "folders": story.folders.iter().map(|folder| folder.to_string_lossy()).collect::<Vec<_>>(),
                "folder_bytes": story.folder_bytes,
            })
        })
        .collect();
    json!({
        "dry_run": dry_run,
        "stories": stories,
        "texts": { "calls": swept.texts.calls, "texts": swept.texts.texts, "bytes": swept.texts.bytes },
        "memory": { "records": swept.records, "bytes": swept.memory.bytes },
        "missed": swept.missed,
    })
}

/// `812 B`, `41.3 kB`, `7.5 MB`.
#[expect(clippy::cast_precision_loss, reason = "a size that is shown to one decimal")]
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1_000.0),
        _ => format!("{:.1} MB", megabytes(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_read_at_a_glance() {
        for (bytes, said) in [(0, "0 B"), (999, "999 B"), (41_300, "41.3 kB"), (7_500_000, "7.5 MB")] {
            assert_eq!(size(bytes), said);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_whose_name_is_no_text_is_shown_all_the_same() {
        use std::os::unix::ffi::OsStrExt as _;
        let name = |name: &str| crate::newsroom::PathName::new(name).unwrap();
        let story = crate::desk::SweptStory {
            story: crate::newsroom::StoryKey::new(name("desk"), name("park")),
            changed_at: String::new(),
            calls: 0,
            vectors: 0,
            folders: vec![std::ffi::OsStr::from_bytes(b"runs/caf\xe9").into()],
            folder_bytes: 0,
        };
        let told = swept_json(&Swept { stories: vec![story], ..Swept::default() }, true);
        assert_eq!(told["stories"][0]["folders"], json!(["runs/caf\u{fffd}"]));
    }

    #[test]
    fn where_nothing_goes_there_is_no_table() {
        assert_eq!(swept_table(&Swept::default()), None);
        let records = Swept { records: 1, ..Swept::default() };
        assert_eq!(swept_table(&records).as_deref(), Some("1 expired memory record: 0 B"));
    }
}

//! The file browser, by keys.

use crate::{
    app::{
        messages::{Beginning, Request},
        news::{FolderEntry, FolderListing, News},
        tests::seat::*,
        trouble::Trouble,
    },
    screens::files::FileBrowser,
};

fn listing(folder: &str, names: &[&str]) -> FolderListing {
    let entry = |name: &&str| FolderEntry {
        name: name.trim_end_matches('/').to_owned(),
        is_folder: name.ends_with('/'),
        what: "a text".into(),
    };
    FolderListing { folder: folder.into(), entries: names.iter().map(entry).collect(), trouble: None }
}

fn open(seat: &mut Seat) {
    seat.keys("n");
    assert_eq!(seat.asked(), [Request::ListFolder(String::new())]);
    seat.hear(News::Folder(listing("", &["minutes.txt", "notes.txt", "report.pdf", "topics/"])));
}

fn browser(seat: &Seat) -> &FileBrowser {
    let Some(files) = seat.model.on_top::<FileBrowser>() else { panic!("no browser") };
    files
}

fn begins(paths: &[&str]) -> Vec<Request> {
    vec![Request::Begin(Beginning::Files(paths.iter().map(Into::into).collect()))]
}

#[test]
fn a_few_letters_are_enough_to_open_a_file() {
    let mut seat = Seat::at_desk();
    open(&mut seat);
    seat.keys("\"not\" enter");
    assert_eq!(seat.asked(), begins(&["notes.txt"]));
    // If a file cannot be read, a message says so, and nothing typed is lost.
    seat.answer(Err("notes.txt is empty"));
    assert_eq!((browser(&seat).typed.as_str(), browser(&seat).problem.as_deref()), ("not", Some("notes.txt is empty")));
    seat.keys("enter");
    assert_eq!(seat.asked(), begins(&["notes.txt"]));
    seat.answer(Ok(()));
    assert!(seat.model.overlays.is_empty());
}

#[test]
fn several_files_and_a_whole_folder_begin_stories() {
    let mut seat = Seat::at_desk();
    open(&mut seat);
    seat.keys("tab down tab enter");
    assert_eq!(seat.asked(), begins(&["minutes.txt", "report.pdf"]));
    let mut seat = Seat::at_desk();
    open(&mut seat);
    seat.keys("\"top\" tab");
    assert_eq!(seat.asked(), [Request::ListFolder("topics/".into())]);
    seat.hear(News::Folder(listing("topics/", &["a.json", "b.json"])));
    assert_eq!(browser(&seat).shown().len(), 2);
    seat.keys("enter");
    assert_eq!(seat.asked(), begins(&["topics/a.json"]));
    seat.answer(Err("topics/a.json: no topic"));
    seat.keys("down enter");
    assert_eq!(seat.asked(), begins(&["topics/b.json"]));
    // A folder's whole name means all that is in it.
    let mut seat = Seat::at_desk();
    open(&mut seat);
    seat.keys("\"topics\" enter");
    assert_eq!(seat.asked(), begins(&["topics"]));
}

#[test]
fn a_path_that_is_not_listed_is_opened_as_it_is_typed() {
    let mut seat = Seat::at_desk();
    open(&mut seat);
    seat.keys("\"/srv/x.md\"");
    assert_eq!(seat.asked(), [Request::ListFolder("/".into()), Request::ListFolder("/srv/".into())]);
    let gone = FolderListing { trouble: Some("/srv cannot be read".into()), ..listing("/srv/", &[]) };
    seat.hear(News::Folder(gone));
    seat.keys("enter");
    assert_eq!(seat.asked(), begins(&["/srv/x.md"]));
    seat.hear(News::Trouble(Trouble::new("another matter")));
    seat.answer(Err("there is no such file"));
    seat.keys("ctrl-a");
    assert_eq!(seat.asked(), [Request::ListFolder(String::new())]);
    assert_eq!(browser(&seat).typed, "");
    seat.keys("esc");
    assert!(seat.model.overlays.is_empty());
}

#[test]
fn with_nothing_to_choose_enter_says_what_to_do() {
    let mut seat = Seat::at_desk();
    seat.keys("n");
    seat.hear(News::Folder(listing("", &[".hidden"])));
    seat.effects.clear();
    seat.keys("tab enter");
    assert_eq!(seat.asked(), []);
    assert_eq!(browser(&seat).problem.as_deref(), Some("type a path, or choose a file"));
}

//! The texts that shells and `man` read about the program: the real binary.

use crate::support::newsroom::Newsroom;

#[test]
fn each_shell_gets_a_script_that_completes_the_commands() {
    let newsroom = Newsroom::offline();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let done = newsroom.run(&["man", "--completions", shell]);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{shell}");
        for word in ["copydesk", "doctor", "concurrency"] {
            assert!(done.out.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(newsroom.run(&["man", "--completions", "tcsh"]).code, 2);
}

#[test]
fn every_command_has_a_manual_page() {
    let newsroom = Newsroom::offline();
    let page = newsroom.run(&["man"]);
    assert!(page.code == 0 && page.out.contains(".TH copydesk 1") && page.out.contains("review queue"), "{}", page.out);
    let done = newsroom.run(&["man", "--out", "man"]);
    assert_eq!((done.code, done.out.as_str()), (0, ""), "{}", done.err);
    for name in ["copydesk.1", "copydesk-check.1", "copydesk-kb-search.1", "copydesk-decide-overrule.1"] {
        assert!(newsroom.path().join("man").join(name).is_file(), "{name}");
    }
}

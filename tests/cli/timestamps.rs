//! The date of the log by a time-stamping authority: `openssl ts` plays one.

use std::{path::Path, process::Command};

use crate::support::newsroom::Newsroom;

const CONFIG: &str = "[ req ]\ndistinguished_name = name\n[ name ]\n[ tsa ]\ndefault_tsa = own\n[ own ]\nserial = ./serial\nsigner_digest = sha256\n\
                      default_policy = 1.2.3.4.1\ndigests = sha256\naccuracy = secs:1\ness_cert_id_alg = sha256\n";

fn openssl(folder: &Path, arguments: &str) -> bool {
    let mut command = Command::new("openssl");
    command.args(arguments.split_whitespace()).current_dir(folder);
    command.output().is_ok_and(|done| done.status.success())
}

/// An authority with a key of this kind; none where there is no openssl.
fn authority(newsroom: &Newsroom, name: &str, key: &str) -> Option<()> {
    newsroom.write("tsa.cnf", CONFIG.as_bytes());
    newsroom.write("serial", b"01");
    let made = openssl(
        newsroom.path(),
        &format!(
            "req -x509 -newkey {key} -nodes -keyout {name}.key -out {name}.crt -days 2 -subj /CN={name} -config tsa.cnf -addext \
             extendedKeyUsage=critical,timeStamping"
        ),
    );
    made.then_some(())
}

fn answer(newsroom: &Newsroom, name: &str) {
    let _ = std::fs::remove_file(newsroom.path().join("answer.tsr"));
    assert!(openssl(
        newsroom.path(),
        &format!("ts -reply -config tsa.cnf -queryfile query.tsq -signer {name}.crt -inkey {name}.key -out answer.tsr"),
    ));
}

fn story(newsroom: &Newsroom) {
    let topic = newsroom.topic();
    newsroom.run(&["run", "--plain", topic.to_str().unwrap()]);
}

#[test]
fn an_answer_says_when_the_log_was_there_and_another_or_a_changed_one_is_refused() {
    for key in ["rsa:2048", "ec -pkeyopt ec_paramgen_curve:P-256", "ec -pkeyopt ec_paramgen_curve:P-384"] {
        let newsroom = Newsroom::offline();
        if authority(&newsroom, "authority", key).is_none() {
            println!("openssl is not here: not tested");
            return;
        }
        story(&newsroom);
        newsroom.ran(&["audit", "timestamp", "--request", "query.tsq"]);
        answer(&newsroom, "authority");
        // The log goes on.
        newsroom.ran(&["pause", "park"]);
        let check = |more: &[&str]| newsroom.run(&[&["audit", "timestamp", "--check", "answer.tsr"], more].concat());
        let done = check(&["--certificate", "authority.crt"]);
        assert!(
            done.code == 0 && done.out.contains("was there at") && done.out.contains("CN=authority"),
            "{key}: {done:?}"
        );
        assert!(check(&[]).err.contains("nobody has checked whose it is"));
        authority(&newsroom, "other", key).unwrap();
        let other = check(&["--certificate", "other.crt"]);
        assert!(other.code == 2 && other.err.contains("not by the key of that certificate"), "{other:?}");
        let mut bytes = std::fs::read(newsroom.path().join("answer.tsr")).unwrap();
        let place = bytes.windows(15).position(|window| window.ends_with(b"Z") && window.starts_with(b"20")).unwrap();
        bytes[place + 3] = b'0';
        newsroom.write("answer.tsr", &bytes);
        let changed = check(&[]);
        assert!(changed.code == 2 && changed.err.contains("it was changed"), "{changed:?}");
    }
}

#[test]
fn a_stamp_on_another_log_is_told_of_and_what_is_no_stamp_is_refused() {
    let newsroom = Newsroom::offline();
    if authority(&newsroom, "authority", "rsa:2048").is_none() {
        println!("openssl is not here: not tested");
        return;
    }
    let empty = newsroom.run(&["audit", "timestamp", "--request", "query.tsq"]);
    assert!(empty.code == 2 && empty.err.contains("the log has no event yet"), "{empty:?}");
    story(&newsroom);
    newsroom.ran(&["audit", "timestamp", "park", "--request", "query.tsq"]);
    let kept = newsroom.run(&["audit", "timestamp", "--request", "query.tsq"]);
    assert!(kept.code == 2 && kept.err.contains("exists"), "{kept:?}");
    answer(&newsroom, "authority");
    assert_eq!(newsroom.run(&["audit", "timestamp", "--check", "answer.tsr"]).code, 0);
    let elsewhere = Newsroom::offline();
    story(&elsewhere);
    let file = newsroom.path().join("answer.tsr");
    let other = elsewhere.run(&["audit", "timestamp", "--check", file.to_str().unwrap()]);
    assert!(other.code == 1 && other.out.contains("this log never ended with that"), "{other:?}");
    for (name, bytes) in [("none", &b"hello"[..]), ("empty", b""), ("query.tsq", b"0\x03\x02\x01\x01")] {
        newsroom.write(name, bytes);
        let done = newsroom.run(&["audit", "timestamp", "--check", name]);
        assert!(done.code == 2 && done.err.contains("it is no answer to a time-stamp query"), "{name}: {done:?}");
    }
    let certificate = newsroom.run(&["audit", "timestamp", "--check", "answer.tsr", "--certificate", "none"]);
    assert!(certificate.code == 2 && certificate.err.contains("is no certificate"), "{certificate:?}");
}

//! A place of a recording is played from the Proof page, and the record has who listened.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpListener,
    os::unix::fs::PermissionsExt as _,
    thread,
};

use crate::support::{newsroom::Newsroom, press, terminal::Terminal};

const SAID: &str = r#"{"text": "x", "segments": [{"start": 10.2, "end": 16.0, "avg_logprob": -1.2,
    "text": " The council of Eastbrook voted seven to two on Tuesday to repair the ferry dock."}]}"#;

/// A transcription server that always gives the same answer. Returns its address.
fn transcriber() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let (mut got, mut piece) = (Vec::new(), [0; 4096]);
            // The upload ends with its last boundary.
            while !got.ends_with(b"--\r\n") {
                let read = stream.read(&mut piece).unwrap();
                got.extend_from_slice(&piece[..read]);
                if read == 0 {
                    break;
                }
            }
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                SAID.len()
            );
            stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(SAID.as_bytes())).unwrap();
        }
    });
    format!("http://{address}/v1")
}

fn newsroom(player: &str) -> Newsroom {
    let server = format!(
        "transcription:\n  api_base: {}\n  api_key: none\n  model: whisper-1\n  language: en\n  timeout_seconds: 20\n  longest_mb: 1\n  \
         player: {player}",
        transcriber()
    );
    let newsroom = Newsroom::with(|yaml| yaml.replace("transcription: null", &server));
    newsroom.write(
        "dock.wav",
        b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3e\0\0\0\x7d\0\0\x02\0\x10\0data\0\0\0\0",
    );
    newsroom.write(
        "draft.md",
        b"# Council votes for the dock\n\nThe council of Eastbrook voted seven to two on Tuesday to repair the ferry dock.\n",
    );
    newsroom
}

#[test]
fn a_key_plays_the_place_and_the_record_has_who_listened() {
    let newsroom = newsroom("[./player, \"--start={start}\", \"{length}\", \"{file}\"]");
    let player = newsroom.write("player", b"#!/bin/sh\nprintf '%s|' \"$@\" >played\n");
    fs::set_permissions(&player, fs::Permissions::from_mode(0o755)).unwrap();
    let terminal =
        Terminal::start(&newsroom, &["check", "draft.md", "--source", "dock.wav", "--open", "--trust"], 30, 100);
    terminal.wait_for("listen: 00:00:10");
    terminal.keys(press::LISTEN).wait_for("Playing the recording from 00:00:07");
    terminal.wait_until("the player", |_| newsroom.path().join("played").is_file());
    let call = newsroom.read("played");
    assert!(call.starts_with("--start=7|10|") && call.ends_with("dock.wav|"), "{call}");
    terminal.wait_until("the record", |_| log(&newsroom).contains(HEARD));
    terminal.leave();
}

const HEARD: &str = "the recording dock.wav at 00:00:10";

fn log(newsroom: &Newsroom) -> String {
    newsroom.ran(&["log", "council-votes-for-the-dock"]).out
}

/// As mpv does without a sound device.
#[test]
fn a_player_that_fails_is_told_of_and_nobody_has_listened() {
    let newsroom = newsroom("[./player, \"{file}\"]");
    let player = newsroom.write("player", b"#!/bin/sh\necho 'no sound' >&2\nexit 2\n");
    fs::set_permissions(&player, fs::Permissions::from_mode(0o755)).unwrap();
    let terminal =
        Terminal::start(&newsroom, &["check", "draft.md", "--source", "dock.wav", "--open", "--trust"], 30, 140);
    terminal.wait_for("listen: 00:00:10");
    terminal.keys(press::LISTEN).wait_for("failed (exit status: 2). Try it by hand: is there a sound device?");
    terminal.wait_for("listen: 00:00:10");
    terminal.leave();
    assert!(!log(&newsroom).contains(HEARD), "{}", log(&newsroom));
}

#[test]
fn without_a_player_it_says_what_to_configure() {
    let newsroom = newsroom("null");
    let terminal = Terminal::start(&newsroom, &["check", "draft.md", "--source", "dock.wav", "--open"], 30, 100);
    terminal.wait_for("listen: 00:00:10");
    terminal.keys(press::LISTEN).wait_for("No player is configured");
    terminal.leave();
}

//! A signed story goes out once to each target; what nobody signed, what is under embargo, and what rests on a changed record does not.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use crate::support::newsroom::Newsroom;

/// The requests to a webhook: headers in lower case, and the body.
pub type Posts = Arc<Mutex<Vec<(String, String)>>>;

/// A webhook that answers each post in turn with one of these statuses, the last one again and again; 0 is no answer.
pub fn webhook(statuses: &'static [u16]) -> (String, Posts) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, posts) = (listener.local_addr().unwrap(), Posts::default());
    let seen = Arc::clone(&posts);
    std::thread::spawn(move || {
        let mut held = Vec::new();
        for stream in listener.incoming() {
            held.extend(answer(stream.unwrap(), statuses, &seen));
        }
    });
    (format!("http://{address}/hook"), posts)
}

/// Takes one post; a stream that gets no answer comes back.
fn answer(mut stream: TcpStream, statuses: &[u16], seen: &Posts) -> Option<TcpStream> {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).unwrap() > 0 {}
    let head = head.to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "))?.parse().unwrap();
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let mut posts = seen.lock().unwrap();
    let status = statuses[posts.len().min(statuses.len() - 1)];
    posts.push((head, String::from_utf8(body).unwrap()));
    if status == 0 {
        return Some(stream);
    }
    write!(stream, "HTTP/1.1 {status} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
    None
}

/// A newsroom with a folder and a webhook as targets, and a story that waits for its sign-off.
pub fn at_sign_off(url: &str) -> Newsroom {
    let targets = format!(
        "targets:\n    - {{name: site, kind: folder, format: html, folder: ./site}}\n    - {{name: cms, kind: webhook, format: ninjs, \
         url: \"{url}\", secret: secret-0123456789, timeout_seconds: 20}}"
    );
    let newsroom = Newsroom::with(|yaml| {
        yaml.replace("  targets: null", &format!("  {targets}"))
            .replace("backoff_seconds: 5\n", "backoff_seconds: 0.1\n")
    });
    to_sign_off(&newsroom);
    newsroom
}

fn to_sign_off(newsroom: &Newsroom) {
    newsroom.write(
        "park.txt",
        b"Council minutes\n\nThe Eastbrook Town Council voted 7-2 on Tuesday to renovate Miller Park.\n",
    );
    let draft = "# Eastbrook council votes 7-2 to renovate Miller Park\n\n*The park*\n\n> The council voted 7-2.\n\n\
                 The Eastbrook Town Council voted 7-2 on Tuesday to renovate Miller Park.\n";
    newsroom.write("draft.md", draft.as_bytes());
    newsroom.ran(&["run", "--plain", "park.txt", "--draft", "draft.md"]);
    newsroom.ran(&["decide", "park", "stet", "--reason", "It is right.", "--resume"]);
}

pub fn signed(url: &str) -> Newsroom {
    let newsroom = at_sign_off(url);
    newsroom.ran(&["decide", "park", "sign-off", "--resume"]);
    newsroom
}

/// Brings a story to its signature in a newsroom with targets of its own.
#[cfg(any(feature = "s3", all(feature = "mcp", unix)))]
pub fn sign(newsroom: &Newsroom) {
    to_sign_off(newsroom);
    newsroom.ran(&["decide", "park", "sign-off", "--resume"]);
}

pub fn header<'h>(head: &'h str, name: &str) -> &'h str {
    head.lines().find_map(|line| line.strip_prefix(&format!("{name}: "))).unwrap_or_default()
}

#[test]
fn a_signed_story_goes_to_each_target_once_and_the_record_says_so() {
    let (url, posts) = webhook(&[503, 200]);
    let newsroom = at_sign_off(&url);
    let refused = newsroom.run(&["publish", "park"]);
    assert!(refused.code == 2 && refused.err.contains("has not ended"), "{}", refused.err);
    newsroom.ran(&["decide", "park", "sign-off", "--resume"]);
    let plan = newsroom.ran(&["publish", "park", "--dry-run"]);
    assert!(plan.out.contains("newsroom-park.html (") && plan.out.contains("would go to cms"), "{}", plan.out);
    assert!(!newsroom.path().join("site").exists() && posts.lock().unwrap().is_empty());

    let done = newsroom.ran(&["publish", "park"]);
    assert_eq!(done.out.matches("Sent to ").count(), 2, "{}", done.out);
    assert!(newsroom.read("site/newsroom-park.html").contains("<h1>Eastbrook council"));
    let sent = posts.lock().unwrap().clone();
    assert_eq!(sent.len(), 2, "refused once for now, then taken");
    let key = header(&sent[0].0, "idempotency-key");
    assert_eq!((key.len(), key, &sent[0].1), (32, header(&sent[1].0, "idempotency-key"), &sent[1].1));
    assert!(header(&sent[1].0, "x-copydesk-signature").starts_with("sha256="));
    assert!(sent[1].1.contains("\"pubStatus\": \"usable\""));

    let again = newsroom.ran(&["publish", "park", "--json"]);
    assert_eq!(again.out.matches("\"state\":\"sent\"").count(), 2, "{}", again.out);
    newsroom.ran(&["replay", "park"]);
    assert_eq!(posts.lock().unwrap().len(), 2, "neither a second call nor a replay sends");
    assert!(newsroom.ran(&["show", "park"]).out.contains("Deliveries:"));
    assert!(newsroom.ran(&["log", "park"]).out.contains("Sent to cms ("));
    newsroom.ran(&["audit", "verify"]);
    // A run that goes back to the sign-off has another signature, and the same text.
    newsroom.ran(&["decide", "park", "reopen"]);
    let refused = newsroom.run(&["publish", "park"]);
    assert!(refused.code == 2 && refused.err.contains("has not ended"), "{}", refused.err);
    newsroom.ran(&["decide", "park", "stet", "--reason", "It is right.", "--resume"]);
    newsroom.ran(&["decide", "park", "sign-off", "--resume"]);
    newsroom.ran(&["publish", "park"]);
    assert_eq!(posts.lock().unwrap().len(), 2);
    newsroom.write("site/newsroom-park.html", b"mine");
    let kept = newsroom.run(&["publish", "park", "--to", "site", "--again"]);
    assert!(kept.code == 1 && kept.out.contains("--replace replaces it"), "{}", kept.out);
    assert_eq!(newsroom.read("site/newsroom-park.html"), "mine");
    let unknown = newsroom.run(&["publish", "park", "--to", "fax"]);
    assert!(unknown.code == 2 && unknown.err.contains("there are: site, cms"), "{}", unknown.err);
}

#[test]
fn a_kill_between_request_and_answer_is_made_good_under_the_same_key() {
    let (url, posts) = webhook(&[0, 200]);
    let newsroom = signed(&url);
    let mut killed = newsroom.start(&["publish", "park", "--to", "cms"]);
    let began = Instant::now();
    while posts.lock().unwrap().is_empty() {
        assert!(began.elapsed() < Duration::from_mins(1), "nothing was sent");
        std::thread::sleep(Duration::from_millis(20));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert!(newsroom.ran(&["show", "park"]).out.contains("Being sent to cms"));
    newsroom.ran(&["publish", "park", "--to", "cms"]);
    let sent = posts.lock().unwrap().clone();
    let keys: Vec<&str> = sent.iter().map(|(head, _)| header(head, "idempotency-key")).collect();
    assert!(keys.len() == 2 && keys[0] == keys[1], "{keys:?}");
}

#[test]
fn nothing_goes_out_before_its_time_or_from_a_changed_record() {
    let (url, posts) = webhook(&[200]);
    let newsroom = signed(&url);
    newsroom.ran(&["set", "park", "--embargo", "+2h"]);
    for command in [&["publish", "park"][..], &["export", "park", "--format", "html"]] {
        let refused = newsroom.run(command);
        assert!(refused.code == 2 && refused.err.contains("under embargo until"), "{}", refused.err);
    }
    let page = newsroom.ran(&["export", "park", "--format", "html", "--despite-embargo"]).out;
    assert!(page.contains("EMBARGOED UNTIL 2"), "{page}");
    newsroom.ran(&["publish", "park", "--to", "cms", "--despite-embargo"]);
    assert!(posts.lock().unwrap()[0].1.contains("\"embargoedUntil\""));
    newsroom.ran(&["set", "park", "--embargo", "none"]);
    newsroom.ran(&["audit", "verify"]);
    let database = rusqlite::Connection::open(newsroom.path().join("data/copydesk.db")).unwrap();
    database.execute("UPDATE outbox SET state = 'failed'", []).unwrap();
    drop(database);
    let refused = newsroom.run(&["publish", "park"]);
    assert!(refused.code == 2 && refused.err.contains("the database is not as it was written"), "{}", refused.err);
    assert_eq!(posts.lock().unwrap().len(), 1);
}

/// A newsroom with a bucket as its target: the store's address, and the name of a key with the key.
#[cfg(feature = "s3")]
fn with_bucket(url: &str, key: &str, disclosure: &str) -> Newsroom {
    let (id, secret) = key.split_once(' ').unwrap();
    let bucket = format!("s3://newsroom/test-{}", std::process::id());
    let target = format!(
        "targets:\n    - {{name: archive, kind: bucket, format: html, bucket: \"{bucket}\", url: \"{url}\", region: us-east-1,\n       \
         access_key_id: {id}, secret_access_key: \"{secret}\", timeout_seconds: 20}}"
    );
    Newsroom::with(|yaml| {
        yaml.replace("  targets: null", &format!("  {target}"))
            .replace("disclosure: none", &format!("disclosure: {disclosure}"))
            .replace("backoff_seconds: 5\n", "backoff_seconds: 0.1\n")
    })
}

#[cfg(feature = "s3")]
#[test]
fn a_signed_story_goes_into_a_bucket_and_one_that_did_not_get_there_goes_later() {
    let Some([url, key, stranger]) = object_store() else { return };
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let newsroom = with_bucket(&format!("http://{closed}"), &key, "none");
    sign(&newsroom);
    let change = |from: &str, to: &str| {
        let yaml = newsroom.read("config/config.yaml");
        assert!(yaml.contains(from), "{from}");
        newsroom.write("config/config.yaml", yaml.replace(from, to).as_bytes());
    };
    let fails = |with: &[&str]| {
        let failed = newsroom.run(&["publish", "park"]);
        assert!(
            failed.code == 1 && with.iter().all(|words| failed.out.contains(words)),
            "{} {}",
            failed.out,
            failed.err
        );
        let (id, secret) = key.split_once(' ').unwrap();
        assert!(!failed.out.contains(secret), "{id}");
    };
    fails(&["Not sent to archive (s3://newsroom/test-", "no connection to"]);
    assert!(newsroom.ran(&["show", "park"]).out.contains("Not sent to archive"));
    change(&closed.to_string(), url.strip_prefix("http://").unwrap());
    change("s3://newsroom/", "s3://nowhere/");
    fails(&["(NoSuchBucket)", "Make the bucket nowhere, or name another in publisher.targets[0].bucket"]);
    change("s3://nowhere/", "s3://newsroom/");
    let ((id, secret), (other_id, other)) = (key.split_once(' ').unwrap(), stranger.split_once(' ').unwrap());
    change(id, other_id);
    fails(&["calculated does not match", "Check publisher.targets[0].secret_access_key"]);
    change(secret, other);
    fails(&["(AccessDenied)", &format!("The key {other_id} needs the rights s3:PutObject and s3:GetObject")]);
    change(other_id, id);
    change(other, secret);
    let sent = newsroom.ran(&["publish", "park"]);
    assert!(sent.out.contains("Sent to archive (s3://newsroom/test-"), "{}", sent.out);
    assert!(sent.out.contains("/newsroom-park.html"), "{}", sent.out);
    let again = newsroom.ran(&["publish", "park", "--again"]);
    assert!(
        again.out.contains("newsroom-park.html is there already"),
        "the store gives the same bytes back: {}",
        again.out
    );

    // The same name from another desk, with another text.
    let other = with_bucket(&url, &key, "ai_assisted");
    sign(&other);
    let kept = other.run(&["publish", "park"]);
    assert!(kept.code == 1 && kept.out.contains("is another file. --replace replaces it"), "{} {}", kept.out, kept.err);
    let replaced = other.ran(&["publish", "park", "--replace"]);
    assert!(replaced.out.contains("written to s3://newsroom/test-"), "{}", replaced.out);
    let gone = newsroom.run(&["publish", "park", "--again"]);
    assert!(gone.code == 1 && gone.out.contains("is another file"), "{} {}", gone.out, gone.err);
    newsroom.ran(&["audit", "verify"]);
}

/// The store that `.ci/s3` starts, a key that may write there, and one that may not.
#[cfg(feature = "s3")]
#[expect(clippy::disallowed_methods, reason = "`.ci/s3` or a person names the store of this test")]
fn object_store() -> Option<[String; 3]> {
    let named =
        ["COPYDESK_TEST_S3", "COPYDESK_TEST_S3_KEY", "COPYDESK_TEST_S3_OTHER_KEY"].map(|name| std::env::var(name).ok());
    if named.iter().any(Option::is_none) {
        eprintln!("not run: COPYDESK_TEST_S3 names no store");
    }
    let [url, key, other] = named;
    Some([url?, key?, other?])
}

#[cfg(not(feature = "s3"))]
#[test]
fn a_build_without_object_stores_says_so() {
    let newsroom = Newsroom::with(|yaml| {
        let target = "targets:\n    - {name: archive, kind: bucket, format: html, bucket: \"s3://newsroom/site\", url: \"http://127.0.0.1:9\", \
                      region: us-east-1, access_key_id: key, secret_access_key: geheim-0123456789, timeout_seconds: 20}";
        yaml.replace("  targets: null", &format!("  {target}"))
    });
    to_sign_off(&newsroom);
    newsroom.ran(&["decide", "park", "sign-off", "--resume"]);
    let refused = newsroom.run(&["publish", "park"]);
    assert!(refused.code == 1 && refused.out.contains("built without s3"), "{} {}", refused.out, refused.err);
}

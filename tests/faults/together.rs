//! Programs that work on one desk together: what one takes, stops or gives up, the others know of, and none waits for nothing.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use nix::sys::signal::Signal;

use crate::support::{
    many::{ends, newsroom, send, topics, until},
    newsroom::{Newsroom, done},
    script,
    server::{Call, Reply, Server},
};

fn slowly(call: &Call) -> Reply {
    Reply::Late(Duration::from_millis(150), Box::new(Reply::Whole(script::text(call))))
}

/// Whether a call is about the story of that number.
fn is_of(call: &Call, number: usize) -> bool {
    call.user.contains(&format!("Minutes no. {number}."))
}

#[test]
fn a_step_whose_time_has_come_goes_before_later_stories_though_every_place_is_taken() {
    let server = Server::start(|call| {
        if is_of(call, 0) && call.agent == "writer" && call.before == 0 {
            return Reply::Status(503, vec![], "loading".into());
        }
        Reply::Late(Duration::from_millis(60), Box::new(Reply::Whole(script::text(call))))
    });
    let newsroom = Newsroom::at_with(&server.base(), |yaml| yaml.replace("retry_delay: 0.0", "retry_delay: 0.2"));
    topics(&newsroom, 3);
    let batch = newsroom.run(&["run", "--auto", "--concurrency", "1", "topics"]);
    assert_eq!(batch.code, 0, "{}", batch.err);
    let calls = server.calls();
    let places = |story: usize| {
        let of_it = calls.iter().enumerate().filter(|(_, call)| is_of(call, story));
        of_it.map(|(place, _)| place).collect::<Vec<_>>()
    };
    let [first, second, third] = [0, 1, 2].map(places);
    assert!(first[1] < *second.last().unwrap(), "the first story's retry waits for the end of the second");
    assert!(first.last() < third.first(), "what was begun is finished before the third begins");
}

#[test]
fn a_story_that_another_program_takes_after_a_decision_is_waited_for() {
    let server = Server::start(slowly);
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    assert_eq!(newsroom.run(&["run", "--plain", topic.to_str().unwrap()]).code, 0);
    let mut worker = newsroom.start(&["worker"]);
    let mut command = newsroom.command(&["decide", "park", "continue", "--resume"]);
    let decide = command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
    assert_eq!(ends(decide, "decide --resume beside a worker").code(), Some(0));
    let run = newsroom.record("park").run;
    assert!(run.waits.is_some_and(|gate| gate != "r1.gate") || run.state.as_str() == "success", "{:?}", run.state);
    worker.kill().unwrap();
    worker.wait().unwrap();
}

#[test]
fn a_program_that_hangs_loses_its_story_and_says_so_when_it_wakes() {
    let held = |call: &Call| {
        let first = call.agent == "article_review" && call.before == 0;
        let text = Box::new(Reply::Whole(script::text(call)));
        if first { Reply::Late(Duration::from_secs(1), text) } else { *text }
    };
    let server = Server::start(held);
    let newsroom = Newsroom::at_with(&server.base(), |yaml| yaml.replace("lease_seconds: 60", "lease_seconds: 5"));
    topics(&newsroom, 1);
    let hung = newsroom.start(&["run", "--auto", "topics"]);
    until("the reviewer is asked", || server.count("article_review") == 1);
    send(&hung, Signal::SIGSTOP);
    let resumed = newsroom.run(&["resume"]);
    assert!(
        resumed.err.contains("Another copydesk works on it. Skipped"),
        "its lease has not run out: {}",
        resumed.err
    );
    // The test need not wait for that.
    let database = rusqlite::Connection::open(newsroom.path().join("data/copydesk.db")).unwrap();
    database.busy_timeout(Duration::from_secs(10)).unwrap();
    assert_eq!(database.execute("UPDATE message SET until = until - 100000 WHERE state = 'leased'", []).unwrap(), 1);
    let resumed = done(newsroom.start(&["resume"]).wait_with_output().unwrap());
    assert!(resumed.err.contains("Another copydesk has it and does not answer"), "{}", resumed.err);
    assert_eq!(resumed.code, 0, "{}\n{}", resumed.out, resumed.err);
    let results = newsroom.results();
    send(&hung, Signal::SIGCONT);
    let hung = done(hung.wait_with_output().unwrap());
    assert!(
        hung.err.contains("has taken desk/park-0 over, because this program had stopped answering"),
        "{}",
        hung.err
    );
    assert!(hung.out.contains("Finished by another copydesk"), "{}\n{}", hung.out, hung.err);
    assert_eq!((hung.code, server.calls().len()), (0, 11), "only the call on its way is made again");
    assert_eq!(newsroom.results(), results, "the one that woke changes no file");
    assert_eq!(newsroom.record("park-0").run.state.as_str(), "success");
    assert!(newsroom.run(&["audit", "verify"]).code == 0);
}

#[test]
fn what_another_program_stops_is_not_waited_for() {
    let server = Server::start(slowly);
    let newsroom = newsroom(&server);
    topics(&newsroom, 6);
    let batch = newsroom.start(&["run", "--auto", "--concurrency", "2", "topics"]);
    until("the batch works", || server.calls().len() > 4);
    let resume = newsroom.start(&["resume", "--concurrency", "1"]);
    until("both work", || server.calls().len() > 12);
    send(&batch, Signal::SIGINT);
    let batch = done(batch.wait_with_output().unwrap());
    assert_eq!(batch.code, 130, "{}", batch.err);
    // The state of each story is told all the same.
    assert!(batch.out.contains("Stopped: `copydesk resume` resumes it"), "{}", batch.out);
    assert_eq!(ends(resume, "resume beside a batch that was stopped").code(), Some(0));
    let rest = newsroom.run(&["resume"]);
    assert_eq!(rest.code, 0, "{}", rest.err);
    assert_eq!(server.calls().len(), 60, "no answer is asked for twice");
}

#[test]
fn the_same_command_again_goes_on_where_it_was_stopped() {
    let server = Server::start(slowly);
    let newsroom = newsroom(&server);
    topics(&newsroom, 3);
    let batch = newsroom.start(&["run", "--auto", "--concurrency", "2", "topics"]);
    until("the batch works", || server.calls().len() > 7);
    send(&batch, Signal::SIGINT);
    assert_eq!(ends(batch, "the batch").code(), Some(130));
    let again = newsroom.run(&["run", "--auto", "topics"]);
    assert_eq!(again.code, 0, "{}", again.err);
    assert!(again.err.contains("Resuming the unfinished run of this topic"), "{}", again.err);
    assert_eq!((server.calls().len(), server.count("writer")), (30, 3), "nothing is asked twice");
}

#[test]
fn a_server_that_was_given_up_is_asked_again_by_the_next_program() {
    let down = Arc::new(AtomicBool::new(true));
    let is_down = Arc::clone(&down);
    let server = Server::start(move |call| {
        if is_down.load(Ordering::SeqCst) { Reply::Status(503, vec![], "loading".into()) } else { script::usual(call) }
    });
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        yaml.replace("max_redeliveries: 0", "max_redeliveries: 3")
            .replace("    rest_seconds: 5\n", "    rest_seconds: 1\n")
            .replace("    longest_rest_seconds: 60\n", "    longest_rest_seconds: 1\n")
            .replace("give_up_after_minutes: 10", "give_up_after_minutes: 0")
            .replace("    backoff_seconds: 5\n", "    backoff_seconds: 0.05\n")
    });
    topics(&newsroom, 3);
    let batch = newsroom.run(&["run", "--auto", "topics"]);
    assert_eq!(batch.code, 1, "{}", batch.err);
    assert!(batch.out.contains("is down") && batch.out.contains("The story is queued"), "{}", batch.out);
    down.store(false, Ordering::SeqCst);
    // Nobody stopped the stories: a worker takes them as well as `resume` does.
    until("the server has rested", || {
        let worker = newsroom.start(&["worker", "--until-empty"]);
        ends(worker, "the worker").code() == Some(0)
    });
    for number in 0..3 {
        assert_eq!(newsroom.record(&format!("park-{number}")).run.state.as_str(), "success");
    }
}

/// With the template's own numbers of attempts, deliveries and failures.
#[test]
fn a_prompt_over_which_its_server_breaks_down_is_given_up_and_takes_no_other_story_with_it() {
    for stories in [1, 3] {
        let server = Server::start(|call| {
            if is_of(call, 0) && call.agent == "article_review" {
                return Reply::Status(500, vec![], "the model crashed".into());
            }
            script::usual(call)
        });
        let newsroom = newsroom(&server);
        topics(&newsroom, stories);
        let batch = ends(newsroom.start(&["run", "--auto", "topics"]), "a batch with a prompt that breaks its server");
        assert_eq!(batch.code(), Some(1));
        let dead = newsroom.run(&["dead", "list"]);
        assert!(dead.out.contains("desk/park-0") && dead.out.contains("Round 1, review"), "{} {}", dead.out, dead.err);
        assert!(server.count("article_review") <= 12 + 2 * (stories - 1), "{} calls", server.count("article_review"));
        for number in 1..stories {
            assert_eq!(newsroom.record(&format!("park-{number}")).run.state.as_str(), "success");
        }
    }
}

#[test]
fn a_budget_that_is_bespoken_is_waited_for() {
    let usage = |call: &Call| {
        let choice = serde_json::json!({"message": {"content": script::text(call)}, "finish_reason": "stop"});
        let body = serde_json::json!({"choices": [choice], "usage": {"prompt_tokens": 100, "completion_tokens": 50}});
        Reply::Late(Duration::from_millis(30), Box::new(Reply::Raw("application/json", body.to_string().into_bytes())))
    };
    let server = Server::start(usage);
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        // Room for what the stories use, and for the longest answers of a few calls, not of all at once.
        yaml.replace("specialists_of_a_story: 1", "specialists_of_a_story: 5")
            .replace("batch_tokens: null", "batch_tokens: 30000")
    });
    topics(&newsroom, 6);
    let batch = newsroom.run(&["run", "--auto", "--concurrency", "6", "topics"]);
    assert_eq!(batch.code, 0, "{}\n{}", batch.out, batch.err);
    assert!(batch.err.contains("6 of 6 succeeded; 9000 tokens"), "{}", batch.err);
}

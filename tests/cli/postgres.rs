//! A desk on a PostgreSQL server, with the real program. `.ci/postgres` starts one for these tests.

use crate::support::newsroom::Newsroom;

#[cfg(not(feature = "postgres"))]
#[test]
fn a_build_without_servers_says_so_and_shows_no_password() {
    let url = "postgres://desk:geheim12345@127.0.0.1:5432/newsroom";
    let newsroom = Newsroom::with(|yaml| yaml.replace("database: ./data/copydesk.db", &format!("database: {url}")));
    let refused = newsroom.run(&["--trust", "list"]);
    assert!(refused.code == 2 && refused.err.contains("built without PostgreSQL"), "{}", refused.err);
    assert!(!refused.err.contains("geheim") && refused.err.contains("127.0.0.1:5432/newsroom"), "{}", refused.err);
    let file = Newsroom::offline();
    let refused = file.run(&["migrate", "--to", url]);
    assert!(refused.code == 2 && refused.err.contains("built without PostgreSQL"), "{}", refused.err);
}

#[test]
fn a_server_on_another_machine_is_refused_while_everything_stays_here() {
    let url = "postgres://desk@db.example/newsroom";
    let newsroom = Newsroom::with(|yaml| yaml.replace("database: ./data/copydesk.db", &format!("database: {url}")));
    let refused = newsroom.run(&["list"]);
    assert!(
        refused.code == 2 && refused.err.contains("names db.example, which is not this machine"),
        "{}",
        refused.err
    );
}

#[cfg(feature = "postgres")]
mod on_a_server {
    use std::{process::Command, thread, time::Duration};

    use serde_json::Value;

    use super::*;
    use crate::support::{
        many::{self, ends, topics, until},
        newsroom::done,
        script,
        server::{Latch, Reply, Server},
    };

    /// Calls of the usual story.
    const CALLS: usize = 10;

    #[expect(clippy::disallowed_methods, reason = "a person or `.ci/postgres` names the server of these tests")]
    fn named(variable: &str) -> Option<String> {
        let named = std::env::var(variable).ok();
        if named.is_none() {
            eprintln!("not run: {variable} names no server");
        }
        named
    }

    /// A machine at the desk `desk` of the server, with models that `server` plays.
    fn machine(desk: &str, server: &Server) -> Option<Newsroom> {
        let url = named("COPYDESK_TEST_POSTGRES")?;
        let database = format!("database: {url}?schema={desk}_{}", std::process::id());
        let newsroom = many::newsroom(server);
        let yaml = newsroom.read("config/config.yaml").replace("database: ./data/copydesk.db", &database);
        newsroom.write("config/config.yaml", yaml.as_bytes());
        newsroom.ran(&["--trust", "list"]);
        Some(newsroom)
    }

    /// A server of models that takes its time.
    fn slow() -> Server {
        Server::start(|call| Reply::Late(Duration::from_millis(60), Box::new(Reply::Whole(script::text(call)))))
    }

    fn stories(newsroom: &Newsroom) -> Vec<Value> {
        serde_json::from_str(&newsroom.ran(&["list", "--json"]).out).unwrap()
    }

    fn finished(newsroom: &Newsroom) -> usize {
        stories(newsroom).iter().filter(|story| story["state"] == "success").count()
    }

    /// A newsroom whose desk is the schema `desk` of the server; none if there is no server.
    fn newsroom(desk: &str) -> Option<Newsroom> {
        let url = named("COPYDESK_TEST_POSTGRES")?;
        let database = format!("database: {url}?schema={desk}_{}", std::process::id());
        let newsroom = Newsroom::with(|yaml| yaml.replace("database: ./data/copydesk.db", &database));
        let refused = newsroom.run(&["list"]);
        assert!(refused.err.contains("it keeps its stories on postgres://"), "{}", refused.err);
        newsroom.ran(&["--trust", "list"]);
        Some(newsroom)
    }

    #[test]
    fn a_story_goes_from_its_source_to_the_record_and_is_replayed() {
        let Some(newsroom) = newsroom("story") else { return };
        newsroom.auto(&newsroom.topic());
        assert!(newsroom.ran(&["list"]).out.contains("desk/park"));
        for command in [["show", "park"], ["log", "park"], ["replay", "park"], ["audit", "verify"]] {
            newsroom.ran(&command);
        }
        assert!(!newsroom.path().join("data/copydesk.db").exists(), "everything is on the server");
        let refused = newsroom.run(&["backup", "desk.backup"]);
        assert!(refused.code != 0 && refused.err.contains("pg_dump"), "{}", refused.err);
        newsroom.ran(&["delete", "park", "--yes"]);
        assert!(!newsroom.ran(&["list"]).out.contains("desk/park"));
        newsroom.ran(&["audit", "verify"]);
    }

    #[test]
    fn doctor_says_which_server_it_is() {
        let Some(newsroom) = newsroom("doctor") else { return };
        let told = newsroom.run(&["doctor"]).out;
        assert!(told.contains("database server: PostgreSQL") && told.contains("pgvector"), "{told}");
    }

    #[test]
    fn a_story_that_another_machine_works_on_is_left_to_it_with_its_name() {
        let latch = Latch::default();
        let server = Server::start(script::held(&latch));
        let (Some(here), Some(there)) = (machine("held", &server), machine("held", &server)) else { return };
        let work = here.start(&["run", "--auto", here.topic().to_str().unwrap()]);
        until("a call is made", || !server.calls().is_empty());
        let refused = there.run(&["delete", "park", "--yes"]);
        let holder = format!("process {}", work.id());
        assert!(refused.code != 0 && refused.err.contains(&holder), "{}", refused.err);
        assert!(refused.err.contains("is being worked on by another copydesk (copydesk on "), "{}", refused.err);
        latch.open();
        let worked = done(work.wait_with_output().unwrap());
        assert_eq!(worked.code, 0, "{}", worked.err);
        there.ran(&["delete", "park", "--yes"]);
    }

    #[test]
    fn stories_of_a_machine_that_is_killed_are_finished_by_another() {
        const STORIES: usize = 6;
        let server = slow();
        let (Some(here), Some(there)) = (machine("killed", &server), machine("killed", &server)) else { return };
        topics(&here, STORIES);
        let mut first = here.start(&["run", "--auto", "--concurrency", "2", "topics"]);
        until("all are begun, and some work is done", || {
            stories(&there).len() == STORIES && server.calls().len() > CALLS
        });
        first.kill().unwrap();
        first.wait().unwrap();
        let last = there.start(&["worker", "--until-empty", "--concurrency", "2"]);
        assert!(ends(last, "the other machine").success());
        assert_eq!(finished(&there), STORIES);
        // The two calls under way were lost with their program.
        assert!(server.calls().len() <= CALLS * STORIES + 2, "{}", server.calls().len());
        there.ran(&["audit", "verify"]);
    }

    #[test]
    #[ignore = "kills the server, which other tests use: run it by itself"]
    fn a_server_that_is_killed_and_started_again_costs_no_call_and_no_story() {
        const STORIES: usize = 12;
        let Some(restart) = named("COPYDESK_TEST_POSTGRES_RESTART") else { return };
        let server = slow();
        let (Some(here), Some(there)) = (machine("restarted", &server), machine("restarted", &server)) else { return };
        topics(&here, STORIES);
        let batch = here.start(&["run", "--auto", "--concurrency", "2", "topics"]);
        let mut worker = there.start(&["worker", "--concurrency", "2"]);
        for calls in [15, 45, 80] {
            until("work goes on", || server.calls().len() > calls);
            assert!(Command::new(&restart).status().unwrap().success());
            thread::sleep(Duration::from_millis(300));
        }
        let batch = done(batch.wait_with_output().unwrap());
        assert_eq!(batch.code, 0, "{}{}", batch.out, batch.err);
        worker.kill().unwrap();
        let worker = done(worker.wait_with_output().unwrap());
        assert_eq!(finished(&there), STORIES, "{}", worker.err);
        assert_eq!(server.calls().len(), CALLS * STORIES, "an answer was asked for again: {}", worker.err);
        there.ran(&["audit", "verify"]);
    }

    #[test]
    fn a_desk_is_carried_to_a_server_and_goes_on_there() {
        let Some(there) = newsroom("carried") else { return };
        let newsroom = Newsroom::offline();
        newsroom.auto(&newsroom.topic());
        let config = there.read("config/config.yaml");
        let url = config.lines().find_map(|line| line.strip_prefix("database: ")).unwrap();
        let carried = newsroom.ran(&["migrate", "--to", url]);
        assert!(carried.err.contains("Stories: 1."), "{}", carried.err);
        let again = newsroom.run(&["migrate", "--to", url]);
        assert!(again.code == 2 && again.err.contains("has a desk already (stories: 1)"), "{}", again.err);
        let yaml = newsroom.read("config/config.yaml").replace("./data/copydesk.db", url);
        newsroom.write("config/config.yaml", yaml.as_bytes());
        for command in [["audit", "verify", "--trust"], ["show", "park", "--trust"], ["replay", "park", "--trust"]] {
            newsroom.ran(&command);
        }
        newsroom.ran(&["migrate", "--to", newsroom.path().join("back.db").to_str().unwrap()]);
    }

    #[test]
    fn two_desks_of_one_database_know_nothing_of_each_other() {
        let (Some(one), Some(other)) = (newsroom("one"), newsroom("other")) else { return };
        one.auto(&one.topic());
        assert!(!other.ran(&["list"]).out.contains("desk/park"));
    }

    #[test]
    fn a_server_that_is_not_there_is_said_with_its_address_alone() {
        let url = "postgres://desk:geheim12345@127.0.0.1:9/newsroom";
        let newsroom = Newsroom::with(|yaml| yaml.replace("database: ./data/copydesk.db", &format!("database: {url}")));
        let refused = newsroom.run(&["--trust", "list"]);
        assert!(refused.code == 2 && refused.err.contains("postgres://127.0.0.1:9/newsroom"), "{}", refused.err);
        assert!(!refused.err.contains("geheim"), "{}", refused.err);
    }
}

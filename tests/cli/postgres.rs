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
    use std::{
        collections::HashSet,
        process::Command,
        thread,
        time::{Duration, Instant},
    };

    use serde_json::Value;

    use super::*;
    use crate::support::{
        many::{self, ends, topics, until},
        newsroom::{done, named, psql_at},
        script,
        server::{Latch, Reply, Server},
        terminal::Terminal,
    };

    /// Calls of the usual story.
    const CALLS: usize = 10;

    /// The schema of a desk of these tests.
    fn schema(desk: &str) -> String {
        format!("{desk}_{}", std::process::id())
    }

    /// A machine at the desk `desk` of the server, with models that `server` plays.
    fn machine(desk: &str, server: &Server) -> Option<Newsroom> {
        machine_of(desk, server, "The editor", "desk")
    }

    /// Likewise, of an editor who is let in as that user of the database.
    fn machine_of(desk: &str, server: &Server, editor: &str, user: &str) -> Option<Newsroom> {
        let url = named("COPYDESK_TEST_POSTGRES")?.replace("desk@", &format!("{user}@"));
        let newsroom = many::newsroom(server);
        keeps_at(&newsroom, &format!("{url}?schema={}", schema(desk)));
        let yaml = newsroom.read("config/config.yaml").replace("editor: The editor", &format!("editor: {editor}"));
        newsroom.write("config/config.yaml", yaml.as_bytes());
        newsroom.ran(&["--trust", "list"]);
        Some(newsroom)
    }

    /// Names another place of the desk in the configuration.
    fn keeps_at(newsroom: &Newsroom, url: &str) {
        let yaml = newsroom.read("config/config.yaml");
        let before = yaml.lines().find(|line| line.starts_with("database: ")).unwrap();
        newsroom.write("config/config.yaml", yaml.replace(before, &format!("database: {url}")).as_bytes());
    }

    /// Runs statements as the server's administrator. Returns what they find.
    fn psql(sql: &str) -> String {
        psql_as("desk", sql)
    }

    fn psql_as(user: &str, sql: &str) -> String {
        psql_at(&named("COPYDESK_TEST_POSTGRES").unwrap().replace("desk@", &format!("{user}@")), sql)
    }

    /// Gives the desk `desk` its roles, and logins to persons with a role each. Returns the name of a person's login.
    fn people(desk: &str, people: &[(&str, &str)]) -> impl Fn(&str) -> String + use<> {
        let (url, schema) = (named("COPYDESK_TEST_POSTGRES").unwrap(), schema(desk));
        let roles = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/postgres/roles.sql");
        let of_desk = [format!("schema={schema}"), format!("role={schema}")];
        // A second time, as after an update.
        for _ in 0..2 {
            let done = tool("psql", &["-q", "-v", &of_desk[0], "-v", &of_desk[1], "-f", roles, &url]);
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        }
        for (person, role) in people {
            psql(&format!("CREATE ROLE {person}_{schema} LOGIN IN ROLE {schema}_{role}"));
        }
        move |person| format!("{person}_{schema}")
    }

    fn tool(name: &str, arguments: &[&str]) -> std::process::Output {
        let folder = std::path::PathBuf::from(named("COPYDESK_TEST_POSTGRES_TOOLS").unwrap());
        Command::new(folder.join(name)).args(arguments).output().unwrap()
    }

    /// Runs a program of `.ci/postgres`. Returns what it says; none if it cannot do that here.
    fn helped(variable: &str) -> Option<String> {
        helped_with(variable, &[])
    }

    fn helped_with(variable: &str, arguments: &[&str]) -> Option<String> {
        let done = Command::new(named(variable)?).args(arguments).output().unwrap();
        if !done.status.success() {
            eprintln!("not run: {variable}: {}", String::from_utf8_lossy(&done.stderr));
            return None;
        }
        Some(String::from_utf8(done.stdout).unwrap().trim().to_owned())
    }

    /// A server of models that takes its time.
    fn slow() -> Server {
        Server::start(|call| Reply::Late(Duration::from_millis(60), Box::new(Reply::Whole(script::text(call)))))
    }

    /// The agents that were asked again for an answer that there was, each with its story.
    fn asked_twice(server: &Server) -> Vec<String> {
        let mut asked = HashSet::new();
        let again = server.calls().into_iter().filter(|call| !asked.insert(format!("{}{}", call.agent, call.user)));
        let story =
            |user: &str| user.split("Minutes no. ").nth(1).map(|rest| rest.split('.').next().map(str::to_owned));
        again.map(|call| format!("{} of story {:?}", call.agent, story(&call.user))).collect()
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
        let database = format!("database: {url}?schema={}", schema(desk));
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
    #[ignore = "kills the server, which other tests use: `.ci/run` runs it by itself"]
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
        assert_eq!(asked_twice(&server), Vec::<String>::new(), "{}{}", batch.err, worker.err);
        assert_eq!(server.calls().len(), CALLS * STORIES);
        there.ran(&["audit", "verify"]);
    }

    #[test]
    fn of_two_editors_at_one_gate_the_second_is_told_who_decided_and_when_and_nothing_is_lost() {
        let server = Server::start(script::usual);
        let at = |editor| machine_of("gate", &server, editor, "desk");
        let (Some(here), Some(there)) = (at("Ada Lovelace"), at("Ben Bitdiddle")) else { return };
        let second = Terminal::start(&there, &["run", "--plain", there.topic().to_str().unwrap()], 50, 160);
        second.wait_for("desk/park, round 1. Your choice (help; quit leaves it waiting):");
        here.ran(&["decide", "park", "overrule", "2", "keep", "--reason", "So it is."]);
        second.send(b"continue\n", "continue");
        second.wait_for("Ada Lovelace decided at 2");
        second.wait_for("on this story in the meantime. Nothing was changed");
        second.send(b"feedback Don't name the mayor.\n", "feedback");
        second.wait_for("decided: feedback: Don't name the mayor.");
        let log = here.ran(&["log", "park"]).out;
        assert!(log.contains("Ada Lovelace") && log.contains("Ben Bitdiddle"), "both stand: {log}");
        second.send(b"quit\n", "quit");
        second.exit_code();

        // On a screen, a decision is seen at once.
        let screen = Terminal::start(&there, &[], 36, 120);
        screen.wait_for("waits for you");
        let began = Instant::now();
        here.ran(&["set", "park", "--priority", "high"]);
        let decided = began.elapsed();
        screen.wait_for("↑");
        assert!(began.elapsed() < decided + Duration::from_secs(1), "{:?} after {decided:?}", began.elapsed());
        screen.leave();
    }

    #[test]
    fn a_role_may_do_what_the_guide_says_and_the_log_names_the_user() {
        let server = Server::start(script::usual);
        let Some(owner) = machine("roles", &server) else { return };
        let topic = owner.topic();
        owner.ran(&["run", "--plain", topic.to_str().unwrap()]);
        let of = people("roles", &[("rita", "reader"), ("edda", "editor"), ("paul", "publisher")]);
        let at = |user: &str| machine_of("roles", &server, "A name of their own", &of(user)).unwrap();

        let (reader, editor, publisher) = (at("rita"), at("edda"), at("paul"));
        for command in [["list", "--json"], ["show", "park"], ["log", "park"], ["audit", "verify"]] {
            reader.ran(&command);
        }
        let refused = reader.run(&["decide", "park", "continue"]);
        assert!(refused.code != 0 && refused.err.contains("permission denied"), "{}", refused.err);
        for (number, status) in [("1", "keep"), ("2", "keep"), ("3", "keep")] {
            editor.ran(&["decide", "park", "overrule", number, status, "--reason", "So it is."]);
        }
        editor.ran(&["decide", "park", "stet", "--reason", "It is right."]);
        editor.ran(&["resume"]);
        let refused = editor.run(&["delete", "park", "--yes"]);
        assert!(refused.code != 0 && refused.err.contains("permission denied"), "{}", refused.err);
        let refused = editor.run(&["decide", "park", "sign-off"]);
        assert!(refused.code != 0 && refused.err.contains("only a publisher may sign off"), "{}", refused.err);
        publisher.ran(&["decide", "park", "sign-off"]);
        let log = reader.ran(&["log", "park"]).out;
        for user in ["edda", "paul"] {
            assert!(log.contains(&format!("A name of their own (database user {})", of(user))), "{log}");
        }
        owner.ran(&["audit", "verify"]);
    }

    #[test]
    fn a_confidential_story_is_shown_to_those_who_are_named_and_the_others_work_on() {
        let server = Server::start(script::usual);
        let Some(owner) = machine("secret", &server) else { return };
        let of = people("secret", &[("rita", "reader"), ("ada", "editor"), ("ben", "editor")]);
        let (schema, rita) = (schema("secret"), of("rita"));
        let as_user = |user: &str, sql: &str| psql_as(&of(user), &format!("SET search_path = {schema}, public; {sql}"));
        let at = |user: &str| machine_of("secret", &server, user, &of(user)).unwrap();
        let (reader, ada, ben) = (at("rita"), at("ada"), at("ben"));
        let run = |machine: &Newsroom, more: &[&str], slug: &str| {
            let topic = machine.topic_with(|topic| topic["source_metadata"]["topic_slug"] = slug.into());
            machine.run(&[&["run", "--auto"], more, &[topic.to_str().unwrap()]].concat())
        };
        let done = run(&ada, &["--confidential"], "park");
        assert_eq!(finished(&ada), 1, "{}{}", done.out, done.err);

        // Whatever a table has of a story, nothing of it is shown to the others.
        let tables =
            |sql: &str| psql(&format!("SELECT tablename FROM pg_tables WHERE schemaname = '{schema}' AND {sql}"));
        let hidden = tables("rowsecurity");
        for table in hidden.lines() {
            let count = format!("SELECT count(*) FROM {table}");
            assert_eq!((as_user("ben", &count), as_user("rita", &count)), ("0".into(), "0".into()), "{table}");
        }
        assert_ne!(as_user("ada", "SELECT count(*) FROM blob"), "0");
        let open = tables("NOT rowsecurity ORDER BY tablename");
        let without_words = ["prompt_part", "request", "server", "server_use", "setting", "tally"];
        assert_eq!(open.lines().collect::<Vec<_>>(), without_words, "a table of its own needs a rule, or a place here");
        for other in [&ben, &reader] {
            assert_eq!(stories(other).len(), 0);
            assert_ne!(other.run(&["show", "park"]).code, 0);
            let checked = other.ran(&["audit", "verify"]);
            assert!(checked.err.contains("confidential stories that you may not see"), "{}", checked.err);
        }

        // A story of the same text is another's to read; the name is taken.
        let done = run(&ben, &[], "mill");
        assert_eq!((finished(&ben), finished(&reader), finished(&ada)), (1, 1, 2), "{}{}", done.out, done.err);
        let taken = run(&ben, &[], "park");
        assert!(taken.code != 0 && taken.err.contains("choose another name"), "{}{}", taken.out, taken.err);
        // Another run of a story that was open hides all of it, and a reader is named.
        run(&ben, &["--replace", "--confidential", "--reader", &rita], "mill");
        assert_eq!((stories(&ben).len(), stories(&reader).len(), stories(&ada).len()), (1, 1, 1));
        reader.ran(&["show", "mill"]);
        for machine in [&owner, &ada, &ben, &reader] {
            machine.ran(&["audit", "verify"]);
        }
        assert_eq!(finished(&owner), 2);
    }

    #[test]
    fn a_dump_is_restored_in_another_database_and_goes_on_there() {
        let Some(newsroom) = newsroom("dumped") else { return };
        newsroom.auto(&newsroom.topic());
        let (url, schema) = (named("COPYDESK_TEST_POSTGRES").unwrap(), schema("dumped"));
        let (dump, restored) = (newsroom.path().join("desk.dump"), format!("restored_{schema}"));
        let run = |name: &str, arguments: &[&str]| {
            let done = tool(name, arguments);
            assert!(done.status.success(), "{name}: {}", String::from_utf8_lossy(&done.stderr));
        };
        let (file, place) = (dump.to_str().unwrap(), url.replace("/desks", &format!("/{restored}")));
        run("pg_dump", &["--format=custom", "--file", file, "--schema", &schema, &url]);
        psql(&format!("CREATE DATABASE {restored}"));
        run("psql", &["-q", "-c", "CREATE EXTENSION vector", &place]);
        run("pg_restore", &["--no-owner", "--no-comments", "--dbname", &place, file]);
        keeps_at(&newsroom, &format!("{place}?schema={schema}"));
        for command in [["audit", "verify", "--trust"], ["show", "park", "--trust"], ["replay", "park", "--trust"]] {
            newsroom.ran(&command);
        }
        newsroom.ran(&["delete", "park", "--yes", "--trust"]);
    }

    #[test]
    fn doctor_warns_of_a_clock_that_is_off_by_an_hour() {
        let Some(newsroom) = newsroom("clock") else { return };
        let (url, schema) = (named("COPYDESK_TEST_POSTGRES").unwrap(), schema("clock"));
        // A user for whom the server's clock is ahead.
        psql(&format!(
            "CREATE ROLE late_{schema} SUPERUSER LOGIN; ALTER ROLE late_{schema} SET search_path = {schema}, pg_catalog, public;
             CREATE FUNCTION {schema}.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS $$ SELECT pg_catalog.clock_timestamp() + interval '1 hour' $$"
        ));
        keeps_at(&newsroom, &url.replace("desk@", &format!("late_{schema}@")));
        let told = newsroom.run(&["doctor", "--trust"]).out;
        assert!(told.contains("this machine's clock is 3600 s behind the server's"), "{told}");
    }

    #[test]
    #[ignore = "copies the whole server: `.ci/run` runs it by itself"]
    fn a_copy_of_the_server_is_refused_and_the_primary_is_named_as_the_way() {
        let Some(newsroom) = newsroom("copied") else { return };
        let Some(copy) = helped("COPYDESK_TEST_POSTGRES_COPY") else { return };
        keeps_at(&newsroom, &format!("{copy}?schema={}", schema("copied")));
        let refused = newsroom.run(&["list", "--trust"]);
        assert!(refused.code == 2 && refused.err.contains("it is a copy of another server"), "{}", refused.err);
        assert!(refused.err.contains("name the primary server in the key `database`"), "{}", refused.err);
    }

    #[test]
    #[ignore = "loses the server: `.ci/run` runs it by itself"]
    fn a_copy_that_takes_over_from_a_lost_server_has_all_that_was_acknowledged() {
        const STORIES: usize = 12;
        let server = slow();
        let (Some(here), Some(there)) = (machine("lost", &server), machine("lost", &server)) else { return };
        let Some(copy) = helped("COPYDESK_TEST_POSTGRES_COPY") else { return };
        // A commit is acknowledged once the copy has it, too.
        psql("ALTER SYSTEM SET synchronous_standby_names = '*'");
        psql("SELECT pg_reload_conf()");
        until("the copy follows", || psql("SELECT sync_state FROM pg_stat_replication") == "sync");
        let second = copy.split(['@', '/']).find(|part| part.starts_with("127.0.0.1:")).unwrap();
        let url = named("COPYDESK_TEST_POSTGRES").unwrap().replace("/desks", &format!(",{second}/desks"));
        for machine in [&here, &there] {
            keeps_at(machine, &format!("{url}?schema={}", schema("lost")));
            machine.ran(&["list", "--trust"]);
        }
        topics(&here, STORIES);
        let batch = here.start(&["run", "--auto", "--concurrency", "2", "topics"]);
        let mut worker = there.start(&["worker", "--concurrency", "2"]);
        until("work goes on", || server.calls().len() > CALLS * STORIES / 3);
        assert!(helped("COPYDESK_TEST_POSTGRES_FAILOVER").is_some());
        let batch = done(batch.wait_with_output().unwrap());
        assert_eq!(batch.code, 0, "{}{}", batch.out, batch.err);
        worker.kill().unwrap();
        let worker = done(worker.wait_with_output().unwrap());
        assert_eq!(finished(&there), STORIES, "{}", worker.err);
        assert_eq!(asked_twice(&server), Vec::<String>::new(), "{}{}", batch.err, worker.err);
        assert_eq!(server.calls().len(), CALLS * STORIES);
        there.ran(&["audit", "verify"]);
    }

    #[test]
    #[ignore = "restarts the server and copies it: `.ci/run` runs it by itself"]
    fn a_moment_of_the_past_is_brought_back_from_a_base_copy_and_the_archived_log() {
        let server = Server::start(script::usual);
        let Some(newsroom) = machine("past", &server) else { return };
        newsroom.auto(&newsroom.topic());
        assert!(helped("COPYDESK_TEST_POSTGRES_ARCHIVE").is_some());
        let run = |slug: &str| {
            let topic = newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = slug.into());
            newsroom.auto(&topic);
        };
        run("mill");
        let moment = psql("SELECT now()");
        run("pool");
        newsroom.ran(&["delete", "park", "--yes"]);
        let past = helped_with("COPYDESK_TEST_POSTGRES_BACK", &[&moment]).unwrap();
        keeps_at(&newsroom, &format!("{past}?schema={}", schema("past")));
        newsroom.ran(&["audit", "verify", "--trust"]);
        let mut there: Vec<_> = stories(&newsroom).iter().map(|story| story["story"].to_string()).collect();
        there.sort();
        assert_eq!(there, ["\"desk/mill\"", "\"desk/park\""]);
        run("pool");
        newsroom.ran(&["audit", "verify"]);
    }

    #[test]
    #[ignore = "fills a disk of the server, which needs root: `.ci/run` runs it by itself"]
    fn a_full_disk_of_the_server_is_said_and_the_story_goes_on_once_there_is_room() {
        let server = Server::start(script::usual);
        let Some(newsroom) = machine("full", &server) else { return };
        if helped("COPYDESK_TEST_POSTGRES_SMALL").is_none() {
            return;
        }
        let schema = schema("full");
        psql(&format!("ALTER TABLE {schema}.blob SET TABLESPACE small"));
        psql(&format!("CREATE TABLE {schema}_filler (text TEXT) TABLESPACE small"));
        psql(&format!("ALTER TABLE {schema}_filler ALTER text SET STORAGE plain"));
        let filler = format!("INSERT INTO {schema}_filler SELECT repeat('x', 7000) FROM generate_series(1, 8)");
        let url = named("COPYDESK_TEST_POSTGRES").unwrap();
        while tool("psql", &["-q", "-v", "ON_ERROR_STOP=1", "-c", &filler, &url]).status.success() {}
        let full = newsroom.run(&["run", "--auto", newsroom.topic().to_str().unwrap()]);
        assert!(full.code != 0 && full.err.contains("disk"), "{} {}", full.out, full.err);
        newsroom.ran(&["list"]);
        newsroom.ran(&["audit", "verify"]);
        psql(&format!("DROP TABLE {schema}_filler"));
        newsroom.ran(&["run", "--auto", newsroom.topic().to_str().unwrap()]);
        assert_eq!(finished(&newsroom), 1);
        newsroom.ran(&["audit", "verify"]);
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

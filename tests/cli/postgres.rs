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
    use super::*;

    /// A newsroom whose desk is the schema `desk` of the server; none if there is no server.
    #[expect(clippy::disallowed_methods, reason = "a person or `.ci/postgres` names the server of these tests")]
    fn newsroom(desk: &str) -> Option<Newsroom> {
        let Ok(url) = std::env::var("COPYDESK_TEST_POSTGRES") else {
            eprintln!("not run: COPYDESK_TEST_POSTGRES names no server");
            return None;
        };
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

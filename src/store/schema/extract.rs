//! Version 11: which runs begin with an extract.

pub(super) const ELEVENTH: &str = "
ALTER TABLE run ADD COLUMN extract INTEGER NOT NULL DEFAULT 0;     -- 1: rules wrote its first draft
";

#[cfg(test)]
mod tests {
    use super::super::super::testing::{open, opening_of};
    use crate::newsroom::Opening;
    use crate::ports::Archive as _;
    use crate::store::Store;

    #[tokio::test]
    async fn a_list_knows_which_runs_begin_with_an_extract() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("copydesk.db")).unwrap();
        open(&store, opening_of("park", "R1", "The council voted."), None).await;
        open(&store, Opening { extract: true, ..opening_of("mill", "R2", "The mill burns.") }, None).await;
        let mut known: Vec<(String, bool)> =
            store.desk().await.unwrap().into_iter().map(|(_, run)| (run.story, run.extract)).collect();
        known.sort();
        assert_eq!(known, [("desk/mill".to_owned(), true), ("desk/park".to_owned(), false)]);
    }
}

//! Beginning stories: what was named or typed becomes assignments; each is worked on with its gates waiting for the editor.

use std::sync::Arc;

use super::Backroom;
use crate::{
    desk::Assignment,
    newsroom::Gates,
    tui::msg::{Beginning, News},
};

impl Backroom {
    pub(super) async fn begin(&mut self, beginning: Beginning) -> Result<(), String> {
        let intake = Arc::clone(&self.tools.intake);
        let read = tokio::task::spawn_blocking(move || match &beginning {
            Beginning::File(path) => intake.file(path),
            Beginning::Sample => intake.sample().map(|assignment| vec![assignment]),
            Beginning::Text { .. } => intake.text(&beginning).map(|assignment| vec![assignment]),
        });
        let assignments = read.await.map_err(|error| error.to_string())??;
        self.begin_all(assignments)
    }

    /// Begins what was handed in with the command.
    pub fn begin_with(&mut self, assignments: Vec<Assignment>) {
        if let Err(message) = self.begin_all(assignments) {
            self.say(News::Trouble(message));
        }
    }

    /// Begins each; the screen opens the first.
    fn begin_all(&mut self, assignments: Vec<Assignment>) -> Result<(), String> {
        let mut begun = Vec::new();
        for assignment in assignments {
            begun.push(self.start(Assignment { gates: Gates::Editor, ..assignment })?);
        }
        if let Some(first) = begun.into_iter().next() {
            self.say(News::Begun(first));
        }
        Ok(())
    }
}

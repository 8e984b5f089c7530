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
        self.begin_all(assignments).await
    }

    /// Begins what was handed in with the command.
    pub async fn begin_with(&mut self, assignments: Vec<Assignment>) {
        if let Err(message) = self.begin_all(assignments).await {
            self.say(News::Trouble(message));
        }
    }

    /// Begins each; the screen opens the first.
    async fn begin_all(&mut self, assignments: Vec<Assignment>) -> Result<(), String> {
        let mut problems = Vec::new();
        let mut first = None;
        for assignment in assignments {
            // In the records before anything else: what waits for its turn is not lost with this program.
            match self.start(Assignment { gates: Gates::Editor, ..assignment }).await {
                Ok(story) if first.is_none() => first = Some(story),
                Ok(_) => {}
                Err(problem) => problems.push(problem),
            }
        }
        if let Some(first) = first {
            self.say(News::Begun(first));
        }
        if problems.is_empty() { Ok(()) } else { Err(problems.join("; ")) }
    }
}

//! Beginning stories: what was named or typed becomes assignments; each is worked on with its gates waiting for the editor.

use std::sync::Arc;

use super::{Backroom, Errand, Reply};
use crate::{
    desk::Assignment,
    newsroom::Gates,
    tui::msg::{Beginning, News},
};

impl Backroom {
    /// Reads what a story begins with; once it is read, the story begins.
    pub(super) fn begin(&mut self, beginning: Beginning, reply: Reply) {
        let intake = Arc::clone(&self.tools.intake);
        let read = tokio::task::spawn_blocking(move || match &beginning {
            Beginning::File(path) => intake.file(path),
            Beginning::Sample => intake.sample().map(|assignment| vec![assignment]),
            Beginning::Text { .. } => intake.text(&beginning).map(|assignment| vec![assignment]),
        });
        self.errands.run(async move {
            let broken = |error| Err(format!("reading it broke off ({error}); nothing was begun"));
            Errand::Read(reply, read.await.unwrap_or_else(broken))
        });
    }

    /// Begins what was handed in with the command.
    pub async fn begin_with(&mut self, assignments: Vec<Assignment>) {
        if let Err(message) = self.begin_all(assignments).await {
            self.say(News::Trouble(message));
        }
    }

    /// Begins each; the screen opens the first.
    pub(super) async fn begin_all(&mut self, assignments: Vec<Assignment>) -> Result<(), String> {
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

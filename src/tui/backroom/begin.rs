//! Beginning stories: what was named or typed becomes assignments; each is worked on with its gates waiting for the editor.

use std::sync::Arc;

use super::{Backroom, Errand, Reply};
use crate::{
    desk::Assignment,
    newsroom::Gates,
    tui::msg::{Beginning, News, Ticket},
};

impl Backroom {
    /// Reads what a story begins with; once it is read, the story begins.
    pub(super) fn begin(&mut self, beginning: Beginning, ticket: Option<Ticket>, reply: Reply) {
        let intake = Arc::clone(&self.tools.intake);
        let read = tokio::task::spawn_blocking(move || match &beginning {
            Beginning::File(path) => intake.file(path),
            Beginning::Sample => intake.sample().map(|assignment| vec![assignment]),
            Beginning::Text { .. } => intake.text(&beginning).map(|assignment| vec![assignment]),
        });
        self.errands.run(async move {
            let broken = |error| Err(format!("reading it broke off ({error}); nothing was begun"));
            Errand::Read(reply, ticket, read.await.unwrap_or_else(broken))
        });
    }

    /// Begins what was handed in with the command, once the screen is served.
    pub fn begin_with(&mut self, assignments: Vec<Assignment>) {
        self.handed_in.extend(assignments);
    }

    /// Begins the next of what was handed in.
    pub(super) async fn begin_next(&mut self) {
        let Some(assignment) = self.handed_in.pop_front() else { return };
        if let Err(message) = self.begin_all(vec![assignment], None).await {
            self.say(News::Trouble(message));
        }
    }

    /// Begins each; the screen opens the first. Where some cannot be begun and others are, that is told beside it: beginning all
    /// again would begin those anew.
    pub(super) async fn begin_all(
        &mut self,
        assignments: Vec<Assignment>,
        ticket: Option<Ticket>,
    ) -> Result<(), String> {
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
        let Some(story) = first else {
            return if problems.is_empty() { Ok(()) } else { Err(problems.join("; ")) };
        };
        self.say(News::Begun { ticket, story });
        for problem in problems {
            self.say(News::Trouble(format!("not begun: {problem}")));
        }
        Ok(())
    }
}

//! Beginning stories: what was named or typed becomes assignments; each is worked on with its gates waiting for the editor.

use std::sync::Arc;

use crate::desk::{Assignment, Replaces};
use crate::newsroom::Gates;
use crate::tui::{
    app::{messages::Beginning, news::News, ticket::Ticket},
    worker::{
        errands::{Errand, Reply},
        room::Backroom,
    },
};

/// What is said where a draft takes the place of the one before.
const AGAIN: &str = "Something has changed: a new run; the one before is under Runs.";

impl Backroom {
    /// Reads what a story begins with; once it is read, the story begins.
    pub(crate) fn begin(&mut self, beginning: Beginning, ticket: Option<Ticket>, reply: Reply) {
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
    pub(crate) async fn begin_next(&mut self) {
        let Some(assignment) = self.handed_in.pop_front() else { return };
        let again = assignment.replaces == Replaces::Waiting;
        match self.begin_all(vec![assignment], None).await {
            Ok(()) if again => self.say(News::Done(AGAIN.into())),
            Ok(()) => {}
            Err(message) => self.say(News::Trouble(message)),
        }
    }

    /// Begins each; the screen opens the first. Where some cannot be begun and others are, that is told beside it: beginning all
    /// again would begin those anew.
    pub(crate) async fn begin_all(
        &mut self,
        assignments: Vec<Assignment>,
        ticket: Option<Ticket>,
    ) -> Result<(), String> {
        let mut problems = Vec::new();
        let mut first = None;
        for assignment in assignments {
            // In the records before anything else: what waits for its turn is not lost with this program.
            match self.start(Assignment { gates: Gates::Editor, ..assignment }).await {
                Ok(begun) if first.is_none() => first = Some(begun),
                Ok(_) => {}
                Err(problem) => problems.push(problem),
            }
        }
        let Some((story, run)) = first else {
            return if problems.is_empty() { Ok(()) } else { Err(problems.join("; ")) };
        };
        self.say(News::Begun { ticket, story, run });
        for problem in problems {
            self.say(News::Trouble(format!("not begun: {problem}")));
        }
        Ok(())
    }
}

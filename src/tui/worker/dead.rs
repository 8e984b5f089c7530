//! Dead letters: which there are, what was tried for one, trying it again, dropping it.

use crate::desk::{self, DeadLetter};
use crate::tui::{app::news::News, worker::room::Backroom};

impl Backroom {
    /// Tells which letters there are, where they are others than were told of.
    pub(crate) async fn read_letters(&mut self) -> Result<(), String> {
        let letters = desk::dead_letters(&*self.tools.desk.queue).await.map_err(|error| error.to_string())?;
        if letters != self.letters {
            self.letters.clone_from(&letters);
            self.say(News::Letters(letters));
        }
        Ok(())
    }

    pub(crate) async fn read_letter(&self, letter: &DeadLetter) -> Result<(), String> {
        let tried = letter.attempts(&*self.tools.archive).await.map_err(|error| error.to_string())?;
        self.say(News::Attempts(letter.run, tried));
        Ok(())
    }

    /// Tries the step again in a new run, and goes on with that.
    pub(crate) async fn retry_letter(&mut self, letter: &DeadLetter) -> Result<(), String> {
        let forked = self.tools.desk.retry(letter).await.map_err(|error| error.to_string())?;
        self.look().await;
        self.say(News::Done(format!("{}: tried again in a new run, {}", letter.story, forked.run_id)));
        self.go_on(&letter.story).await
    }

    pub(crate) async fn drop_letter(&mut self, letter: &DeadLetter, reason: &str) -> Result<(), String> {
        let (by, at) = (self.tools.editor.clone(), self.now());
        let queue = &*self.tools.desk.queue;
        desk::drop_letter(queue, letter, reason, &by, &at).await.map_err(|error| error.to_string())?;
        self.look().await;
        self.say(News::Done(format!("{}: the dead letter is dropped; its run stays failed", letter.story)));
        Ok(())
    }
}

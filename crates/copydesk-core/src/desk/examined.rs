//! Notes in the run's log the things that an editor had on the screen. A note is no entry of the journal: nothing
//! follows from it, and a replay has nothing to do again.

use super::{Desk, DeskError};
use crate::ports::RunKey;
use copydesk_newsroom::{ExaminedObject, Wait};

impl Desk {
    /// Notes that this desk's editor had a part of a run on the screen while it waited at `gate`, if it did. It is noted once. It takes no
    /// lock: a story can be read while it is worked on.
    ///
    /// # Errors
    /// [`DeskError::Store`] if the log cannot be written.
    pub async fn note_examined(&self, run: RunKey, gate: Option<Wait>, what: ExaminedObject) -> Result<(), DeskError> {
        let gate = gate.map(|gate| gate.to_string());
        self.stories.note_examined(run, gate, what, &self.editor, &self.now()).await?;
        Ok(())
    }
}

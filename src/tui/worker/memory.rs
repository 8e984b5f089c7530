//! The memory: read, struck, restored.

use crate::ports::{StoreError, Strike};
use crate::tui::{app::news::News, worker::room::Backroom};

impl Backroom {
    pub(crate) async fn read_memory(&self) -> Result<(), String> {
        let book = self.tools.memory.book().await.map_err(said)?;
        self.say(News::Memory(book));
        Ok(())
    }

    pub(crate) async fn read_record(&self, hash: String) -> Result<(), String> {
        let book = self.tools.memory.book_under(&hash).await.map_err(said)?;
        self.say(News::Record(hash, book));
        Ok(())
    }

    pub(crate) async fn strike_record(&self, hash: String, reason: String) -> Result<(), String> {
        let strike = Strike { by: self.tools.editor.clone(), at: self.now(), reason };
        let struck = self.tools.memory.strike(&hash, strike).await.map_err(said)?;
        self.read_record(hash).await?;
        // Somebody else may have been quicker.
        self.say(News::Done(
            if struck > 0 { "the record is struck: it is not offered again" } else { "the record was struck already" }
                .to_owned(),
        ));
        Ok(())
    }

    pub(crate) async fn restore_record(&self, hash: String) -> Result<(), String> {
        self.tools.memory.restore(&hash, &self.tools.editor, &self.now()).await.map_err(said)?;
        self.read_record(hash).await?;
        self.say(News::Done("the record is restored".to_owned()));
        Ok(())
    }
}

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` hands it over")]
fn said(error: StoreError) -> String {
    error.to_string()
}

//! The memory: its records are read, struck and restored.

use crate::app::News;
use crate::worker::{RequestResult, WorkerContext};
use copydesk_core::ports::Strike;

pub(crate) async fn read_record(context: &WorkerContext, hash: String) -> RequestResult {
    let book = context.tools.desk.memory.book(&hash).await;
    context.tell(book.map(|book| News::Record(hash, book)))
}

pub(crate) async fn strike(context: &WorkerContext, hash: String, reason: String) -> RequestResult {
    let strike = Strike { by: context.tools.desk.editor.clone(), at: context.now(), reason };
    let struck = context.tools.desk.memory.strike(&hash, strike).await?;
    read_record(context, hash).await?;
    // Another program may have been quicker.
    context.say(News::Done(
        if struck > 0 { "the record is struck: it is not used again" } else { "the record was struck already" }
            .to_owned(),
    ));
    Ok(())
}

pub(crate) async fn restore(context: &WorkerContext, hash: String) -> RequestResult {
    context.tools.desk.memory.restore(&hash, &context.tools.desk.editor, &context.now()).await?;
    read_record(context, hash).await?;
    context.say(News::Done("the record is restored".to_owned()));
    Ok(())
}

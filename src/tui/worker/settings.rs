//! Asks model servers for their models, and has settings written. Each runs in a task of its own that nothing waits for at the end: a
//! server may take long, and a file is written whole or not at all.

use std::sync::Arc;

use crate::tui::{
    app::{news::News, under_way::WorkKind},
    screens::settings::model::{NewSettings, ServerAt},
    worker::{
        context::WorkerContext,
        errands::{Reply, Working},
    },
};

pub(crate) fn list(context: &WorkerContext, named: Option<ServerAt>) {
    let (settings, news) = (Arc::clone(&context.tools.settings), context.news.clone());
    tokio::spawn(async move {
        let told = match settings.servers(named.as_ref()).await {
            Ok(servers) => News::Servers(servers),
            Err(trouble) => News::NoServer(trouble),
        };
        // If the screen has ended, nobody needs it.
        let _ = news.send(told);
    });
}

pub(crate) fn save(context: &WorkerContext, new: Box<NewSettings>, reply: Reply) {
    let settings = Arc::clone(&context.tools.settings);
    let working = Working::begin(context, WorkKind::Settings);
    tokio::spawn(async move {
        let _working = working;
        let saved = settings.save(&new).await;
        if saved.is_ok() {
            reply.say(News::SettingsSaved);
        }
        reply.end(saved);
    });
}

//! The editor's messages: each goes to the draft that it is about.

use std::{collections::HashMap, future::ready, ops::ControlFlow};

use async_lsp::{
    AnyNotification, ClientSocket, ErrorCode, ResponseError,
    lsp_types::{
        CodeActionKind, CodeActionOptions, CodeActionProviderCapability, DidChangeTextDocumentParams,
        DidCloseTextDocumentParams, DidOpenTextDocumentParams, ExecuteCommandOptions, ExecuteCommandParams,
        HoverProviderCapability, InitializeResult, LogMessageParams, MessageType, OneOf, ServerCapabilities,
        ServerInfo, TextDocumentItem, TextDocumentSyncCapability, TextDocumentSyncKind, Url,
        notification::{
            DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, LogMessage, Notification as _,
        },
        request::{CodeActionRequest, ExecuteCommand, GotoDefinition, HoverRequest, Initialize, Shutdown},
    },
    router::Router,
};

use super::{
    answers::{self, ADD_TO_DICTIONARY},
    lines,
    proving::{EditorLink, Prover},
    shown::ShownProof,
};
use crate::cli::intake::{dictionary, house_style::ReadStyle};
use crate::cli::prelude::*;

/// Most drafts that are open at once.
const MOST_OPEN: usize = 100;

pub(super) struct LanguageServer {
    editor: Arc<EditorLink>,
    open: HashMap<Url, OpenDraft>,
}

struct OpenDraft {
    text: String,
    prover: Prover,
}

impl LanguageServer {
    pub(super) fn new(client: ClientSocket, settings: Option<Settings>, style: Option<ReadStyle>) -> Self {
        Self { editor: Arc::new(EditorLink { client, settings, style }), open: HashMap::new() }
    }

    pub(super) fn router(self) -> Router<Self> {
        let mut router = Router::new(self);
        router
            .request::<Initialize, _>(|_, _| ready(Ok(capabilities())))
            .request::<Shutdown, _>(|_, ()| ready(Ok(())))
            .request::<HoverRequest, _>(|server, asked| {
                let at = asked.text_document_position_params;
                let shown = server.shown(&at.text_document.uri);
                ready(Ok(shown.and_then(|shown| answers::hover(&shown, at.position))))
            })
            .request::<GotoDefinition, _>(|server, asked| {
                let at = asked.text_document_position_params;
                let shown = server.shown(&at.text_document.uri);
                ready(Ok(shown.and_then(|shown| answers::definition(&shown, at.position))))
            })
            .request::<CodeActionRequest, _>(|server, asked| {
                let uri = &asked.text_document.uri;
                let shown = server.shown(uri).filter(|_| answers::are_wanted(asked.context.only.as_deref()));
                let spells = server.editor.settings.is_some();
                ready(Ok(shown.map(|shown| answers::actions(&shown, uri, asked.range, spells))))
            })
            .request::<ExecuteCommand, _>(|server, asked| ready(server.command(&asked).map(|()| None)))
            .unhandled_notification(|server, told| {
                server.take_notification(told);
                ControlFlow::Continue(())
            });
        router
    }

    /// What the editor was told last about a draft.
    fn shown(&self, uri: &Url) -> Option<Arc<ShownProof>> {
        self.open.get(uri)?.prover.shown()
    }

    /// Takes a notification. One that cannot be read is noted in the editor's log, and the next one is taken.
    fn take_notification(&mut self, told: AnyNotification) {
        let AnyNotification { method, params, .. } = told;
        let done = match method.as_str() {
            DidOpenTextDocument::METHOD => serde_json::from_value(params).map(|opened| self.opened(opened)),
            DidChangeTextDocument::METHOD => serde_json::from_value(params).map(|changed| self.changed(changed)),
            DidCloseTextDocument::METHOD => serde_json::from_value(params).map(|closed: DidCloseTextDocumentParams| {
                self.open.remove(&closed.text_document.uri);
            }),
            _ => Ok(()),
        };
        if let Err(error) = done {
            self.log(format!("{method} cannot be read: {error}"));
        }
    }

    fn opened(&mut self, opened: DidOpenTextDocumentParams) {
        let TextDocumentItem { uri, version, text, .. } = opened.text_document;
        let Ok(path) = uri.to_file_path() else {
            return self.log(format!("{uri} is no file on this machine, so it has no sources and is not proved"));
        };
        if self.open.len() >= MOST_OPEN {
            return self.log(format!("{uri} is not proved: {MOST_OPEN} drafts are open"));
        }
        match Prover::start(&self.editor, &uri, path) {
            Ok(prover) => {
                prover.typed(version, &text);
                self.open.insert(uri, OpenDraft { text, prover });
            }
            Err(error) => self.log(format!("{uri} is not proved: {error}")),
        }
    }

    /// Changes are made in the order in which they come: a version that goes back is the editor's own affair.
    fn changed(&mut self, changed: DidChangeTextDocumentParams) {
        let Some(draft) = self.open.get_mut(&changed.text_document.uri) else { return };
        draft.text = lines::changed(std::mem::take(&mut draft.text), changed.content_changes);
        draft.prover.typed(changed.text_document.version, &draft.text);
    }

    fn command(&self, asked: &ExecuteCommandParams) -> Result<(), ResponseError> {
        let refused = |why: String| ResponseError::new(ErrorCode::REQUEST_FAILED, why);
        let word = asked.arguments.first().and_then(|word| word.as_str());
        match (asked.command.as_str(), word, &self.editor.settings) {
            (ADD_TO_DICTIONARY, Some(word), Some(settings)) => {
                dictionary::add_words(&settings.file, &[word.to_owned()])
                    .map_err(|error| refused(format!("{error:#}")))?;
                Ok(())
            }
            (ADD_TO_DICTIONARY, ..) => Err(refused("a word is needed, and a configuration (`copydesk init`)".into())),
            (other, ..) => Err(refused(format!("there is no command {other}"))),
        }
    }

    fn log(&self, message: String) {
        let _told = self.editor.client.notify::<LogMessage>(LogMessageParams { typ: MessageType::WARNING, message });
    }
}

fn capabilities() -> InitializeResult {
    let actions = CodeActionOptions { code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]), ..Default::default() };
    InitializeResult {
        capabilities: ServerCapabilities {
            text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::INCREMENTAL)),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            definition_provider: Some(OneOf::Left(true)),
            code_action_provider: Some(CodeActionProviderCapability::Options(actions)),
            execute_command_provider: Some(ExecuteCommandOptions {
                commands: vec![ADD_TO_DICTIONARY.to_owned()],
                ..Default::default()
            }),
            ..ServerCapabilities::default()
        },
        server_info: Some(ServerInfo {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    }
}

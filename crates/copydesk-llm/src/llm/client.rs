//! The model client. It knows which server each agent asks, and sends one request for each call.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{
    broken::Broken,
    budget,
    egress::Egress,
    finish::Finish,
    hiding,
    overflow::Overflow,
    patience::{BodyState, Patience},
    refusal::{self, Refusal},
    refused_field,
    request::Outgoing,
    service::HttpService,
    slots,
    stream::{self, Reading},
    tool_form,
    web_search::{as_evidence, search_searxng},
};
use copydesk_config::{
    Endpoint, ModelSettings, Models, RequestFields, SearchService, Secret, SecretRedactor, Secrets, ServerSettings,
    Settings, ToolForm,
};
use copydesk_core::editorial::aliasing::Aliasing;
use copydesk_core::ports::{Ask, CallError, Heard, ModelClient, ModelProfile, Occasion, WaitedFor};
use copydesk_newsroom::{Agent, Answer};
use copydesk_text::sanitise;

pub struct Client {
    egress: Egress,
    encoding: String,
    models: Models,
    /// The service that looks for evidence outside, and its time-out in seconds.
    search: Option<(SearchService, f64)>,
    local_only: bool,
    secrets: Secrets,
    servers: ServerSettings,
}

/// The server, model and limits for one request.
struct Route<'a> {
    model: &'a str,
    endpoint: &'a Endpoint,
    /// None of a service that takes none.
    api_key: Option<&'a Secret>,
    timeout_seconds: f64,
    settings: Option<&'a ModelSettings>,
}

impl Client {
    /// A client for these settings. No connection is made before the first request.
    pub fn new(settings: &Settings) -> Self {
        Self {
            egress: Egress::new(settings.privacy.local_only),
            encoding: settings.article_generation.encoding.clone(),
            models: settings.article_generation.models.clone(),
            search: settings.evidence_service(),
            local_only: settings.privacy.local_only,
            secrets: settings.secrets(),
            servers: settings.desk.servers.clone(),
        }
    }

    /// A client whose writer has this model, to try it out.
    pub(super) fn of_one(model: &ModelSettings, settings: &Settings) -> Self {
        let mut client = Self { search: None, ..Self::new(settings) };
        client.models.writer = model.clone();
        client.secrets = settings.secrets().and(std::iter::once(&model.api_key));
        client
    }

    /// Hex digest of a request as it is sent: model, messages, parameters; neither the server nor the key.
    pub(super) fn request_digest(&self, ask: &Ask) -> String {
        let route = self.route(ask.agent);
        let (model, settings) = route.map_or(("none", None), |route| (route.model, route.settings));
        let body = Outgoing::new(ask, settings).body(model, settings).to_string();
        hex::encode(Sha256::digest(body))
    }

    fn route(&self, agent: Agent) -> Option<Route<'_>> {
        if agent == Agent::EvidenceSearch {
            let (service, timeout_seconds) = self.search.as_ref()?;
            let (model, api_key) = match service {
                SearchService::Perplexity(search) => (search.model.as_str(), Some(&search.api_key)),
                SearchService::Searxng(_) => ("searxng", None),
            };
            let endpoint = service.endpoint();
            return Some(Route { model, endpoint, api_key, timeout_seconds: *timeout_seconds, settings: None });
        }
        self.models.of(agent).map(|model| Route {
            model: &model.model,
            endpoint: &model.endpoint,
            api_key: Some(&model.api_key),
            timeout_seconds: model.timeout_seconds,
            settings: Some(model),
        })
    }

    async fn request(
        &self,
        route: &Route<'_>,
        body: Value,
        outgoing: &Outgoing<'_>,
        heard: Heard<'_>,
    ) -> Result<Answer, CallError> {
        let bytes = body.to_string();
        let calls = outgoing.tools == Some(ToolForm::Native);
        let host = route.endpoint.authority();
        let hide = |text: &str| refusal::shown(text, &self.secrets);
        let max_tokens = route.settings.map(|model| model.max_tokens);
        let _slot = slots::take(route.endpoint, &self.servers).await;
        let patience = Patience::new(route.timeout_seconds, max_tokens);
        let sent = self.egress.send(route.endpoint, "/chat/completions", |http, url| {
            let asked = route.api_key.into_iter().fold(http.post(url), |asked, key| asked.bearer_auth(key.reveal()));
            asked
                .header(CONTENT_TYPE, "application/json")
                .header(ACCEPT, "text/event-stream, application/json")
                .body(bytes)
        });
        let late = |late| Broken::Late(late).into_error(host.clone(), hide);
        let response = patience.wait(BodyState::Nothing, sent).await.map_err(late)??;
        if !response.status().is_success() {
            let refusal = refusal::read(response, &self.secrets);
            return Err(route.refused(patience.wait(BodyState::Whole, refusal).await.map_err(late)?, &body));
        }
        // The text is shown while it arrives, so it must not contain a secret either.
        let redactor = SecretRedactor::new(&self.secrets).map(Mutex::new);
        let veiled = |piece: &str| match &redactor {
            None => heard(piece),
            Some(redactor) => {
                let shown = redactor.lock().unwrap_or_else(PoisonError::into_inner).push(piece);
                if !shown.is_empty() {
                    heard(&shown);
                }
            }
        };
        let reading = Reading { calls, max_tokens, patience: &patience, heard: &veiled };
        let draft = stream::answer(response, &reading).await;
        let draft = draft.map_err(|broken| broken.into_error(host.clone(), hide))?;
        match (draft.finished(), &draft.finish) {
            (Finish::Cut, _) => return Err(CallError::EndedEarly { max_tokens: max_tokens.unwrap_or(0) }),
            (Finish::Calls, _) if calls => {}
            // A server's slip: the answer is there, and no tool was called.
            (Finish::Calls, _) if !sanitise::is_blank(&draft.text) => {}
            (Finish::Calls | Finish::Stopped, Some(reason)) => {
                let reason = sanitise::excerpt(&self.secrets.hide_in_message(reason), 40);
                return Err(CallError::Stopped { host, reason });
            }
            _ => {}
        }
        budget::check_read(&outgoing.prompt, draft.usage, &host).await?;
        if let Some(detail) = draft.nothing_said() {
            // A turn that says that it calls, and does not, says more about itself below.
            if draft.finished() != Finish::Calls {
                return Err(CallError::NothingSaid { detail });
            }
        }
        let answer = draft.into_answer(&self.secrets)?;
        let hidden = Occasion::now().map(|occasion| Aliasing::of(&occasion.secrecy.aliases));
        Ok(match hidden.filter(|aliasing| !aliasing.is_empty()) {
            Some(aliasing) => hiding::restore(answer, &aliasing),
            None => answer,
        })
    }

    /// The pages that a search finds on the claim of a question. A search engine takes words, not a prompt.
    async fn searched(&self, ask: &Ask, endpoint: &Endpoint, seconds: f64) -> Result<Answer, CallError> {
        let parts = ask.prompt.messages.iter().flat_map(|message| &message.parts);
        let claim: String =
            parts.filter(|part| part.name == "CLAIM").map(|part| sanitise::one_line(&part.text)).collect();
        let http = HttpService::new(self.local_only, self.secrets.clone());
        let asked =
            tokio::time::timeout(Duration::from_secs_f64(seconds), search_searxng(&http, endpoint, &claim)).await;
        let late = || CallError::TimedOut { host: endpoint.authority(), seconds, wait: WaitedFor::WholeAnswer };
        Ok(as_evidence(&asked.map_err(|_| late())??))
    }
}

impl Route<'_> {
    /// The error for a response with an error status.
    fn refused(&self, refusal: Refusal, body: &Value) -> CallError {
        let Refusal { status, message, retry_after, overflow, words } = refusal;
        let host = self.endpoint.authority();
        if let Some(Overflow { sent, window }) = overflow {
            return CallError::Overflow { host, sent, window, detail: message };
        }
        let field = self.settings.and_then(|model| refused_field::find(status, &words, &model.request, body));
        match field {
            Some(field) => {
                // `article_generation.models.local.api_base` is a key of the section `local`.
                let agent = self.endpoint.setting.rsplit('.').nth(1).unwrap_or_default().to_owned();
                CallError::RefusedField { host, status, field: Box::new(field), agent, message }
            }
            None => CallError::Status { host, status, message, retry_after },
        }
    }
}

#[async_trait]
impl ModelClient for Client {
    fn card(&self, agent: Agent) -> ModelProfile {
        let Some(route) = self.route(agent) else {
            return ModelProfile { model: "none".into(), host: "none".into(), ..ModelProfile::default() };
        };
        let (model, host) = (route.model.to_owned(), route.endpoint.server());
        let profile = ModelProfile { model, host, ..ModelProfile::default() };
        let Some(model) = route.settings else { return profile };
        let form = match model.tools {
            // The form of every call that was stored before there was another.
            ToolForm::Native => "",
            ToolForm::Json => " json tools",
        };
        let fields = match &model.request {
            usual if *usual == RequestFields::default() => String::new(),
            own => format!(" {}", own.text()),
        };
        ModelProfile {
            max_retries: model.max_retries,
            retry_delay: Duration::from_secs_f64(model.retry_delay),
            max_tokens: model.max_tokens,
            shape: format!("{} {} {:?}{form}{fields}", model.temperature, model.max_tokens, model.response_format),
            ..profile
        }
    }

    async fn ask(&self, ask: &Ask, heard: Heard<'_>) -> Result<Answer, CallError> {
        let Some(route) = self.route(ask.agent) else {
            return Err(CallError::Unreadable {
                host: ask.agent.name().into(),
                detail: "no server is configured for it".into(),
            });
        };
        if let Some((SearchService::Searxng(endpoint), seconds)) =
            self.search.as_ref().filter(|_| ask.agent == Agent::EvidenceSearch)
        {
            return self.searched(ask, endpoint, *seconds).await;
        }
        let outgoing = Outgoing::new(ask, route.settings);
        if let Some(model) = route.settings {
            budget::check(&outgoing.prompt, model.prompt_limit(), &model.model, &self.encoding).await?;
        }
        let body = outgoing.body(route.model, route.settings);
        let mut answer = match self.request(&route, body, &outgoing, heard).await {
            // Both numbers are told, if not the server's, then our own count.
            Err(CallError::Overflow { host, sent: None, window, detail }) => {
                let counted = budget::count(&outgoing.prompt, &self.encoding).await;
                let sent = counted.filter(|sent| window.is_none_or(|window| *sent > window));
                return Err(CallError::Overflow { host, sent, window, detail });
            }
            answered => answered?,
        };
        if outgoing.tools == Some(ToolForm::Json) {
            (answer.text, answer.calls) = tool_form::read(&answer.text, ask.schema.is_some(), &self.secrets)?;
            if answer.calls.is_empty() && sanitise::is_blank(&answer.text) {
                return Err(CallError::NothingSaid { detail: "it is empty: its `answer` has no text".to_owned() });
            }
        }
        Ok(answer)
    }
}

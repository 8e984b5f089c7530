//! `article_generation.agents`: the models.

use super::{
    ModelSettings, Models, ResponseFormat, ToolForm,
    fields::{endpoint, seconds},
    reader::Section,
    request::read_request,
};
use copydesk_newsroom::{Agent, Specialist};

pub(super) fn read_models(agents: &Section<'_>) -> Option<Models> {
    let one = |section: &Section<'_>, key: &'static str| {
        section.section(key, "the section of this agent's model", |section| read_model(section, ToolForm::Native))
    };
    let writer = one(agents, "writer_llm");
    let article_review =
        agents.section_or_null("article_review_llm", "the section of the reviewer's model, or null", |section| {
            read_model(section, ToolForm::Native)
        });
    let concern_mapping = one(agents, "concern_mapping_llm");
    let specialists = agents.section("specialists", "the section of the specialists' models", |section| {
        [
            one(section, "fact_check_llm"),
            one(section, "evidence_finding_llm"),
            one(section, "opinion_llm"),
            one(section, "attribution_llm"),
            one(section, "style_review_llm"),
        ]
    })?;
    let reporter = agents.section_or_null("reporter_llm", "the section of the Reporter's model, or null", |section| {
        let tools = section.one_of(
            "tool_calls",
            &[("native", ToolForm::Native), ("json", ToolForm::Json)],
            "how the server is told of tools",
        );
        read_model(section, tools.unwrap_or_default())
    });
    let editor = agents.section_or_null("editor_llm", "the section of the Editor's model, or null", |section| {
        read_model(section, ToolForm::Native)
    });
    let publisher =
        agents.section_or_null("publisher_llm", "the section of the Publisher's model, or null", |section| {
            read_model(section, ToolForm::Native)
        });
    let [fact_check, evidence_finding, opinion, attribution, style_review] = specialists;
    Some(Models {
        writer: writer??,
        article_review: optional(article_review)?,
        concern_mapping: concern_mapping??,
        fact_check: fact_check??,
        evidence_finding: evidence_finding??,
        opinion: opinion??,
        attribution: attribution??,
        style_review: style_review??,
        reporter: optional(reporter)?,
        editor: optional(editor)?,
        publisher: optional(publisher)?,
    })
}

/// A section that may be null; none if it is there and has a problem.
#[expect(clippy::option_option, reason = "not there, and there with a problem, are two things")]
fn optional<T>(read: Option<Option<T>>) -> Option<Option<T>> {
    read.map_or(Some(None), |section| section.map(Some))
}

/// The agents of the contract, each by its key. All but the reviewer always have a model.
pub(super) const AGENTS: [(&str, Agent); 8] = [
    ("writer_llm", Agent::Writer),
    ("article_review_llm", Agent::ArticleReview),
    ("concern_mapping_llm", Agent::ConcernMapping),
    ("fact_check_llm", Agent::Specialist(Specialist::FactCheck)),
    ("evidence_finding_llm", Agent::Specialist(Specialist::EvidenceFinding)),
    ("opinion_llm", Agent::Specialist(Specialist::Opinion)),
    ("attribution_llm", Agent::Specialist(Specialist::Attribution)),
    ("style_review_llm", Agent::Specialist(Specialist::StyleReview)),
];

fn read_model(model: &Section<'_>, tools: ToolForm) -> Option<ModelSettings> {
    let name = model.text("model", "the model's name as the server knows it");
    let endpoint = endpoint(model, "api_base");
    let api_key = model.secret("api_key", "the server's key (any word where it asks for none)");
    let context_window = model.whole("context_window", 256..=100_000_000, "the tokens that the model can see");
    let max_tokens = model.whole("max_tokens", 1..=10_000_000, "the most tokens of an answer");
    let temperature = model.number("temperature", 0.0..=2.0, "the sampling temperature");
    let context_window_threshold =
        model.whole("context_window_threshold", 1..=100, "the per cent of the context window that a prompt may fill");
    let max_retries = model.whole("max_retries", 0..=20, "the attempts after the first");
    let retry_delay = model.number("retry_delay", 0.0..=600.0, "the seconds between attempts");
    let timeout_seconds = seconds(model);
    let response_format = model.one_of(
        "response_format",
        &[
            ("json_schema", ResponseFormat::JsonSchema),
            ("json_object", ResponseFormat::JsonObject),
            ("none", ResponseFormat::None),
        ],
        "how the server is asked for JSON",
    );
    let request = read_request(model);
    Some(ModelSettings {
        model: name,
        endpoint: endpoint?,
        api_key,
        context_window,
        max_tokens,
        temperature,
        context_window_threshold,
        max_retries: u32::try_from(max_retries).ok()?,
        retry_delay,
        timeout_seconds,
        response_format: response_format?,
        request,
        tools,
    })
}

//! Fetches what stands at an address that a stranger chose. Addresses and redirections are checked, robots.txt is honoured if it is to be, and
//! bodies are bounded.

use std::time::Duration;

use reqwest::{
    Response, StatusCode,
    header::{CONTENT_TYPE, HeaderName, LOCATION},
};
use url::Url;

use super::{broken::Broken, egress::Egress, render, robots::Robots, stream};
use copydesk_config::{Endpoint, FetchSettings, Renderer};
use copydesk_core::ports::{Occasion, PageError};

/// Most redirections that are followed.
const MOST_SENT_ON: usize = 3;
/// Most bytes of an address.
const LONGEST_ADDRESS: usize = 2_048;

/// Fetches over HTTP.
pub struct Fetcher {
    egress: Egress,
    seconds: f64,
    most_kb: usize,
    /// None if the rules of sites are not asked for.
    robots: Option<Robots>,
    /// None if pages are not drawn.
    render: Option<Renderer>,
}

/// A body as it came.
pub(crate) struct Fetched {
    /// Its address after all redirections.
    pub(crate) address: Url,
    /// Its content type as the server said it; empty if it said none.
    pub(crate) kind: String,
    pub(crate) body: Vec<u8>,
}

impl Fetcher {
    /// With `local_only`, addresses must be on this machine; otherwise they must be on the public internet.
    pub fn new(local_only: bool, settings: &FetchSettings) -> Self {
        Self {
            egress: Egress::new(local_only),
            seconds: settings.timeout_seconds,
            most_kb: settings.longest_page_kb,
            robots: settings.respects_robots.then(Robots::default),
            render: settings.render.clone(),
        }
    }

    /// Fetches the body at `address`, within the time and the size that the settings allow.
    pub(crate) async fn fetch(&self, address: &str) -> Result<Fetched, PageError> {
        let limit = Duration::from_secs_f64(self.seconds);
        tokio::time::timeout(limit, self.follow(address))
            .await
            .unwrap_or(Err(PageError::TimedOut { seconds: self.seconds }))
    }

    /// The page at an address that was fetched, as the program of the configuration prints it; none if there is no such program.
    pub(crate) async fn drawn(&self, address: &Url) -> Result<Option<Vec<u8>>, PageError> {
        let Some(renderer) = &self.render else { return Ok(None) };
        if Occasion::now().is_some_and(|occasion| occasion.secrecy.confidential) {
            let why = "is not started for a confidential story, because it may ask other machines";
            return Err(render::not_drawn(renderer, why));
        }
        let page = checked(address.clone())?;
        let noted = self.egress.admit_program(&page).await?;
        let limits = (self.seconds, self.most_kb);
        let body = render::print(renderer, &page.base, limits, self.egress.variables()).await?;
        noted.ended(body.len() as u64, &format!("opened by {}", renderer.program));
        Ok(Some(body))
    }

    /// Why a page without text is refused, once it was tried to have it drawn.
    pub(crate) fn no_text(&self) -> PageError {
        self.render.as_ref().map_or(PageError::NoText, |renderer| render::not_drawn(renderer, "draws none either"))
    }

    async fn follow(&self, address: &str) -> Result<Fetched, PageError> {
        let address = address.trim();
        if address.len() > LONGEST_ADDRESS {
            return Err(PageError::NoAddress);
        }
        let mut page = checked(Url::parse(address).map_err(|_| PageError::NoAddress)?)?;
        let mut response = self.ask(&page).await?;
        let mut sent_on = 0;
        while response.status().is_redirection() {
            if sent_on == MOST_SENT_ON {
                return Err(PageError::SentOn { most: MOST_SENT_ON });
            }
            sent_on += 1;
            let next = header(&response, LOCATION).and_then(|location| page.base.join(&location).ok());
            page = checked(next.ok_or_else(|| PageError::Nowhere { host: page.authority() })?)?;
            response = self.ask(&page).await?;
        }
        let host = page.authority();
        if response.status() == StatusCode::UNAUTHORIZED {
            return Err(PageError::Login { host });
        }
        if !response.status().is_success() {
            return Err(PageError::Status { host, status: response.status().as_u16() });
        }
        let kind = header(&response, CONTENT_TYPE).unwrap_or_default();
        let most = self.most_kb << 10;
        let too_large = || PageError::TooLarge { limit_kb: self.most_kb };
        if response.content_length().is_some_and(|length| length > most as u64) {
            return Err(too_large());
        }
        let body = stream::collect(response, most).await.map_err(|broken| match broken {
            Broken::TooLarge => too_large(),
            _ => PageError::CutOff { host },
        })?;
        Ok(Fetched { address: page.base, kind, body })
    }

    async fn ask(&self, page: &Endpoint) -> Result<Response, PageError> {
        self.egress.may_open(page)?;
        if let Some(robots) = &self.robots
            && !robots.allow(&self.egress, page).await?
        {
            return Err(PageError::Robots { host: page.authority() });
        }
        self.egress.page(page).await
    }
}

/// Checks the form of an address. [`Egress::page`] checks its host.
fn checked(address: Url) -> Result<Endpoint, PageError> {
    if !matches!(address.scheme(), "http" | "https") || address.host_str().is_none_or(str::is_empty) {
        return Err(PageError::NoAddress);
    }
    if !address.username().is_empty() || address.password().is_some() {
        return Err(PageError::Credentials);
    }
    Ok(Endpoint { base: address, setting: String::new() })
}

fn header(response: &Response, name: HeaderName) -> Option<String> {
    response.headers().get(name)?.to_str().ok().map(str::to_owned)
}

//! Puts a signed story into a bucket of an object store that speaks S3's protocol.
//!
//! The library makes and signs the requests; they leave through [`Egress`] as all others do. A file is written on the condition that none has
//! its name (`If-None-Match`), or that the one that was looked at is still there (`If-Match`). So no program overwrites another's.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use http_body_util::BodyExt as _;
use object_store::{
    Attribute, Attributes, ClientOptions, Error, GetOptions, ObjectStore as _, PutMode, PutOptions, RetryConfig,
    UpdateVersion,
    aws::{AmazonS3, AmazonS3Builder},
    client::{
        HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody,
        HttpService as StoreService,
    },
    path::Path,
};
use reqwest::{Method, Response, StatusCode};
use sha2::{Digest as _, Sha256};

use super::{
    carrying,
    egress::{Egress, root_cause},
    refusal::{self, Refusal},
};
use copydesk_config::{BucketTarget, Secrets};
use copydesk_core::ports::{Carrier, CarryError, Parcel};
use copydesk_text::sanitise;

/// Most bytes of another file that are read to find out whether it is an earlier version of the story.
const MOST_READ: u64 = 64 << 20;

/// Most characters of a store's words: the thing to do stands behind them.
const MOST_SAID: usize = 120;

/// Puts stories into a bucket.
pub struct BucketCarrier {
    way: Arc<WayOut>,
}

impl BucketCarrier {
    /// `secrets` are those of the whole configuration; `local_only` refuses every host that is not this machine.
    pub fn new(target: BucketTarget, secrets: Secrets, local_only: bool) -> Self {
        Self { way: Arc::new(WayOut { egress: Egress::new(local_only), target, secrets }) }
    }

    /// Nothing is tried again within it: the outbox does that, and has each attempt.
    fn store(&self) -> Result<AmazonS3, Error> {
        let BucketTarget { place, endpoint, region, access_key_id, secret_access_key, .. } = &self.way.target;
        AmazonS3Builder::new()
            .with_endpoint(endpoint.base.as_str())
            .with_bucket_name(&place.bucket)
            .with_region(region)
            .with_access_key_id(access_key_id)
            .with_secret_access_key(secret_access_key.reveal())
            .with_retry(RetryConfig { max_retries: 0, ..RetryConfig::default() })
            .with_http_connector(Connector(Arc::clone(&self.way)))
            .build()
    }

    async fn put(&self, parcel: &Parcel) -> Result<String, CarryError> {
        let place = &self.way.target.place;
        let shown = format!("{place}/{}", parcel.file_name);
        let folders = place.prefix.split('/').filter(|folder| !folder.is_empty());
        let path: Path = folders.chain([parcel.file_name.as_str()]).collect();
        let store = self.store().map_err(|error| carried(&error))?;
        let write = |mode| {
            let attributes = Attributes::from_iter([(Attribute::ContentType, parcel.media_type)]);
            let options = PutOptions { mode, attributes, ..PutOptions::default() };
            store.put_opts(&path, parcel.bytes.clone().into(), options)
        };
        match write(PutMode::Create).await {
            Ok(_) => return Ok(format!("written to {shown}")),
            Err(Error::AlreadyExists { .. }) => {}
            Err(error) => return Err(carried(&error)),
        }
        let changed = || CarryError::NotNow { detail: format!("{shown} was changed meanwhile"), after: None };
        let found = match store.get_opts(&path, GetOptions::default()).await {
            Err(Error::NotFound { .. }) => return Err(changed()),
            found => found.map_err(|error| carried(&error))?,
        };
        let version = UpdateVersion { e_tag: found.meta.e_tag.clone(), version: found.meta.version.clone() };
        let mut replaces = parcel.replaces;
        if found.meta.size <= MOST_READ {
            let there = found.bytes().await.map_err(|error| carried(&error))?;
            if there == parcel.bytes {
                return Ok(format!("{shown} is there already"));
            }
            // A version of the story that was sent before, as it was sent.
            replaces |= parcel.earlier.contains(&hex::encode(Sha256::digest(&there)));
        }
        if !replaces {
            return Err(CarryError::Refused(format!("{shown} exists, and is another file. --replace replaces it")));
        }
        match write(PutMode::Update(version)).await {
            Ok(_) => Ok(format!("written to {shown}")),
            Err(Error::Precondition { .. }) => Err(changed()),
            Err(error) => Err(carried(&error)),
        }
    }
}

/// The error of a request as the way out told it, or the library's own.
fn carried(error: &Error) -> CarryError {
    let mut causes = std::iter::successors(Some(error as &dyn std::error::Error), |cause| cause.source());
    let told = causes.find_map(|cause| cause.downcast_ref::<CarryError>()).cloned();
    told.unwrap_or_else(|| CarryError::Refused(root_cause(error)))
}

#[async_trait]
impl Carrier for BucketCarrier {
    async fn carry(&self, parcel: &Parcel) -> Result<String, CarryError> {
        carrying::in_time(&self.way.target.endpoint.authority(), self.way.target.timeout_seconds, self.put(parcel))
            .await
    }
}

/// Sends the library's requests, and tells of each that failed whether the file can be there.
struct WayOut {
    egress: Egress,
    target: BucketTarget,
    secrets: Secrets,
}

impl WayOut {
    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, CarryError> {
        let host = self.target.endpoint.authority();
        let (head, body) = request.into_parts();
        let address = head.uri.to_string();
        let base = self.target.endpoint.base.as_str().trim_end_matches('/');
        let path =
            address.strip_prefix(base).ok_or_else(|| CarryError::Refused(format!("{address} is not at {host}")))?;
        let unread = |error: HttpError| CarryError::Refused(root_cause(&error));
        let body = body.collect().await.map_err(unread)?.to_bytes();
        let method = head.method.clone();
        let sent = self.egress.attempt(&self.target.endpoint, path, |http, url| {
            http.request(head.method, url).headers(head.headers).body(body)
        });
        let response = sent.await.map_err(|fault| carrying::unsent(&host, fault))?;
        match (response.status(), method) {
            // The library reads these itself: there is another file, or none.
            (StatusCode::PRECONDITION_FAILED, _) | (StatusCode::NOT_FOUND, Method::GET) => {}
            (status, _) if status.is_success() => {}
            _ => return Err(self.refused(response).await),
        }
        let response: http::Response<reqwest::Body> = response.into();
        let broken = move |error: reqwest::Error| {
            let detail = format!("{host} broke off its answer: {}", root_cause(&error));
            HttpError::new(HttpErrorKind::Unknown, CarryError::NotNow { detail, after: None })
        };
        Ok(response.map(|body| HttpResponseBody::new(body.map_err(broken))))
    }

    /// The error for a response with an error status, with the thing to do.
    async fn refused(&self, response: Response) -> CarryError {
        let BucketTarget { place, endpoint, access_key_id, .. } = &self.target;
        let section = endpoint.setting.trim_end_matches(".url");
        let Refusal { status, message, retry_after, .. } = refusal::read(response, &self.secrets).await;
        let detail = format!(
            "{} answered {status}: {}",
            endpoint.authority(),
            sanitise::excerpt(&words_of(&message), MOST_SAID)
        );
        let code = part(&message, "Code").unwrap_or_default();
        let bucket = &place.bucket;
        match (status, code) {
            (425 | 429 | 503, _) => CarryError::NotNow { detail, after: retry_after.map(|wait| wait.as_secs()) },
            // Another program writes the same file at this moment.
            (409, _) => CarryError::NotNow { detail, after: None },
            (408 | 500 | 502 | 504..=599, _) => CarryError::Doubtful(detail),
            (404, _) => CarryError::Refused(format!(
                "{detail}. Make the bucket {bucket}, or name another in {section}.bucket, then publish again"
            )),
            (_, "RequestTimeTooSkewed") => CarryError::Refused(format!("{detail}. Set this machine's clock")),
            (_, "SignatureDoesNotMatch") => CarryError::Refused(format!("{detail}. Check {section}.secret_access_key")),
            (401 | 403, _) => CarryError::Refused(format!(
                "{detail}. The key {access_key_id} needs the rights s3:PutObject and s3:GetObject in {place}"
            )),
            (300..=399, _) | (_, "AuthorizationHeaderMalformed") => CarryError::Refused(format!(
                "{detail}. Check {section}.region, and set {} to the address of that region",
                endpoint.setting
            )),
            _ => CarryError::Refused(detail),
        }
    }
}

/// The text of an element in a store's answer, such as `<Code>NoSuchBucket</Code>`.
fn part<'m>(message: &'m str, element: &str) -> Option<&'m str> {
    let (_, rest) = message.split_once(&format!("<{element}>"))?;
    rest.split_once("</").map(|(text, _)| text)
}

/// A store's words without the marks of XML.
fn words_of(message: &str) -> String {
    match (part(message, "Code"), part(message, "Message")) {
        (Some(code), Some(said)) => format!("{said} ({code})"),
        (Some(code), None) => code.to_owned(),
        _ => message.to_owned(),
    }
}

/// Hands the way out to the library.
#[derive(Clone)]
struct Connector(Arc<WayOut>);

impl fmt::Debug for Connector {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0.target.endpoint.authority())
    }
}

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.clone()))
    }
}

#[async_trait]
impl StoreService for Connector {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        // The library tries again after some kinds of errors; this kind it hands back.
        self.0.send(request).await.map_err(|error| HttpError::new(HttpErrorKind::Unknown, error))
    }
}

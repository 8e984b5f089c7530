//! The versions that may leave the house, their keys, and their words. The sender, and whether it arrived, is not known here.

mod email;
mod key;
mod release;
mod sending;
mod withdrawing;

pub use email::{MailText, mail_text};
pub use key::{file_name, idempotency_key, message_id, notice_version, sent_version};
pub use release::{NotReleased, Release, is_embargoed, release};
pub use sending::{NextSending, next_sending};
pub use withdrawing::{Holder, NotWithdrawn, holders, notice_due, reason, withdrawn_run};

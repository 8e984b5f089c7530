//! The form that describes a new place for signed stories.

use crate::app::{Model, Trouble};
use crate::screens::forms::model::expanded;
use crate::screens::forms::{FieldName, Form, FormAnswer};
use crate::screens::settings::model::NewTargetAt;
use crate::screens::settings::{NewTarget, update};
use crate::widgets::Field;
use copydesk_config::Secret;
use copydesk_core::editorial::export::ExportFormat;
use copydesk_newsroom::TargetKind;

/// Opens the form for a place of that kind.
pub(crate) fn describe(model: &mut Model, kind: TargetKind) {
    let formats = ExportFormat::OUTSIDE.map(|format| format.name().to_owned()).to_vec();
    let mut fields = vec![
        Field::line(FieldName::Place, "a short one, such as site", ""),
        Field::choice(FieldName::Format, "of the files that are sent there", formats, 1),
    ];
    fields.extend(match kind {
        TargetKind::Email => vec![
            Field::line(FieldName::To, "one address, or several with commas between them", ""),
            Field::line(FieldName::From, "the address that the mail comes from", ""),
            Field::line(FieldName::MailServer, "it sends mail, such as mail.example.com:465", ""),
            Field::line(FieldName::User, "only for a server that asks for one", ""),
            Field::line(FieldName::Password, "only for a server that asks for one", ""),
        ],
        TargetKind::Webhook => vec![
            Field::line(FieldName::Address, "such as https://cms.example.com/hook", ""),
            Field::line(FieldName::Secret, "at least 16 characters; it signs each request", ""),
        ],
        TargetKind::Folder | TargetKind::Mcp | TargetKind::Bucket => {
            vec![Field::line(FieldName::Folder, "such as ./data/published", "")]
        }
    });
    let explanation = "A story goes there when you publish it. Enter takes this place into the settings.";
    model.lay_over(Form::read_by("A place for signed stories", explanation, fields, move |form| read(form, kind)));
}

fn read(form: &Form, kind: TargetKind) -> Result<FormAnswer, Trouble> {
    let filled = |name, missing| form.filled(name, missing);
    let name = filled(FieldName::Place, "enter a name for the place")?;
    let format = ExportFormat::OUTSIDE.get(form.chosen(FieldName::Format)).copied().unwrap_or(ExportFormat::Html);
    let at = match kind {
        TargetKind::Email => NewTargetAt::Email {
            to: filled(FieldName::To, "enter the address that gets the stories")?,
            from: filled(FieldName::From, "enter the address that the mail comes from")?,
            server: filled(FieldName::MailServer, "enter the server for outgoing mail")?,
            login: match (form.text(FieldName::User), form.text(FieldName::Password)) {
                (user, password) if user.is_empty() && password.is_empty() => None,
                (user, password) if user.is_empty() || password.is_empty() => {
                    return Err(Trouble::new(
                        "user and password go together; leave both empty if the server asks for none",
                    ));
                }
                (user, password) => Some((user, Secret::new(password))),
            },
        },
        TargetKind::Webhook => NewTargetAt::Webhook {
            url: filled(FieldName::Address, "enter the address")?,
            secret: Secret::new(filled(FieldName::Secret, "enter the secret that signs each request")?),
        },
        TargetKind::Folder | TargetKind::Mcp | TargetKind::Bucket => {
            let folder = filled(FieldName::Folder, "enter the folder that the stories go to")?;
            NewTargetAt::Folder(expanded(&folder).display().to_string())
        }
    };
    let target = NewTarget { name, format, at };
    Ok(FormAnswer::Close(Box::new(move |model| update::take_target(model, target))))
}

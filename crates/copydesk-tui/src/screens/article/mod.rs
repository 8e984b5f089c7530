pub(crate) mod model;
pub(crate) mod noted;
pub(crate) mod page;
pub mod signing;
pub(crate) mod update;
pub(crate) mod view;

pub(crate) use model::Printed;
pub(crate) use signing::SigningBeside;

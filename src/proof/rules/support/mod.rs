pub mod completed;
pub mod new_fact;
pub mod none;

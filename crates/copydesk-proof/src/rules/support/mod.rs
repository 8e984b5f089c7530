//! Is a sentence said in a source? Does a draft have facts that neither its sources nor the draft before have?

pub mod carried;
pub mod new_fact;

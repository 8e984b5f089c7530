//! The values of a statement's parameters, as callers write them.

use rusqlite::{ToSql, types::Value};

use crate::fault::DbFault;

/// The values of a statement's parameters, in their order.
pub(crate) trait Parameters {
    /// Hands each value to `bind`.
    ///
    /// # Errors
    /// The first of `bind`.
    fn each(self, bind: &mut dyn FnMut(&dyn ToSql) -> Result<(), DbFault>) -> Result<(), DbFault>;
}

impl Parameters for &[&dyn ToSql] {
    fn each(self, bind: &mut dyn FnMut(&dyn ToSql) -> Result<(), DbFault>) -> Result<(), DbFault> {
        self.iter().try_for_each(|value| bind(*value))
    }
}

impl Parameters for Vec<Value> {
    fn each(self, bind: &mut dyn FnMut(&dyn ToSql) -> Result<(), DbFault>) -> Result<(), DbFault> {
        self.iter().try_for_each(|value| bind(value))
    }
}

/// No parameters: the type of `[]`.
impl Parameters for [&(dyn ToSql + Send + Sync); 0] {
    fn each(self, _: &mut dyn FnMut(&dyn ToSql) -> Result<(), DbFault>) -> Result<(), DbFault> {
        Ok(())
    }
}

macro_rules! parameters_in_arrays {
    ($($length:literal)*) => {$(
        impl<T: ToSql> Parameters for [T; $length] {
            fn each(self, bind: &mut dyn FnMut(&dyn ToSql) -> Result<(), DbFault>) -> Result<(), DbFault> {
                self.iter().try_for_each(|value| bind(value))
            }
        }
    )*};
}

parameters_in_arrays!(1 2 3 4);

//! sqlite-vec, the extension that compares vectors, in every connection of the process.

use rusqlite::{
    Result,
    auto_extension::{RawAutoExtension, register_auto_extension},
};

/// Makes the extension part of every connection that is opened from now on. A second call changes nothing.
#[expect(
    unsafe_code,
    reason = "SQLite takes an extension as a C function, and sqlite-vec declares its own without arguments"
)]
pub(super) fn register() -> Result<()> {
    // SAFETY: the symbol is an entry point of SQLite's kind, whatever its declaration says; it opens, closes and registers nothing.
    unsafe {
        let entry = std::mem::transmute::<*const (), RawAutoExtension>(sqlite_vec::sqlite3_vec_init as *const ());
        register_auto_extension(entry)
    }
}

//! What can be tried without a device. With one: part *verbs* of `cargo xtask rxe`.
mod errors;
mod layout;

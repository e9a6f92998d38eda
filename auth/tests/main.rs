//! The tests of keys, files and the handshake.
mod files;
mod handshake;

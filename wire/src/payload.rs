//! Payloads.

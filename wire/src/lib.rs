//! Placeholder of the first commit.
#![no_std]

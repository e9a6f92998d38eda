//! The command's tests: each runs `mneme` as a user would.
mod bench;
mod board;
mod capture;
mod command;
mod device;
mod doctor;
mod killed_board;
mod killed_clients;
mod own_board;
mod ping;
mod processes;
mod rdma;
mod replay;
mod stopped_board;
mod tenants;
mod two_boards;
mod words;

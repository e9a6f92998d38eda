//! Requests and answers of the slow path, in frames.
mod double;
use double::Bench;
use mneme_wire::payload::{BoardInfo, OpenRequest};
use mneme_wire::{Opcode, Rights, Status};

#[test]
fn a_process_opens_allocates_writes_frees_and_exits() {
    let mut b = Bench::tiny();
    let pid = b.open();
    let at = b.alloc(pid, 3, Rights::READ_WRITE).unwrap();
    assert_ne!(at, 0);
    for vpn in at..at + 3 {
        assert_eq!(b.fp.touch(pid, vpn), Status::Ok);
    }
    assert_eq!(b.fp.touch(pid, at + 3), Status::Unmapped);
    assert_eq!(b.fp.touch(pid + 1, at), Status::Unmapped);
    assert_eq!(b.protect(pid, at + 1, 1, Rights::READ_ONLY).status, Status::Ok);
    assert_eq!(b.fp.touch(pid, at + 1), Status::Denied);
    assert_eq!(b.fp.touch(pid, at + 2), Status::Ok);
    assert_eq!(b.free(pid, at, 0).status, Status::Ok);
    assert_eq!(b.fp.touch(pid, at), Status::Unmapped);
    let other = b.alloc(pid, 1, Rights::READ_WRITE).unwrap();
    assert!(other >= at + 3, "the freed address rests");
    assert_eq!(b.exit(pid).status, Status::Ok);
    assert!(b.fp.table.iter().all(|entry| *entry == 0));
    b.pass(1);
    assert_eq!(b.slow.pages(&mut b.fp).held_by_hardware(), b.fp.buffer.len());
}

#[test]
fn ping_tells_who_the_board_is() {
    let mut b = Bench::tiny();
    let (response, payload) = b.ask(Opcode::Ping, 0, 0, &[0; BoardInfo::LEN]);
    assert_eq!(response.status, Status::Ok);
    let info = BoardInfo::parse(&payload).unwrap();
    assert_eq!((info.board_id, info.page_bits, info.window, info.epoch), (77, 18, 8, b.epoch));
    let opened = b.open_from([10, 0, 0, 1], 0, &OpenRequest::default()).unwrap();
    assert_eq!(opened.board.nonce, info.nonce);
}

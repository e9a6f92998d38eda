//! Both ends of a simulated window.
use std::time::{Duration, Instant};

use mneme_window::served::{Access, Served};
use mneme_window::simulated::{self, Facts, VERSION};
use mneme_window::{Memory, Window, WindowError};

fn facts() -> Facts {
    Facts {
        version: VERSION,
        board_kind: 1,
        cycle_ns: 4,
        window_ms: 1000,
        mac: [2, 0, 0, 0, 0, 1],
        ip: [127, 0, 0, 1],
        port: 19_790,
        memory: 1 << 13,
        ring_address: 0x7000_0000,
    }
}

/// Answers as many reads with `0x100 + offset`, and tells of writes, until the daemon is gone or `most` accesses have come.
fn serve(served: &mut Served, most: usize) -> Vec<Access> {
    let mut seen = Vec::new();
    let began = Instant::now();
    while seen.len() < most {
        assert!(began.elapsed() < Duration::from_secs(20), "of {most} accesses came {seen:?}");
        served.accept();
        match served.access() {
            Some(access) => {
                if let Access::Read(offset) = access {
                    served.answer(0x100 + offset);
                }
                seen.push(access);
            }
            None => std::thread::yield_now(),
        }
    }
    seen
}

fn create(folder: &std::path::Path, dram: u64) -> Result<Served, WindowError> {
    Served::create(folder, &facts(), 4096, |file| file.set_len(dram))
}

fn open(folder: &std::path::Path) -> Result<Window, WindowError> {
    simulated::open(folder)
}

#[test]
fn accesses_come_in_order_and_memory_is_shared() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut served = create(folder.path(), 8192).expect("a window");
    let path = folder.path().to_owned();
    let daemon = std::thread::spawn(move || {
        let mut window = open(&path).expect("a window");
        window.registers.write(8, 7);
        let read = window.registers.read(12);
        window.rings.write(64, b"frame");
        window.registers.write(16, 9);
        let last = window.registers.read(20);
        (read, last, window.dram.len(), window.facts.clone())
    });
    let seen = serve(&mut served, 5);
    use Access::{Read, Write};
    assert_eq!(seen, [Read(0), Write(8, 7), Read(12), Write(16, 9), Read(20)]);
    assert_eq!(daemon.join().expect("no panic"), (0x10c, 0x114, 8192, Some(facts())));
    let mut heard = [0; 5];
    served.rings().expect("mapped").read(64, &mut heard);
    assert_eq!(&heard, b"frame");
    while served.has_daemon() {
        assert_eq!(served.access(), None, "it has hung up");
    }
}

#[test]
fn the_interrupt_comes_once_for_each_time_that_it_is_let() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut served = create(folder.path(), 4096).expect("a window");
    let path = folder.path().to_owned();
    let (told, heard) = std::sync::mpsc::channel();
    let daemon = std::thread::spawn(move || {
        let mut window = open(&path).expect("a window");
        let waits = |window: &mut Window, ms| {
            window.interrupt.wait(Duration::from_millis(ms)).expect("the board is there")
        };
        assert!(!waits(&mut window, 20), "it is masked");
        window.interrupt.enable().expect("enabled");
        assert!(waits(&mut window, 10_000));
        assert!(!waits(&mut window, 20), "it is masked again");
        told.send(()).expect("heard");
        window.interrupt.enable().expect("enabled");
        assert!(waits(&mut window, 10_000), "the line is still up");
    });
    let _first_read = serve(&mut served, 1);
    while !daemon.is_finished() {
        served.interrupt(true);
        std::thread::yield_now();
    }
    daemon.join().expect("no panic");
    heard.recv().expect("it came that far");
}

#[test]
fn a_board_has_one_daemon_and_a_folder_one_board() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut served = create(folder.path(), 4096).expect("a window");
    assert!(matches!(create(folder.path(), 4096), Err(WindowError::InUse { .. })));
    let path = folder.path().to_owned();
    let daemon = std::thread::spawn(move || {
        let first = open(&path).expect("a window");
        let second = open(&path).err().expect("refused").to_string();
        assert!(second.contains("another slow path"), "{second}");
        drop(first);
    });
    while !daemon.is_finished() {
        served.accept();
        if let Some(Access::Read(_)) = served.access() {
            served.answer(0);
        }
    }
    daemon.join().expect("no panic");
    drop(served);
    assert!(open(folder.path()).is_err(), "the board took its files with it");
}

#[test]
fn a_board_that_finds_its_folder_taken_keeps_no_daemon_from_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut served = create(folder.path(), 4096).expect("a window");
    for _ in 0..3 {
        assert!(matches!(create(folder.path(), 4096), Err(WindowError::InUse { .. })));
    }
    let path = folder.path().to_owned();
    let daemon = std::thread::spawn(move || open(&path).map(drop).map_err(|error| error.to_string()));
    // The board looks when the daemon has knocked, too.
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(serve(&mut served, 1), [Access::Read(0)]);
    assert_eq!(daemon.join().expect("no panic"), Ok(()));
}

#[test]
fn who_follows_an_ended_daemon_is_no_second_one_and_its_accesses_come_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut served = create(folder.path(), 4096).expect("a window");
    let path = folder.path().to_owned();
    let (ended, hear) = std::sync::mpsc::channel();
    let daemon = std::thread::spawn(move || {
        let mut first = open(&path).expect("a window");
        first.registers.write(8, 7);
        first.registers.write(12, 9);
        drop(first);
        ended.send(()).expect("heard");
        open(&path).map(drop).map_err(|error| error.to_string())
    });
    assert_eq!(serve(&mut served, 1), [Access::Read(0)]);
    // The board looks away until the first has ended and the second has knocked.
    hear.recv().expect("it ends");
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(serve(&mut served, 3), [Access::Write(8, 7), Access::Write(12, 9), Access::Read(0)]);
    assert_eq!(daemon.join().expect("no panic"), Ok(()));
}

#[test]
fn a_board_that_goes_is_trouble_and_not_an_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut served = create(folder.path(), 4096).expect("a window");
    let path = folder.path().to_owned();
    let daemon = std::thread::spawn(move || {
        let mut window = open(&path).expect("a window");
        while window.registers.trouble().is_none() {
            window.registers.read(4);
        }
        window.registers.read(4)
    });
    let _some = serve(&mut served, 3);
    drop(served);
    assert_eq!(daemon.join().expect("no panic"), 0);
}

#[test]
fn memory_is_for_its_owner_alone_even_where_a_file_was_left_behind() {
    use std::os::unix::fs::PermissionsExt;
    let parent = tempfile::tempdir().expect("a folder");
    let folder = parent.path().join("board");
    let mode = |path: &std::path::Path| std::fs::metadata(path).expect("there").permissions().mode() & 0o777;
    drop(create(&folder, 8192).expect("a window"));
    let left = folder.join("dram");
    std::fs::write(&left, [7; 16]).expect("written");
    std::fs::set_permissions(&left, std::fs::Permissions::from_mode(0o666)).expect("a mode");
    let _served = create(&folder, 8192).expect("a window");
    assert_eq!((mode(&folder), mode(&left), mode(&folder.join("rings"))), (0o700, 0o600, 0o600));
}

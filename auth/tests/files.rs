//! Files of keys: what is refused, and in which words.
use mneme_auth::{BoardsFile, Day, FileError, SecretKey, Tenant, TenantName, TenantsFile, files};
use std::fs::{self, OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::sync::Barrier;
use std::time::{Duration, Instant};

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("a mode");
}
fn tenant(name: &str, secret: u8) -> Tenant {
    let key = SecretKey::from_bytes([secret; 32]).public();
    Tenant {
        name: name.parse().expect("a name"),
        key,
        added: Day::of_unix(86_400 * 365),
        class: Default::default(),
        terms: Default::default(),
        group: Default::default(),
    }
}

#[test]
fn secrets_that_others_can_read_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("new/folder/key");
    let key = SecretKey::from_bytes([7; 32]);
    files::create_secret(&path, &key).expect("written");
    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
    assert_eq!((mode(&path), mode(path.parent().expect("a folder"))), (0o600, 0o700));
    for bad in [0o640, 0o644, 0o604] {
        chmod(&path, bad);
        let said = files::read_secret(&path).expect_err("refused").to_string();
        assert!(said.contains("others can read") && said.contains("chmod 600"), "{said}");
    }
    chmod(&path, 0o400);
    assert_eq!(files::read_secret(&path).expect("read"), key);
    chmod(&path, 0o600);
    fs::write(&path, key.public().to_string()).expect("written");
    assert!(matches!(files::read_secret(&path), Err(FileError::Key { .. })));
    let said = files::read_secret(&folder.path().join("none")).expect_err("refused").to_string();
    assert!(said.contains("cannot read"), "{said}");
}

#[test]
fn a_file_of_tenants_keeps_what_people_wrote_and_says_which_line_is_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = TenantsFile::new(folder.path().join("tenants"));
    assert!(file.load().expect("none yet").is_empty());
    file.add(tenant("bob", 1)).expect("added");
    file.add(tenant("alice", 2)).expect("added");
    for (again, words) in [(tenant("bob", 3), "`bob` already"), (tenant("carol", 2), "tenant `alice`")] {
        let said = file.add(again).expect_err("refused").to_string();
        assert!(said.contains(words), "{said}");
    }
    let mut text = fs::read_to_string(file.path()).expect("text");
    text += "# The night shift\n";
    fs::write(file.path(), &text).expect("written");
    assert_eq!(file.revoke(&"bob".parse().expect("a name")).expect("gone"), tenant("bob", 1));
    assert!(file.revoke(&"bob".parse().expect("a name")).is_err());
    let left = fs::read_to_string(file.path()).expect("text");
    assert!(left.contains("night shift") && !left.contains("bob"), "{left}");
    assert_eq!(file.load().expect("read").all(), [&tenant("alice", 2)]);

    let line = |name: &str, secret, more: &str| format!("{}{more}\n", tenant(name, secret));
    let two = [line("dave", 4, " class=3 group=1"), line("erin", 5, " class=3 group=2")].concat();
    fs::write(file.path(), format!("{left}{two}")).expect("written");
    let said = file.load().expect_err("refused").to_string();
    assert!(said.contains("line 7") && said.contains("a class has one group"), "{said}");
    fs::write(file.path(), format!("{left}dave mneme_pub_x 2026-01-01\n")).expect("written");
    let said = file.load().expect_err("refused").to_string();
    assert!(said.contains("line 6") && said.contains("damaged"), "{said}");
    fs::write(file.path(), &left).expect("written");
    chmod(file.path(), 0o664);
    let said = file.load().expect_err("refused").to_string();
    assert!(said.contains("others can write"), "{said}");
}

#[test]
fn a_change_that_was_left_half_done_is_in_nobodys_way() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, next) = (TenantsFile::new(folder.path().join("tenants")), folder.path().join("tenants.next"));
    fs::write(&next, "mallory, and more than the new text has\n".repeat(100)).expect("written");
    chmod(&next, 0o666);
    file.add(tenant("alice", 2)).expect("added");
    assert_eq!(file.load().expect("read").all(), [&tenant("alice", 2)]);
    let mode = fs::metadata(file.path()).expect("there").permissions().mode() & 0o777;
    assert_eq!((mode, next.exists()), (0o644, false));
    // Where it leads elsewhere nothing is written.
    let other = folder.path().join("other");
    fs::write(&other, "mine\n").expect("written");
    std::os::unix::fs::symlink(&other, &next).expect("a link");
    file.add(tenant("bob", 1)).expect_err("a link");
    assert_eq!(fs::read_to_string(&other).expect("text"), "mine\n");
}

/// A change that is tried until nobody else is at it.
fn until_free<T>(change: impl Fn() -> Result<T, FileError>) -> T {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        match change() {
            Err(FileError::Busy(_)) if Instant::now() < until => std::thread::yield_now(),
            other => return other.expect("changed"),
        }
    }
}

#[test]
fn who_is_revoked_while_another_is_added_stays_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = TenantsFile::new(folder.path().join("tenants"));
    let name = |name: &str| name.parse::<TenantName>().expect("a name");
    for round in 0..200 {
        file.add(tenant("a", 1)).expect("added");
        let both = Barrier::new(2);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                both.wait();
                until_free(|| file.revoke(&name("a")));
            });
            both.wait();
            until_free(|| file.add(tenant("b", 2)));
        });
        assert_eq!(file.load().expect("read").all(), [&tenant("b", 2)], "round {round}");
        file.revoke(&name("b")).expect("gone");
    }
}

/// The same in a certain order: one reads the file, another revokes, the first one writes.
#[test]
fn a_change_is_made_to_what_the_file_says_by_then() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tenants");
    let (file, kept) = (TenantsFile::new(&path), folder.path().join("kept"));
    let alice = tenant("alice", 1);
    file.add(alice.clone()).expect("added");
    let text = fs::read_to_string(&path).expect("text");
    // Who opens the pipe waits for a writer: the change of bob stands still where it reads.
    fs::rename(&path, &kept).expect("moved");
    assert!(Command::new("mkfifo").args(["-m", "600"]).arg(&path).status().expect("mkfifo").success());
    std::thread::scope(|scope| {
        let adds = scope.spawn(|| file.add(tenant("bob", 2)));
        let mut reads = OpenOptions::new().write(true).open(&path).expect("bob's change reads");
        fs::rename(&kept, &path).expect("moved");
        let revoked = file.revoke(&alice.name);
        reads.write_all(text.as_bytes()).expect("read");
        drop(reads);
        adds.join().expect("no panic").expect("added");
        if revoked.is_err() {
            assert!(matches!(revoked, Err(FileError::Busy(_))), "{revoked:?}");
            file.revoke(&alice.name).expect("nobody changes the file any more");
        }
    });
    assert_eq!(file.load().expect("read").all(), [&tenant("bob", 2)], "alice was revoked");
}

#[test]
fn a_change_that_fails_is_in_nobodys_way() {
    let folder = tempfile::tempdir().expect("a folder");
    let next = |name: &str| folder.path().join(format!("{name}.next"));
    let (file, boards) =
        (TenantsFile::new(folder.path().join("tenants")), BoardsFile::new(folder.path().join("boards")));
    file.add(tenant("alice", 1)).expect("added");
    boards.pin("10.0.0.9:19790", tenant("alice", 1).key).expect("pinned");
    file.add(tenant("alice", 2)).expect_err("there is one");
    boards.pin("10.0.0.9:19790", tenant("alice", 2).key).expect_err("another key");
    chmod(file.path(), 0o664);
    file.revoke(&"alice".parse().expect("a name")).expect_err("others can write");
    assert!(!next("tenants").exists() && !next("boards").exists());
    chmod(file.path(), 0o644);
    file.revoke(&"alice".parse().expect("a name")).expect("gone");
    fs::remove_file(file.path()).expect("removed");
    fs::create_dir(file.path()).expect("a folder in its place");
    file.add(tenant("bob", 2)).expect_err("no file");
    files::replace(file.path(), "# nobody\n", 0o644).expect_err("no file");
    assert!(!next("tenants").exists());
}

#[test]
fn a_board_s_changed_key_is_refused_in_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = BoardsFile::new(folder.path().join("boards"));
    let (key, other) = (tenant("a", 1).key, tenant("a", 2).key);
    file.pin("10.0.0.9:19790", key).expect("pinned");
    file.pin("10.0.0.8:19790", other).expect("pinned");
    let said = file.pin("10.0.0.9:19790", other).expect_err("refused").to_string();
    for words in ["HAS ANOTHER KEY", "line 2", &key.to_string(), &other.to_string()] {
        assert!(said.contains(words), "{said}");
    }
    assert!(file.pin("two words", key).is_err());
}

#[test]
fn days_are_those_of_the_calendar() {
    for (seconds, day) in [
        (0, "1970-01-01"),
        (951_782_399, "2000-02-28"),
        (951_782_400, "2000-02-29"),
        (1_709_164_800, "2024-02-29"),
        (4_102_444_799, "2099-12-31"),
    ] {
        assert_eq!(Day::of_unix(seconds).to_string(), day);
    }
    for wrong in ["2026-13-01", "2026-1-01", "2026-01-32", "2026-01-01-01", "today", ""] {
        assert!(wrong.parse::<Day>().is_err(), "{wrong}");
    }
}

//! Files of keys: what is refused, and in which words.
use mneme_auth::{BoardsFile, Day, FileError, SecretKey, Tenant, TenantsFile, files};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

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
fn a_change_that_was_left_half_done_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = TenantsFile::new(folder.path().join("tenants"));
    fs::write(folder.path().join("tenants.next"), "").expect("written");
    let said = file.add(tenant("alice", 2)).expect_err("refused").to_string();
    assert!(said.contains("somebody is changing"), "{said}");
    assert!(file.load().expect("read").is_empty());
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

//! The window of a real board: a device of UIO with three maps ([device.md](../../../docs/reference/device.md)).
use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::{FileInterrupt, Map, Registers, Window, WindowError};

/// Where the system tells of its devices.
const SYSFS: &str = "/sys/class/uio";
/// Where the devices are.
const DEVICES: &str = "/dev";
/// What the device tree calls a board's device.
pub const NAME: &str = "mneme";
/// The maps, by their number.
pub const MAPS: [&str; 3] = ["regs", "rings", "dram"];

/// One map of a device.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Told {
    address: u64,
    bytes: u64,
}

fn text(path: &Path) -> Result<String, WindowError> {
    let read = fs::read_to_string(path).map_err(WindowError::file("read", path))?;
    Ok(read.trim().to_owned())
}

/// A number as sysfs writes it: `0x` and hexadecimal digits.
fn number(path: &Path) -> Result<u64, WindowError> {
    let text = text(path)?;
    let digits = text.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
    digits.ok_or_else(|| WindowError::Text { path: path.to_owned(), text, what: "number" })
}

/// What the system says of a device's maps.
fn maps(device: &Path) -> Result<[Told; 3], WindowError> {
    let told = |index: usize| {
        let (path, name) = (device.join(format!("maps/map{index}")), MAPS[index]);
        if !path.is_dir() || text(&path.join("name"))? != name {
            return Err(WindowError::NoMap { path, name });
        }
        let offset = number(&path.join("offset"))?;
        if offset != 0 {
            let (path, text) = (path.join("offset"), format!("{offset:#x}"));
            return Err(WindowError::Text { path, text, what: "map that begins at a page" });
        }
        Ok(Told { address: number(&path.join("addr"))?, bytes: number(&path.join("size"))? })
    };
    Ok([told(0)?, told(1)?, told(2)?])
}

/// The first device that is called `mneme`.
fn find(sysfs: &Path) -> Result<String, WindowError> {
    let mut devices: Vec<PathBuf> = match fs::read_dir(sysfs) {
        Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(WindowError::NoDevice),
        Err(error) => return Err(WindowError::file("read", sysfs)(error)),
    };
    devices.sort();
    let device = devices.iter().find(|device| text(&device.join("name")).is_ok_and(|name| name == NAME));
    let name = device.and_then(|device| device.file_name()).ok_or(WindowError::NoDevice)?;
    Ok(name.to_string_lossy().into_owned())
}

/// Opens a device of UIO, such as `uio0`; none named: the one that the device tree calls `mneme`.
pub fn open(device: Option<&str>) -> Result<Window, WindowError> {
    open_in(Path::new(SYSFS), Path::new(DEVICES), device)
}

/// The registers alone, and what they are of, for who only looks: a slow path may serve the board meanwhile.
pub fn look(device: Option<&str>) -> Result<(String, Box<dyn Registers>), WindowError> {
    look_in(Path::new(SYSFS), Path::new(DEVICES), device)
}

/// The name of a device: the one that was named, or the one that is called `mneme`.
fn named(sysfs: &Path, device: Option<&str>) -> Result<String, WindowError> {
    device.map_or_else(|| find(sysfs), |name| Ok(name.trim_start_matches("/dev/").to_owned()))
}

fn look_in(
    sysfs: &Path,
    devices: &Path,
    device: Option<&str>,
) -> Result<(String, Box<dyn Registers>), WindowError> {
    let name = named(sysfs, device)?;
    let [regs, ..] = maps(&sysfs.join(&name))?;
    let path = devices.join(&name);
    let file = OpenOptions::new().read(true).write(true).open(&path);
    let file = file.map_err(WindowError::file("open", &path))?;
    let map = Map::of_file(&file, 0, regs.bytes).map_err(WindowError::file("map", &path))?;
    Ok((format!("{} ({NAME})", path.display()), Box::new(map)))
}

fn open_in(sysfs: &Path, devices: &Path, device: Option<&str>) -> Result<Window, WindowError> {
    let name = named(sysfs, device)?;
    let [regs, rings, dram] = maps(&sysfs.join(&name))?;
    let path = devices.join(&name);
    let file = OpenOptions::new().read(true).write(true).open(&path);
    let file = file.map_err(WindowError::file("open", &path))?;
    // The system lets any number of programs open it.
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        Err(Errno::WOULDBLOCK) => return Err(WindowError::InUse { path }),
        Err(error) => return Err(WindowError::file("lock", path)(error.into())),
    }
    let page = rustix::param::page_size() as u64;
    // Of a device of UIO the offset names the map, in pages, and is no place.
    let map = |file: &File, index: u64, told: &Told| {
        Map::of_file(file, index * page, told.bytes).map_err(WindowError::file("map", &path))
    };
    Ok(Window {
        name: format!("{} ({NAME})", path.display()),
        registers: Box::new(map(&file, 0, &regs)?),
        ring_address: rings.address,
        rings: Box::new(map(&file, 1, &rings)?),
        dram: Box::new(map(&file, 2, &dram)?),
        interrupt: Box::new(FileInterrupt::new(OwnedFd::from(file))),
        facts: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Folders as the system has them, of a device with these maps: name, address, size.
    fn system(maps: &[(&str, &str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        let device = folder.path().join("sys/uio3");
        for (number, (name, address, size)) in maps.iter().enumerate() {
            let map = device.join(format!("maps/map{number}"));
            fs::create_dir_all(&map).expect("a folder");
            for (file, text) in [("name", *name), ("addr", *address), ("size", *size), ("offset", "0x0")] {
                fs::write(map.join(file), format!("{text}\n")).expect("written");
            }
        }
        fs::write(device.join("name"), "mneme\n").expect("written");
        fs::create_dir_all(folder.path().join("dev")).expect("a folder");
        File::create(folder.path().join("dev/uio3")).and_then(|file| file.set_len(1 << 16)).expect("a file");
        folder
    }

    fn open_there(folder: &tempfile::TempDir, device: Option<&str>) -> Result<Window, WindowError> {
        open_in(&folder.path().join("sys"), &folder.path().join("dev"), device)
    }

    const WHOLE: [(&str, &str, &str); 3] = [
        ("regs", "0xa0000000", "0x2000"),
        ("rings", "0x7f000000", "0x4000"),
        ("dram", "0x400000000", "0x8000"),
    ];

    #[test]
    fn the_device_is_found_by_its_name_and_its_maps_by_theirs() {
        let folder = system(&WHOLE);
        for device in [None, Some("uio3"), Some("/dev/uio3")] {
            let window = open_there(&folder, device).expect("a window");
            assert_eq!(
                (window.registers.bytes(), window.rings.len(), window.dram.len()),
                (0x2000, 0x4000, 0x8000)
            );
            assert_eq!(window.ring_address, 0x7f00_0000);
        }
    }

    #[test]
    fn who_only_looks_sees_the_registers_of_a_board_that_is_served() {
        let folder = system(&WHOLE);
        let look = |device| {
            look_in(&folder.path().join("sys"), &folder.path().join("dev"), device).map(|found| found.1)
        };
        let mut served = open_there(&folder, None).expect("a window");
        served.registers.write(0x1000, 0x1234_5678);
        let mut seen = look(None).expect("registers");
        assert_eq!((seen.bytes(), seen.read(0x1000)), (0x2000, 0x1234_5678));
        assert!(look(Some("uio9")).is_err());
    }

    #[test]
    fn what_is_wrong_is_said() {
        let said = |folder: &tempfile::TempDir, device| {
            open_there(folder, device).err().expect("refused").to_string()
        };
        let folder = system(&WHOLE);
        assert!(said(&folder, Some("uio9")).contains("no map `regs`"), "{}", said(&folder, Some("uio9")));
        let held = open_there(&folder, None).expect("a window");
        assert!(said(&folder, None).contains("another slow path"), "{}", said(&folder, None));
        drop(held);
        fs::write(folder.path().join("sys/uio3/name"), "other\n").expect("written");
        assert!(said(&folder, None).contains("device tree overlay"), "{}", said(&folder, None));
        let folder = system(&WHOLE[..2]);
        assert!(said(&folder, None).contains("no map `dram`"), "{}", said(&folder, None));
        let folder = system(&[("regs", "0xa0000000", "many"), WHOLE[1], WHOLE[2]]);
        assert!(said(&folder, None).contains("says `many`, which is no number"), "{}", said(&folder, None));
        let folder = system(&[WHOLE[0], ("dram", "0x0", "0x1000"), WHOLE[2]]);
        assert!(said(&folder, None).contains("no map `rings`"), "{}", said(&folder, None));
    }
}

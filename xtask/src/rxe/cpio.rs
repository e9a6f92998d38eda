//! Archives that the Linux kernel unpacks into its first file system (Documentation/driver-api/early-userspace/buffer-format.rst).

/// An archive in the format *newc*.
#[derive(Debug, Default)]
pub struct Archive {
    bytes: Vec<u8>,
    entries: u32,
}

/// Kinds of entries, as in a file's mode.
const FOLDER: u32 = 0o040_755;
const PROGRAM: u32 = 0o100_755;
const DEVICE: u32 = 0o020_600;

impl Archive {
    /// A folder. Those above it come first.
    pub fn folder(&mut self, path: &str) {
        self.entry(path, FOLDER, (0, 0), &[]);
    }
    /// A file, which may be run.
    pub fn file(&mut self, path: &str, content: &[u8]) {
        self.entry(path, PROGRAM, (0, 0), content);
    }
    /// A character device.
    pub fn device(&mut self, path: &str, numbers: (u32, u32)) {
        self.entry(path, DEVICE, numbers, &[]);
    }
    /// The whole archive.
    pub fn finish(mut self) -> Vec<u8> {
        self.entry("TRAILER!!!", 0, (0, 0), &[]);
        self.bytes
    }

    fn entry(&mut self, path: &str, mode: u32, device: (u32, u32), content: &[u8]) {
        self.entries += 1;
        let name = path.trim_start_matches('/');
        let links = if mode == FOLDER { 2 } else { 1 };
        // Inode, mode, owner, group, links, time, bytes, device of the file, device that it is, bytes of the name, no checksum.
        let (bytes, name_bytes) = (content.len() as u32, name.len() as u32 + 1);
        let fields = [self.entries, mode, 0, 0, links, 0, bytes, 0, 0, device.0, device.1, name_bytes, 0];
        self.bytes.extend(b"070701");
        fields.iter().for_each(|field| self.bytes.extend(format!("{field:08x}").bytes()));
        self.bytes.extend(name.bytes());
        self.bytes.push(0);
        self.pad();
        self.bytes.extend(content);
        self.pad();
    }
    fn pad(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_as_the_kernel_reads_them() {
        let mut archive = Archive::default();
        archive.folder("/a");
        archive.file("/a/bc", b"12345");
        let bytes = archive.finish();
        let text = String::from_utf8_lossy(&bytes);
        let field = |entry: usize, number: usize| {
            let at = entry + 6 + 8 * number;
            u32::from_str_radix(&text[at..at + 8], 16).expect("hexadecimal")
        };
        // A header has 110 bytes; names end with a zero, and all is filled up to a multiple of four.
        let (first, second, last) = (0, 112, 112 + 116 + 8);
        for (entry, name, mode, size) in
            [(first, "a", FOLDER, 0), (second, "a/bc", PROGRAM, 5), (last, "TRAILER!!!", 0, 0)]
        {
            assert_eq!(&text[entry..entry + 6], "070701");
            assert_eq!(&text[entry + 110..entry + 110 + name.len() + 1], format!("{name}\0"));
            assert_eq!((field(entry, 1), field(entry, 6)), (mode, size));
            assert_eq!(field(entry, 11) as usize, name.len() + 1);
        }
        assert_eq!(&text[second + 116..second + 121], "12345");
        assert_eq!(bytes.len(), last + 124);
    }
}

//! Structures that later versions may make longer: their first field says how many bytes of them a program knows.
use crate::error::{Failure, Outcome};

/// Larger than any version of such a structure will be.
pub(crate) const MOST_SIZE: usize = 4096;

/// What a program has set; fields that it does not know are as usual. What this library does not know has to be zero: else it
/// would leave out what was asked for. `flags`: names and places of the fields that are true or false.
///
/// # Safety
///
/// `T` begins with its size, and may have any content but for the flags; `given` is valid for as many bytes as it says.
pub(crate) unsafe fn read<T: Copy>(
    given: *const T,
    usual: T,
    name: &str,
    flags: &[(&str, usize)],
) -> Outcome<T> {
    let given: *const u8 = given.cast();
    // SAFETY: the size is the first field of every version.
    let size = unsafe { given.cast::<usize>().read_unaligned() };
    // A whole number of words is the size of any version, so that no field is cut.
    if !(size_of::<usize>()..=MOST_SIZE).contains(&size) || !size.is_multiple_of(align_of::<T>()) {
        return Err(Failure::invalid(&format!(
            "the size of {name} is not one: its first field is sizeof({name})"
        )));
    }
    // SAFETY: inside of what the caller promises.
    let byte = |at: usize| unsafe { given.add(at).read() };
    if let Some((flag, _)) = flags.iter().find(|(_, at)| *at < size && byte(*at) > 1) {
        return Err(Failure::invalid(&format!("`{flag}` of {name} is neither true nor false")));
    }
    if (size_of::<T>()..size).any(|at| byte(at) != 0) {
        let text = format!("{name} asks for something that this version of the library does not know");
        return Err(Failure::invalid(&text));
    }
    let mut settings = usual;
    // SAFETY: both are valid for the shorter of the two; the flags have been looked at.
    unsafe {
        let bytes = size.min(size_of::<T>());
        std::ptr::copy_nonoverlapping(given, (&raw mut settings).cast::<u8>(), bytes);
    }
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[repr(C)]
    #[derive(Debug, Clone, Copy, PartialEq)]
    struct Two {
        size: usize,
        flag: bool,
        number: u64,
    }

    const USUAL: Two = Two { size: size_of::<Two>(), flag: true, number: 7 };
    const FLAGS: &[(&str, usize)] = &[("flag", std::mem::offset_of!(Two, flag))];

    fn read_words(words: &[u64]) -> Result<Two, String> {
        // SAFETY: each test gives as many words as the first one says.
        unsafe { read(words.as_ptr().cast(), USUAL, "two", FLAGS) }
            .map_err(|failure| failure.text().to_owned())
    }

    #[test]
    fn fields_that_a_program_does_not_know_are_as_usual() {
        assert_eq!(read_words(&[8]), Ok(Two { size: 8, ..USUAL }));
        assert_eq!(read_words(&[16, 0]), Ok(Two { size: 16, flag: false, ..USUAL }));
        assert_eq!(read_words(&[24, 1, 9]), Ok(Two { size: 24, flag: true, number: 9 }));
        assert_eq!(read_words(&[32, 1, 9, 0]), Ok(Two { size: 32, flag: true, number: 9 }));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        assert!(read_words(&[32, 1, 9, 1]).unwrap_err().contains("does not know"));
        assert!(read_words(&[24, 2, 9]).unwrap_err().contains("`flag` of two"));
        for size in [0, 7, 12, 4104, u64::MAX] {
            assert!(read_words(&[size, 0, 0]).unwrap_err().contains("sizeof(two)"));
        }
    }
}

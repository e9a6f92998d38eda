//! The layouts that the crate takes the libraries to have are those of their headers.
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use mneme_skips::{Lack, skipped};
use mneme_verbs::layouts;

/// Headers of Debian's libibverbs-dev and librdmacm-dev.
const HEADERS: [&str; 2] = ["/usr/include/infiniband/verbs.h", "/usr/include/rdma/rdma_cma.h"];

/// Whether C's compiler finds a layout right, or what it says. The headers are asked, not their text.
fn asks(layouts: &[(&str, usize, usize)]) -> Result<(), String> {
    let mut source = String::from(
        "#include <infiniband/verbs.h>\n#include <netinet/in.h>\n#include <rdma/rdma_cma.h>\n#include <stddef.h>\n",
    );
    for (name, place, bytes) in layouts {
        let (of, field) = name.split_once('.').map_or((*name, None), |(of, field)| (of, Some(field)));
        let (is_place, is_bytes) = match field {
            Some(field) => (format!("offsetof({of}, {field})"), format!("sizeof((({of} *)0)->{field})")),
            None => ("0".to_owned(), format!("sizeof({of})")),
        };
        writeln!(source, "_Static_assert({is_place} == {place}, \"{name} is elsewhere\");")
            .expect("a string");
        writeln!(source, "_Static_assert({is_bytes} == {bytes}, \"{name} has other bytes\");")
            .expect("a string");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("layout.c");
    std::fs::write(&file, source).expect("written");
    let said = Command::new("cc").args(["-std=gnu11", "-fsyntax-only"]).arg(&file).output().expect("cc");
    if said.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&said.stderr).into_owned()) }
}

#[test]
fn layouts_are_those_of_the_headers() {
    let test = "layouts_are_those_of_the_headers";
    if let Some(missing) = HEADERS.into_iter().find(|header| !Path::new(header).exists()) {
        let why = format_args!("want of {missing} (Debian: libibverbs-dev, librdmacm-dev)");
        return skipped(test, Lack::System, why);
    }
    if Command::new("cc").arg("--version").output().is_err() {
        return skipped(test, Lack::System, format_args!("want of a C compiler"));
    }
    let own = layouts();
    assert!(own.len() > 60, "{} layouts", own.len());
    asks(&own).expect("every layout is the header's");
    // And a wrong one is found.
    let (name, place, bytes) = own[2];
    let said = asks(&[(name, place + 8, bytes)]).expect_err("another place");
    assert!(said.contains(&format!("{name} is elsewhere")), "{said}");
}

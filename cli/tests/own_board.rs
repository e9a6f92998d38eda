//! `mneme board` of hardware that this program does not have, and its waveforms: what is refused, and in which words. What works is
//! checked by `cargo xtask board --check`, which builds a board.
use mneme_model::BoardShape;
use mneme_rtl::RtlConfig;

use crate::board;

use board::{fails, mneme, text};

/// In a folder that no checkout is above, and with this variable.
fn refused_away(args: &[&str], checkout: Option<&str>, words: &str) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = mneme(args);
    command.current_dir(folder.path()).env_remove("MNEME_CHECKOUT");
    command.envs(checkout.map(|checkout| ("MNEME_CHECKOUT", checkout)));
    let output = command.output().unwrap();
    let said = text(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains(words), "{said}");
    assert!(said.contains("\nMNM-1004"), "{said}");
}

#[test]
fn what_cannot_be_a_board_is_refused() {
    let rtl = ["board", "--kind", "rtl", "--listen", "127.0.0.1:0"];
    let with = |more: &[&'static str]| [&rtl[..], more].concat();
    fails(
        &with(&["--config-file", "/no/such.toml"]),
        "reading the configuration /no/such.toml: No such file",
    );
    fails(&with(&["--library", "/no/such"]), "the board's folder /no/such: No such file");
    fails(&with(&["--config", "tgas"]), "there is no configuration `tgas`; did you mean `tags`?");
    let soft = ["board", "--listen", "127.0.0.1:0"];
    for option in ["--config-file", "--library", "--waves"] {
        fails(
            &[&soft[..], &[option, "x"]].concat(),
            &format!("software boards have no {option}: take --kind rtl"),
        );
    }
}

#[test]
fn a_folder_without_a_board_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let args = ["board", "--kind", "rtl", "--listen", "127.0.0.1:0", "--library", path];
    fails(&args, "has 0 libraries of boards (*.so), not one");
    std::fs::write(folder.path().join("mine.so"), "no library").unwrap();
    fails(&args, "the board's parameters in");
    std::fs::write(folder.path().join("mine.json"), "{}").unwrap();
    fails(&args, "names no number for `page_bits`");
    let tiny = "{\"page_bits\":18,\"mem_bits\":24,\"slots_log2\":2,\"tlb_entries\":4,\"filter_sets_log2\":2,\"filter_ways\":2,\
        \"async_depth\":4,\"zero_queue_depth\":4,\"packet_slots\":4,\"mtu\":1500,\"tick_log2\":6,\"waiting_lists\":1,\"trailers\":0,\
        \"traffic\":0,\"rdma\":0,\"leaf\":0,\"chains\":0,\"simulated\":1}";
    std::fs::write(folder.path().join("mine.json"), tiny).unwrap();
    fails(&args, "mine.so of a Verilated board cannot be used");
    std::fs::write(folder.path().join("other.so"), "no library").unwrap();
    fails(&args, "has 2 libraries of boards (*.so), not one");
}

#[test]
fn who_builds_a_board_needs_a_checkout() {
    let rtl = ["board", "--kind", "rtl", "--listen", "127.0.0.1:0"];
    let file = tempfile::NamedTempFile::with_suffix(".toml").unwrap();
    std::fs::write(&file, "base = \"tiny\"\nname = \"away\"\n").unwrap();
    let own = [&rtl[..], &["--config-file", file.path().to_str().unwrap()]].concat();
    refused_away(&own, None, "takes a checkout of the project: run the command in one");
    refused_away(&own, None, &format!("`cargo xtask board --build-only {}`", file.path().display()));
    refused_away(&own, Some("/"), "MNEME_CHECKOUT names /, which is no checkout");
    refused_away(&[&rtl[..], &["--waves", "x.fst"]].concat(), None, "takes a checkout of the project");
}

/// Which boards the program has is chosen when it is built. The one of CI's tests has all of them, but none that writes waveforms.
#[test]
fn a_kept_board_that_is_not_part_of_the_program_is_told_with_the_command_that_builds_it() {
    let names = BoardShape::ALL.map(|shape| shape.name).into_iter().chain([BoardShape::RDMA_PORT.name]);
    for name in names {
        let rtl = ["board", "--kind", "rtl", "--listen", "127.0.0.1:0", "--config", name];
        if RtlConfig::named(name).is_none() {
            let words =
                format!("or build the board there (`cargo xtask board --build-only {name}`) and give");
            refused_away(&rtl, None, &words);
        }
        let words = format!("`cargo xtask board --build-only --traced {name}`");
        refused_away(&[&rtl[..], &["--waves", "x.fst"]].concat(), None, &words);
    }
}

#[test]
fn windows_of_waveforms_that_cannot_be_are_refused() {
    for (more, words) in [
        (&["--from-cycle", "5"][..], "--waves"),
        (&["--waves", "x", "--until", "status=BUZY"], "did you mean `BUSY`?"),
        (&["--waves", "x", "--until", "drop=BUSY"], "there is no reason for drops `BUSY`"),
        (&["--waves", "x", "--until", "status=BUSY", "--from-cycle", "1"], "cannot be used with"),
        (&["--waves", "x", "--for-cycles", "0"], "0 is not in 1.."),
        (&["--waves", "x", "--until", "status=BUSY", "--before-cycles", "1000001"], "is not in 1..=1000000"),
    ] {
        let output = mneme(&[&["board", "--kind", "rtl"], more].concat()).output().unwrap();
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(words), "{more:?}: {said}");
    }
}

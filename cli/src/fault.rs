//! What can go wrong in the command itself, with an id, a cause and a remedy for each, as the library's errors have.
//! `cargo xtask errors` puts them on the page of errors.
use std::fmt;

/// Declares the errors once: variant, number, title, cause, remedy.
macro_rules! faults {
    ($( $(#[doc = $doc:literal])+ $variant:ident = $number:literal, $title:literal, $cause:literal, $remedy:literal; )+) => {
        /// An error of the command. Numbers are never given to another error.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Fault { $( $(#[doc = $doc])+ $variant = $number, )+ }

        // The page of errors is made from this file; the command itself does not need all of it.
        #[allow(dead_code)]
        impl Fault {
            /// All of them, in the order of the numbers.
            pub const ALL: &'static [Fault] = &[$( Fault::$variant, )+];
            /// A few words: what went wrong.
            pub const fn title(self) -> &'static str {
                match self { $( Fault::$variant => $title, )+ }
            }
            /// What it means.
            pub const fn cause(self) -> &'static str {
                match self { $( Fault::$variant => $cause, )+ }
            }
            /// What to do about it.
            pub const fn remedy(self) -> &'static str {
                match self { $( Fault::$variant => $remedy, )+ }
            }
        }
    };
}

faults! {
    /// The file of settings or the environment.
    Settings = 1001, "the settings are wrong", "The file of settings cannot be read or has a key that no command knows, or a variable of the environment that begins with MNEME_ is none that the command knows, or MNEME_LOG names no level or part. Nothing was done.", "Correct what the error names; `mneme COMMAND --help` lists the options that a file can set, and the variables.";
    /// Options that do not go together, or leave nothing to do.
    Arguments = 1002, "arguments that cannot be", "The command cannot do what its arguments ask together. Nothing was done.", "Leave out what the error names; `mneme COMMAND --help` has examples.";
    /// Local files.
    Files = 1003, "a local file cannot be used", "A file or folder that was named cannot be read or written, or there is nothing to copy.", "Name regular files or folders that this user may read, and a place that can be written.";
    /// A board did not start.
    Board = 1004, "the board does not start", "The configuration asked for does not exist, is not legal or cannot be built here, a file that it is to write cannot be written, or the address cannot be listened on.", "Take what the error says that there is: another configuration, size, address or port.";
    /// Memory held other bytes than it should.
    Data = 1005, "the data is not what was written", "A check while measuring or copying found other bytes, or memory of another process could be read. Either another client changed the memory, or the board or the way there is broken.", "Run it again with nobody else on the board; `mneme stat` shows what the board counted. If it happens again, report it with what `mneme capture` records.";
    /// The user's own bounds.
    Bound = 1006, "a bound was missed", "A measurement stayed below `--min-rate` or above `--max-p99`. The measurement itself is sound.", "Look at the table for what was reached; run it on a machine that does nothing else.";
    /// The doctor found something.
    Checks = 1007, "checks failed", "Something on this machine keeps a part of Mneme from working; each failed check says what.", "Do what stands below each failed check.";
    /// A capture.
    Capture = 1008, "nothing can be captured or replayed", "The address to listen on or the file cannot be used, or the board cannot be reached.", "Take another address to listen on or another file; `mneme ping` tells whether the board answers.";
    /// The system refused something else.
    System = 1009, "the system refuses", "A call of the operating system failed; the error has its reason.", "See the system's reason; `mneme doctor` checks what Mneme needs.";
    /// Somebody has ended the command.
    Interrupted = 1011, "interrupted", "The command was ended by an interrupt or the signal TERM. What it had on the board is freed, and what it had measured by then was printed.", "Run it again for the rest.";
    /// Processes that are not there.
    Process = 1012, "no such process of one's own", "The board has no process of that number, or it belongs to another tenant, or without tags to another address: only the one that opened a process sees it and ends it. Others that were named have been ended.", "See with `mneme ps` what there is; ask the board with the key of the tenant, or without tags from the machine, that opened it.";
    /// Keys, and the files that hold them.
    Keys = 1013, "a key or a file of keys cannot be used", "A key is mistyped, of the wrong kind or that of another tenant, a file of keys can be read or changed by others than its owner or has a line that is none, or a board has another key than the one that is known. Nothing was changed.", "Do what the error says: for files that others can read or change it names the `chmod`; ask whoever runs a board before you believe another key of it.";
    /// Tags that a board cannot ask for.
    Tags = 1014, "the board cannot ask for tags", "The board would listen where others can reach it, and its fast path does not know the tags by which tenants prove themselves. It did not start.", "Take a software board, listen on a loopback address, or say `--trust-network` where everybody on the network may use the board.";
    /// A capture that went otherwise.
    Replay = 1015, "answers are not as captured", "A board answered requests of a capture otherwise than the capture has it, or not at all; each such answer was printed, the first ones.", "Replay on a board that was just started, of the configuration and with the --seed of the one that was captured; what still differs is a change of behaviour.";
    /// A board that is not reached by RDMA.
    Rdma = 1016, "the board cannot be used by RDMA", "The board serves no RDMA, refuses the connection, or refused an operation, or UDP port 4791 of the own address is taken, or the device that was named or its libraries are not there. The error says which.", "Start the board with `--rdma` and without tags; where another program, or the kernel's own RoCE, has the port, take another address with `--from`, or go by its device with `--device`.";
    /// A block device that is not served.
    Swap = 1018, "the block device cannot be served", "The socket is somebody else's, the device is larger than the board can give, or no `mneme-swap` serves where its figures were asked for. The error says which.", "Take another socket or size; `mneme-swap serve` starts a device, `mneme ping` and `mneme stat` tell what the board has.";
    /// A bug.
    Bug = 1010, "a bug of this command", "A thread ended by a panic. What was under way may have taken effect.", "Report it with what stands above the error.";
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

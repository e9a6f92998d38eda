//! Remote memory from tokio: 10,000 reads in flight from 100 tasks on two workers, a deadline for each task's share, and a
//! clock beside them that shows that no worker stalls.
//!
//! ```sh
//! mneme board & cargo run --release -p mneme-clib --example tokio -- 127.0.0.1:19790
//! ```
//!
//! Calls are futures: they sleep until the client's own thread has heard of their end, so tokio needs no feature of CLib's
//! for them. A future that is dropped, as by `select!`, does not cancel its call; the call's end is nobody's then.
use mneme_clib::{Client, ClientOptions, OpenOptions, Process, UdpDriver};
use std::sync::Arc;
use std::time::Duration;

const TASKS: u64 = 100;
const EACH: u64 = 100;
/// What a task's reads may take together.
const DEADLINE: Duration = Duration::from_secs(60);
/// How often the clock beside them ticks.
const TICK: Duration = Duration::from_millis(5);

type Failed = Box<dyn std::error::Error + Send + Sync>;

/// What came of it.
#[derive(Debug)]
pub struct Done {
    /// Reads that brought what was written.
    pub reads: u64,
    /// The longest time between two ticks of the clock.
    pub longest_stall: Duration,
}

/// One task: all of its reads in flight together, or an error when the deadline comes first.
async fn read_all(process: Arc<Process>, va: u64, task: u64) -> Result<u64, Failed> {
    let first = task * EACH;
    let calls: Vec<_> = (first..first + EACH)
        .map(|word| (word, process.rread_owned_async(va + 8 * word, vec![0; 8])))
        .collect();
    let all = async {
        for (word, call) in calls {
            let bytes = call.await?;
            if bytes != word.to_le_bytes() {
                return Err(format!("word {word} holds {bytes:?}").into());
            }
        }
        Ok(EACH)
    };
    tokio::select! {
        read = all => read,
        () = tokio::time::sleep(DEADLINE) => Err(format!("task {task}: not all reads ended within {DEADLINE:?}").into()),
    }
}

/// Ticks until it is dropped; the longest time between two ticks.
async fn clock(mut over: tokio::sync::oneshot::Receiver<()>) -> Duration {
    let (mut longest, mut last) = (Duration::ZERO, tokio::time::Instant::now());
    while over.try_recv().is_err_and(|error| error == tokio::sync::oneshot::error::TryRecvError::Empty) {
        tokio::time::sleep(TICK).await;
        longest = longest.max(last.elapsed());
        last = tokio::time::Instant::now();
    }
    longest
}

/// Writes words that say where they lie, and reads them from all tasks at once.
pub async fn run(board: &str) -> Result<Done, Failed> {
    let options = ClientOptions { most_outstanding: (TASKS * EACH) as usize, ..ClientOptions::default() };
    let client = Client::connect(UdpDriver::connect(board)?, options)?;
    let process = Arc::new(client.open(OpenOptions::default())?);
    let va = process.ralloc(8 * TASKS * EACH)?;
    let words: Vec<u8> = (0..TASKS * EACH).flat_map(u64::to_le_bytes).collect();
    process.rwrite_owned_async(va, words).await?;
    let (end, over) = tokio::sync::oneshot::channel();
    let ticking = tokio::spawn(clock(over));
    let tasks: Vec<_> =
        (0..TASKS).map(|task| tokio::spawn(read_all(Arc::clone(&process), va, task))).collect();
    let mut reads = 0;
    for task in tasks {
        reads += task.await??;
    }
    // The clock may have ended by itself, if its task panicked.
    let _ended = end.send(());
    let longest_stall = ticking.await?;
    process.rfree_async(va).await?;
    Ok(Done { reads, longest_stall })
}

#[tokio::main(worker_threads = 2)]
async fn main() -> Result<(), Failed> {
    let board = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:19790".into());
    let Done { reads, longest_stall } = run(&board).await?;
    println!(
        "{reads} reads from {TASKS} tasks; the clock beside them ticked every {TICK:?}, {longest_stall:?} at the longest"
    );
    Ok(())
}

package mneme

import mneme.wire.Wire

/** Every build parameter of a board, immutable and checked in words.
  *
  * Sizes ending in `Bits` or `Log2` are base-2 logarithms. A refusal begins with the field that it is about. `docs/reference/contracts.md` §8 lists the configurations that are kept.
  */
case class CBoardConfig(
    name: String,
    pageBits: Int = 22,
    memBits: Int = 31,
    slotsLog2: Int = 2,
    tlbEntries: Int = 256,
    tlbWays: Int = 4,
    misses: Int = 8,
    filterSetsLog2: Int = 8,
    filterWays: Int = 8,
    asyncDepth: Int = 64,
    zeroQueueDepth: Int = 16,
    packetSlots: Int = 64,
    mtu: Int = 1500,
    tickLog2: Int = 11,
    doors: Int = 1,
    /** Tokens that find all miss entries taken wait in lists, beside the stages: hits pass them, and each needs three cycles more of the stages. Without,
      * they wait at the head of the stages, which costs nothing but hits: for boards with entries for one miss in three cycles.
      */
    waitingLists: Boolean = true,
    /** Door 1 is a traffic generator's, for tests. */
    traffic: Boolean = false,
    burstPlaces: Int = 64,
    readBeats: Int = 4096,
    memories: String = "ultra",
    /** Requests may have trailers, which are checked, and answers have them (docs/reference/trailers.md). */
    trailers: Boolean = false,
    /** Built for simulation: the tick can be told to jump. */
    simulated: Boolean = true,
    /** Door 1 is a RoCEv2 port's, with so many queue pairs and regions (docs/reference/rdma.md); 0: there is no such port. */
    rdma: Int = 0,
    /** Split pages are served by a leaf unit, in frames of 4 KB (docs/reference/rdma.md). */
    leaf: Boolean = false,
    /** ODRP's chains at the RoCEv2 port, with so many queue pairs (docs/reference/rdma-chains-hw.md); 0: there are none. Their bytes come and go by a door
      * of frames, behind translation.
      */
    chains: Int = 0
) {
  require(pageBits >= 18 && pageBits <= 30, s"pageBits: page size 2^$pageBits is outside 256 KB to 1 GB")
  require(memBits >= pageBits + 4 && memBits <= 44, s"memBits: memory of 2^$memBits bytes needs 16 pages at least and 2^44 bytes at most")
  require(slotsLog2 >= 0 && slotsLog2 <= 6, s"slotsLog2: 2^$slotsLog2 page-table slots per page are outside 1 to 64")
  require(tlbWays >= 2 && tlbWays <= 8, s"tlbWays: $tlbWays TLB ways are outside 2 to 8")
  require(
    tlbEntries % tlbWays == 0 && tlbEntries >= 2 * tlbWays && tlbEntries <= 4096 && Integer.bitCount(tlbEntries / tlbWays) == 1,
    s"tlbEntries: a TLB of $tlbEntries entries in $tlbWays ways: a power of two of sets is needed, 2 at least, and 4,096 entries at most"
  )
  require(misses >= 2 && misses <= 32, s"misses: $misses TLB misses at a time are outside 2 to 32")
  require(filterSetsLog2 >= 1 && filterSetsLog2 <= 14, s"filterSetsLog2: 2^$filterSetsLog2 filter sets are outside 2 to 16,384")
  require(filterWays >= 1 && filterWays <= 16, s"filterWays: $filterWays filter ways are outside 1 to 16")
  require(asyncDepth >= 2 && asyncDepth <= 255, s"asyncDepth: an async buffer of $asyncDepth pages is outside 2 to 255, to which high-water marks count")
  require(zeroQueueDepth >= 2 && zeroQueueDepth <= 1024, s"zeroQueueDepth: a zeroing queue of $zeroQueueDepth is outside 2 to 1,024")
  require(
    packetSlots >= 4 && packetSlots <= 128 && Integer.bitCount(packetSlots) == 1,
    s"packetSlots: $packetSlots packet slots: a power of two from 4 to 128 is needed, since high-water marks count to 255"
  )
  require(mtu >= 576 && mtu <= 9000, s"mtu: an MTU of $mtu is outside 576 to 9,000")
  require(tickLog2 >= 4 && tickLog2 <= 20, s"tickLog2: a tick of 2^$tickLog2 cycles is outside 16 to 2^20")
  require(doors >= 1 && doors <= 4, s"doors: $doors doors to the access engine are outside 1 to 4")
  require(!traffic || doors == 2, s"traffic: a traffic generator is at the second of two doors, not of $doors")
  /** What memory access has: one door more, the last one, for frames, with a read buffer of its own size. See `inMemory`. */
  val framesDoor: Boolean = chains > 0 && doors == 3
  require(
    rdma == 0 || (doors == 2 || framesDoor) && !traffic,
    s"rdma: a RoCEv2 port is at the second of two doors, not of $doors, and not beside a traffic generator"
  )
  require(
    rdma == 0 || rdma >= 2 && rdma <= 4096 && Integer.bitCount(rdma) == 1,
    s"rdma: a RoCEv2 port of $rdma queue pairs: a power of two from 2 to 4,096 is needed, or 0 for none"
  )
  require(
    burstPlaces >= 8 && burstPlaces <= 128 && Integer.bitCount(burstPlaces) == 1,
    s"burstPlaces: $burstPlaces bursts of memory access in flight: a power of two from 8 to 128 is needed"
  )
  require(Set("ultra", "block", "distributed").contains(memories), s"memories: large memories of style '$memories' are none of ultra, block, distributed")

  /** Physical pages, those of the table included. */
  val pages: BigInt = BigInt(1) << (memBits - pageBits)
  val bucketBits: Int = memBits - pageBits + slotsLog2 - 3
  val tlbSetsLog2: Int = log2Up(tlbEntries / tlbWays)
  require(tlbSetsLog2 <= bucketBits, s"tlbEntries: a TLB of 2^$tlbSetsLog2 sets is larger than a page table of 2^$bucketBits buckets can use")
  val vpnBits: Int = Wire.VA_BITS - pageBits
  val tagBits: Int = Wire.PID_BITS + vpnBits - bucketBits
  val ppnBits: Int = (memBits - pageBits) max Wire.PPN_BITS_MIN
  /** Lowest bit of the tag in an entry. */
  val tagShift: Int = Wire.Pte.TAG_TOP - tagBits
  require(!leaf || rdma > 0, "leaf: a leaf unit's registers lie behind a RoCEv2 port's: rdma is needed")
  require(
    !leaf || tagShift > ppnBits && pageBits >= 20,
    s"leaf: entries of pages of 2^$pageBits bytes have no bit for leaf tables: pages of 1 MB at least are needed"
  )
  require(
    chains == 0 || leaf && chains >= 2 && chains <= 1024 && Integer.bitCount(chains) == 1,
    s"chains: $chains chain queue pairs: a power of two from 2 to 1,024 is needed beside a leaf unit, or 0 for none"
  )
  require(!leaf || memBits <= 38, s"leaf: memory of 2^$memBits bytes has more lines than registers of 32 bits can number")
  require(!leaf || mtu <= 4096, s"leaf: an MTU of $mtu lets one access reach three pages of 4 KB")
  require(bucketBits >= 1 && bucketBits <= vpnBits, s"memBits: 2^$bucketBits buckets do not fit a page number of $vpnBits bits")
  require(9 + tagBits + ppnBits <= 64, s"pageBits: a page-table entry would need ${9 + tagBits + ppnBits} bits of 64: use larger pages or more slots per page")

  /** The device has block RAM to spare, and look-up tables that are memories of 16 words each at most: what is wide and deep lies elsewhere. */
  val smallLutRam: Boolean = memories == "block"

  /** Largest Ethernet frame without FCS. */
  val maxFrame: Int = 14 + mtu
  /** Largest Mneme payload: the MTU less IPv4 (20), UDP (8) and Mneme (22) headers. */
  val maxPayload: Int = mtu - 50
  /** Beats of 64 bytes in a packet slot, a power of two. */
  val slotBeats: Int = 1 << log2Up((maxFrame + 63) / 64)
  val filterEntries: Int = 2 * (1 << filterSetsLog2) * filterWays

  /** Tokens that each door of the access engine may have inside; door 0 names them by packet slot. */
  val contexts: Int = packetSlots
  val contextBits: Int = log2Up(contexts)
  /** Tokens inside the engine: a door's number above a context names one. */
  val places: Int = contexts << log2Up(doors)
  val placeBits: Int = log2Up(places)
  /** Lines of memory that the largest access touches. */
  val accessLines: Int = (maxPayload + 63 + 63) / 64
  require(readBeats >= 4 * accessLines, s"readBeats: a read buffer of $readBeats beats does not hold 4 of the largest reads, ${4 * accessLines} beats")
  // Else reads that wait for the room of a door that takes nothing could keep all places of bursts.
  require(
    doors == 1 || readBeats >= contexts * accessLines,
    s"readBeats: with $doors doors a read buffer holds the reads of all contexts, ${contexts * accessLines} beats, so that no door stops another: $readBeats are too few"
  )

  /** Memory access as it stands behind translation: with chains it has a door of frames, the last one, which translation does not know. */
  def inMemory: CBoardConfig = if (chains == 0) this else copy(doors = doors + 1)

  private def log2Up(n: Int): Int = 32 - Integer.numberOfLeadingZeros(n - 1)
}

object CBoardConfig {
  /** Limits within easy reach: every queue overflows, every table fills. */
  val tiny = CBoardConfig(
    "tiny",
    pageBits = 18,
    memBits = 24,
    tlbEntries = 4,
    tlbWays = 2,
    misses = 2,
    filterSetsLog2 = 2,
    filterWays = 2,
    asyncDepth = 4,
    zeroQueueDepth = 4,
    packetSlots = 4,
    tickLog2 = 6
  )
  /** The default of the simulated board: small pages, so that faults are plentiful. */
  val sim = CBoardConfig(
    "sim",
    pageBits = 18,
    memBits = 28,
    tlbEntries = 16,
    tlbWays = 4,
    misses = 8,
    filterSetsLog2 = 9,
    filterWays = 4,
    asyncDepth = 32,
    packetSlots = 32
  )
  /** Jumbo frames, more slots per page. */
  val wide = CBoardConfig(
    "wide",
    pageBits = 21,
    memBits = 27,
    slotsLog2 = 3,
    tlbEntries = 8,
    misses = 16,
    filterSetsLog2 = 5,
    filterWays = 4,
    asyncDepth = 8,
    packetSlots = 8,
    mtu = 9000,
    tickLog2 = 8
  )
  /** The ZCU106: 2 GB of PL DDR4, 10G. */
  val zcu106 = CBoardConfig("zcu106", simulated = false)

  /** Parameters where they are hardest: entries of all 64 bits, sizes that are no powers of two, the smallest MTU and tick. */
  val odd = CBoardConfig(
    "odd",
    pageBits = 19,
    memBits = 25,
    slotsLog2 = 1,
    tlbEntries = 6,
    tlbWays = 3,
    misses = 3,
    filterSetsLog2 = 1,
    filterWays = 3,
    asyncDepth = 3,
    zeroQueueDepth = 2,
    packetSlots = 8,
    mtu = 576,
    tickLog2 = 4
  )

  /** The most memory, with jumbo frames and room for line rate: what `cargo xtask hw-bench` measures. Its 32 misses at a time are enough for line rate. A write that misses is on its way for 156 cycles
    * where memory takes 60, so line rate, one in two cycles, needs more than 64 packet slots. A short tick lets the filter forget early.
    */
  val large = CBoardConfig(
    "large",
    memBits = 42,
    slotsLog2 = 1,
    tlbEntries = 32,
    misses = 32,
    filterSetsLog2 = 8,
    filterWays = 4,
    packetSlots = 128,
    mtu = 9000,
    tickLog2 = 6,
    waitingLists = false,
    burstPlaces = 128
  )

  /** A second source of requests: a traffic generator at door 1. */
  val doors = CBoardConfig(
    "doors",
    pageBits = 18,
    memBits = 28,
    tlbEntries = 16,
    filterSetsLog2 = 9,
    filterWays = 4,
    asyncDepth = 32,
    doors = 2,
    traffic = true,
    tickLog2 = 8
  )

  /** The ECPIX-5 85F: 512 MB of DDR3, 1G. Tables are as small as that line lets them be: the filter holds 512 operations, more than 1 Gbit/s of the shortest
    * requests brings within its window of 200 µs, and eight requests are inside at a time. Memories are as deep as this device's small ones, so less would
    * save little.
    */
  val ecpix5 = CBoardConfig(
    "ecpix5",
    memBits = 29,
    tlbEntries = 32,
    tlbWays = 2,
    misses = 2,
    filterSetsLog2 = 7,
    filterWays = 2,
    asyncDepth = 16,
    zeroQueueDepth = 8,
    packetSlots = 8,
    waitingLists = false,
    burstPlaces = 8,
    readBeats = 128,
    memories = "block",
    simulated = false
  )

  /** The simulated board with trailers. */
  val tags = sim.copy(name = "tags", trailers = true)

  /** The simulated board with a RoCEv2 port at door 1, a leaf unit, and so with pages of 1 MB, and chains. */
  val rdma = sim.copy(name = "rdma", pageBits = 20, doors = 2, rdma = 256, leaf = true, chains = 128)

  val all: Seq[CBoardConfig] = Seq(tiny, sim, wide, odd, large, zcu106, doors, tags, rdma)

  /** Those that have names: also the one that is built as part of its board only, as `Ecpix5`. */
  val named: Seq[CBoardConfig] = all :+ ecpix5
}

package mneme.chain

import mneme.wire.Wire
import org.scalatest.Assertions._

/** What happens amid a page whose access goes on, and between the moment at which an access begins and the post that brings it. Once nothing may be sent no
  * access goes on, each packet is of a frame to which one does (`RepliesBench`), and what is sent later is of the frame that the page has then.
  */
object RepliesInterrupted {
  private val (pair, segment, page) = (3, 1, 5)
  /** 256 bytes: a page has 16 packets, of which one leaves every sixth cycle. */
  private val settings = PeerSettings(1, 2, 0x10, 3, 0, 3, segment, 7, 0)
  private val (first, second) = (9, 11)
  private val acknowledge = 0x1f
  private def reply(frame: Int) = PostedReply(word = false, page, frame, 0, 0x1000, 77, immediate = false)
  private val word = PostedReply(word = true, page, 0, 99, 0x1000, 77, immediate = false)

  private def begin(b: RepliesBench): Unit = {
    b.does(Maps(segment, page, first))
    b.does(Creates(pair, 0, settings))
  }
  private def amid(b: RepliesBench): Unit = {
    begin(b)
    assert(b.quiet(pair))
    b.post(pair, reply(first), held = true)
    b.cycle(40)
    assert(b.sent.size > 2 && b.sent.size < 12 && b.open == 1)
  }
  /** Nothing may be sent, or all has been; packets and look-ups so far. */
  private def rests(b: RepliesBench, packets: Int, looks: Int): Unit = {
    b.settle()
    assert(b.open == 0, "an access goes on though nothing may be sent")
    assert((b.sent.size, b.looks) == ((packets, looks)))
  }
  /** All packets are acknowledged, and the frames that they were of from number `from` on. */
  private def ends(b: RepliesBench, packets: Int, looks: Int, from: Int, frame: Int): Unit = {
    rests(b, packets, looks)
    b.acknowledge(pair, b.sent.map(_.packet.psn).max, acknowledge)
    b.settle()
    assert(b.room(pair) == 32 && b.quiet(pair) && b.failed.isEmpty)
    assert(b.sent.map(_.packet).filter(packet => packet.source == 0 && packet.psn >= from).forall(_.place == frame))
  }
  private def ended(b: RepliesBench, failed: Seq[ReplyFailure.E]): Unit = {
    val sent = b.sent.size
    b.settle()
    assert(b.open == 0, "the access of a queue pair that has ended goes on")
    assert(sent < 14 && b.sent.size <= sent + 2 && b.room(pair) == 0 && !b.quiet(pair) && b.failed.map(_._2).toSeq == failed)
  }

  private def whole(b: RepliesBench): Unit = {
    begin(b)
    b.post(pair, reply(first), held = true)
    ends(b, 16, 0, 0, first)
  }
  private def windowFills(b: RepliesBench): Unit = {
    begin(b)
    b.post(pair, word, held = false)
    b.settle()
    for (held <- Seq(true, false, false)) {
      assert(!held || b.quiet(pair))
      b.post(pair, reply(first), held)
    }
    rests(b, 32, 1)
    assert(!b.quiet(pair))
    b.does(Maps(segment, page, second))
    b.acknowledge(pair, 31, acknowledge)
    // The rest of the second page, and the third one.
    ends(b, 49, 3, 32, second)
  }
  private def notReady(b: RepliesBench): Unit = {
    amid(b)
    b.acknowledge(pair, 1, 0x21)
    b.settle()
    val sent = b.sent.size
    rests(b, sent, 0)
    b.does(Maps(segment, page, second))
    b.does(Time(3))
    // Each repeat is looked up, and the rest of the page once.
    rests(b, sent + 15, sent)
    assert(b.counts("looked") == sent - 1 && b.sent.drop(sent).forall(_.packet.place == second))
  }
  private def missing(b: RepliesBench): Unit = {
    amid(b)
    b.does(Maps(segment, page, second))
    b.acknowledge(pair, 0, 0x60)
    b.settle()
    assert(b.looks == b.counts("looked") + 1 && b.sent.size == 16 + b.counts("looked"))
    ends(b, b.sent.size, b.looks, 12, second)
  }
  private def rateHolds(b: RepliesBench): Unit = {
    begin(b)
    // About 2 KiB in a period, which half the page uses up.
    b.notify(pair, 6)
    b.cycle(2 * Wire.ROCE_RATE_PERIOD)
    assert(b.quiet(pair))
    b.post(pair, reply(first), held = true)
    b.cycle(200)
    val sent = b.sent.size
    assert(sent > 2 && sent < 14 && b.counts("held") > 0)
    rests(b, sent, 0)
    assert(!b.quiet(pair))
    b.does(Maps(segment, page, second))
    b.cycle(8 * Wire.ROCE_RATE_PERIOD)
    assert(b.looks > 0)
    ends(b, 16, b.looks, sent, second)
  }
  private def capHolds(b: RepliesBench): Unit = {
    // Four packets of 256 bytes, with their headers, in a period; one more leaves before there is a debt.
    b.cap = 4 * (256 + Wire.ROCE_RATE_HEADERS)
    begin(b)
    b.cycle(2 * Wire.ROCE_RATE_PERIOD)
    b.post(pair, reply(first), held = true)
    b.cycle(200)
    val sent = b.sent.size
    assert(sent >= 5 && sent < 14 && b.counts("held") > 0)
    rests(b, sent, 0)
    b.does(Maps(segment, page, second))
    // Of nobody else: another queue pair's word leaves at once.
    b.cap = Wire.ROCE_RATE_LINE
    b.does(Creates(pair + 1, 0, settings.copy(qpn = 0x11, share = 1)))
    b.post(pair + 1, word, held = false)
    b.cycle(60)
    assert(b.sent.count(_.pair == pair + 1) == 1)
    b.cycle(8 * Wire.ROCE_RATE_PERIOD)
    b.acknowledge(pair + 1, 0, acknowledge)
    assert(b.sent.count(_.pair == pair) == 16)
    b.acknowledge(pair, 15, acknowledge)
    b.settle()
    assert(b.room(pair) == 32 && b.quiet(pair) && b.failed.isEmpty)
    assert(b.sent.drop(sent).filter(_.pair == pair).forall(_.packet.place == second))
  }
  private def rateHoldsFromTheBeginning(b: RepliesBench): Unit = {
    begin(b)
    // A packet of 256 bytes in a period, or two.
    b.notify(pair, 8)
    val quiet = b.quiet(pair)
    b.post(pair, word, held = false)
    // The access begins before the rate is known to hold.
    b.post(pair, reply(first), held = quiet)
    b.cycle(200)
    rests(b, b.sent.size, 0)
    assert(b.sent.size < 4)
    b.does(Maps(segment, page, second))
    b.cycle(16 * Wire.ROCE_RATE_PERIOD)
    assert(b.counts("held") >= 6 && b.looks >= 6)
    ends(b, 17, b.looks, 4, second)
    // One that is made anew in its place has no rate.
    b.does(Creates(pair, 0, settings))
    b.post(pair, reply(second), held = true)
    rests(b, 33, b.looks)
  }
  private def silence(b: RepliesBench): Unit = {
    amid(b)
    b.keepsDepartures = true
    b.cycle(20)
    b.does(Time(20))
    b.cycle(600)
    b.keepsDepartures = false
    b.settle()
    assert(b.counts("timeout") == 1 && b.counts("looked") > 2)
    ends(b, 16 + b.counts("looked"), b.counts("looked") + 1, 0, first)
  }
  private def silenceForGood(b: RepliesBench): Unit = {
    amid(b)
    b.keepsDepartures = true
    for (i <- 1 to 8) {
      b.does(Time(20 * i))
      b.cycle(600)
    }
    b.keepsDepartures = false
    ended(b, Seq(ReplyFailure.SILENT))
  }
  private def refused(b: RepliesBench): Unit = {
    amid(b)
    b.acknowledge(pair, 1, 0x61)
    ended(b, Seq(ReplyFailure.REFUSED))
  }
  private def destroyed(b: RepliesBench): Unit = {
    amid(b)
    b.does(Destroys(pair))
    ended(b, Nil)
    b.does(Creates(pair, 0, settings))
    assert(b.quiet(pair))
  }
  /** What has come between the access and its post: the page does not leave, and its access ends. */
  private def late(b: RepliesBench)(comes: => Unit): Unit = {
    begin(b)
    b.post(pair, word, held = false)
    b.settle()
    assert(b.quiet(pair))
    comes
    b.settle()
    assert(!b.quiet(pair))
    b.post(pair, reply(first), held = true)
  }
  private def lateNotReady(b: RepliesBench): Unit = {
    late(b)(b.acknowledge(pair, 0, 0x21))
    rests(b, 1, 0)
    b.does(Maps(segment, page, second))
    b.does(Time(3))
    ends(b, 18, 1, 0, second)
  }
  private def lateDestroyed(b: RepliesBench): Unit = {
    late(b)(b.does(Destroys(pair)))
    ended(b, Nil)
  }
  private def lateMissing(b: RepliesBench): Unit = {
    begin(b)
    b.post(pair, word, held = false)
    b.settle()
    assert(b.quiet(pair))
    // What is missing cannot be sent again yet.
    b.keepsDepartures = true
    for (other <- Seq(5, 6)) {
      b.does(Creates(other, 0, settings.copy(qpn = 0x10 + other)))
      b.post(other, word, held = false)
    }
    b.cycle(60)
    b.acknowledge(pair, 0, 0x60)
    b.post(pair, reply(first), held = true)
    b.does(Maps(segment, page, second))
    b.keepsDepartures = false
    b.settle()
    assert(b.open == 0 && b.sent.size == 20 && b.looks == 1 && b.sent.map(_.packet).filter(_.source == 0).forall(_.place == second))
  }

  val all: Seq[(String, RepliesBench => Unit)] = Seq(
    "nothing" -> whole,
    "a window that fills" -> windowFills,
    "a peer that is not ready" -> notReady,
    "a packet that is missing" -> missing,
    "its rate" -> rateHolds,
    "its cap" -> capHolds,
    "its rate, from the beginning" -> rateHoldsFromTheBeginning,
    "silence" -> silence,
    "silence for good" -> silenceForGood,
    "a refusal" -> refused,
    "the queue pair's end" -> destroyed,
    "a peer that is not ready, before the post" -> lateNotReady,
    "the queue pair's end, before the post" -> lateDestroyed,
    "a packet that is missing, before the post" -> lateMissing
  )
}

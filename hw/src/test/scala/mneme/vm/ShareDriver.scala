package mneme.vm

import mneme.CBoardConfig
import spinal.core.sim._

import scala.util.Random

/** Shares as the plan has them: none, halves, or any, which change while requests are under way. */
class ShareDriver(dut: Translation, c: CBoardConfig, plan: Plan, random: Random) {
  private val ports = dut.io

  /** How often they have changed. */
  var changes = 0

  /** In reset; `shareCommit` is taken back a cycle later. */
  def begin(): Unit = {
    write(whole = true)
    if (plan.halves) halve()
    ports.shareCommit #= plan.halves
  }

  /** `whole`: nobody has a share of anything. */
  private def write(whole: Boolean): Unit = {
    ports.shares.groups.foreach(_ #= (if (whole) 0 else random.nextInt(ShareGroup.count)))
    ports.shares.ways.foreach(_ #= (if (whole) 0 else random.nextInt(1 << c.tlbWays)))
    ports.shares.pages.foreach(_ #= (if (whole) 0 else random.nextInt(3)))
    if (c.waitingLists) {
      ports.shares.misses.foreach(_ #= (if (whole) BigInt(0) else BigInt(c.misses, random)))
      ports.shares.waiting.foreach(_ #= (if (whole || random.nextInt(4) != 0) 0 else 1 + random.nextInt(8)))
    }
  }

  /** Halves for the first process and the others, with a bound for the others alone, and pages for the first. */
  private def halve(): Unit = {
    for ((group, number) <- ports.shares.groups.zipWithIndex) group #= (if (number == 1) 1 else 0)
    for ((share, number) <- ports.shares.pages.zipWithIndex) share #= (if (number == 1) plan.keptPages else 0)
    val (low, high) = ((1 << c.misses / 2) - 1, (1 << c.misses) - (1 << c.misses / 2))
    for ((share, number) <- ports.shares.misses.zipWithIndex) share #= BigInt(if (number == 1) low else high)
    for ((share, number) <- ports.shares.waiting.zipWithIndex) share #= (if (number == 0) plan.waiting else 0)
  }

  /** They may be written at any time, and stand still from their commit until they are in force. */
  def step(): Unit = if (plan.shareRate > 0) {
    val commits = ports.shareCommit.toBoolean
    if (!commits && !ports.sharePending.toBoolean) {
      write(whole = random.nextInt(4) == 0)
      ports.shareCommit #= random.nextDouble() < plan.shareRate
    } else ports.shareCommit #= false
    if (commits) changes += 1
  }
}

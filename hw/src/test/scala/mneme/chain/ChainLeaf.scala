package mneme.chain

import mneme.leaf.{LeafOperation, LeafStatus}
import org.scalatest.Assertions._

import scala.collection.mutable

case class ChainSegment(pid: Int, pages: Int, budget: Int, rights: Int)

/** A leaf unit as far as chains ask it: frames are numbers, and go back at once. It counts accesses, so that none is left. */
class ChainLeaf {
  val segments = mutable.Map[Int, ChainSegment]()
  val frames = mutable.Map[(Int, Int), Int]()
  val filling = mutable.Map[Int, (Int, Int, Int)]()
  val free = mutable.Queue[Int]()
  val open = Array(0, 0)
  /** Operations that fail. */
  var fails: Set[LeafOperation.E] = Set()

  def clear(): Unit = {
    for (map <- Seq(segments, frames, filling)) map.clear()
    free.clear()
    open(0) = 0
    open(1) = 0
    fails = Set()
  }
  private def used(segment: Int): Int = frames.keys.count(_._1 == segment) + filling.values.count(_._1 == segment)

  /** Status, frame and count. LOOK begins an access of this epoch, if one is given. */
  def does(operation: LeafOperation.E, segment: Int, pid: Int, rights: Int, page: Int, filler: Int, epoch: Option[Int]): (LeafStatus.E, Int, Int) = {
    import LeafStatus._
    if (fails(operation)) return (FAILED, 0, 0)
    if (operation == LeafOperation.PUBLISH || operation == LeafOperation.GIVE_UP) {
      val (of, own, frame) = filling.remove(filler).getOrElse(return (NOTHING, 0, 0))
      if (operation == LeafOperation.PUBLISH) free ++= frames.put((of, own), frame) else free += frame
      return (DONE, frame, 0)
    }
    val own = segments.get(segment).filter(_.pid == pid).getOrElse(return (UNKNOWN, 0, 0))
    if (page >= own.pages) return (OUTSIDE, 0, 0)
    if ((rights & ~own.rights) != 0) return (RIGHT, 0, 0)
    operation match {
      case LeafOperation.CHECK => (DONE, 0, 0)
      case LeafOperation.LOOK =>
        for (frame <- frames.get((segment, page))) {
          epoch.foreach(open(_) += 1)
          return (DONE, frame, 0)
        }
        (UNMAPPED, 0, 0)
      case LeafOperation.STORE =>
        assert(!filling.contains(filler) && !frames.contains((segment, page)))
        if (used(segment) >= own.budget) (BUDGET_SPENT, 0, 0)
        else if (free.isEmpty) (RING_EMPTY, 0, 0)
        else {
          val frame = free.dequeue()
          filling(filler) = (segment, page, frame)
          (DONE, frame, 0)
        }
      case LeafOperation.FREE =>
        val frame = frames.remove((segment, page))
        free ++= frame
        (DONE, 0, frame.size)
      case other => fail(s"chains never ask for $other")
    }
  }
}

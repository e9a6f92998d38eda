package mneme.chain

import mneme.rdma.RoceReference
import mneme.wire.Wire.ChainCounter

import scala.collection.mutable
import scala.util.Random

/** Clients of chain queue pairs by place, and what is in pages. A store's page is nobody else's until its reply has come; loads may share theirs. */
trait ChainWork {
  protected def random: Random
  val clients = mutable.Map[Int, ChainClient]()
  val pages = mutable.Map[Int, Seq[Int]]()
  val uses = mutable.Map[Int, Int]().withDefaultValue(0)
  val storing = mutable.Set[Int]()
  /** Messages that have begun, by the ChainCounter number that counts them; by queue pair. */
  val begun, begunBy = mutable.Map[Int, Int]().withDefaultValue(0)

  protected def clearWork(): Unit = {
    for (map <- Seq(clients, pages, uses, begun, begunBy)) map.clear()
    storing.clear()
  }
  protected def done(page: Int): Unit = {
    uses(page) -= 1
    storing -= page
  }

  /** A message of this queue pair about a page; nothing, if the page is in use. */
  def begin(place: Int, page: Int): Boolean = {
    val client = clients(place)
    val function = client.link.function
    val mapped = pages.contains(page)
    val may = if (function == 0) mapped && !storing(page) else uses(page) == 0 && (function != 1 || mapped)
    if (may) {
      begun(function match {
        case 0 => ChainCounter.LOADS
        case 3 => if (mapped) ChainCounter.FREED else ChainCounter.FREED_NOTHING
        case _ => if (mapped) ChainCounter.MAPPED_STORES else ChainCounter.UNMAPPED_STORES
      }) += 1
      begunBy(place) += 1
      uses(page) += 1
      if (function != 0) storing += page
      if (client.link.stores) {
        val fresh = RoceReference.random(random, 4096)
        pages(page) = fresh
        client.begin(page, fresh)
      } else client.begin(page)
      if (function == 3) pages -= page
    }
    may
  }
  def busy: Boolean = clients.values.exists(!_.isIdle)

  /** Each client begins messages about any pages, if it has less than `most`. */
  protected def beginSome(most: Int): Unit =
    // Pages 12 to 15 are those of unmapped stores and invalidates alone: else some load would always be at them.
    for ((place, client) <- random.shuffle(clients.toSeq.sortBy(_._1)) if client.open < most) client.link.function match {
      case 2 => begin(place, random.nextInt(16))
      case 3 =>
        // Seldom one without a frame: invalidates would always be at these pages, and no store would have its turn.
        val page = 12 + random.nextInt(4)
        if (pages.contains(page) || random.nextInt(500) == 0) begin(place, page)
      case _ => begin(place, random.nextInt(12))
    }
}

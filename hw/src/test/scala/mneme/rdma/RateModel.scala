package mneme.rdma

import mneme.wire.Wire

/** The rate of a queue pair, as the golden model has it (`mneme_rdma::responder::Rate`). [[RateModelTest]] holds it to that. */
case class RateModel(
    cap: Int,
    rate: Int,
    target: Int,
    alpha: Int = RateModel.ALPHA,
    timer: Int = 0,
    units: Int = 0,
    stages: Seq[Int] = Seq(0, 0),
    credit: Int = 0
) {
  def limited: Boolean = rate != Wire.ROCE_RATE_LINE
  def low: Boolean = rate != cap
  def holds: Boolean = limited && credit < 0

  def pass: RateModel = {
    val had = copy(credit = (credit min 0) + rate)
    if (!limited) this
    else if (!low) had
    else if (timer + 1 < Wire.ROCE_RATE_TIMER) had.copy(timer = timer + 1)
    else had.copy(timer = 0, alpha = alpha - (alpha >> 8)).grow(0)
  }

  /** So many bytes on the wire. */
  def sent(bytes: Int): RateModel = {
    val has = copy(credit = (credit - bytes) max -(1 << 17))
    val all = units + (bytes + 255) / 256
    val rest = all % (1 << Wire.ROCE_RATE_BYTES_LOG)
    if (!limited) this else if (!low) has else if (rest == all) has.copy(units = all) else has.copy(units = rest).grow(1)
  }

  def cut: RateModel = {
    val before = if (low) alpha else RateModel.ALPHA
    val part = (rate.toLong * (before >> (Wire.ROCE_RATE_ALPHA_BITS - 8)) >> 9).toInt
    val after = before + (RateModel.ALPHA - before >> 8)
    RateModel(cap, (rate - part) max Wire.ROCE_RATE_LEAST, rate, after, credit = if (limited) credit min 0 else 0)
  }

  private def grow(clock: Int): RateModel = {
    val now = stages.updated(clock, (stages(clock) + 1) min 7)
    val more = if (now.min > Wire.ROCE_RATE_STAGES) Wire.ROCE_RATE_HYPER else if (now.max < Wire.ROCE_RATE_STAGES) 0 else Wire.ROCE_RATE_ADDITIVE
    val to = (target + more) min cap
    val grown = copy(stages = now, target = to, rate = (rate + to + 1) / 2)
    if (grown.limited) grown else grown.copy(credit = 0)
  }
}

object RateModel {
  val ALPHA: Int = (1 << Wire.ROCE_RATE_ALPHA_BITS) - 1
  def fresh(cap: Int): RateModel = RateModel(cap, cap, cap)
}

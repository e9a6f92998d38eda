package mneme.engine

/** Text for WaveDrom of what wires showed. Stretches in which nothing changes are shortened to a gap; the row *cycle* tells how long they last. */
object WaveJson {
  /** Cycles of such a stretch that are shown before the gap. */
  private val BEFORE = 2

  /** A column: a cycle, or a gap. */
  private case class Column(cycle: Int, gap: Boolean)

  private def columns[A](cycles: IndexedSeq[A]): Seq[Column] = {
    val changes = cycles.indices.filter(i => i == 0 || cycles(i) != cycles(i - 1))
    changes.zipAll(changes.drop(1), 0, cycles.size).flatMap { case (from, to) =>
      val shown = (from until to).map(Column(_, gap = false))
      // What follows the last change is no gap between two.
      if (to == cycles.size) shown.take(BEFORE) else if (to - from <= BEFORE + 1) shown else shown.take(BEFORE) :+ Column(from + BEFORE, gap = true)
    }
  }

  private def text(s: String) = "\"" + s + "\""

  private def row(name: String, columns: Seq[Column], shown: Int => Shown): String = {
    val wave = new StringBuilder
    val labels = Seq.newBuilder[String]
    var last = Option.empty[Shown]
    for (column <- columns) {
      val now = shown(column.cycle)
      if (column.gap) wave += '|'
      else if (last.contains(now)) wave += '.'
      else {
        wave += now.wave
        if (now.label.nonEmpty) labels += text(now.label)
      }
      if (!column.gap) last = Some(now)
    }
    val data = labels.result()
    s"{${text("name")}: ${text(name)}, ${text("wave")}: ${text(wave.toString)}${if (data.isEmpty) "" else data.mkString(s", ${text("data")}: [", ", ", "]")}}"
  }

  /** `groups`: names of wires, by group; the others are left out. */
  def apply(title: String, cycles: Seq[Map[(String, String), Shown]], groups: Seq[(String, Seq[String])]): String = {
    val wires = for ((group, names) <- groups; name <- names) yield (group, name)
    val kept = cycles.map(cycle => wires.map(cycle)).toIndexedSeq
    val shown = columns(kept)
    val clock = text("clk")
    val numbers = row("cycle", shown, cycle => Shown('2', cycle.toString))
    val rows = groups.map { case (group, names) =>
      val lines = names.map(name => "    " + row(name, shown, cycle => kept(cycle)(wires.indexOf((group, name)))))
      (s"  [${text(group)}" +: lines).mkString(",\n") + "]"
    }
    val ticks = shown.zipWithIndex.map { case (column, i) => if (column.gap) '|' else if (i == 0) 'p' else '.' }.mkString
    val signals = s"  {${text("name")}: $clock, ${text("wave")}: ${text(ticks)}}" +: s"  $numbers" +: rows
    s"{${text("head")}: {${text("text")}: ${text(title)}},\n ${text("config")}: {${text("hscale")}: 2},\n ${text("signal")}: [\n${signals.mkString(",\n")}\n]}\n"
  }
}

package mneme.board

import spinal.core._

import java.nio.file.{Files, Paths}
import scala.collection.mutable

/** What Vivado must be told of the crossings of a component, as XDC text: how late a signal may be on its way from one clock to another, and how far the
  * bits of one word may be apart. Made from the same objects as the Verilog, and checked against it.
  *
  * Names are relative to the component, so the text is to be read with `read_xdc -ref`. Without it Vivado would time these ways as if both clocks had a
  * common one.
  */
object CrossingConstraints {
  private def crossings(top: Component): Seq[Crossing] =
    (top match {
      case crossing: Crossing => Seq(crossing)
      case _ => Nil
    }) ++ top.children.flatMap(crossings)

  /** Path of a register's cells from `top` on. */
  private def cells(top: Component, register: BaseType): String = {
    def path(component: Component): List[String] = if (component eq top) Nil else path(component.parent) :+ component.getName()
    val bits = register match {
      case _: Bool => ""
      case _ => "[*]"
    }
    (path(register.component) :+ s"${register.getName()}_reg$bits").mkString("/")
  }

  /** Of a component that was elaborated. */
  def text(top: Component): String = {
    val lines = mutable.ArrayBuffer(
      s"# Crossings between the clocks of ${top.definitionName}; generated, read it with `read_xdc -ref ${top.definitionName}`.",
      s"# In ns. A command that finds no cells is a critical warning of Vivado, and an error of the generator."
    )
    for (crossing <- crossings(top) if crossing.ways.nonEmpty) {
      lines += s"# ${crossing.getName()}: ${crossing.getClass.getSimpleName}"
      for (way <- crossing.ways) {
        val ends = s"-from [get_cells {${cells(top, way.from)}}] -to [get_cells {${cells(top, way.to)}}]"
        lines += s"set_max_delay -datapath_only $ends ${crossing.within}"
        if (way.together) lines += s"set_bus_skew $ends ${crossing.within}"
      }
    }
    lines.mkString("", "\n", "\n")
  }

  /** Registers and instances of a module. */
  private class Module {
    val scalars, vectors = mutable.Set[String]()
    val instances = mutable.Map[String, String]()
  }
  private val MODULE = raw"module (\w+) \(".r.unanchored
  private val REGISTER = raw"^\s*(?:\(\*.*\*\)\s*)*reg\s+(\[\d+:\d+\])?\s*(\w+)\s*(?:=.*)?;".r.unanchored
  private val INSTANCE = raw"^  (\w+) (\w+) \($$".r
  private val CELLS = raw"get_cells \{([^}]*)\}".r

  private def modules(verilog: String): Map[String, Module] = {
    val found = mutable.Map[String, Module]()
    var now = new Module
    for (line <- verilog.linesIterator) line match {
      case MODULE(name) =>
        now = new Module
        found(name) = now
      case REGISTER(range, name) => (if (range == null) now.scalars else now.vectors) += name
      case INSTANCE(kind, name) => now.instances(name) = kind
      case _ =>
    }
    found.toMap
  }

  /** Which cells that the text names are not in the Verilog, in words; none is as it should be. */
  def missing(text: String, verilog: String, top: String): Seq[String] = {
    val known = modules(verilog)
    val names = CELLS.findAllMatchIn(text).map(_.group(1)).toSeq
    val lost = names.distinct.filterNot { name =>
      val path = name.split('/').toList
      val module = path.init.foldLeft(Option(top))((kind, instance) => kind.flatMap(known.get).flatMap(_.instances.get(instance))).flatMap(known.get)
      val register = path.last
      if (register.endsWith("_reg[*]")) module.exists(_.vectors(register.dropRight("_reg[*]".length)))
      else register.endsWith("_reg") && module.exists(_.scalars(register.dropRight("_reg".length)))
    }
    lost.map(name => s"a constraint names $name, which is no register of $top") ++ (if (names.isEmpty) Seq(s"no constraint names a register of $top") else Nil)
  }

  /** Registers that sample another clock without a constraint: of no [[Crossing]], or one that it forgot. */
  def unconstrained(top: Component): Seq[String] = {
    val known = crossings(top).flatMap(_.ways.map(_.to)).toSet[BaseType]
    val found = mutable.ArrayBuffer[String]()
    top.walkComponents(_.dslBody.walkStatements {
      case register: BaseType if register.isReg && register.hasTag(crossClockDomain) && !known(register) => found += cells(top, register)
      case _ =>
    })
    found.toSeq
  }

  /** Fails when a register samples another clock outside of a [[Crossing]]. For tools that know no constraint of two clocks: who runs them looks at the ways in
    * their report.
    */
  def check(top: Component): Unit = {
    val wrong = unconstrained(top).map(name => s"$name samples another clock and is of no crossing")
    if (wrong.nonEmpty) SpinalError(wrong.mkString("\n"))
  }

  /** Writes the constraints of a component beside its Verilog; fails where they do not belong to each other. */
  def write(top: Component, folder: String): Unit = {
    val verilog = new String(Files.readAllBytes(Paths.get(folder, s"${top.definitionName}.v")))
    val constraints = text(top)
    val wrong = missing(constraints, verilog, top.definitionName) ++
      unconstrained(top).map(name => s"$name samples another clock and has no constraint")
    if (wrong.nonEmpty) SpinalError(wrong.mkString("\n"))
    Files.write(Paths.get(folder, s"${top.definitionName}.xdc"), constraints.getBytes)
  }
}

// Formatting: `sbt scalafmtAll`, checked by `cargo xtask lint`.
addSbtPlugin("org.scalameta" % "sbt-scalafmt" % "2.5.4")

ThisBuild / scalaVersion := "2.13.14"
ThisBuild / organization := "mneme"

val spinalVersion = "1.14.2"

lazy val hw = (project in file("."))
  .settings(
    name := "mneme-hw",
    libraryDependencies ++= Seq(
      "com.github.spinalhdl" %% "spinalhdl-core" % spinalVersion,
      "com.github.spinalhdl" %% "spinalhdl-lib" % spinalVersion,
      "com.github.spinalhdl" %% "spinalhdl-sim" % spinalVersion,
      compilerPlugin("com.github.spinalhdl" %% "spinalhdl-idsl-plugin" % spinalVersion),
      "org.scalatest" %% "scalatest" % "3.2.19" % Test
    ),
    scalacOptions ++= Seq("-deprecation", "-feature", "-language:reflectiveCalls", "-Xlint:unused"),
    fork := true,
    // With the time that each test takes.
    Test / testOptions += Tests.Argument(TestFrameworks.ScalaTest, "-oD"),
    Test / parallelExecution := false
  )

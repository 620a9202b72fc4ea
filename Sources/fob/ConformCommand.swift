import ArgumentParser
import Conformance
import FobBase
import SerialIO

/// `fob conform`: the conformance suite of the wire protocol, on any rig.
struct ConformCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conform",
    abstract: "Test a keychain against the wire protocol, case by case.",
    discussion: """
      SPEC is memory: (the production firmware in this process, in virtual time) or a line as for \
      --device: pty:PATH, serial:PATH?baud=N, unix:PATH, tcp:HOST:PORT. Only one host can have a \
      line: stop the bridge first.

      What moves the button, the power and the other parts is the actuator: \(ActuatorSpec.forms). \
      An emulator's control socket is found by itself where it stands in this user's runtime \
      folder. What a device cannot be made to do is told as not tested, never as passed.

      shell:COMMAND is called by /bin/sh as COMMAND press, release, reset, powercut SECONDS, \
      brownout SECONDS or battery PERCENT, and ends with 0 when that is done, however long it \
      takes. SECONDS is a decimal fraction, as 0.3. COMMAND abilities prints what it can, of: \
      button brief reset powercut brownout battery; one that prints none of them has the button \
      alone.

      No alarm is raised and nobody is told: events are acked here, and the keychain forgets them. \
      One in use that still keeps a press is refused, unless --forget is given.

      It ends with 0 where every case passed that could be tested, else with 1; with 75 where \
      nothing is heard from the device, and with 77 where it cannot be tested: it is paired, so \
      that it believes its own core alone, or keeps a press.
      """)

  @Argument(help: "memory: or a line, e.g. pty:/tmp/fob.pty.", completion: .deviceSpec)
  var spec: String?

  @Option(help: "Actuator, which presses the device: \(ActuatorSpec.forms).")
  var actuator: String?

  @Flag(
    help: """
      A BREAK on the line resets the device, as that of a micro:bit does: cases of reboots send \
      one, whatever the actuator can.
      """)
  var breakResets = false

  @Option(
    help:
      "Run only this chapter, one of \(Chapter.allCases.map(\.rawValue).joined(separator: ", ")).")
  var chapter: [Chapter] = []

  @Option(
    name: .customLong("case"), help: "Run only this case, e.g. reliability/ack-lost.",
    completion: .list(Suite.cases.map(\.id)))
  var cases: [String] = []

  @Flag(help: "Leave out the cases that take more than 15 s where time cannot be moved.")
  var quick = false

  @Option(help: "Random seed. (default: a random one; memory: 1)")
  var seed: UInt64?

  @Option(help: "Timing tolerance in milliseconds, 0 to 5000. (default: 80)")
  var slack: Int64?

  @Option(
    help: """
      Milliseconds that the device's clock may stand still, as QEMU's does on a busy host, 0 to \
      5000. (default: 0)
      """)
  var clockSlack: Int64?

  @OptionGroup var output: JSONOption

  @Option(
    help: "Write the run to this file as one JSON object; - is standard output.",
    completion: .file())
  var save: String?

  @Option(
    help: "Write the run to this file as JUnit XML; - is standard output.", completion: .file())
  var junit: String?

  @Option(help: "Folder for a pcapng capture of each case that fails.", completion: .directory)
  var out: String?

  @Flag(help: "Run even if the keychain still holds an undelivered press. That press will be lost.")
  var forget = false

  @Flag(help: "Print the steps of every case, not only of those that fail.")
  var steps = false

  @Option(
    parsing: .upToNextOption,
    help: """
      Run none, and make one report of those that --save has written on many machines: of a \
      chapter each, or of a keychain each. A case that failed anywhere has failed. Ends with 1 \
      where a case failed, was not run or is in no report; with --quick long ones need not be.
      """, completion: .file())
  var merge: [String] = []

  @Flag(help: "List the cases, what they prove and what they need, and run none.")
  var list = false

  func validate() throws {
    guard spec != nil || list || !merge.isEmpty else {
      throw ValidationError("which device? give memory: or a line")
    }
    guard [slack, clockSlack].allSatisfy({ (0...5_000).contains($0 ?? 0) }) else {
      throw ValidationError("--slack and --clock-slack take 0 to 5000 ms")
    }
    guard !list || !(hasOptionsOfRun || output.json) else {
      throw ValidationError(
        "--list runs nothing: beside it stand only --chapter, --case and --quick")
    }
    guard
      merge.isEmpty || !(list || hasOptionsOfRun || !chapter.isEmpty || !cases.isEmpty)
    else {
      throw ValidationError("--merge runs nothing: beside it stand only --quick and --json")
    }
    if spec == Self.memory,
      actuator != nil || breakResets || slack != nil || clockSlack != nil || forget
    {
      throw ValidationError(
        "memory: is in virtual time, with its own button and no core: --actuator,"
          + " --break-resets, --slack, --clock-slack and --forget say nothing to it")
    }
    do throws(RigFailure) {
      _ = try actuator.map { text throws(RigFailure) in try ActuatorSpec(text) }
    } catch {
      throw ValidationError("--actuator: \(error)")
    }
    _ = try chosen()
    if let spec, spec != Self.memory {
      do throws(DeviceSpecError) {
        _ = try DeviceSpec(spec)
      } catch {
        throw ValidationError("\(error)")
      }
    }
  }

  func run() throws {
    guard merge.isEmpty else {
      try output.begin()
      return try ConformMerge(merge).tell(isQuick: quick, asJSON: output.json)
    }
    let chosen = try chosen()
    if list {
      for tested in chosen { Terminal.line(Self.entry(of: tested)) }
      return
    }
    try Failure.mapped {
      try output.begin()
      let save = try save.map { try OutputFile($0) }
      let junit = try junit.map { try OutputFile($0) }
      // Before any thread is started.
      let termination = try Termination()
      let bench = try ConformBench(
        spec ?? Self.memory, actuator: actuator.map { try ActuatorSpec($0) },
        slack: .milliseconds(slack ?? 80), clockSlack: .milliseconds(clockSlack ?? 0),
        breakResets: breakResets, seed: seed)
      try bench.refuseInUse(forgets: forget)
      let report = try bench.run(chosen, showsSteps: steps, out: out, until: termination)
      try save?.write(report.json())
      try junit?.write(report.junit())
      if output.json { Terminal.output(try report.json(isPretty: false)) }
      Terminal.line("")
      let end = report.failed.flatMap(report.explanation(of:)) + report.gaps + [report.summary]
      for line in end { Terminal.line(line) }
      if let lost = bench.lostCapture { throw lost }
      if bench.isSilent(report) {
        throw Failure(.timedOut, report.failed.last?.reason ?? "the device is silent")
      }
      guard report.isGood else {
        throw Failure(
          .expectationMissed,
          report.failed.isEmpty
            ? report.notRun > 0 ? "the run was stopped before its end" : "no case could be tested"
            : "the device does not conform")
      }
    }
  }

  static let memory = "memory:"

  private var hasOptionsOfRun: Bool {
    [spec, actuator, save, junit, out].contains { $0 != nil } || seed != nil || slack != nil
      || clockSlack != nil || breakResets || forget || steps
  }

  private func chosen() throws -> [ConformanceCase] {
    for id in cases where !Suite.cases.contains(where: { $0.id == id }) {
      throw ValidationError("--case: there is no '\(id)'; fob conform --list names them all")
    }
    return Suite.cases.filter { tested in
      (chapter.isEmpty || chapter.contains(tested.chapter))
        && (cases.isEmpty || cases.contains(tested.id)) && !(quick && tested.isLong)
    }
  }

  private static func entry(of tested: ConformanceCase) -> String {
    let needs = tested.needs.map(\.rawValue).joined(separator: ", ")
    let tail = (needs.isEmpty ? "" : " (needs \(needs))") + (tested.isLong ? " (long)" : "")
    return "\(tested.id): \(tested.name) [\(tested.section)]\(tail)"
  }
}

extension Chapter: ExpressibleByArgument {}

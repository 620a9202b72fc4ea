import Bench
import FobBase
import Foundation
import SerialIO
import TestSupport
import Testing

/// `fob bench latency` as its users call it, on processes of its own.
@Suite struct LatencyCommandTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  private func bench(_ arguments: [String]) throws -> RunningFob {
    try RunningFob(["bench", "latency"] + arguments, in: scratch, awaitsReady: false)
  }

  private func result() throws -> BenchResult { try BenchFile.read(scratch.path("run.json")) }

  /// A machine that runs tests is on time for nobody.
  private let patient = ["--max-pacing-error", "10000000"]

  @Test func `a short run gives every stage and every file, real process`() throws {
    let files = [("save", "run.json"), ("histogram", "run.hlog"), ("report", "run.html")]
    let run = try bench(
      ["--duration", "2", "--warm-up", "0.5"] + patient
        + files.flatMap { ["--\($0)", scratch.path($1)] })
    #expect(run.awaitEnd() == 0, "\(run.output)")
    let result = try result()
    let samples = result.blocks.flatMap(\.samples)
    #expect(result.lost == 0 && result.device == "emulated")
    // Where other tests have the processors, stamps of some presses come too late: which is said.
    #expect(samples.count + result.warmUp + result.unseen == 50)
    for stage in LatencyStage.allCases {
      #expect(samples.contains { $0.duration(of: stage) != nil }, "\(stage)")
    }
    #expect(samples.allSatisfy { $0.duration(of: .debounce)! >= 15_000 })
    #expect(result.blocks.allSatisfy { !$0.floor.isEmpty && !$0.flushes.isEmpty })
    #expect(result.environment.processors > 0)
    for (_, name) in files {
      #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.path(name))).count > 1_000)
    }
    #expect(run.output.contains("debounce"))
    let merge = ["bench", "merge", scratch.path("run.json")]
    let merged = try RunningFob(merge + ["--json"], in: scratch, awaitsReady: false)
    #expect(merged.awaitEnd() == 0, "\(merged.output)")
    #expect(merged.output.contains(#""device":"emulated""#))
    let doubled = try RunningFob(
      merge + [scratch.path("run.json")], in: scratch, awaitsReady: false)
    #expect(doubled.awaitEnd() == 64 && doubled.output.contains("once more"), "\(doubled.output)")
  }

  @Test func `a keychain in another process is found by its line, and pressed, real processes`()
    throws
  {
    let link = scratch.path("keychain")
    let folder = scratch.path("runtime/fob")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let keychain = try RunningFob(
      ["emulate", "--link", link, "--control", folder + "/keychain.sock"], in: scratch)
    defer { keychain.interrupt() }
    let run = try bench(
      [
        "--device", "pty:\(link)", "--duration", "2", "--warm-up", "1", "--save",
        scratch.path("run.json"),
      ] + patient)
    #expect(run.awaitEnd() == 0, "\(run.output)")
    let result = try result()
    let samples = result.blocks.flatMap(\.samples)
    #expect(result.device == "pty:\(link)" && result.lost == 0)
    #expect(samples.count + result.warmUp + result.unseen == 24)
    #expect(!samples.isEmpty && samples.allSatisfy { $0.due != nil })
    #expect(samples.contains { $0.uncertainty ?? 0 > 0 })
    #expect(result.pacing.map { $0.largest > 0 } == true)
  }

  @Test func `presses that come to nothing are lost, and end it with 1, real processes`() throws {
    let link = scratch.path("keychain")
    let keychain = try RunningFob(
      ["emulate", "--link", link, "--control", scratch.path("keychain.sock")], in: scratch)
    defer { keychain.interrupt() }
    // What presses does nothing.
    let run = try bench(
      ["--device", "pty:\(link)", "--actuator", "shell:true", "--duration", "1", "--warm-up", "0"])
    #expect(run.awaitEnd() == 1, "\(run.output)")
    #expect(run.output.contains("presses were lost"), "\(run.output)")
  }

  @Test func `sealed presses go all their way, real process`() throws {
    let run = try bench(
      ["--sealed", "--duration", "1", "--warm-up", "0.2", "--save", scratch.path("run.json")]
        + patient)
    #expect(run.awaitEnd() == 0, "\(run.output)")
    let result = try result()
    #expect(result.lost == 0 && result.environment.options.contains("sealed"))
    #expect(result.blocks.flatMap(\.samples).contains { $0.lit != nil })
  }

  @Test func `a device that says nothing ends it with 75, real process`() throws {
    let terminal = try PseudoTerminal()
    let run = try bench(["--device", "pty:\(terminal.slavePath)", "--forget"])
    #expect(run.awaitEnd() == 75, "\(run.output)")
    extendLifetime(terminal)
  }

  @Test func `presses off their time are refused, and end it with 71, real processes`() throws {
    let link = scratch.path("keychain")
    let socket = scratch.path("keychain.sock")
    let keychain = try RunningFob(["emulate", "--link", link, "--control", socket], in: scratch)
    defer { keychain.interrupt() }
    let run = try bench([
      "--device", "pty:\(link)", "--actuator", "control:\(socket)", "--duration", "2", "--warm-up",
      "1", "--max-pacing-error", "0",
    ])
    #expect(run.awaitEnd() == 71, "\(run.output)")
    #expect(run.output.contains("the figures are refused"), "\(run.output)")
  }

  @Test func `Ctrl-C ends a run early, and what was measured is told, real process`() throws {
    let run = try bench(
      ["--duration", "600", "--warm-up", "0.2", "--save", scratch.path("run.json")] + patient)
    try run.awaitOutput("presses a second")
    let signal = try EventSignal()
    _ = try Syscall.poll(signal.descriptor, for: 1, until: BootClock.now() + .seconds(2))
    run.interrupt()
    #expect(run.awaitEnd() == 0, "\(run.output)")
    let result = try result()
    #expect(result.duration < 60 && result.lost == 0)
    #expect(!result.blocks.isEmpty)
  }

  @Test func `beside another program Ctrl-C ends both soon, real processes`() throws {
    let run = try bench(["--compare", RunningFob.binary, "--rate", "0.5", "--duration", "384"])
    try run.awaitOutput("beside ")
    run.interrupt()
    // A part is 32 s long.
    #expect(run.awaitEnd() == 1, "\(run.output)")
    #expect(run.output.contains("no press was measured"), "\(run.output)")
  }

  @Test func `beside a program that is no fob it ends with 66, and says so, real processes`() throws
  {
    let run = try bench(["--compare", "/bin/true"])
    #expect(run.awaitEnd() == 66, "\(run.output)")
    #expect(run.output.contains("/bin/true made no figures"), "\(run.output)")
  }

  @Test(arguments: [
    (["--rate", "100", "--keychains", "2"], "--keychains"),
    (["--keychains", "0"], "--keychains"),
    (["--rate", "1e300"], "--rate"),
    (["--rate", "nan"], "--rate"),
    (["--device", "pty:/tmp/x", "--keychains", "2"], "--device"),
    (["--device", "pty:/tmp/x", "--sealed"], "--device"),
    (["--actuator", "none"], "--device"),
    (["--duration", "0"], "--duration"),
    (["--compare", "/bin/true", "--duration", "3"], "12 to 300 parts"),
    (["--compare", "/bin/true", "--device", "pty:/tmp/x"], "one host at a time"),
  ])
  func `what cannot be measured is refused, real process`(arguments: [String], words: String) throws
  {
    let run = try bench(arguments)
    #expect(run.awaitEnd() == 64, "\(run.output)")
    #expect(run.output.contains(words), "\(run.output)")
  }
}

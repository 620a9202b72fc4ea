import FobBase
import Foundation
import Glibc
import RegexBuilder
import SerialIO
import TestSupport
import Testing

/// `fob simulate` as a process of its own, whose dictionaries and sets have an order of their own.
@Suite struct SimulateTests {
  private func simulate(_ arguments: [String]) throws -> (code: Int32?, output: String) {
    let fob = try RunningFob(["simulate"] + arguments, in: ScratchDirectory(), awaitsReady: false)
    let code = fob.awaitEnd(within: .seconds(120))
    return (code, fob.output)
  }

  private func hashes(_ output: String) -> [Substring] {
    output.split(separator: "\n").filter { $0.wholeMatch(of: #/[0-9]+ [0-9a-f]{16}/#) != nil }
  }

  @Test func `two processes, on one thread and on three, see the same worlds`() throws {
    let one = try simulate(["--seeds", "61..80", "--hash", "--threads", "1"])
    let other = try simulate(["--seeds", "61..80", "--hash", "--threads", "3"])
    let seen = hashes(one.output)
    #expect(!seen.isEmpty, "\(one.output)")
    #expect(seen == hashes(other.output))
    #expect(
      seen.compactMap { $0.split(separator: " ").first } == (61..<61 + seen.count).map { "\($0)" }
    )
    #expect(one.code == other.code)
  }

  @Test func `the last line says how many were played, how fast, and what was found`() throws {
    let (code, output) = try simulate(["--seeds", "1..8", "--threads", "2"])
    let last = try #require(output.split(separator: "\n").last)
    let shape = Regex {
      Capture { #/[0-9,]+/# }
      #/ schedules?, [0-9,]+ device-s in [0-9.]+ s \([0-9,]+ device-s/s a core, 2 cores\), /#
      Capture { #/[01]/# }
      #/ violations?.*/#
    }
    let match = try #require(last.wholeMatch(of: shape), "\(output)")
    #expect(code == (match.2 == "0" ? 0 : 1))
    if match.2 == "0" { #expect(match.1 == "8") }
  }

  @Test func `the reports of all parts of a search are merged into that of the whole`() throws {
    let scratch = try ScratchDirectory()
    let whole = try simulate(["--seeds", "1..10", "--json"])
    try #require(whole.code == 0, "\(whole.output)")
    var files: [String] = []
    for part in 1...3 {
      files.append(scratch.path("part\(part)"))
      let played = try simulate(["--seeds", "1..10", "--shard", "\(part)/3", "--json"])
      #expect(played.code == 0)
      try played.output.write(toFile: files[part - 1], atomically: true, encoding: .utf8)
    }
    let merged = try simulate(["merge", "--expect", "1..10", "--json"] + files)
    #expect(merged.code == 0, "\(merged.output)")
    #expect(try hash(merged.output) == hash(whole.output))
    let words = try simulate(["merge"] + files)
    #expect(words.output.contains("coverage: "))
    #expect(words.output.contains("10 schedules, "))
    let two = try simulate(["merge", "--expect", "1..10"] + files.dropLast())
    #expect(two.code == 1)
    #expect(two.output.contains("not played: 8..10"))
    let gap = try simulate(["merge", files[0], files[2]])
    #expect(gap.code == 1)
    #expect(gap.output.contains("not played: 5..7"))
    let twice = try simulate(["merge", files[0], files[0]])
    #expect(twice.code == 64)
    #expect(twice.output.contains("seed 1 is in another report, too"))
  }

  private func hash(_ report: String) throws -> String {
    let json = try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any]
    return try #require(json?["hash"] as? String)
  }

  @Test func `for some seconds it plays from a random seed on, and says from which`() throws {
    let (code, output) = try simulate(["--seconds", "0.3"])
    #expect(output.firstMatch(of: #/^seeds from [0-9]{9}\n/#) != nil, "\(output)")
    #expect(code == 0 || code == 1)
  }

  @Test func `of one seed the timeline of some acts is told`() throws {
    let (code, output) = try simulate(["--seed", "2", "--acts", "", "--timeline", "--lines", "9"])
    #expect(code == 0 || code == 1)
    for promise in ["world: ", "policy: ", "timeline:", " lines before", "trace hash "] {
      #expect(output.contains(promise), "no '\(promise)' in:\n\(output)")
    }
    #expect(!output.contains("act "))
  }

  @Test(arguments: [
    (["--seeds", "9..3"], "--seeds"), (["--seed", "1", "--seconds", "2"], "give one of"),
    (["--seeds", "1..2", "--acts", "3"], "go with one seed"), (["--acts", "1,x"], "--acts"),
    (["--threads", "0"], "--threads"), (["--seconds", "nan"], "--seconds"),
    (["--speed", "fast"], "--speed"),
  ])
  func `a wrong option is named`(arguments: [String], words: String) throws {
    let (code, output) = try simulate(arguments)
    #expect(code == 64)
    #expect(output.contains(words), "\(output)")
  }

  @Test func `a world that crashes fob is named by its seed`() throws {
    let fob = try RunningFob(
      ["simulate", "--seeds", "1..1000000", "--threads", "1"], in: ScratchDirectory(),
      awaitsReady: false, environment: ["SWIFT_BACKTRACE": "enable=no"])
    let deadline = BootClock.now() + .seconds(30)
    while !hasPlayed(fob.pid), BootClock.now() < deadline { usleep(500) }
    kill(fob.pid, SIGABRT)
    #expect(fob.awaitEnd() == 128 + SIGABRT)
    #expect(
      fob.output.firstMatch(of: #/crashed, perhaps by: fob simulate --seed [0-9]+/#) != nil,
      "\(fob.output)")
  }

  /// Whether a thread that plays has used the processor for 20 ms: /proc/PID/task/TID/stat, utime.
  private func hasPlayed(_ pid: pid_t) -> Bool {
    let tasks = "/proc/\(pid)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return threads.contains { thread in
      guard let stat = try? String(contentsOfFile: "\(tasks)/\(thread)/stat", encoding: .utf8),
        stat.contains("(world 1)"), let fields = stat.split(separator: ") ").last
      else { return false }
      return Int(fields.split(separator: " ")[11]) ?? 0 >= 2
    }
  }
}

import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// Ctrl-C, in the midst of work.
@Suite struct InterruptionTests {
  @Test(arguments: [
    ["run", "--listen", "127.0.0.1:0"], ["run", "--scenario", "SCENARIO"],
    ["bench", "latency", "--duration", "60"], ["bench", "recovery", "--repetitions", "9"],
    ["bench", "load", "--keychains", "2", "--seconds", "60"], ["bench", "start", "--runs", "500"],
    ["bench", "realtime", "--presses", "500"],
    ["bench", "latency", "--compare", "FOB", "--duration", "60"],
  ])
  func `nothing is left in the temporary folder`(command: [String]) throws {
    let scratch = try ScratchDirectory()
    let temporary = try Self.folder(in: scratch)
    let scenario = scratch.path("long.yaml")
    try Data("steps:\n  - pause: 60s\n".utf8).write(to: URL(filePath: scenario))
    let places = ["SCENARIO": scenario, "FOB": RunningFob.binary]
    let fob = try RunningFob(
      command.map { places[$0] ?? $0 }, in: scratch, awaitsReady: false,
      environment: ["TMPDIR": temporary])
    let deadline = BootClock.now() + .seconds(30)
    // A rig has its files once a socket or a store is there.
    while Self.files(in: temporary) < 2, fob.awaitEnd(within: .milliseconds(5)) == nil,
      BootClock.now() < deadline
    {}
    #expect(Self.files(in: temporary) >= 2, "nothing was made: \(fob.output)")
    fob.interrupt()
    #expect(fob.awaitEnd() != nil)
    let left = FileManager.default.enumerator(atPath: temporary)?.allObjects ?? []
    #expect(left.isEmpty, "\(left)")
  }

  @Test(arguments: [
    ["emulate"], ["bridge", "--listen", "127.0.0.1:0"], ["core", "--listen", "127.0.0.1:0"],
    ["monitor", "--device", "./none"],
  ])
  func `what makes nothing there leaves nothing there`(command: [String]) throws {
    let scratch = try ScratchDirectory()
    let temporary = try Self.folder(in: scratch)
    let fob = try RunningFob(command, in: scratch, environment: ["TMPDIR": temporary])
    fob.interrupt()
    #expect(fob.awaitEnd() == 0, "\(fob.output)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
  }

  private static func folder(in scratch: ScratchDirectory) throws -> String {
    let path = scratch.path("tmp")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  /// Below the folder, those of programs that it has started as well.
  private static func files(in folder: String) -> Int {
    FileManager.default.enumerator(atPath: folder)?.allObjects.count ?? 0
  }
}

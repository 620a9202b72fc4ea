import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// "Durable before light" where nothing can be durable: help still goes out, and nothing claims
/// what is not true.
@Suite struct StorageFailureTests {
  @Test
  func `an alarm goes out though the disk takes nothing, and heals by itself, real processes`()
    throws
  {
    let pipe = try ScratchDirectory()
    let fifo = pipe.path("alerts")
    try #require(mkfifo(fifo, 0o600) == 0)
    let reader = open(fifo, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let two = try TwoProcesses(bridgeOptions: ["--log", fifo])

    try two.bridge.limitFileSize(512)
    let event = try two.press()
    let told = try lines(2, from: reader)
    #expect(told.allSatisfy { $0.contains("has activated their SafeTime keychain alarm") })
    let status = try awaitStatus(two) { $0["storageFailure"] is String }
    #expect((status["storageFailure"] as? String)?.contains("fob.sqlite") == true)
    let keychain = try two.toKeychain.must(["do": "state"])
    #expect((keychain["unacked"] as? Int ?? 0) >= 1)
    #expect(keychain["shown"] as? String == "sending")
    let answer = try two.toBridge.must(["do": "silence"])
    #expect(answer["durable"] as? Bool == false)

    try two.bridge.limitFileSize(nil)
    try two.awaitAck(event)
    _ = try awaitStatus(two) { !($0["storageFailure"] is String) }
    #expect(try two.presses().map(\.event) == [event])
    #expect(try two.incidents().count == 1)
    try two.awaitShown("accepted")
    try two.clear()
  }

  private func lines(_ count: Int, from reader: Int32) throws -> [String] {
    var text = ""
    let deadline = BootClock.now() + .seconds(20)
    while text.split(separator: "\n").count < count || !text.hasSuffix("\n") {
      try #require(try Syscall.poll(reader, for: POLLIN, until: deadline) & POLLIN != 0, "\(text)")
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let got = read(reader, &buffer, buffer.count)
      if got > 0 { text += String(decoding: buffer.prefix(got), as: UTF8.self) }
    }
    return text.split(separator: "\n").map(String.init)
  }

  private func awaitStatus(
    _ two: TwoProcesses, _ fits: ([String: Any]) -> Bool
  ) throws -> [String: Any] {
    let deadline = BootClock.now() + .seconds(20)
    while true {
      let status = try two.toBridge.must(["do": "status"])["status"] as? [String: Any] ?? [:]
      if fits(status) { return status }
      try #require(BootClock.now() < deadline, "the status stays \(status)")
      usleep(5_000)
    }
  }
}

import FobBase
import SerialIO
import TestSupport
import Testing

@testable import Control

/// A tap that is followed within the process.
struct TapFollowTests {
  @Test func `a follower hears every chunk in order, on another thread, and so do clients`() throws
  {
    let tap = try LineTap()
    let fixture = try Fixture { _, reply in tap.answer(reply) }
    let client = try fixture.client()
    #expect(try client.request(#"{"do":"tap"}"#) == #"{"ok":true}"#)
    let heard = Gathered<TapChunk>()
    try tap.follow { chunks, _ in heard.put(contentsOf: chunks) }
    for n in UInt8(0)..<50 { Self.pass([n], to: tap) }
    try heard.wait("all of them") { heard.all.count == 50 }
    #expect(heard.all.map(\.bytes) == (UInt8(0)..<50).map { [$0] })
    let lines = Array(client.lines(before: Fixture.deadline()).prefix(50))
    #expect(lines.count == 50 && lines.last?.contains(#""bytes":"31""#) == true)
  }

  @Test func `nobody pays before it is followed, and it stays followed when clients leave`() throws
  {
    let tap = try LineTap()
    #expect(!tap.isTapped)
    try tap.follow { _, _ in }
    #expect(tap.isTapped)
  }

  @Test func `what is too much for a follower is counted, and told behind what came before`() throws
  {
    let tap = try LineTap()
    let gate = try OneShot<Bool>()
    let heard = Gathered<(count: Int, lost: Int)>()
    let isFirst = Gathered<Bool>()
    try tap.follow { chunks, lost in
      heard.put((chunks.count, lost))
      isFirst.put(true)
      if isFirst.all.count == 1 { _ = try? gate.pass() }
    }
    Self.pass([0], to: tap)
    try isFirst.wait("the first") { !isFirst.all.isEmpty }
    for _ in 0..<(LineTap.queuedChunks + 7) { Self.pass([1], to: tap) }
    gate.open(with: true)
    try heard.wait("the rest") { heard.all.count == 2 }
    #expect(heard.all[1].count == LineTap.queuedChunks && heard.all[1].lost == 7)
  }

  private static func pass(_ bytes: [UInt8], to tap: LineTap) {
    bytes.withUnsafeBytes { tap.pass($0, device: "line", to: .host, at: BootClock.now()) }
  }
}

import FobBase
import SerialIO
import TestSupport
import Testing
import WireProtocol

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
    let frames = (UInt32(0)..<50).map { n in
      Self.frame(EventAck(number: EventNumber(boot: 1, n: n), identityCRC: 7))
    }
    for frame in frames { Self.pass(frame, to: tap) }
    try heard.wait("all of them") { heard.all.count == 50 }
    #expect(heard.all.map(\.bytes) == frames)
    let lines = Array(client.lines(before: Fixture.deadline()).prefix(50))
    #expect(lines.count == 50 && lines.last?.contains("\"bytes\":\"") == true)
  }

  @Test func `no key is heard, whichever way it goes, nor where a listener comes in its middle`()
    throws
  {
    let pair = Self.frame(Pair(session: 7, keyLow: .max, keyHigh: .max))
    let blank = Self.frame(Pair(session: 7, keyLow: 0, keyHigh: 0))
    let tap = try LineTap()
    let heard = Gathered<TapChunk>()
    try tap.follow { chunks, _ in heard.put(contentsOf: chunks) }
    Self.pass(Array(pair.suffix(8)), to: tap)
    Self.pass(pair, to: tap)
    Self.pass(Array(pair.prefix(20)), to: tap, .device)
    Self.pass(Array(pair.dropFirst(20)), to: tap, .device)
    try heard.wait("the last of both ways") { heard.all.count == 3 }
    #expect(heard.all.map(\.bytes) == [[0], blank, blank])
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
    for _ in 0..<(LineTap.queuedChunks + 7) { Self.pass([0], to: tap) }
    gate.open(with: true)
    try heard.wait("the rest") { heard.all.count == 2 }
    #expect(heard.all[1].count == LineTap.queuedChunks && heard.all[1].lost == 7)
  }

  private static func frame(_ payload: some Payload) -> [UInt8] {
    WireFrame(FrameBody(payload, sequence: 0)).withBytes { Array($0) }
  }

  private static func pass(
    _ bytes: [UInt8], to tap: LineTap, _ direction: LineTap.Direction = .host
  ) {
    bytes.withUnsafeBytes { tap.pass($0, device: "line", to: direction, at: BootClock.now()) }
  }
}

import AlertCore
import FobBase
import SerialIO
import SystemCrypto
import TestSupport
import Testing

@testable import Sinks

/// Against receivers that others have made.
@Suite(.serialized) struct DC09RealPeerTests {
  private static let keys =
    [nil, "0123456789ABCDEF", "0123456789ABCDEFFEDCBA98"]
    + ["0123456789ABCDEFFEDCBA9876543210"]
  /// For a receiver that does not confirm.
  private static let short = DC09Exchange.Patience(
    repeatsAfter: .milliseconds(500), repeats: 2, lasts: .seconds(3))
  private let folder: ScratchDirectory

  init() throws { folder = try ScratchDirectory() }

  private func sink(
    _ port: UInt16, _ format: DC09Format = .dcs, account: String = "12AB", key: String? = nil,
    patience: DC09Exchange.Patience = DC09Exchange.Patience()
  ) throws -> DC09Sink {
    let link = DC09Link(
      try DC09Place(account: account), at: try ReceiverAddress("tcp://127.0.0.1:\(port)"),
      by: try key.map { try #require(ZeroIVCipher(key: Array($0.utf8))) },
      patience: patience, after: 40)
    return try DC09Sink(name: "station", link, format: format, isTest: true)
  }

  @Test(arguments: AlarmReceiver.Maker.allCases, keys)
  func `what a receiver has decoded is what was sent, in both formats, with each key`(
    maker: AlarmReceiver.Maker, key: String?
  ) throws {
    let receiver = try AlarmReceiver(maker, account: "12AB", key: key, in: folder)
    let began = WallClock.now() / 1_000_000
    for format in DC09Format.allCases {
      let sink = try sink(receiver.port, format, key: key)
      try sink.carry(.onChannel("dc09:station"))
      try sink.carry(.onChannel("dc09:station", .closing, sequence: 2, ended: .disarmed))
    }
    let ended = WallClock.now() / 1_000_000
    try receiver.heard.wait("four events") { receiver.heard.all.count == 4 }
    let place = ["X000W00.090", "Y51N28.668"]
    // pysiaalarm refuses two blocks behind Contact ID: it gets the event without them.
    let cidPlace = maker == .pysiaalarm ? [] : place
    let wanted = [
      ("ADM-CID", "1120", 41, cidPlace), ("ADM-CID", "3120", 42, []),
      ("SIA-DCS", "PA", 41, place), ("SIA-DCS", "PR", 42, []),
    ]
    // Each connection has a thread there: what it prints may come in another order.
    let heard = receiver.heard.all.sorted { ($0.token, $0.sequence) < ($1.token, $1.sequence) }
    for (event, (token, code, sequence, extended)) in zip(heard, wanted) {
      #expect((began - 1...ended + 1).contains(Int64(event.time)))
      #expect(
        event
          == AlarmReceiver.Event(
            token: token, isEncrypted: key != nil, sequence: sequence, account: "12AB", code: code,
            extended: extended, time: event.time))
    }
  }

  @Test(arguments: AlarmReceiver.Maker.allCases, [nil, keys[1]])
  func `a link test is confirmed`(maker: AlarmReceiver.Maker, key: String?) throws {
    let receiver = try AlarmReceiver(maker, account: "12AB", key: key, in: folder)
    let changes = Gathered<String?>()
    let supervision = try DC09Supervision(
      of: try sink(receiver.port, key: key), every: .seconds(60))
    try supervision.start { changes.put($0) }
    defer { supervision.stop() }
    try changes.wait("it is there") { !changes.all.isEmpty }
    #expect(changes.all == [nil])
    try receiver.heard.wait("the test") { !receiver.heard.all.isEmpty }
    let heard = receiver.heard.all[0]
    #expect(heard.token == "NULL" && heard.sequence == 41 && heard.isEncrypted == (key != nil))
  }

  @Test(arguments: AlarmReceiver.Maker.allCases)
  func `a wrong key or account is refused in words, and the right one is delivered again`(
    maker: AlarmReceiver.Maker
  ) throws {
    let receiver = try AlarmReceiver(maker, account: "12AB", key: Self.keys[1], in: folder)
    for (account, key) in [("12AB", Self.keys[3]), ("12AC", Self.keys[1])] {
      let refusal = #expect(throws: SinkFailure.self) {
        try sink(receiver.port, account: account, key: key).carry(.onChannel("dc09:station"))
      }
      #expect(
        refusal?.reason
          == "127.0.0.1: it refuses the message (NAK): compare account, key and clocks")
    }
    #expect(receiver.heard.all.isEmpty)
    try sink(receiver.port, key: Self.keys[1]).carry(.onChannel("dc09:station"))
  }

  @Test func `a refusal without a frame is told as such`() throws {
    let receiver = try AlarmReceiver(.pysiaalarm, account: "12AB", in: folder)
    let refusal = #expect(throws: SinkFailure.self) {
      try sink(receiver.port, account: "12AC", patience: Self.short)
        .carry(.onChannel("dc09:station"))
    }
    #expect(refusal?.reason == "127.0.0.1: it did not confirm in time: what came is no frame")
    try receiver.said.wait("it says whose the event was") {
      receiver.said.all.contains { $0.hasPrefix("Unknown or non-existing account (12AC)") }
    }
    #expect(receiver.heard.all.isEmpty)
  }

  @Test func `a frame that is changed on the way is not confirmed, and its repeat is`() throws {
    let receiver = try AlarmReceiver(.pysiaalarm, account: "12AB", in: folder)
    let proxy = try DC09Peer { count, _ in
      [
        .passesOn(to: receiver.port) { frame in
          if count < 3 { frame[1] = frame[1] == 65 ? 66 : 65 }
        }
      ]
    }
    defer { proxy.stop() }
    let sink = try sink(proxy.port, patience: Self.short)
    let refusal = #expect(throws: SinkFailure.self) { try sink.carry(.onChannel("dc09:station")) }
    // It answers LF and CR alone.
    #expect(
      refusal?.reason
        == "127.0.0.1: it did not confirm in time: an answer was none of ACK, NAK and DUH")
    #expect(receiver.heard.all.isEmpty)
    try receiver.said.wait("it says that the CRC was wrong") {
      receiver.said.all.contains { $0.hasPrefix("CRC mismatch") }
    }
    try sink.carry(.onChannel("dc09:station"))
    try receiver.heard.wait("the repeat") { !receiver.heard.all.isEmpty }
    #expect(receiver.heard.all.map(\.sequence) == [42])
  }

  @Test func `no message holds its key, its text or a name`() throws {
    let peer = try DC09Peer { _, _ in [.confirms] }
    defer { peer.stop() }
    let sink = try sink(peer.port)
    try sink.carry(.onChannel("dc09:station"))
    let sent = peer.received.all.map(\.text).joined()
    #expect(!sent.contains("Owner") && !sent.contains("ALERT"))
    var dumped = ""
    dump(try self.sink(peer.port, key: Self.keys[1]), to: &dumped)
    for secret in ["0123456789ABCDEF", "- 48\n"] { #expect(!dumped.contains(secret)) }
  }
}

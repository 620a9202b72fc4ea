import FobBase
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore

/// What a core's end of a feed holds in a second place says the same as the core: which keychain is
/// on a line of a bridge, and what that line is to show.
struct FeedTruthTests {
  private static let devices = [
    DeviceID(rawValue: 0x0A01), DeviceID(rawValue: 0x0A02), DeviceID.bench(3),
  ]
  private static let bridges = ["0123456789abcdef", "fedcba9876543210"]
  private static let holder = "token"

  /// A core, its end of a feed, and what bridges have numbered so far.
  private struct Host {
    var core: AlertCore
    var table = FeedTable()
    var sequences: [Int64] = Array(repeating: 0, count: 4)
    var number: UInt32 = 0

    mutating func step(_ input: CoreInput, at now: Timestamp, commits: Bool) {
      var output = CoreOutput()
      core.step(input, at: now, into: &output)
      if commits, let batch = output.commit {
        core.step(.committed(batch.number), at: now, into: &output)
      }
      for (indication, links) in output.indications {
        _ = table.indicate(indication, to: links)
      }
      for (link, ack) in output.acks { _ = table.acknowledge(ack, on: link) }
    }
  }

  @Test(arguments: 0..<40)
  func `links and lights of a feed are what the core says`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var account = Account.sample(pinned: false)
    if Bool.random(using: &random) { account.devices = [Self.devices[0].text] }
    var now = Timestamp.start
    var host = Host(core: AlertCore(account: account, at: now))
    for _ in 0..<160 {
      let isLong = Int.random(in: 0..<20, using: &random) == 0
      now = now + random.interval(upTo: .seconds(isLong ? 12 : 1))
      if Int.random(in: 0..<40, using: &random) == 0 {
        host.core = AlertCore(account: account, at: now)
        host.table = FeedTable()
      }
      for input in try Self.inputs(&host, at: now, &random) {
        host.step(input, at: now, commits: Bool.random(using: &random))
      }
      Self.expectLinks(host, seed)
      Self.expectLights(host, now, seed)
    }
  }

  private static func inputs(
    _ host: inout Host, at now: Timestamp, _ random: inout SeededGenerator
  ) throws -> [CoreInput] {
    let silent = host.table.takeSilent(at: now.at).inputs
    _ = host.table.takeOverdue(at: now.at)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<7:
      let batch = batch(&host, &random)
      return try silent + host.table.take(batch, of: holder, at: now.at).inputs
    case 7: return silent + [.userCommand(RequestID(rawValue: 1), .cancel)]
    case 8: return silent + [.userCommand(RequestID(rawValue: 2), .resume)]
    default: return silent + [.wake]
    }
  }

  /// Most are the next of their line; some come late, and before some a batch was lost.
  private static func batch(_ host: inout Host, _ random: inout SeededGenerator) -> CheckedFeed {
    let place = Int.random(in: 0..<host.sequences.count, using: &random)
    let leap = Int64.random(in: -1...3, using: &random)
    host.sequences[place] += max(1, leap)
    let device = devices.randomElement(using: &random) ?? devices[0]
    let isUp = Int.random(in: 0..<5, using: &random) != 0
    var inputs: [CheckedFeed.Input] = []
    if isUp, Bool.random(using: &random) {
      host.number += 1
      inputs = [.event(.press(host.number, device: device), age: nil)]
    }
    return FeedSample.batch(
      inputs, bridge: bridges[place / 2], line: place % 2,
      sequence: host.sequences[place] - (leap < 0 ? 2 : 0), hello: isUp ? .from(device) : nil,
      down: Int.random(in: 0..<8, using: &random) == 0 ? "unplugged" : nil)
  }

  private static func expectLinks(_ host: Host, _ seed: UInt64) {
    for line in host.table.bridges.values.flatMap(\.lines.values) {
      let device = host.core.book.device(on: line.link)
      #expect(device == line.hello?.deviceID, "line \(line.link.rawValue), seed \(seed)")
    }
    for link in host.core.book.linked.compactMap(\.entry.link) {
      #expect(host.table.place(of: link) != nil, "line \(link.rawValue), seed \(seed)")
    }
  }

  /// Whoever knew nothing of what was told before would tell each line the same.
  private static func expectLights(_ host: Host, _ now: Timestamp, _ seed: UInt64) {
    var fresh = host.core
    fresh.lights = Lights()
    var output = CoreOutput()
    fresh.indicate(at: now, &output)
    for link in host.core.book.linked.compactMap(\.entry.link) {
      guard let place = host.table.place(of: link) else { continue }
      let due = output.indications.last { $0.links?.contains(link) ?? true }?.indication
      let shown = host.table.shown(by: place.bridge).first { $0.line == place.line }?.indication
      #expect(shown == due, "line \(link.rawValue), seed \(seed)")
    }
  }
}

extension Timestamp {
  fileprivate static let start = Timestamp(
    boot: 1, instant: Instant(microseconds: 1_000_000_000), wall: 1_750_000_000_000_000)
}

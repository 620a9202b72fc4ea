import FobBase
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore

/// What is held in a second place says the same as the first, whatever has happened: the link of a
/// keychain in `DeviceBook` and in `PressAge`, and in `Lights` what each line was told last.
struct OneTruthTests {
  private static let devices = [
    DeviceID(rawValue: 0x0A01), DeviceID(rawValue: 0x0A02), DeviceID.bench(3),
  ]

  @Test(arguments: 0..<40)
  func `links and lights are the same wherever they are held`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var account = Account.sample(pinned: false)
    // With a list of keychains some are unclaimed; without one all are the account's.
    if Bool.random(using: &random) { account.devices = [Self.devices[0].text] }
    var core = AlertCore(account: account, at: Timestamp.start)
    var now = Timestamp.start
    var told: [LinkID: Indication] = [:]
    var number: UInt32 = 0
    for _ in 0..<120 {
      now = now + random.interval(upTo: .seconds(2))
      let input = Self.input(&number, &random)
      if case .linkUp(let link, _) = input { told[link] = nil }
      var output = CoreOutput()
      core.step(input, at: now, into: &output)
      if let batch = output.commit, Bool.random(using: &random) {
        core.step(.committed(batch.number), at: now, into: &output)
      }
      for (indication, links) in output.indications {
        for link in links ?? Self.links { told[link] = indication }
      }
      Self.expectLinks(core, now, seed)
      Self.expectLights(core, told, now, seed)
    }
  }

  private static let links = (0..<3).map { LinkID(rawValue: $0) }

  private static func input(
    _ number: inout UInt32, _ random: inout SeededGenerator
  ) -> CoreInput {
    let link = links.randomElement(using: &random) ?? links[0]
    let device = devices.randomElement(using: &random) ?? devices[0]
    switch Int.random(in: 0...9, using: &random) {
    case 0...2: return .linkUp(link, .from(device))
    case 3: return .linkDown(link, reason: "unplugged")
    case 4, 5:
      number += 1
      return .event(link, .press(number, device: device), happenedAt: nil)
    case 6: return .userCommand(RequestID(rawValue: 1), .cancel)
    case 7: return .userCommand(RequestID(rawValue: 2), .resume)
    case 8:
      let change: AccountChange =
        Bool.random(using: &random) ? .claim(device, email: nil) : .disconnect(device)
      return .userCommand(RequestID(rawValue: 3), .change(change, isProven: true))
    default: return .wake
    }
  }

  /// A keychain that is linked is heard: an outage of it is over, however long ago.
  private static func expectLinks(_ core: AlertCore, _ now: Timestamp, _ seed: UInt64) {
    for device in devices {
      let isLinked = core.book.entries[device]?.link != nil
      let isMissing = core.engine.age.isMissing(device, at: now + .seconds(3_600))
      #expect(isLinked == !isMissing, "\(device.text), seed \(seed)")
    }
  }

  /// Whoever knew nothing of what was told before would tell each line the same.
  private static func expectLights(
    _ core: AlertCore, _ told: [LinkID: Indication], _ now: Timestamp, _ seed: UInt64
  ) {
    var fresh = core
    fresh.lights = Lights()
    var output = CoreOutput()
    fresh.indicate(at: now, &output)
    var due: [LinkID: Indication] = [:]
    for (indication, links) in output.indications {
      for link in links ?? Self.links { due[link] = indication }
    }
    for entry in core.book.linked.map(\.entry) {
      guard let link = entry.link else { continue }
      #expect(told[link] == due[link], "line \(link.rawValue), seed \(seed)")
    }
  }
}

extension Timestamp {
  fileprivate static let start = Timestamp(
    boot: 1, instant: Instant(microseconds: 1_000_000_000), wall: 1_750_000_000_000_000)
}

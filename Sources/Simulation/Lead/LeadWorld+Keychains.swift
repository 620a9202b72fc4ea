import AlertCore
import Emulator
import FobBase
import WireProtocol

/// A keychain at a bridge that knows both cores.
struct LeadKeychain {
  let device: DeviceID
  let link: LinkID
  /// That are not acked.
  var presses: [EventIdentity] = []
  var last: UInt32 = 0
  /// The core that its bridge is at, since when, and the process there that has heard of it.
  var core = 0
  var since = Instant(microseconds: 0)
  weak var heardBy: LeadRun?

  init(_ index: Int) {
    device = DeviceID(keychain: index)
    link = LinkID(rawValue: FeedTable.firstLink + index)
  }
}

extension LeadWorld {
  /// Without an ack for so long, the bridge looks for another core.
  private static let patience = Interval.seconds(3)

  func press(_ index: Int) {
    keychains[index].last += 1
    let identity = EventIdentity(
      deviceID: keychains[index].device,
      number: EventNumber(rawValue: 1 << 32 | UInt64(keychains[index].last)), kind: .pressed,
      clock: UInt64(now.microseconds), bootNonce: UInt32(index) + 1)
    keychains[index].presses.append(identity)
    witness.pressed(identity)
    post(index)
  }

  /// Again and again.
  func say(_ index: Int) {
    post(index)
    after(.seconds(1)) { [unowned self] in say(index) }
  }

  private func post(_ index: Int) {
    guard !keychains[index].presses.isEmpty else {
      keychains[index].since = now
      return
    }
    if now - keychains[index].since > Self.patience { leave(index) }
    let core = cores[keychains[index].core]
    carry { [unowned self] in
      guard let run = core.run else { return leave(index) }
      by(core, run) { [unowned self] in
        // As the feed's listener: what it would take while the lead is not proved, it refuses.
        guard run.core != nil, run.proof.holds(at: core.clock.reading(at: now)) else {
          return carry { [unowned self] in leave(index) }
        }
        hear(index, core, run)
      }
    }
  }

  private func hear(_ index: Int, _ core: LeadCore, _ run: LeadRun) {
    let keychain = keychains[index]
    if keychain.heardBy !== run {
      keychains[index].heardBy = run
      var hello = Hello(
        role: .device, session: 1, software: SoftwareVersion(major: 1, minor: 0, patch: 0))
      hello.deviceID = keychain.device
      handle(.linkUp(keychain.link, hello), core, run)
    }
    for press in keychain.presses where core.run === run {
      handle(.event(keychain.link, EventRecord(press), happenedAt: nil), core, run)
    }
  }

  private func leave(_ index: Int) {
    keychains[index].core = 1 - keychains[index].core
    keychains[index].since = now
  }

  func acknowledge(_ ack: EventAck, on link: LinkID) {
    guard let index = keychains.firstIndex(where: { $0.link == link }) else { return }
    func isMeant(_ press: EventIdentity) -> Bool {
      press.number == ack.number && press.crc == ack.identityCRC
    }
    for press in keychains[index].presses where isMeant(press) {
      witness.acked(press, server.standby, at: now)
    }
    carry { [unowned self] in
      keychains[index].presses.removeAll(where: isMeant)
      keychains[index].since = now
    }
  }
}

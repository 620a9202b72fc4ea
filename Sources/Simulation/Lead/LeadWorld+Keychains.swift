import AlertCore
import Emulator
import FobBase
import WireProtocol

/// A keychain at a bridge that knows both cores.
struct LeadKeychain {
  var pressing: PressingKeychain
  let link: LinkID
  /// The core that its bridge is at, since when, and the process there that has heard of it.
  var core = 0
  var since = Instant(microseconds: 0)
  weak var heardBy: LeadRun?

  init(_ index: Int) {
    pressing = PressingKeychain(index)
    link = LinkID(rawValue: FeedTable.firstLink + index)
  }
}

extension LeadWorld {
  /// Without an ack for so long, the bridge looks for another core.
  private static let patience = Interval.seconds(3)

  func press(_ index: Int) {
    let identity = keychains[index].pressing.press(at: now)
    witness.pressed(identity)
    post(index)
  }

  /// Again and again.
  func say(_ index: Int) {
    post(index)
    after(.seconds(1)) { [unowned self] in say(index) }
  }

  private func post(_ index: Int) {
    guard !keychains[index].pressing.presses.isEmpty else {
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
      handle(.linkUp(keychain.link, keychain.pressing.hello), core, run)
    }
    for press in keychain.pressing.presses where core.run === run {
      handle(.event(keychain.link, EventRecord(press), happenedAt: nil), core, run)
    }
  }

  private func leave(_ index: Int) {
    keychains[index].core = 1 - keychains[index].core
    keychains[index].since = now
  }

  func acknowledge(_ ack: EventAck, on link: LinkID) {
    guard let index = keychains.firstIndex(where: { $0.link == link }) else { return }
    for press in keychains[index].pressing.presses(ackedBy: ack) {
      witness.acked(press, server.standby, at: now)
    }
    carry { [unowned self] in
      keychains[index].pressing.take(ack)
      keychains[index].since = now
    }
  }
}

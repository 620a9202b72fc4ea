import FobBase

@testable import Firmware
@testable import Simulation
@testable import WireProtocol

/// The mistakes of a keychain's firmware, made in its own state between two polls.
struct FirmwareTampering {
  private let mistake: PlantedMistake
  private var lastNumber: [Int: UInt32] = [:]
  private var bootCounter: [Int: UInt32] = [:]

  init(_ mistake: PlantedMistake) { self.mistake = mistake }

  mutating func booted(_ keychain: SimulatedKeychain) {
    lastNumber[keychain.index] = nil
    switch mistake {
    case .debouncedTooLong: keychain.firmware.debounceMilliseconds = 70
    case .bootNotCounted:
      let counter = bootCounter[keychain.index] ?? keychain.firmware.bootCounter
      bootCounter[keychain.index] = counter
      keychain.firmware.bootCounter = counter
    default: break
    }
  }

  mutating func polled(_ keychain: SimulatedKeychain) {
    switch mistake {
    case .resendGivesUp: drop(keychain) { entry, _ in entry.backOff >= 5 }
    case .forgottenWhenSent: drop(keychain) { entry, _ in entry.wasSent }
    case .windowBlocksPress:
      drop(keychain) { entry, count in count > 4 && entry.kind == .pressed && entry.backOff == 1 }
    case .numberReused: reuseNumber(keychain)
    case .leaseIgnored: renewLease(keychain)
    default: break
    }
  }

  private func drop(
    _ keychain: SimulatedKeychain, where isDropped: (UnackedEvents.Entry, Int) -> Bool
  ) {
    var index = 0
    while index < keychain.firmware.unacked.count {
      let entry = keychain.firmware.unacked[index]
      if isDropped(entry, keychain.firmware.unacked.count) {
        keychain.firmware.unacked.remove(at: index)
        keychain.firmware.release(Int(entry.slot), &keychain.board)
      } else {
        index += 1
      }
    }
  }

  private mutating func reuseNumber(_ keychain: SimulatedKeychain) {
    let number = keychain.firmware.lastNumber
    let before = lastNumber[keychain.index] ?? number
    if number > before, number % 3 == 0 { keychain.firmware.lastNumber = number - 1 }
    lastNumber[keychain.index] = keychain.firmware.lastNumber
  }

  private func renewLease(_ keychain: SimulatedKeychain) {
    let display = keychain.firmware.display
    guard display.shown.source == .lease else { return }
    let session = keychain.firmware.link.session
    _ = keychain.firmware.display.obey(
      Indicate(
        session: session, incident: 0, revision: display.revision, state: display.shown.state,
        detail: display.shown.detail, sounder: display.shown.sounder, lease: 60_000),
      session: session, at: keychain.board.now())
  }
}

import ArgumentParser
import Bridge
import Control
import Emulator
import SerialIO
import Storage

/// `--plant decide:20`: so many µs of work in one stage, to prove that `--compare` finds them. It
/// uses seams that stand beside the way of a press; where nothing is planted, nothing is there.
struct PlantedDelay: ExpressibleByArgument, CustomStringConvertible {
  enum Stage: String, CaseIterable {
    /// Before what was read is decoded.
    case decide
    /// Before the store's transaction is committed.
    case durable
    /// Before the keychain reads what the bridge has written.
    case ack
  }

  let stage: Stage
  let microseconds: UInt64

  init?(argument: String) {
    let parts = argument.split(separator: ":")
    guard parts.count == 2, let stage = Stage(rawValue: String(parts[0])),
      let microseconds = UInt64(parts[1]), (1...100_000).contains(microseconds)
    else { return nil }
    self.stage = stage
    self.microseconds = microseconds
  }

  var description: String { "\(stage.rawValue):\(microseconds)" }

  func put(into bridge: AlertBridge, _ store: AlertStore, _ keychains: [EmulatedKeychain]) {
    let microseconds = microseconds
    switch stage {
    case .decide:
      bridge.tap.listen { direction, _, _ in
        if direction == .host { Self.spin(microseconds) }
      }
    case .durable: store.beforeCommits { Self.spin(microseconds) }
    case .ack:
      for keychain in keychains {
        keychain.tap.listen { direction, _, _ in
          if direction == .device { Self.spin(microseconds) }
        }
      }
    }
  }

  private static func spin(_ microseconds: UInt64) {
    let end = BootClock.nanoseconds() + microseconds * 1_000
    while BootClock.nanoseconds() < end {}
  }
}

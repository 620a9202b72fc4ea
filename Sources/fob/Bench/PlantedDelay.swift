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
    /// Before the store commits.
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

  /// How a bridge commits, with what is planted there.
  static func commit(_ plant: PlantedDelay?) -> AlertBridge.Commit {
    guard let plant, plant.stage == .durable else { return { AlertStore.commit($0) } }
    let microseconds = plant.microseconds
    return { batches in
      spin(microseconds)
      return AlertStore.commit(batches)
    }
  }

  func put(into bridge: AlertBridge, _ keychains: [EmulatedKeychain]) {
    let microseconds = microseconds
    switch stage {
    case .decide:
      bridge.tap.listen { direction, _, _ in
        if direction == .host { Self.spin(microseconds) }
      }
    // `commit` has it: a bridge is made with that.
    case .durable: break
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

import Bridge
import Emulator
import FobBase
import SerialIO
import WireProtocol

/// The bench at one moment: `GET /v1/bench`.
struct BenchSnapshot: Encodable {
  struct Keychain: Encodable {
    let device: String
    let serial: UInt32
    /// As the bridge opens it.
    let line: String
    let state: EmulatorState
    /// It has its key from the factory.
    let hasLabel: Bool
    /// Nil before the first fix.
    let track: Track?
  }

  /// Where the keychain has been, oldest first.
  struct Track: Encodable {
    let fixes: [BenchLines.Located]
  }

  struct Line: Encodable {
    let place: LineState

    private enum Key: CodingKey { case spec, device, isOpen, obstacle }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(place.spec.description, forKey: .spec)
      try container.encode(place.device, forKey: .device)
      try container.encode(place.isOpen, forKey: .isOpen)
      try container.encode(place.obstacle, forKey: .obstacle)
    }
  }

  /// What the light does in one state; where it depends on the state's detail, in the usual one.
  struct Pattern: Encodable {
    struct Variant: Encodable {
      /// From this detail on.
      let from: UInt8
      let steps: [LightPattern.Step]
    }

    let steps: [LightPattern.Step]
    let repeats: Bool
    /// The greatest `from` first; nil where the pattern does not depend on the detail.
    let variants: [Variant]?

    init(of state: ShownState) {
      let usual = LightPattern(of: state)
      (steps, repeats) = (usual.steps, usual.repeats)
      let thresholds = LightPattern.thresholds(of: state)
      variants =
        thresholds.count == 1
        ? nil
        : thresholds.map {
          Variant(from: $0, steps: LightPattern(of: state, detail: $0).steps)
        }
    }
  }

  /// µs on the boot clock, and since 1970 at the same moment.
  let now = BootClock.now().microseconds
  let wall = WallClock.now()
  /// Of the newest event: what comes after it is not in here.
  let last: Int64
  let keychains: [Keychain]
  let patterns = BenchSnapshot.allPatterns
  let lines: [Line]

  private static let allPatterns: [String: Pattern] = {
    let states = (UInt8.min...UInt8.max).compactMap(ShownState.init(rawValue:))
    return Dictionary(uniqueKeysWithValues: states.map { ("\($0)", Pattern(of: $0)) })
  }()
}

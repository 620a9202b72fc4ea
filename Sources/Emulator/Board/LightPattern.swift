import Firmware
public import FobBase
public import WireProtocol

/// The light's pattern in one state, as the firmware shows it (PROTOCOL.md, 7.3), for code that
/// draws it.
public struct LightPattern: Codable, Hashable, Sendable {
  /// One part of the pattern, with the light on or off.
  public struct Step: Codable, Hashable, Sendable {
    /// Whether the light is on.
    public var on: Bool
    /// How long, in milliseconds; 0: for ever.
    public var ms: Int
  }

  /// The steps in order, from the moment when the state begins.
  public let steps: [Step]
  /// Whether the pattern begins again behind the last step; else that step stays.
  public let repeats: Bool

  /// `detail` is that of LED_STATE: the seconds left of a countdown, or how many times for states
  /// that count.
  public init(of state: ShownState, detail: UInt8 = 0) {
    var steps: [Step] = []
    while let step = LEDPattern.step(steps.count, of: state, detail: detail) {
      steps.append(Step(on: step.on, ms: Int(step.duration)))
    }
    self.steps = steps
    repeats = steps.last.map { $0.ms > 0 } ?? false
  }

  /// The details from which on the pattern changes, the greatest first; only 0 where the pattern
  /// does not depend on the detail.
  public static func thresholds(of state: ShownState) -> [UInt8] {
    var thresholds: [UInt8] = [0]
    for detail in UInt8(1)...(.max)
    where LightPattern(of: state, detail: detail) != LightPattern(of: state, detail: detail - 1) {
      thresholds.insert(detail, at: 0)
    }
    return thresholds
  }
}

/// One change of the light.
public struct LightEdge: Hashable, Sendable {
  /// Whether it went on.
  public var isOn: Bool
  /// When, on the host's CLOCK_BOOTTIME.
  public var at: Instant

  /// A change at an instant of the host's boot clock.
  public init(isOn: Bool, at: Instant) {
    self.isOn = isOn
    self.at = at
  }
}

/// The light's changes with their times, the last 1,024 of them.
struct LightTrace: Sendable {
  static let capacity = 1_024

  private(set) var isOn = false
  private var edges: [LightEdge] = []
  private var oldest = 0
  /// The index that the next edge will have, counted from the start.
  private(set) var next = 0

  mutating func set(_ on: Bool, at now: @autoclosure () -> Instant) {
    guard on != isOn else { return }
    isOn = on
    let edge = LightEdge(isOn: on, at: now())
    if edges.count < Self.capacity {
      edges.append(edge)
    } else {
      edges[oldest] = edge
      oldest = (oldest + 1) % Self.capacity
    }
    next += 1
  }

  /// The edges from `index` on that are still known, the oldest first.
  func edges(from index: Int = 0) -> [LightEdge] {
    let first = next - edges.count
    guard index < next else { return [] }
    return (max(index, first)..<next).map { edges[(oldest + $0 - first) % edges.count] }
  }
}

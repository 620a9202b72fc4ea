import Firmware
public import FobBase
public import WireProtocol

/// What the light does in one state, as the firmware has it (PROTOCOL.md, 7.3), for whoever draws
/// it.
public struct LightPattern: Codable, Hashable, Sendable {
  public struct Step: Codable, Hashable, Sendable {
    public var on: Bool
    /// Milliseconds; 0 is for ever.
    public var ms: Int
  }

  /// In order, the first when the state begins.
  public let steps: [Step]
  /// It begins again behind the last step; else that one stays.
  public let repeats: Bool

  /// - Parameter detail: of a countdown the seconds left, of what is due how many times.
  public init(of state: ShownState, detail: UInt8 = 0) {
    var steps: [Step] = []
    while let step = LEDPattern.step(steps.count, of: state, detail: detail) {
      steps.append(Step(on: step.on, ms: Int(step.duration)))
    }
    self.steps = steps
    repeats = steps.last.map { $0.ms > 0 } ?? false
  }

  /// From which detail on the pattern is another one, the greatest first; 0 alone where it does not
  /// depend on it.
  public static func thresholds(of state: ShownState) -> [UInt8] {
    var thresholds: [UInt8] = [0]
    for detail in UInt8(1)...(.max)
    where LightPattern(of: state, detail: detail) != LightPattern(of: state, detail: detail - 1) {
      thresholds.insert(detail, at: 0)
    }
    return thresholds
  }
}

/// The light went on or off.
public struct LightEdge: Hashable, Sendable {
  public var isOn: Bool
  /// CLOCK_BOOTTIME of the host.
  public var at: Instant

  public init(isOn: Bool, at: Instant) {
    self.isOn = isOn
    self.at = at
  }
}

/// What an eye on the light has seen: each change with its time, the last 1,024 of them.
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

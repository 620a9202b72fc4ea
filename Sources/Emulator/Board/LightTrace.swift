import FobBase

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

import Console
import FobBase
import Storage
import Synchronization

/// A log in memory, and its readers.
final class BenchTrail: Sendable {
  private struct State {
    var lines: [LogLine] = []
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var number = 0
  }

  private let state = Mutex(State())

  var last: Int64 { state.withLock { Int64($0.lines.count) } }

  @discardableResult
  func add(_ name: String, device: String? = nil, incident: String? = nil) -> Int64 {
    let (id, waiting) = state.withLock { state in
      let id = Int64(state.lines.count + 1)
      state.lines.append(
        LogLine(id: id, wall: id, name: name, incident: incident, device: device))
      defer { state.waiting = [:] }
      return (id, state.waiting)
    }
    for continuation in waiting.values { continuation.resume() }
    return id
  }

  func lines(after: Int64, _ device: String?, _ incident: String?) -> [LogLine] {
    state.withLock { state in
      state.lines.dropFirst(Int(clamping: after)).filter {
        (device == nil || $0.device == device) && (incident == nil || $0.incident == incident)
      }
    }
  }

  /// Returns when there are more than `count`, or the task is cancelled.
  private func wait(for count: Int64) async {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.lines.count > count || Task.isCancelled { return true }
          state.waiting[number] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
    }
  }

  final class Reader: LineReader {
    private let trail: BenchTrail
    private let cursor: Mutex<Int64>
    private let device: String?
    private let incident: String?

    init(_ trail: BenchTrail, after: Int64, _ device: String?, _ incident: String?) {
      self.trail = trail
      cursor = Mutex(after)
      self.device = device
      self.incident = incident
    }

    func next() async throws -> [LogLine] {
      while true {
        try Task.checkCancellation()
        let (after, last) = (cursor.withLock { $0 }, trail.last)
        let found = trail.lines(after: after, device, incident).prefix(256)
        let end = found.count == 256 ? found.last!.id : max(last, found.last?.id ?? 0)
        cursor.withLock { $0 = max(after, end) }
        if !found.isEmpty { return Array(found) }
        await trail.wait(for: max(after, end))
      }
    }
  }
}

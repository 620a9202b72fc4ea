import Console
import FobBase
import Foundation
import Storage
import Synchronization

/// A log in memory, and its readers.
final class BenchTrail: Sendable {
  private struct State {
    var lines: [LogEntry] = []
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var number = 0
  }

  private let state = Mutex(State())

  var last: Int64 { state.withLock { Int64($0.lines.count) } }

  @discardableResult
  func add(_ name: String, device: String? = nil, incident: String? = nil) -> Int64 {
    let (id, waiting) = state.withLock { state in
      let id = Int64(state.lines.count + 1)
      state.lines.append(Self.line(id, name, device, incident))
      defer { state.waiting = [:] }
      return (id, state.waiting)
    }
    for continuation in waiting.values { continuation.resume() }
    return id
  }

  private struct Row: Encodable {
    let id: Int64
    let wall: Int64
    let name: String
    let incident: String?
    let device: String?
  }

  private static func line(
    _ id: Int64, _ name: String, _ device: String?, _ incident: String?
  ) -> LogEntry {
    let row = Row(id: id, wall: id, name: name, incident: incident, device: device)
    return try! JSONDecoder().decode(LogEntry.self, from: JSONEncoder().encode(row))
  }

  func lines(after: Int64, _ filter: LogFilter) -> [LogEntry] {
    state.withLock { state in
      state.lines.dropFirst(Int(clamping: after)).filter {
        (filter.device == nil || $0.device == filter.device)
          && (filter.incident == nil || $0.incident == filter.incident)
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
    private let filter: LogFilter

    init(_ trail: BenchTrail, after: Int64, _ filter: LogFilter) {
      self.trail = trail
      cursor = Mutex(after)
      self.filter = filter
    }

    func next() async throws -> [LogEntry] {
      while true {
        try Task.checkCancellation()
        let (after, last) = (cursor.withLock { $0 }, trail.last)
        let found = trail.lines(after: after, filter).prefix(256)
        let end = found.count == 256 ? found.last!.id : max(last, found.last?.id ?? 0)
        cursor.withLock { $0 = max(after, end) }
        if !found.isEmpty { return Array(found) }
        await trail.wait(for: max(after, end))
      }
    }
  }
}

import FobBase
import Synchronization

/// One value that comes on another thread, waited for by one task.
final class Waiting<Value: Sendable>: Sendable {
  private enum State {
    case empty
    case waited(CheckedContinuation<Value?, Never>)
    case filled(Value?)
  }

  private let state = Mutex(State.empty)

  func put(_ value: Value) { fill(value) }

  /// Nil if it has not come by then; it may come later, and is let go of.
  func get(within patience: Interval) async -> Value? {
    let limit = Task {
      try await Task.sleep(for: .microseconds(patience.microseconds))
      fill(nil)
    }
    defer { limit.cancel() }
    return await withCheckedContinuation { continuation in
      let value: Value?? = state.withLock { state in
        if case .filled(let value) = state { return .some(value) }
        state = .waited(continuation)
        return nil
      }
      if let value { continuation.resume(returning: value) }
    }
  }

  private func fill(_ value: Value?) {
    let continuation: CheckedContinuation<Value?, Never>? = state.withLock { state in
      switch state {
      case .filled: return nil
      case .empty:
        state = .filled(value)
        return nil
      case .waited(let continuation):
        state = .filled(value)
        return continuation
      }
    }
    continuation?.resume(returning: value)
  }
}

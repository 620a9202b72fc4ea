import FobBase
import Synchronization

/// One task waits here for one value of another thread.
final class Waiting<Value: Sendable>: Sendable {
  private enum State {
    case empty
    case waited(CheckedContinuation<Value?, Never>)
    case filled(Value?)
  }

  private let state = Mutex(State.empty)

  func put(_ value: Value) { fill(value) }

  /// Waits for the value; nil if it does not come in time. A later value is dropped.
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

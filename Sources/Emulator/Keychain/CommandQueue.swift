import Control
import FobBase
import SerialIO
import Synchronization

/// Commands on their way to the emulator's thread, at most 64 of them.
final class CommandQueue: Sendable {
  typealias Completion = @Sendable (Result<EmulatorAnswer, CommandRefusal>) -> Void

  struct Order: Sendable {
    var command: EmulatorCommand
    var complete: Completion
  }

  static let capacity = 64
  static let stopped = CommandRefusal("the emulator has stopped")

  private struct State {
    var orders: [Order] = []
    var isOpen = true
  }

  private let waker: any Waker
  let feed = EmulatorEventFeed()
  let tap: LineTap
  private let state = Mutex(State())

  /// - Parameter waker: wakes the thread that takes the orders.
  init(tap: LineTap, waker: any Waker) {
    self.tap = tap
    self.waker = waker
  }

  var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Queues a command, from any thread. If the queue is full or closed, it is refused at once on
  /// the caller's thread.
  func post(_ command: EmulatorCommand, _ complete: @escaping Completion) {
    let refusal: CommandRefusal? = state.withLock { state in
      guard state.isOpen else { return Self.stopped }
      guard state.orders.count < Self.capacity else {
        return CommandRefusal("too many commands wait: send the next when one is answered")
      }
      state.orders.append(Order(command: command, complete: complete))
      return nil
    }
    if let refusal { complete(.failure(refusal)) } else { waker.ring() }
  }

  func take() -> [Order] {
    state.withLock { state in
      defer { state.orders.removeAll(keepingCapacity: true) }
      return state.orders
    }
  }

  /// Takes no more orders, refuses those that wait, and tells the thread to end.
  func close() {
    let refused = state.withLock { state in
      defer { state.orders.removeAll() }
      state.isOpen = false
      return state.orders
    }
    for order in refused { order.complete(.failure(Self.stopped)) }
    waker.ring()
  }
}

/// Wakes the thread of a keychain, from any thread.
protocol Waker: Sendable {
  func ring()
}

/// The waker of a thread that has one keychain and polls.
final class PolledWaker: Waker {
  private let signal: EventSignal

  init() throws(IOFailure) { signal = try EventSignal() }

  var descriptor: Int32 { signal.descriptor }
  func ring() { signal.signal() }
  func clear() { signal.clear() }
}

import FobBase
import Glibc
import SerialIO
import Synchronization

@testable import Transport

/// Stands in for libusb and a device: an eventfd is readable while transfers have ended.
final class StandInConnection: BulkConnection, Sendable {
  struct State {
    /// In flight, the oldest first.
    var incoming: [Int] = []
    var outgoing: [UInt8]?
    var taken: [UInt8] = []
    /// Ended, and not yet told.
    var ended: [Ended] = []
    /// Bytes to the device are taken at once.
    var takes = true
    /// Cancelled transfers come back.
    var givesBack = true
    /// Of the pipe from the device, by a stall.
    var isHalted = false
    var clearings = 0
    var closings: [Bool] = []
    var isAbandoned = false
  }

  enum Ended {
    case incoming(Int, [UInt8], BulkResult)
    case outgoing(Int, BulkResult)
  }

  private struct Owner: Sendable {
    // Still told in its own deinit, where a weak reference is nil.
    unowned(unsafe) var receiver: (any BulkReceiver)?
  }

  let name = "usb:1209:0001:A"
  let outgoingPacket = 64
  let state = Mutex(State())
  private let owner = Mutex(Owner())
  private let signal: EventSignal

  init() throws { signal = try EventSignal() }

  var polled: [pollfd] {
    [pollfd(fd: signal.descriptor, events: Int16(POLLIN), revents: 0)]
  }

  func tell(_ receiver: any BulkReceiver) {
    owner.withLock { $0.receiver = receiver }
  }

  func submit(_ submission: BulkSubmission, _ bytes: UnsafeRawBufferPointer) -> BulkResult? {
    state.withLock { state in
      switch submission {
      case .incoming(let slot): state.incoming.append(slot)
      case .outgoing(let count, _):
        guard state.takes else {
          state.outgoing = Array(bytes.prefix(count))
          return
        }
        state.taken += bytes.prefix(count)
        state.ended.append(.outgoing(count, .done))
        signal.signal()
      }
    }
    return nil
  }

  func carryOut(_ order: BulkOrder) -> BulkResult {
    state.withLock { state in
      switch order {
      case .clearHalt:
        state.clearings += 1
        state.isHalted = false
      case .cancelIncoming(let slot):
        guard state.givesBack else { return }
        state.incoming.removeAll { $0 == slot }
        state.ended.append(.incoming(slot, [], .cancelled))
      case .cancelOutgoing:
        guard state.givesBack else { return }
        state.outgoing = nil
        state.ended.append(.outgoing(0, .cancelled))
      }
      signal.signal()
    }
    return .done
  }

  func handleEvents() -> Bool {
    signal.clear()
    let ended = state.withLock { state in
      defer { state.ended = [] }
      return state.ended
    }
    let receiver = owner.withLock { $0 }.receiver
    for end in ended {
      switch end {
      case .incoming(let slot, let bytes, let result):
        bytes.withUnsafeBytes { receiver?.received(slot, $0, result) }
      case .outgoing(let count, let result): receiver?.sent(count, result)
      }
    }
    return true
  }

  func close(isUnplugged: Bool) { state.withLock { $0.closings.append(isUnplugged) } }
  func abandon() { state.withLock { $0.isAbandoned = true } }

  // MARK: The device

  /// Waits for a transfer to be in flight, and ends it.
  func say(_ bytes: [UInt8], _ result: BulkResult = .done) throws {
    let deadline = BootClock.now() + .seconds(10)
    while true {
      let isSaid = state.withLock { state in
        guard !state.isHalted, !state.incoming.isEmpty else { return false }
        state.isHalted = result == .stalled
        state.ended.append(.incoming(state.incoming.removeFirst(), bytes, result))
        return true
      }
      if isSaid { return signal.signal() }
      guard BootClock.now() < deadline else {
        throw IOFailure("say", errno: ETIMEDOUT, path: name)
      }
      sched_yield()
    }
  }

  /// Refuses what is in flight, if anything is.
  func stall() {
    state.withLock { state in
      guard !state.isHalted, let slot = state.incoming.first else { return }
      state.isHalted = true
      state.incoming.removeFirst()
      state.ended.append(.incoming(slot, [], .stalled))
      signal.signal()
    }
  }

  func pullOut() {
    state.withLock { state in
      state.ended += state.incoming.map { .incoming($0, [], .gone) }
      if state.outgoing != nil { state.ended.append(.outgoing(0, .gone)) }
      state.incoming = []
      state.outgoing = nil
    }
    signal.signal()
  }
}

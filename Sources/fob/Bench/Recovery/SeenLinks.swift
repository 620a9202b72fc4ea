import Emulator
import Synchronization

/// When a keychain has booted and was linked last, as its emulator tells it: CLOCK_BOOTTIME, µs.
final class SeenLinks: Sendable {
  struct Times: Sendable {
    var booted: Int64 = 0
    var linked: Int64 = 0
  }

  private let state = Mutex(Times())

  var times: Times { state.withLock { $0 } }

  func note(_ event: EmulatorEvent) {
    state.withLock { times in
      if event.name == .booted { times.booted = event.at }
      if event.name == .linked { times.linked = event.at }
    }
  }
}

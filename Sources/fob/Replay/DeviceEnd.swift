import Emulator
import FobBase
import Glibc
import SerialIO

/// A replay at a keychain's plug: a host opens the line, as it opens that of an emulator. All of it
/// runs on the calling thread.
final class DeviceEnd {
  private let transport: any DeviceTransport
  private let replay: Replay
  private var pending: [UInt8] = []
  private var wasPresent = false

  init(_ spec: DeviceSpec, _ replay: Replay) throws(IOFailure) {
    transport = try spec.makeTransport()
    self.replay = replay
  }

  /// As a host names it; a TCP port 0 is the one that it got.
  var spec: DeviceSpec { transport.spec }

  /// One round: takes what has come, says what is due, and waits until there is more to do.
  func turn(
    until deadline: Instant?, or termination: borrowing Termination
  ) throws(IOFailure) -> Bool {
    transport.look()
    let isPresent = transport.hostIsPresent
    if isPresent, !wasPresent { replay.opened(at: BootClock.now()) }
    if wasPresent, !isPresent { replay.gone("it closed \(spec)") }
    wasPresent = isPresent
    if isPresent { readAll() } else { pending = [] }
    let now = BootClock.now()
    // One frame at a time, so that what waits does so where its order is kept.
    while isPresent, flush(), let bytes = replay.nextBytes(at: now) { pending = bytes }
    let wakes = [deadline, pending.isEmpty ? replay.nextWake(at: now) : nil].compactMap(\.self)
    let events = POLLIN | (pending.isEmpty ? 0 : POLLOUT)
    var waits = [
      pollfd(fd: transport.descriptor, events: Int16(events), revents: 0),
      pollfd(fd: transport.listenerDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: termination.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    if !replay.isFinished(at: now) {
      _ = try Syscall.poll(&waits, count: waits.count, until: wakes.min())
    }
    return waits[2].revents == 0
  }

  private func readAll() {
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
      while true {
        let count = transport.read(buffer)
        guard count > 0 else { return }
        replay.heard(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: BootClock.now())
      }
    }
  }

  /// Whether nothing waits any more.
  private func flush() -> Bool {
    while !pending.isEmpty {
      let taken = pending.withUnsafeBytes { transport.write($0) }
      guard taken > 0 else { return false }
      pending.removeFirst(taken)
    }
    return true
  }
}

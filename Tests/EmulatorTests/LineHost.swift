import Firmware
import FobBase
import SerialIO
import Synchronization
import Testing
import Transport
import WireProtocol

/// A host on a line of any kind, as the bridge is one: opened again whenever it comes back, a new
/// session each time; every event is acked.
final class LineHost: Sendable {
  enum Change: Equatable, Sendable {
    case opened
    case gone
    case unavailable(String)
  }

  let changes: Journal<Change>
  let reports: Journal<DeviceMessage>
  private let link = Mutex<HostLink?>(nil)
  private let line = Mutex<DeviceLine?>(nil)

  init(_ spec: DeviceSpec) throws {
    changes = try Journal()
    reports = try Journal()
    let line = try DeviceLine(
      spec,
      handlers: DeviceLineHandlers(
        onOpen: { [unowned self] in opened(at: $0) },
        onBytes: { [unowned self] bytes, _ in hear(bytes) },
        nextWake: { [unowned self] in link.withLock { $0?.nextWake } },
        onWake: { [unowned self] _ in say() },
        onGone: { [unowned self] _ in changes.add(.gone) },
        onUnavailable: { [unowned self] in changes.add(.unavailable($0.description)) }))
    self.line.withLock { $0 = line }
    try line.start()
  }

  deinit { leave() }

  func leave() { line.withLock { $0.take() }?.stop() }

  func count(_ change: Change) -> Int { changes.all.count { $0 == change } }

  func await(
    _ change: Change, times: Int = 1, at location: SourceLocation = #_sourceLocation
  ) throws {
    _ = try changes.wait(
      "\(change) \(times) times",
      { changes in changes.count { $0 == change } >= times ? true : nil }, at: location)
  }

  /// How often an event has been heard.
  func hearings(of number: EventNumber) -> Int {
    reports.all.count { report in
      if case .event(let record) = report { record.identity.number == number } else { false }
    }
  }

  private func opened(at now: Instant) {
    link.withLock {
      $0 = HostLink(
        session: UInt32.random(in: 1 ... .max), software: Keychain.software, at: now)
    }
    changes.add(.opened)
  }

  private func hear(_ bytes: UnsafeRawBufferPointer) {
    var chunk = bytes
    link.withLock { link in
      while let report = link?.next(&chunk, at: BootClock.now()) {
        if case .event(let record) = report,
          let ack = link?.frame(
            EventAck(record.identity), at: BootClock.now())
        {
          send(ack)
        }
        reports.add(report)
      }
    }
    say()
  }

  private func say() {
    let now = BootClock.now()
    link.withLock { link in
      while let frame = link?.nextFrame(at: now) { send(frame) }
      _ = link?.noiseSummary(at: now)
    }
  }

  private func send(_ frame: WireFrame) {
    let line = line.withLock { $0 }
    frame.withBytes { _ = line?.send($0) }
  }
}

import Firmware
import FobBase
import SerialIO
import Synchronization
import WireProtocol

/// The host's half of the protocol, as its reader thread speaks it.
final class Conversation: Sendable {
  let reports: Journal<DeviceMessage>
  let session = UInt32.random(in: 1 ... .max)
  private let link: Mutex<HostLink>
  private let line = Mutex<(@Sendable (UnsafeRawBufferPointer) -> Void)?>(nil)
  private let acks: Bool

  init(acks: Bool) throws {
    reports = try Journal()
    self.acks = acks
    link = Mutex(
      HostLink(session: session, software: Keychain.software, at: BootClock.now()))
  }

  func begin(on reader: ReaderLoop) { line.withLock { $0 = { reader.send($0) } } }
  func begin(on memory: MemoryLine) { line.withLock { $0 = { memory.send($0) } } }
  func end() { line.withLock { $0 = nil } }

  var nextWake: Instant { link.withLock { $0.nextWake } }

  func hear(_ bytes: UnsafeRawBufferPointer) {
    var chunk = bytes
    link.withLock { link in
      while let report = link.next(&chunk, at: BootClock.now()) {
        if acks, case .event(let record) = report {
          send(link.frame(EventAck(record.identity), at: BootClock.now()))
        }
        reports.add(report)
      }
    }
    say()
  }

  func say() {
    link.withLock { link in
      let now = BootClock.now()
      while let frame = link.nextFrame(at: now) { send(frame) }
      _ = link.noiseSummary(at: now)
    }
  }

  private func send(_ frame: WireFrame) {
    guard let line = line.withLock({ $0 }) else { return }
    frame.withBytes { line($0) }
  }
}

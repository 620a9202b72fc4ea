import Emulator
import FobBase
import Glibc
import SerialIO
import Testing
import WireProtocol

/// The host's end of a board's link: asks, and hears what is asked for.
struct BoardWire {
  private let machine: QEMUMachine

  init(_ machine: QEMUMachine) { self.machine = machine }

  /// The first event that fits.
  func event(_ fits: (EventRecord) -> Bool = { _ in true }) throws -> EventRecord {
    try hear { (record: EventRecord) in fits(record) ? record : nil }
  }

  /// Microseconds since the boot, as it answers TIME_REQ.
  func clock() throws -> UInt64 {
    try ask(TimeRequest(hostSend: 0, session: 7))
    return try hear { (answer: TimeResponse) in answer.deviceSend }
  }

  /// The newest entries of its trace, oldest first; as many as a frame has.
  func trace() throws -> [TraceEntry] {
    var entries: [TraceEntry] = []
    var next: UInt32 = 0
    while true {
      try ask(TraceFrame(first: next))
      var isLast = true
      try hear(TraceFrame.self) { payload in
        TraceFrame.entries(payload) { index, entry in
          entries.append(entry)
          next = index + 1
          isLast = false
        }
        return true
      }
      if isLast { return entries }
    }
  }

  func ask(_ question: some Payload) throws {
    let frame = WireFrame(FrameBody(question, sequence: 0)).withBytes { Array($0) }
    try machine.write([0] + frame, uart: 0)
  }

  /// What is found in the first message of such a type in which it is.
  func hear<P: Payload, Found>(_ find: (P) -> Found?) throws -> Found {
    var found: Found?
    try hear(P.self) { payload in
      found = P(payload).flatMap(find)
      return found != nil
    }
    return try #require(found)
  }

  /// Waits for a message of such a type whose payload `isIt`.
  private func hear<P: Payload>(
    _ type: P.Type, _ isIt: (UnsafeRawBufferPointer) -> Bool
  ) throws {
    var decoder = FrameDecoder()
    var isFound = false
    try wait {
      machine.read(uart: 0).withUnsafeBytes { bytes in
        var rest = bytes
        while let outcome = decoder.next(&rest) {
          guard outcome == .frame else { continue }
          decoder.withBody { body in
            guard !isFound, body[1] == P.type.rawValue, body.count >= 4 + P.size else { return }
            isFound = isIt(UnsafeRawBufferPointer(rebasing: body[4...]))
          }
        }
      }
      return isFound
    }
  }

  /// Until it is so, with all lines drained.
  func wait(_ isSo: () throws -> Bool) throws {
    let deadline = BootClock.now() + .seconds(20)
    while true {
      machine.drain()
      if try isSo() { return }
      try #require(BootClock.now() < deadline, "not within 20 s: \(machine.process.output)")
      var polled = machine.descriptors.map { pollfd(fd: $0, events: 1, revents: 0) }
      _ = try Syscall.poll(&polled, count: polled.count, until: deadline)
    }
  }
}

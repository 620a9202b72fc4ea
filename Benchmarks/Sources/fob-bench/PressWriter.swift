import CBench
import FobBase
import Glibc
import SerialIO
import WireProtocol

/// The keychain's end of a measured line. Of the protocol it speaks what a bridge needs to link,
/// to fit clocks and to tell the stamps of a press: HELLO, TIME, EVENT_ACK and TRACE.
final class PressWriter {
  private let pty: PseudoTerminal
  private var link = DeviceLink()
  private var trace: [TraceEntry] = []
  private var exchanges = 0
  private var acks = 0
  /// t1 of press n at place n - 1, ns.
  private(set) var written: [UInt64] = []

  init() throws { pty = try PseudoTerminal() }

  var path: String { pty.slavePath }

  /// Clocks are fitted: as many exchanges as a bridge makes in its first burst.
  var isLinked: Bool { exchanges >= 8 }

  var isAcked: Bool { acks >= written.count }

  func awaitOpening() throws {
    guard try pty.awaitOpening(until: BootClock.now() + .seconds(10)) else {
      throw BenchFailure("the receiver does not open \(path)")
    }
  }

  func press(_ frame: [UInt8]) throws {
    let stamp = bench_stamp_and_write(pty.master.number, frame, frame.count)
    guard stamp != 0 else { throw BenchFailure("the line to the receiver takes no more") }
    written.append(stamp)
    let number = EventNumber(boot: PressFrames.boot, n: UInt32(written.count))
    trace.append(
      TraceEntry(clock: stamp / 1_000, code: .eventWritten, argument: number.rawValue))
  }

  /// Answers what the host asks until then.
  func serve(until latest: Instant) throws {
    while BootClock.now() < latest {
      guard try Syscall.poll(pty.master.number, for: POLLIN, until: latest) & POLLIN != 0 else {
        continue
      }
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = try bytes.withUnsafeMutableBytes { try pty.master.read(into: $0) } ?? 0
      let now = BootClock.now()
      bytes.withUnsafeBytes { all in
        var chunk = UnsafeRawBufferPointer(rebasing: all[..<count])
        while let request = link.next(&chunk, at: now) { answer(request, at: now) }
      }
    }
  }

  private func answer(_ request: HostRequest, at now: Instant) {
    switch request {
    case .hello(let asked):
      var hello = Hello(role: .device, session: asked.session, software: asked.software)
      hello.deviceID = PressFrames.device
      hello.bootCounter = PressFrames.boot
      hello.bootNonce = PressFrames.bootNonce
      send(link.frame(hello, at: now))
    case .time(let time):
      exchanges += 1
      let response = TimeResponse(
        to: time, receive: UInt64(now.microseconds),
        send: UInt64(BootClock.now().microseconds), bootNonce: PressFrames.bootNonce)
      send(link.frame(response, at: now))
    case .ack(let ack):
      acks += 1
      trace.append(
        TraceEntry(
          clock: UInt64(now.microseconds), code: .eventAcked, argument: ack.number.rawValue))
    case .trace(let asked):
      send(
        link.frame(.trace, at: now) { body in
          asked.write(to: &body)
          let entries = trace.dropFirst(Int(asked.first)).prefix(TraceEntry.maxInFrame)
          for entry in entries { entry.write(to: &body) }
        })
    case .indicate, .ledSet, .config, .firmwareInfo, .refused, .ignored: break
    }
  }

  /// Waits for room: half a frame would cost the next one, too.
  private func send(_ frame: WireFrame) {
    frame.withBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let taken = try? pty.master.write(UnsafeRawBufferPointer(rebasing: rest))
        rest = rest.dropFirst(taken ?? 0)
        if !rest.isEmpty { _ = try? Syscall.poll(pty.master.number, for: POLLOUT) }
      }
    }
  }
}

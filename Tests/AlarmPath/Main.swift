import AlertCore
import Bridge
import CCounters
import FobBase
import Glibc
import SerialIO
import Storage
import Synchronization
import WireProtocol

/// One press on its way through a bridge at rest, and nothing beside it: which functions it enters,
/// from the return of `read` until the commit thread is woken for it, and on until the light is
/// told. `scripts/alarm-path.sh` makes the list of it.
///
/// Profile literal, no incident open, the keychain linked and its clock fitted. The press comes in
/// by a memory line, in a child of this process that has this thread alone: what other threads do
/// with its effects is not counted.
@main
struct AlarmPath {
  static func main() throws {
    guard CommandLine.arguments.count == 4 else { fail("usage: AlarmPath FOLDER COMMIT LIGHT") }
    let bridge = try AlertBridge(
      account: Account(
        name: "Owner",
        contacts: [1, 2].map { n in
          Contact(
            id: "contact-\(n)", name: "Contact \(n)", address: "contact-\(n)@example.org")
        }),
      store: try AlertStore(directory: CommandLine.arguments[1]), sinks: [], watcher: { _ in })
    try bridge.start([])
    var keychain = Keychain()
    try bridge.add(keychain.endpoint)
    keychain.link()
    // Answered once all that the link brought is durable.
    let isAtRest = Flag()
    bridge.perform(.silence) { _ in isAtRest.raise() }
    while !isAtRest.isRaised { usleep(1_000) }

    let press = keychain.press()
    let line = keychain.line
    // The wake is the first write of all.
    switch counters_begin(CommandLine.arguments[2]) {
    case 0:
      isCounting.raise()
      press.withUnsafeBytes { line.deliver($0) }
      fail("the light is not told")
    case 1: bridge.stop()
    default: fail("no counters: this is to be built for coverage")
    }
  }

  private static let isCounting = Flag()

  /// The last of the effects has left: INDICATE is on the line, behind the batch that is to be
  /// committed.
  static func lightIsTold() {
    if isCounting.isRaised { counters_end(CommandLine.arguments[3]) }
  }

  static func fail(_ words: String) -> Never {
    print("alarm path: \(words)")
    exit(1)
  }
}

final class Flag: Sendable {
  private let state = Atomic(false)
  func raise() { state.store(true, ordering: .releasing) }
  var isRaised: Bool { state.load(ordering: .acquiring) }
}

/// The device's end of a memory line, as far as a press needs one.
struct Keychain {
  let endpoint: MemoryEndpoint
  private var decoder = FrameDecoder()
  private var sequence: UInt16 = 0
  private static let identity = EventIdentity(
    deviceID: .bench(1), number: EventNumber(boot: 1, n: 1), kind: .pressed, clock: 0, bootNonce: 7)

  init() {
    endpoint = MemoryEndpoint(name: "keychain") { AlarmPath.lightIsTold() }
    endpoint.setOpen()
  }

  var line: MemoryLine {
    guard let line = endpoint.host else { AlarmPath.fail("no host") }
    return line
  }

  private var clock: UInt64 { UInt64(BootClock.now().microseconds) }

  private mutating func bytes(_ payload: some Payload) -> [UInt8] {
    defer { sequence += 1 }
    return WireFrame(FrameBody(payload, sequence: sequence)).withBytes { Array($0) }
  }

  mutating func press() -> [UInt8] {
    var identity = Self.identity
    identity.clock = clock - 15_000
    return bytes(EventRecord(identity))
  }

  /// Answers the host until it asks nothing more for now.
  mutating func link() {
    var buffer = [UInt8](repeating: 0, count: MemoryLine.capacity)
    var answered = 0
    while answered < 9 {
      line.serve(at: BootClock.now())
      let line = line
      let count = buffer.withUnsafeMutableBytes { line.read(into: $0) }
      for answer in answers(to: buffer[..<count]) {
        answered += 1
        answer.withUnsafeBytes { line.deliver($0) }
      }
      usleep(1_000)
    }
  }

  private mutating func answers(to bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    var asked: [[UInt8]] = []
    bytes.withUnsafeBytes { all in
      var chunk = all
      while let outcome = decoder.next(&chunk) {
        if outcome == .frame { asked.append(decoder.withBody { Array($0) }) }
      }
    }
    return asked.compactMap { body in
      let payload = Array(body.dropFirst(4))
      return switch body[1] {
      case MessageType.hello.rawValue: hello(payload)
      case MessageType.timeRequest.rawValue: time(payload)
      default: nil
      }
    }
  }

  private mutating func hello(_ payload: [UInt8]) -> [UInt8]? {
    guard let asked = payload.withUnsafeBytes({ Hello($0) }) else { return nil }
    var answer = Hello(
      role: .device, session: asked.session,
      software: SoftwareVersion(major: 1, minor: 0, patch: 0))
    answer.deviceID = Self.identity.deviceID
    answer.bootCounter = 1
    answer.bootNonce = Self.identity.bootNonce
    return bytes(answer)
  }

  private mutating func time(_ payload: [UInt8]) -> [UInt8]? {
    guard let request = payload.withUnsafeBytes({ TimeRequest($0) }) else { return nil }
    return bytes(
      TimeResponse(
        to: request, receive: clock, send: clock, bootNonce: Self.identity.bootNonce))
  }
}

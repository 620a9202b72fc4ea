import FobBase
import Testing
import WireProtocol

@testable import Firmware

/// A host at the line of a bench's keychain: it says what is due, and hears what the keychain says.
final class PairedHost {
  static let key = PairingKey(low: 0x0706_0504_0302_0100, high: 0x0F0E_0D0C_0B0A_0908)

  let bench: Bench
  var key: PairingKey?
  private(set) var link: HostLink
  private(set) var results: [PairResult] = []
  /// The events that came, and whether the key proves them.
  private(set) var events: [(event: EventRecord, isProved: Bool)] = []
  private(set) var lights: [LEDState] = []
  private var heard = 0
  private var nonce: UInt64 = 0

  /// - Parameter key: nil: this host knows of no pairing.
  init(_ bench: Bench, session: UInt32 = 81, key: PairingKey? = PairedHost.key) {
    self.bench = bench
    self.key = key
    link = HostLink(session: session, software: Keychain.software, at: bench.board.clock)
    link.indicate(Indication(state: .idle), at: bench.board.clock)
    heard = bench.board.fromDevice.count
  }

  /// A keychain whose button is held while its power comes.
  static func held(_ prepare: (inout BenchBoard) -> Void = { _ in }) -> Bench {
    Bench(.powerOn) { board in
      board.resumeContact(closed: true)
      prepare(&board)
    }
  }

  /// A keychain that this host has paired, at rest, with a proved session.
  static func paired() -> PairedHost {
    let bench = held()
    let host = PairedHost(bench)
    host.run(ms: 100)
    host.pair()
    bench.board.setContact(closed: false)
    host.run(ms: 600)
    return host
  }

  func run(ms: Int64) {
    for _ in 0..<ms {
      while let frame = link.nextFrame(at: bench.board.clock) { send(frame) }
      bench.run(ms: 1)
      hear()
    }
  }

  func send<P: Payload>(_ payload: P) { send(link.frame(payload, at: bench.board.clock)) }

  private func send(_ frame: WireFrame) { bench.board.toDevice += frame.withBytes { Array($0) } }

  /// Gives the keychain the key, and asks for its proof.
  func pair() {
    send(Pair(session: link.session, keyLow: Self.key.low, keyHigh: Self.key.high))
    run(ms: 2)
    link.trust(key, of: bench.board.deviceID, nonce: 1_000 + nonce, at: bench.board.clock)
    run(ms: 20)
  }

  func indicate(_ state: ShownState, sounder: Bool = false) {
    link.indicate(Indication(state: state, sounder: sounder), at: bench.board.clock)
    run(ms: 3)
  }

  func ackAll() {
    for (event, _) in events { send(EventAck(event.identity)) }
    run(ms: 3)
  }

  private func hear() {
    let bytes = bench.board.fromDevice[heard...].flatMap(\.bytes)
    heard = bench.board.fromDevice.count
    bytes.withUnsafeBytes { raw in
      var rest = raw
      while let message = link.next(&rest, at: bench.board.clock) {
        switch message {
        case .hello(let hello):
          nonce += 1
          link.trust(key, of: hello.deviceID, nonce: nonce, at: bench.board.clock)
        case .event(let event):
          events.append((event, link.isEventProved(by: Self.key)))
        case .pairResult(let result): results.append(result)
        case .ledState(let light): lights.append(light)
        default: break
        }
      }
    }
  }
}

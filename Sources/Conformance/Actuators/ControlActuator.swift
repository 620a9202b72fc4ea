import Control
package import Emulator
import FobBase
import Foundation
package import SerialIO

/// Moves an emulator by its control socket: that of `fob emulate`, or of any rig that takes the
/// same requests.
package final class ControlActuator: Actuator {
  private struct Answer: Decodable {
    let ok: Bool
    let error: String?
  }

  private struct State: Decodable { let held: Bool }

  private struct LightJSON: Decodable {
    let name: String?
    let at: Int64?
    let led: Bool?
  }

  private let path: String
  /// Sent in each request, where the socket has more than one keychain.
  private let serial: UInt32?
  private var client: ControlClient
  /// Connections that wait for the answer to a press. It comes when the press has become an event,
  /// or after 2 s, and until then the connection takes no further request. So each contact has a
  /// connection of its own, and nobody waits.
  private var fingers: [ControlClient] = []
  private var eye: ControlClient?
  private var gps: FileHandle?
  private let gpsPath: String
  private static let maxFingers = 8

  /// - Parameter serial: of the keychain; nil where the socket has only one.
  package init(path: String, serial: UInt32? = nil) throws(IOFailure) {
    self.path = path
    self.serial = serial
    client = try ControlClient(path: path)
    gpsPath = NSTemporaryDirectory() + "fob-conform-gps-\(UUID().uuidString)"
  }

  deinit { try? FileManager.default.removeItem(atPath: gpsPath) }

  /// Single edges cannot be had. Whether the board can do the rest is known only
  /// when it is asked.
  package func obstacle(to ability: Ability) -> String? {
    switch ability {
    case .edges:
      "the control socket takes whole presses, not single edges; the emulator bounces by itself"
    default: nil
    }
  }

  /// Sends the request. For `close` it waits until the button is held.
  /// - Throws: `Stop.untested` where the board refuses, `RigFailure` where the button is not held
  ///   in 2 s.
  package func perform(_ actuation: Actuation) throws {
    switch actuation {
    case .close:
      try touch(#""do":"hold""#)
      try awaitFinger()
    case .open: try ask(#""do":"release""#)
    case .touch(let hold): try touch(#""do":"press","hold_ms":\#(hold.ms)"#)
    case .edges: throw RigFailure("the control socket takes no single edges")
    case .chatter(let on): try ask(#""do":"button","chatter":\#(on)"#)
    case .reset: try ask(#""do":"reset""#)
    case .powerCut(let pause): try ask(#""do":"powercut","ms":\#(pause.ms)"#)
    case .brownOut(let pause): try ask(#""do":"sag","mv":2000,"ms":\#(pause.ms)"#)
    case .battery(let percent): try ask(#""do":"battery","percent":\#(percent)"#)
    case .gps(let bytes): try speak(bytes)
    case .store(let fails): try ask(#""do":"store","fail":\#(fails)"#)
    case .clock(let jump): try ask(#""do":"clock","jump_us":\#(jump.microseconds)"#)
    }
  }

  /// Subscribes to the light, on a connection of its own.
  package func watchLight() throws {
    let eye = try ControlClient(path: path)
    _ = try eye.request(request(#""do":"subscribe","leds":true"#))
    self.eye = eye
  }

  /// Waits 50 ms for edges that are under way. Empty where no watch has begun.
  package func takeLight() throws -> [LightEdge] {
    defer { eye = nil }
    guard let eye else { return [] }
    var edges: [LightEdge] = []
    for line in eye.lines(before: BootClock.now() + .milliseconds(50)) {
      let event = try? JSONDecoder().decode(LightJSON.self, from: Data(line.utf8))
      guard let event, event.name == "light", let at = event.at, let led = event.led else {
        continue
      }
      edges.append(LightEdge(isOn: led, at: Instant(microseconds: at)))
    }
    return edges
  }

  private func request(_ fields: String) -> String {
    "{\(fields)\(serial.map { #","serial":\#($0)"# } ?? "")}"
  }

  private func ask(_ fields: String) throws {
    let line = try client.request(request(fields))
    let answer = try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
    // A board of another kind takes the same requests, and refuses those that it cannot do.
    guard answer.ok else {
      throw Stop.untested("the control socket refused \(fields): \(answer.error ?? "")")
    }
  }

  private func touch(_ fields: String) throws {
    let finger = try ControlClient(path: path)
    try finger.send(request(fields), before: BootClock.now() + .seconds(4))
    if fingers.count == Self.maxFingers { fingers.removeFirst() }
    fingers.append(finger)
  }

  /// Waits until the button is held. The `hold` has a connection of its own, and later requests
  /// must not overtake it.
  private func awaitFinger() throws {
    let deadline = BootClock.now() + .seconds(2)
    while BootClock.now() < deadline {
      let line = try client.request(request(#""do":"state""#))
      if try JSONDecoder().decode(State.self, from: Data(line.utf8)).held { return }
      Pause.wait(.milliseconds(1))
    }
    throw RigFailure("the keychain's control socket has not closed the button within 2 s")
  }

  /// A growing file stands for the receiver: the emulator looks at it every 200 ms.
  private func speak(_ bytes: [UInt8]) throws {
    if gps == nil {
      _ = FileManager.default.createFile(atPath: gpsPath, contents: nil)
      gps = FileHandle(forWritingAtPath: gpsPath)
      try ask(#""do":"gps","source":"pipe:\#(gpsPath)""#)
    }
    try gps?.write(contentsOf: Data(bytes))
  }
}

extension Interval {
  var ms: Int64 { microseconds / 1_000 }
}

import FobBase
import TestSupport
import Testing
import WireProtocol

/// One end of the link under test, in virtual time.
protocol ScenarioEnd: AnyObject {
  /// Lets time pass until `ms` with all that becomes due.
  func run(until ms: Int64)
  /// Does what only this kind of end can do.
  func perform(_ step: ScenarioStep)
  /// Bytes that the other end sends.
  func receive(_ wire: [UInt8])
  /// The bodies sent since the last call.
  func takeSent() -> [[UInt8]]
  /// The bytes sent since the last boot, open or restart.
  var wire: [UInt8] { get }
  /// What became new entries of the core since the last call.
  func takeDelivered() -> [(identity: EventIdentity, isWhole: Bool)]
}

/// Works the steps of a scenario against an end of the link.
final class ScenarioRunner {
  private let scenario: Scenario
  private let end: any ScenarioEnd
  private var sequence: UInt16 = 0
  private var names: [String: UInt64] = [:]
  private var seen: [UInt64: UInt32] = [:]
  private var sinceSends: [ScenarioFrame] = []
  private var sinceHas: [ScenarioFrame] = []
  private var sinceDistinct: Set<UInt64> = []

  init(_ scenario: Scenario, _ end: any ScenarioEnd) {
    self.scenario = scenario
    self.end = end
  }

  func run() {
    for step in scenario.steps {
      end.run(until: step.at)
      collect()
      if step.action != nil { act(step) } else { check(step) }
    }
  }

  private func act(_ step: ScenarioStep) {
    switch step.action {
    case "host_frame", "device_frame":
      let body = body(step.frame ?? [:])
      note(ScenarioFrame(body: body))
      end.receive(body.framed)
    case "echo": end.receive(end.wire)
    default: end.perform(step)
    }
  }

  private func collect() {
    for body in end.takeSent() {
      let frame = ScenarioFrame(body: body)
      note(frame)
      if scenario.watch.contains(frame.name) { sinceSends.append(frame) }
      sinceHas.append(frame)
      if frame.name == "EVENT", let number = frame.values["event_no"] {
        sinceDistinct.insert(number)
      }
    }
  }

  private func note(_ frame: ScenarioFrame) {
    if let crc = frame.identityCRC, let number = frame.values["event_no"] { seen[number] = crc }
  }

  private func check(_ step: ScenarioStep) {
    let place: Comment = "at \(step.at) ms"
    if let sends = step.sends {
      let sent = sinceSends
      sinceSends = []
      guard let expected = sends.frames else { return }
      #expect(sent.count == expected.count, "\(place): sent \(sent)")
      for (frame, wanted) in zip(sent, expected) {
        #expect(matches(frame, wanted), "\(place): sent \(frame)")
      }
    } else if let has = step.has {
      let sent = sinceHas
      sinceHas = []
      for wanted in has.frames ?? [] {
        #expect(sent.contains { matches($0, wanted) }, "\(place): no \(wanted) in \(sent)")
      }
    } else if let distinct = step.distinct {
      let numbers = sinceDistinct
      sinceDistinct = []
      guard let expected = distinct.numbers else { return }
      #expect(numbers == expected, place)
    } else if let most = step.most {
      let count = sinceSends.count
      sinceSends = []
      #expect((1...most).contains(count), "\(place): sent \(count)")
    } else if let delivers = step.delivers {
      let delivered = end.takeDelivered()
      #expect(delivered.count == delivers.count, place)
      for (entry, wanted) in zip(delivered, delivers) {
        #expect(wanted["event_no"]?.integer == entry.identity.number.rawValue, place)
        #expect(wanted["kind"]?.integer == UInt64(entry.identity.rawKind), place)
        #expect(wanted["whole"] == .flag(entry.isWhole), place)
      }
    }
  }

  /// The body of a frame that the harness sends.
  private func body(_ frame: [String: JSONValue]) -> [UInt8] {
    sequence &+= 1
    let name = frame["type"]?.text ?? ""
    let layout = MessageLayout.all[name]
    let number = UInt16(truncatingIfNeeded: frame["seq"]?.integer ?? UInt64(sequence))
    var payload: [UInt8]
    if let hex = frame["payload"]?.text {
      payload = [UInt8](hex: hex)
    } else {
      payload = layout?.payload { value($0, in: frame) } ?? []
    }
    payload.removeLast(Int(frame["cut"]?.integer ?? 0))
    payload += [UInt8](hex: frame["extra"]?.text ?? "")
    let code = layout?.code ?? UInt8(name.dropFirst(2), radix: 16)!
    let head = UInt8(frame["head"]?.integer ?? 16)
    return [head, code, UInt8(number & 0xFF), UInt8(number >> 8)] + payload
  }

  private func value(_ field: String, in frame: [String: JSONValue]) -> UInt64? {
    guard let value = frame[field] else { return nil }
    guard let text = value.text, !text.hasPrefix("0x") else { return value.integer }
    if text.hasPrefix("$") { return names[text] }
    let crc = UInt64(seen[frame["event_no"]?.integer ?? 0] ?? 0)
    return text == "wrong" ? crc ^ 0xFFFF_FFFF : crc
  }

  private func matches(_ frame: ScenarioFrame, _ wanted: [String: JSONValue]) -> Bool {
    wanted.allSatisfy { field, value in
      switch field {
      case "type": return value.text == frame.name
      case "resent": return value == .flag(frame.head & 4 != 0)
      case "head": return value.integer == UInt64(frame.head)
      default: break
      }
      guard let found = frame.values[field] else { return false }
      if case .list(let range) = value, range.count == 2 {
        return (range[0].integer!...range[1].integer!).contains(found)
      }
      if let text = value.text, text.hasPrefix("$") { return isNamed(text, found) }
      return self.value(field, in: wanted) == found
    }
  }

  /// A name stands for the value that it was first checked with, and no two for the same.
  private func isNamed(_ name: String, _ found: UInt64) -> Bool {
    if let known = names[name] { return known == found }
    guard found != 0, !names.values.contains(found) else { return false }
    names[name] = found
    return true
  }
}

extension [UInt8] {
  /// As the body of a frame on the wire.
  var framed: [UInt8] {
    withUnsafeBytes { WireFrame(FrameBody(raw: $0)) }.withBytes { Array($0) }
  }
}

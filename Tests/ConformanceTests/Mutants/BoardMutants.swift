import FobBase

@testable import Conformance
@testable import Firmware
@testable import WireProtocol

/// A frame whose CRC is wrong is taken all the same.
final class BelievesAnyCRC: Tampering {
  func toDevice(_ run: [UInt8], at now: Instant) -> [UInt8] {
    guard let decoded = Self.decoded(run), decoded.count >= 8, decoded.count <= 253 else {
      return run
    }
    return [0] + Conversation.wire(decoded.dropLast(4))
  }

  private static func decoded(_ run: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = run.drop { $0 == 0 }
    guard rest.last == 0 else { return nil }
    rest = rest.dropLast()
    while let code = rest.first {
      guard Int(code) <= rest.count else { return nil }
      bytes += rest.dropFirst().prefix(Int(code) - 1)
      rest = rest.dropFirst(Int(code))
      if !rest.isEmpty { bytes.append(0) }
    }
    return bytes
  }
}

/// The boot counter stays as it was first written, so that numbers come again.
final class ForgetsBoots: Tampering {
  private var boots = 0

  func boots(_ board: inout VirtualBoard) {
    boots += 1
    if boots == 2 { board.storeForgetsBelow = 64 }
  }
}

/// Every boot has the nonce of the first.
final class RepeatsNonce: Tampering {
  func boots(_ board: inout VirtualBoard) { board.bootNonce = 4_711 }
}

/// What is in the store when it resets is gone.
final class ForgetsAtReset: Tampering {
  func boots(_ board: inout VirtualBoard) {
    for index in 64..<board.store.count { board.store[index] = 0 }
  }
}

/// A button that is held at boot is not looked at.
final class BlindAtBoot: Tampering {
  func boots(_ board: inout VirtualBoard) { board.hidesContactUntilOpen = board.isClosed }
}

/// A button that is held at power-on is a press like any other.
final class TrustsPowerOn: Tampering {
  func boots(_ board: inout VirtualBoard) {
    if board.resetCause == .powerOn { board.resetCause = .resetPin }
  }
}

/// Every edge counts.
final class NoDebounce: Tampering {
  func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard) {
    firmware.debounceMilliseconds = 0
  }

  func booted(_ firmware: inout Keychain, _ board: inout VirtualBoard) {
    firmware.debounceMilliseconds = 0
  }
}

/// A press is stored, sent, and forgotten.
final class SendsOnce: Tampering {
  func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard) {
    firmware.drop(&board) { $0.wasSent }
  }
}

/// After the sixth sending an event is given up.
final class GivesUp: Tampering {
  func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard) {
    firmware.drop(&board) { $0.backOff >= 5 }
  }
}

/// A full ring makes room by its oldest press.
final class DropsOldestPress: Tampering {
  func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard) {
    guard firmware.unacked.isFull,
      let oldest = firmware.unacked.oldest(where: { $0.kind == .pressed }),
      firmware.unacked.oldest(where: { $0.kind != .pressed }) == nil
    else { return }
    let number = firmware.unacked[oldest].number
    firmware.drop(&board) { $0.number == number }
  }
}

/// At HELLO all that is unacked is sent at once.
final class NoWindow: Tampering {
  private var isAsked = false

  func toDevice(_ run: [UInt8], at now: Instant) -> [UInt8] {
    isAsked = isAsked || WireMutant.body(of: run)?.read(Hello.self) != nil
    return run
  }

  func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard) {
    guard isAsked, firmware.hostSession != 0 else { return }
    isAsked = false
    for index in 0..<firmware.unacked.count {
      let slot = Int(firmware.unacked[index].slot)
      guard let record = firmware.record(in: slot, &board) else { continue }
      var body = FrameBody()
      firmware.link.begin(&body, .event, at: board.now(), resent: true)
      record.write(to: &body)
      _ = firmware.transmit.append(&body)
      firmware.transmit.drain(into: &board)
    }
  }
}

/// LED_SET is obeyed whatever is open.
final class AlwaysABench: Tampering {
  private var pattern: LEDSet?

  func toDevice(_ run: [UInt8], at now: Instant) -> [UInt8] {
    let body = WireMutant.body(of: run)
    guard let pattern = body?.read(LEDSet.self) else { return run }
    self.pattern = pattern
    return Conversation.wire(
      [0x10, MessageType.ledSet.rawValue, 0, 0, pattern.state.rawValue, 0, 1, 0])
  }

  func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard) {
    guard let pattern else { return }
    self.pattern = nil
    board.fromDevice += Conversation.wire(
      [0x10, 0, 0, 0].with(
        LEDState(
          clock: 0, shown: pattern.state, detail: 0, sounder: false, source: .bench, session: 0,
          revision: 0)))
  }
}

/// Every frame that it does not understand is answered.
final class RejectsForEver: Tampering {
  func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard) {
    firmware.rejects = RejectRateLimit()
  }
}

/// The gauge never falls below 30 per cent.
final class ProudGauge: Tampering {
  func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard) {
    board.millivolts = max(board.millivolts, BatteryGauge.millivolts(percent: 30))
  }
}

/// Low again and again: the two points of hysteresis are one.
final class NervousGauge: Tampering {
  func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard) {
    if BatteryGauge.percent(board.millivolts) == 21 {
      board.millivolts = BatteryGauge.millivolts(percent: 22)
    }
  }
}

/// Sentences are believed whatever their checksum.
final class BelievesAnySentence: Tampering {
  func heardGPS(_ bytes: [UInt8]) -> [UInt8] {
    bytes.split(separator: UInt8(ascii: "\n")).flatMap { line in
      Sentences.line(
        String(decoding: line.drop { $0 != 0x24 }.dropFirst().prefix { $0 != 0x2A }, as: UTF8.self))
    }
  }
}

/// The light follows its own pattern too slowly.
final class SlowLight: Tampering {
  func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard) {
    firmware.display.player.clockWentBack(by: .milliseconds(-20))
  }
}

extension Keychain {
  fileprivate mutating func drop(
    _ board: inout VirtualBoard, where isDropped: (UnackedEvents.Entry) -> Bool
  ) {
    var index = 0
    while index < unacked.count {
      let entry = unacked[index]
      if isDropped(entry) {
        unacked.remove(at: index)
        release(Int(entry.slot), &board)
      } else {
        index += 1
      }
    }
  }
}

/// A part of one press's way, between two of its stamps (docs/explanation/time.md: t0 to t5).
public enum LatencyStage: String, Codable, CaseIterable, Sendable {
  /// t0 → tc, first edge until stored by the firmware: its own debounce time is in it.
  case debounce
  /// tc → t1, stored until the frame is written.
  case frame
  /// t1 → t2, frame written until the bridge's read has returned.
  case wire
  /// t2 → t3, read until the engine has decided.
  case decide
  /// t3 → t4, decided until durable.
  case durable
  /// The processor's work on the commit, a part of `durable`; the rest waits, mostly for the disk.
  case durableWork
  /// t4 → t5, durable until acked at the device.
  case ack
  /// t5 → the light says "accepted".
  case light
  /// t0 → t3.
  case pressToDecided
  /// t0 → t4.
  case pressToDurable
  /// t0 → the light says "accepted".
  case pressToLED
  /// t1 → t3: this part of the bridge is compared with a bare one-way trip in C.
  case writtenToDecided
  /// t1 → t4.
  case writtenToDurable

  /// The stages that follow each other, in order: the waterfall.
  public static let inOrder: [LatencyStage] = [
    .debounce, .frame, .wire, .decide, .durable, .ack, .light,
  ]
  /// `inOrder`, each followed by the stages inside of it; no sums.
  static let single = inOrder.flatMap { $0 == .durable ? [$0, .durableWork] : [$0] }
  /// The sums that Benchmarks/README.md publishes.
  public static let sums: [LatencyStage] = [
    .pressToDecided, .pressToDurable, .pressToLED, .writtenToDecided, .writtenToDurable,
  ]
}

extension LatencyStage {
  /// Whether one of its stamps is on the device's clock and the other on the host's.
  public var crossesClocks: Bool {
    switch self {
    case .debounce, .frame, .decide, .durable, .durableWork, .light, .pressToLED: false
    case .wire, .ack, .pressToDecided, .pressToDurable, .writtenToDecided, .writtenToDurable: true
    }
  }

  var beginsWithPress: Bool {
    switch self {
    case .pressToDecided, .pressToDurable, .pressToLED: true
    default: false
    }
  }

  /// The name in tables and pages.
  var name: String {
    switch self {
    case .durableWork: "durable, work"
    case .pressToDecided: "press → decided"
    case .pressToDurable: "press → durable"
    case .pressToLED: "press → light"
    case .writtenToDecided: "written → decided"
    case .writtenToDurable: "written → durable"
    default: rawValue
    }
  }

  /// Says for people what happens in it.
  public var meaning: String {
    switch self {
    case .debounce: "first edge until the keychain has stored the press"
    case .frame: "stored until its frame is written"
    case .wire: "frame written until the bridge's read returns"
    case .decide: "read until the engine has decided"
    case .durable: "decided until it is on the disk"
    case .durableWork: "what of it the processor works; the rest waits for the disk"
    case .ack: "durable until the keychain knows"
    case .light: "known until its light says so"
    case .pressToDecided: "first edge until the engine has decided"
    case .pressToDurable: "first edge until it is on the disk"
    case .pressToLED: "first edge until the light says so"
    case .writtenToDecided: "the bridge and the wire, without the keychain"
    case .writtenToDurable: "the same with the disk"
    }
  }

  /// The stages that a sum is made of; a stage gives itself.
  var parts: [LatencyStage] {
    switch self {
    case .pressToDecided: [.debounce, .frame, .wire, .decide]
    case .pressToDurable: [.debounce, .frame, .wire, .decide, .durable]
    case .pressToLED: LatencyStage.inOrder
    case .writtenToDecided: [.wire, .decide]
    case .writtenToDurable: [.wire, .decide, .durable]
    default: [self]
    }
  }
}

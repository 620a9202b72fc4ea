extension LatencyStage {
  /// Whether its two stamps are of two clocks, the device's and the host's.
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

  /// As tables and pages name it.
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

  /// What happens in it.
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

  /// The stages that a sum is made of; itself of a stage.
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

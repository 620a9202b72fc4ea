/// Requests on endpoint 0 (USB 2.0, 9.4; CDC PSTN 1.2, 6.3).
extension KeychainUSBDevice {
  /// The result of a control transfer.
  enum ControlResult {
    /// The bytes of an IN transfer.
    case data([UInt8])
    /// Done; all bytes of the data stage are accepted.
    case taken
    case stalled
  }

  private enum Standard: UInt8 {
    case getStatus = 0
    case clearFeature = 1
    case setFeature = 3
    case setAddress = 5
    case getDescriptor
    case getConfiguration = 8
    case setConfiguration, getInterface, setInterface

    var isIn: Bool {
      switch self {
      case .getStatus, .getDescriptor, .getConfiguration, .getInterface: true
      case .clearFeature, .setFeature, .setAddress, .setConfiguration, .setInterface: false
      }
    }
  }

  private enum Class: UInt8 {
    case setLineCoding = 0x20
    case getLineCoding, setControlLineState, sendBreak
  }

  mutating func control(_ urb: USBRequestBlock) -> VendorRequest? {
    let setup = urb.setup
    let limit = min(Int(setup.length), urb.length)
    // The data stage must have the direction and the length that the request says.
    let isWhole = setup.isIn ? urb.data.isEmpty : urb.data.count == Int(setup.length)
    guard isWhole, setup.isIn == urb.isIn || setup.length == 0 else {
      finish(urb.sequence, .stalled, limit: 0)
      return nil
    }
    if setup.kind == .vendor, let question = KeychainQuestion(setup, urb.data) {
      return VendorRequest(
        question: question, sequence: urb.sequence, limit: limit, isIn: setup.isIn)
    }
    let result: ControlResult
    switch setup.kind {
    case .standard: result = standard(setup)
    case .classSpecific: result = classRequest(setup, urb.data)
    case .vendor, .reserved: result = .stalled
    }
    finish(urb.sequence, result, limit: limit)
    return nil
  }

  mutating func finish(_ sequence: UInt32, _ result: ControlResult, limit: Int) {
    switch result {
    case .taken: answers.submitted(sequence, actual: limit)
    case .data(let data):
      data.prefix(limit).withUnsafeBytes { answers.submitted(sequence, data: $0) }
    case .stalled: answers.submitted(sequence, status: USBIPStatus.stalled)
    }
  }

  private mutating func standard(_ setup: SetupPacket) -> ControlResult {
    guard let request = Standard(rawValue: setup.request), setup.isIn == request.isIn else {
      return .stalled
    }
    switch (request, setup.recipient) {
    case (.getStatus, _): return status(setup)
    case (.clearFeature, .endpoint): return setHalt(false, setup)
    case (.setFeature, .endpoint): return setHalt(true, setup)
    case (.setAddress, .device): return setup.value <= 127 ? .taken : .stalled
    case (.getDescriptor, .device):
      let found = descriptors.descriptor(
        UInt8(setup.value >> 8), index: UInt8(setup.value & 0xFF), language: setup.index)
      return found.map { .data($0) } ?? .stalled
    case (.getConfiguration, .device): return .data([configuration])
    case (.setConfiguration, .device):
      guard setup.value <= 1 else { return .stalled }
      configure(UInt8(setup.value))
      return .taken
    case (.getInterface, .interface): return hasInterface(setup) ? .data([0]) : .stalled
    case (.setInterface, .interface):
      guard hasInterface(setup), setup.value == 0 else { return .stalled }
      if setup.index == UInt16(KeychainDescriptors.dataInterface) { resetPort() }
      return .taken
    default: return .stalled
    }
  }

  private func status(_ setup: SetupPacket) -> ControlResult {
    switch setup.recipient {
    // Bus-powered, without remote wakeup.
    case .device: return .data([0, 0])
    case .interface: return hasInterface(setup) ? .data([0, 0]) : .stalled
    case .endpoint:
      switch setup.index {
      case 0x00, 0x80: return .data([0, 0])
      case _ where configuration == 0: return .stalled
      case 0x81: return .data([bulkIn.isHalted ? 1 : 0, 0])
      case 0x01: return .data([bulkOut.isHalted ? 1 : 0, 0])
      case 0x82: return .data([notifications.isHalted ? 1 : 0, 0])
      default: return .stalled
      }
    default: return .stalled
    }
  }

  /// Sets or clears ENDPOINT_HALT, the only feature that this device has.
  private mutating func setHalt(_ isHalted: Bool, _ setup: SetupPacket) -> ControlResult {
    guard setup.value == 0 else { return .stalled }
    switch setup.index {
    case 0x00, 0x80: return isHalted ? .stalled : .taken
    case _ where configuration == 0: return .stalled
    case 0x81: bulkIn.setHalt(isHalted, &answers)
    case 0x01: bulkOut.setHalt(isHalted, &answers)
    case 0x82: notifications.setHalt(isHalted, &answers)
    default: return .stalled
    }
    return .taken
  }

  private func hasInterface(_ setup: SetupPacket) -> Bool {
    configuration != 0 && setup.index <= UInt16(KeychainDescriptors.dataInterface)
  }

  private mutating func classRequest(_ setup: SetupPacket, _ data: [UInt8]) -> ControlResult {
    guard let request = Class(rawValue: setup.request), setup.recipient == .interface,
      setup.index == UInt16(KeychainDescriptors.communicationInterface), configuration != 0,
      setup.isIn == (request == .getLineCoding)
    else { return .stalled }
    switch request {
    case .setLineCoding:
      guard let coding = LineCoding(data) else { return .stalled }
      lineCoding = coding
    case .getLineCoding: return .data(lineCoding.bytes)
    case .setControlLineState:
      dtr = setup.value & 1 != 0
      rts = setup.value & 2 != 0
    // A keychain's line knows no break: the request is accepted and has no effect.
    case .sendBreak: break
    }
    return .taken
  }
}

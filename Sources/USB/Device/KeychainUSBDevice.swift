import WireProtocol

/// A keychain as a USB device: a serial port (CDC-ACM) that answers the URBs of one host. Bytes of
/// the firmware go in and out by ``write(_:)`` and ``read(_:)``, URBs by ``take(_:)``. The answers
/// to the host gather in ``answers``.
///
/// Every URB is answered once, or unlinked. A host cannot make it keep more than 128 URBs at one
/// endpoint, 2 MiB of URBs to the device and 1,024 bytes of them unread.
public struct KeychainUSBDevice: Sendable {
  /// The most URBs that wait at one endpoint, and the most bytes in URBs to the device.
  static let maxWaiting = 128
  static let maxWaitingBytes = 2 * USBIPCommandReader.maxData
  /// Bytes that the firmware has written and no host has fetched, and the other way round.
  private static let capacity = 1_024

  /// What the device answers to GET_DESCRIPTOR; kept over ``disconnect()``.
  public let descriptors: KeychainDescriptors
  /// Bytes for the host, as USB/IP frames them. The owner of the connection sends them.
  public var answers = USBIPAnswers()
  /// A program has the port open: the device is configured and a bulk IN URB has come. DTR does not
  /// matter. Unlinking the last bulk IN URB ends it.
  public internal(set) var hostIsPresent = false
  /// bConfigurationValue as the host has set it: 0, not configured, or 1.
  public internal(set) var configuration: UInt8 = 0
  /// The format that the host set last. It has no effect on the bytes.
  public internal(set) var lineCoding = LineCoding()
  /// Bit 0 of SET_CONTROL_LINE_STATE. False again at each SET_CONFIGURATION.
  public internal(set) var dtr = false
  /// Bit 1 of SET_CONTROL_LINE_STATE. False again at each SET_CONFIGURATION.
  public internal(set) var rts = false
  var bulkIn: InEndpoint
  var bulkOut: OutEndpoint
  var notifications = InEndpoint(packet: KeychainDescriptors.notificationPacket, capacity: 64)
  /// The power that the last SERIAL_STATE told; nil: none was sent yet.
  private var toldPower: Bool?

  /// Whether the firmware runs. A host sees it as DCD and DSR.
  public var isPowered = false {
    didSet { tellPower() }
  }

  /// A device that no host has configured yet, without power.
  public init(_ descriptors: KeychainDescriptors) {
    self.descriptors = descriptors
    let packet = descriptors.speed.bulkPacket
    bulkIn = InEndpoint(packet: packet, capacity: Self.capacity)
    bulkOut = OutEndpoint(packet: packet, capacity: Self.capacity)
  }

  // MARK: The firmware's end

  /// Takes bytes of the firmware and returns how many. Offer the rest again when the host has
  /// fetched some. Without a host all bytes are dropped and count as taken.
  public mutating func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard hostIsPresent else { return bytes.count }
    return bulkIn.write(bytes, &answers)
  }

  /// Copies bytes of the host to the firmware and returns how many; 0 without a host.
  public mutating func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard hostIsPresent else { return 0 }
    return bulkOut.read(buffer, &answers)
  }

  // MARK: The host's end

  /// Handles one command of the host; its answer may come later.
  /// - Returns: a question for the firmware. Give its answer to ``answer(_:with:)`` before the next
  ///   command.
  public mutating func take(_ command: USBIPCommand) -> VendorRequest? {
    switch command {
    case .unlink(let sequence, let victim):
      unlink(victim, sequence)
      return nil
    case .submit(let urb):
      guard urb.endpoint == 0 else {
        transfer(urb)
        return nil
      }
      return control(urb)
    }
  }

  /// Answers a question that ``take(_:)`` returned. A `payload` of nil answers STALL. For LED_SET,
  /// which carries its own payload, any other value means done.
  public mutating func answer(_ request: VendorRequest, with payload: [UInt8]?) {
    let result: ControlResult =
      if let payload { request.isIn ? .data(payload) : .taken } else { .stalled }
    finish(request.sequence, result, limit: request.limit)
  }

  /// Forgets the host and all its URBs, which are not answered. Power and descriptors stay.
  public mutating func disconnect() {
    let (descriptors, isPowered) = (descriptors, isPowered)
    self = KeychainUSBDevice(descriptors)
    self.isPowered = isPowered
  }

  private mutating func transfer(_ urb: USBRequestBlock) {
    guard configuration != 0 else { return refuse(urb) }
    switch (urb.endpoint, urb.isIn) {
    case (KeychainDescriptors.dataEndpoint, true):
      bulkIn.submit(urb.sequence, length: urb.length, &answers)
      if !bulkIn.isHalted { hostIsPresent = true }
    case (KeychainDescriptors.dataEndpoint, false):
      bulkOut.submit(urb.sequence, urb.data, &answers)
    case (KeychainDescriptors.notificationEndpoint, true):
      notifications.submit(urb.sequence, length: urb.length, &answers)
      tellPower()
    default: refuse(urb)
    }
  }

  /// Stalls an URB of an endpoint that does not exist.
  private mutating func refuse(_ urb: USBRequestBlock) {
    answers.submitted(urb.sequence, status: USBIPStatus.stalled)
  }

  private mutating func unlink(_ victim: UInt32, _ sequence: UInt32) {
    let isOfPort = bulkIn.unlink(victim)
    let isNotification = !isOfPort && notifications.unlink(victim)
    let hasWaited = isOfPort || isNotification || bulkOut.unlink(victim)
    answers.unlinked(sequence, status: hasWaited ? USBIPStatus.unlinked : USBIPStatus.done)
    if isOfPort || bulkIn.hasAnswered(victim), !bulkIn.hasWaiting { hostHasLeft() }
    // The next program that opens the port gets a SERIAL_STATE of its own.
    if isNotification, !notifications.hasWaiting { toldPower = nil }
  }

  private mutating func hostHasLeft() {
    hostIsPresent = false
    bulkIn.discard()
    bulkOut.discard()
  }

  // MARK: Set-up

  /// SET_CONFIGURATION: resets all endpoints, the line coding and the modem lines.
  mutating func configure(_ value: UInt8) {
    configuration = value
    resetPort()
    notifications.reset(&answers)
    toldPower = nil
    lineCoding = LineCoding()
    dtr = false
    rts = false
  }

  /// Resets both bulk endpoints; URBs that wait are answered with ESHUTDOWN.
  mutating func resetPort() {
    hostIsPresent = false
    bulkIn.reset(&answers)
    bulkOut.reset(&answers)
  }

  /// Sends SERIAL_STATE (CDC PSTN 1.2, 6.5.4) if the power has changed: DCD and DSR are set while
  /// the firmware runs.
  private mutating func tellPower() {
    guard toldPower != isPowered, notifications.hasWaiting else { return }
    toldPower = isPowered
    let state: [UInt8] = [
      0xA1, 0x20, 0, 0, KeychainDescriptors.communicationInterface, 0, 2, 0, isPowered ? 3 : 0, 0,
    ]
    _ = state.withUnsafeBytes { notifications.write($0, &answers) }
  }
}

/// An endpoint that takes bytes of the host, packet by packet, as far as there is room. An URB is
/// answered when all its bytes are taken: so USB holds a host back.
struct OutEndpoint: Sendable {
  private struct Waiting: Sendable {
    var sequence: UInt32
    var data: [UInt8]
    var taken = 0
  }

  private let packet: Int
  private let capacity: Int
  private var waiting: [Waiting] = []
  /// The bytes of all URBs that wait.
  private var waitingBytes = 0
  private var bytes = ByteQueue()
  private(set) var isHalted = false

  /// - Parameters:
  ///   - packet: wMaxPacketSize.
  ///   - capacity: the most bytes that wait to be read, at least one packet.
  init(packet: Int, capacity: Int) {
    self.packet = packet
    self.capacity = capacity
  }

  mutating func submit(_ sequence: UInt32, _ data: [UInt8], _ answers: inout USBIPAnswers) {
    guard !isHalted else { return answers.submitted(sequence, status: USBIPStatus.stalled) }
    guard waiting.count < KeychainUSBDevice.maxWaiting,
      waitingBytes + data.count <= KeychainUSBDevice.maxWaitingBytes
    else { return answers.submitted(sequence, status: USBIPStatus.tooMany) }
    waiting.append(Waiting(sequence: sequence, data: data))
    waitingBytes += data.count
    serve(&answers)
  }

  /// Copies bytes in order and returns how many.
  mutating func read(
    _ buffer: UnsafeMutableRawBufferPointer, _ answers: inout USBIPAnswers
  ) -> Int {
    let count = min(buffer.count, bytes.count)
    bytes.withBytes { buffer.copyBytes(from: $0[..<count]) }
    bytes.removeFirst(count)
    serve(&answers)
    return count
  }

  /// Takes an URB back; bytes of it that were taken stay. False if it was not waiting.
  mutating func unlink(_ sequence: UInt32) -> Bool {
    guard let index = waiting.firstIndex(where: { $0.sequence == sequence }) else { return false }
    waitingBytes -= waiting.remove(at: index).data.count
    return true
  }

  mutating func setHalt(_ isHalted: Bool, _ answers: inout USBIPAnswers) {
    self.isHalted = isHalted
    if isHalted { answerAll(USBIPStatus.stalled, &answers) }
  }

  mutating func reset(_ answers: inout USBIPAnswers) {
    isHalted = false
    answerAll(USBIPStatus.shutDown, &answers)
    discard()
  }

  /// Drops the unread bytes of a host that has gone.
  mutating func discard() { bytes.removeAll() }

  private mutating func answerAll(_ status: Int32, _ answers: inout USBIPAnswers) {
    for urb in waiting { answers.submitted(urb.sequence, status: status, actual: urb.taken) }
    waiting.removeAll()
    waitingBytes = 0
  }

  private mutating func serve(_ answers: inout USBIPAnswers) {
    while !waiting.isEmpty {
      let left = waiting[0].data.count - waiting[0].taken
      let next = min(packet, left)
      guard next <= capacity - bytes.count else { return }
      let start = waiting[0].taken
      bytes.append(waiting[0].data[start..<start + next])
      waiting[0].taken += next
      guard next == left else { continue }
      let urb = waiting.removeFirst()
      waitingBytes -= urb.data.count
      answers.submitted(urb.sequence, actual: urb.data.count)
    }
  }
}

/// A host's question to a keychain beside its line: a vendor request on endpoint 0. It works while
/// the serial port is open, and no interface is claimed for it. `bRequest` is the message's type,
/// the data stage its payload without a frame (PROTOCOL.md, section 14).
public enum KeychainQuestion: Hashable, Sendable {
  case hello
  case heartbeat
  case firmwareInfo
  /// The payload of LED_SET, whose length is not checked here.
  case ledSet([UInt8])

  /// Nil for a request that no keychain answers.
  init?(_ setup: SetupPacket, _ data: [UInt8]) {
    guard setup.recipient == .device, setup.value == 0, setup.index == 0,
      let type = MessageType(rawValue: setup.request)
    else { return nil }
    switch (type, setup.isIn) {
    case (.hello, true): self = .hello
    case (.heartbeat, true): self = .heartbeat
    case (.firmwareInfo, true): self = .firmwareInfo
    case (.ledSet, false): self = .ledSet(data)
    default: return nil
    }
  }
}

/// A question that waits for the firmware's answer; see ``KeychainUSBDevice/answer(_:with:)``.
public struct VendorRequest: Hashable, Sendable {
  /// What the host asks; decides the payload of the answer.
  public let question: KeychainQuestion
  let sequence: UInt32
  /// The most bytes that the host takes.
  let limit: Int
  let isIn: Bool
}

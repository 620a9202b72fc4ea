import WireProtocol

/// A keychain as a USB device: a serial port (CDC-ACM) that answers the URBs of one host. Bytes of
/// the firmware go in and out by ``write(_:)`` and ``read(_:)``, URBs by ``take(_:)``; what is to
/// be sent to the host gathers in ``answers``.
///
/// Every URB is answered once, or unlinked. What a host can have it keep is bounded.
public struct KeychainUSBDevice: Sendable {
  /// URBs that wait at one endpoint, and bytes in those to the device.
  static let maxWaiting = 128
  static let maxWaitingBytes = 2 * USBIPCommandReader.maxData
  /// Bytes of the firmware that no host has fetched yet, and the other way round.
  private static let capacity = 1_024

  public let descriptors: KeychainDescriptors
  public var answers = USBIPAnswers()
  /// Set, and bulk IN URBs are in flight: somebody has the port open. A port says so by itself with
  /// its first URB; DTR may be set or not.
  public internal(set) var hostIsPresent = false
  public internal(set) var configuration: UInt8 = 0
  public internal(set) var lineCoding = LineCoding()
  public internal(set) var dtr = false
  public internal(set) var rts = false
  var bulkIn: InEndpoint
  var bulkOut: OutEndpoint
  var notifications = InEndpoint(packet: KeychainDescriptors.notificationPacket, capacity: 64)
  /// What the host was told last by SERIAL_STATE.
  private var toldPower: Bool?

  /// The firmware runs: a host is told by DCD and DSR.
  public var isPowered = false {
    didSet { tellPower() }
  }

  public init(_ descriptors: KeychainDescriptors) {
    self.descriptors = descriptors
    let packet = descriptors.speed.bulkPacket
    bulkIn = InEndpoint(packet: packet, capacity: Self.capacity)
    bulkOut = OutEndpoint(packet: packet, capacity: Self.capacity)
  }

  // MARK: The firmware's end

  /// The bytes taken; the rest is to be offered again when the host has fetched some. What no host
  /// listens to is dropped.
  public mutating func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard hostIsPresent else { return bytes.count }
    return bulkIn.write(bytes, &answers)
  }

  /// The bytes read.
  public mutating func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard hostIsPresent else { return 0 }
    return bulkOut.read(buffer, &answers)
  }

  // MARK: The host's end

  /// - Returns: a question that ``answer(_:with:)`` is to answer before anything else.
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

  /// - Parameter payload: nil where there is no answer: STALL. Of a question that brings something
  ///   itself it is not looked at.
  public mutating func answer(_ request: VendorRequest, with payload: [UInt8]?) {
    let result: ControlResult =
      if let payload { request.isIn ? .data(payload) : .taken } else { .stalled }
    finish(request.sequence, result, limit: request.limit)
  }

  /// The host is gone: what it waits for is no longer answered.
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

  /// An endpoint that is not there.
  private mutating func refuse(_ urb: USBRequestBlock) {
    answers.submitted(urb.sequence, status: USBIPStatus.stalled)
  }

  private mutating func unlink(_ victim: UInt32, _ sequence: UInt32) {
    let isOfPort = bulkIn.unlink(victim)
    let isNotification = !isOfPort && notifications.unlink(victim)
    let hasWaited = isOfPort || isNotification || bulkOut.unlink(victim)
    answers.unlinked(sequence, status: hasWaited ? USBIPStatus.unlinked : USBIPStatus.done)
    if isOfPort || bulkIn.hasAnswered(victim), !bulkIn.hasWaiting { hostHasLeft() }
    // Whoever opens the port next is told anew.
    if isNotification, !notifications.hasWaiting { toldPower = nil }
  }

  private mutating func hostHasLeft() {
    hostIsPresent = false
    bulkIn.discard()
    bulkOut.discard()
  }

  // MARK: Set-up

  /// All endpoints begin anew.
  mutating func configure(_ value: UInt8) {
    configuration = value
    resetPort()
    notifications.reset(&answers)
    toldPower = nil
    lineCoding = LineCoding()
    dtr = false
    rts = false
  }

  /// The endpoints of the data interface begin anew.
  mutating func resetPort() {
    hostIsPresent = false
    bulkIn.reset(&answers)
    bulkOut.reset(&answers)
  }

  /// SERIAL_STATE (CDC PSTN 1.2, 6.5.4): DCD and DSR while the firmware runs.
  private mutating func tellPower() {
    guard toldPower != isPowered, notifications.hasWaiting else { return }
    toldPower = isPowered
    let state: [UInt8] = [
      0xA1, 0x20, 0, 0, KeychainDescriptors.communicationInterface, 0, 2, 0, isPowered ? 3 : 0, 0,
    ]
    _ = state.withUnsafeBytes { notifications.write($0, &answers) }
  }
}

/// An endpoint that takes bytes of the host, packet by packet, as far as there is room. The URB
/// whose bytes are not all taken is answered later: that is how USB holds a host back.
struct OutEndpoint: Sendable {
  private struct Waiting: Sendable {
    var sequence: UInt32
    var data: [UInt8]
    var taken = 0
  }

  private let packet: Int
  private let capacity: Int
  private var waiting: [Waiting] = []
  /// Of all URBs that wait.
  private var waitingBytes = 0
  private var bytes = ByteQueue()
  private(set) var isHalted = false

  /// - Parameters:
  ///   - packet: wMaxPacketSize.
  ///   - capacity: of bytes that nobody has read yet: at least a packet.
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

  /// The bytes read, in order.
  mutating func read(
    _ buffer: UnsafeMutableRawBufferPointer, _ answers: inout USBIPAnswers
  ) -> Int {
    let count = min(buffer.count, bytes.count)
    bytes.withBytes { buffer.copyBytes(from: $0[..<count]) }
    bytes.removeFirst(count)
    serve(&answers)
    return count
  }

  /// Whether it waited. What was taken of it stays taken.
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

  /// What a host said that has gone.
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

/// What a host asks of a keychain beside its line, by a vendor request on endpoint 0: it works
/// while the serial port is open, and needs no interface claimed. `bRequest` is the message's type,
/// the data stage its payload without a frame (PROTOCOL.md, section 14).
public enum KeychainQuestion: Hashable, Sendable {
  case hello
  case heartbeat
  case firmwareInfo
  /// With the payload of LED_SET, of whatever length.
  case ledSet([UInt8])

  /// Nil for what no keychain answers.
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

/// A question that waits for its answer.
public struct VendorRequest: Hashable, Sendable {
  public let question: KeychainQuestion
  let sequence: UInt32
  /// Bytes that the host takes.
  let limit: Int
  let isIn: Bool
}

import USB

/// An answer to an URB, read from the stream by the layout of the protocol's document.
struct Answer: Equatable {
  /// 3: RET_SUBMIT, 4: RET_UNLINK.
  var code: UInt32
  var sequence: UInt32
  var status: Int32
  var actual: Int
  var data: [UInt8] = []

  /// - Parameter isIn: whether the URB of a sequence number was one that brings data.
  static func all(_ bytes: [UInt8], isIn: (UInt32) -> Bool) -> [Answer] {
    var found: [Answer] = []
    var rest = bytes[...]
    while rest.count >= 48 {
      let head = Array(rest.prefix(48))
      rest = rest.dropFirst(48)
      var answer = Answer(
        code: word(head, 0), sequence: word(head, 4),
        status: Int32(bitPattern: word(head, 20)), actual: Int(word(head, 24)))
      if answer.code == 4 { answer.actual = 0 }
      if answer.code == 3, isIn(answer.sequence) {
        answer.data = Array(rest.prefix(answer.actual))
        rest = rest.dropFirst(answer.actual)
      }
      found.append(answer)
    }
    precondition(rest.isEmpty, "half an answer")
    return found
  }

  private static func word(_ bytes: [UInt8], _ at: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[at + $1]) }
  }
}

/// A keychain's USB device with a host that speaks to it.
struct Bench {
  var device: KeychainUSBDevice
  /// What vendor requests get; nil stalls.
  var answer: (KeychainQuestion) -> [UInt8]? = { _ in nil }
  private(set) var asked: [KeychainQuestion] = []
  private var sequence: UInt32 = 0
  private var incoming: Set<UInt32> = []

  init(_ speed: USBSpeed = .full, isConfigured: Bool = true) {
    device = KeychainUSBDevice(
      KeychainDescriptors(.keychain(serial: "8000000000000001"), speed: speed))
    if isConfigured { _ = control(0x00, 9, 1) }
  }

  /// The sequence number.
  @discardableResult
  mutating func submit(
    _ endpoint: UInt8, in isIn: Bool, _ length: Int = 0, setup: SetupPacket = SetupPacket(),
    data: [UInt8] = []
  ) -> UInt32 {
    sequence += 1
    if isIn { incoming.insert(sequence) }
    let block = USBRequestBlock(
      sequence: sequence, endpoint: endpoint, isIn: isIn, length: isIn ? length : data.count,
      setup: setup, data: data)
    if let request = device.take(.submit(block)) {
      asked.append(request.question)
      device.answer(request, with: answer(request.question))
    }
    return sequence
  }

  @discardableResult
  mutating func unlink(_ victim: UInt32) -> UInt32 {
    sequence += 1
    _ = device.take(.unlink(sequence: sequence, victim: victim))
    return sequence
  }

  /// What has been answered since the last call.
  mutating func answers() -> [Answer] {
    var bytes: [UInt8] = []
    device.answers.send {
      bytes += $0
      return $0.count
    }
    return Answer.all(bytes) { incoming.contains($0) }
  }

  /// A control transfer, whose answer comes at once.
  mutating func control(
    _ type: UInt8, _ request: UInt8, _ value: UInt16 = 0, _ index: UInt16 = 0,
    length: UInt16 = 0, data: [UInt8] = []
  ) -> Answer {
    let setup = SetupPacket(
      requestType: type, request: request, value: value, index: index,
      length: data.isEmpty ? length : UInt16(data.count))
    let isIn = type & 0x80 != 0
    let mine = submit(0, in: isIn, Int(length), setup: setup, data: data)
    return answers().first { $0.sequence == mine }
      ?? Answer(
        code: 0, sequence: 0, status: 0, actual: 0)
  }

  mutating func write(_ bytes: [UInt8]) -> Int { bytes.withUnsafeBytes { device.write($0) } }

  mutating func read(_ most: Int = 4_096) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: most)
    let count = bytes.withUnsafeMutableBytes { device.read($0) }
    return Array(bytes[..<count])
  }
}

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

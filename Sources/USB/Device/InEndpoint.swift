/// An endpoint that brings bytes to the host: URBs wait here until there are some.
///
/// Transfers end as USB has it: when the URB is full, or with a packet shorter than the endpoint's;
/// where the bytes are a whole number of packets, that is one without any (USB 2.0, 5.8.3).
struct InEndpoint: Sendable {
  private static let mostRecent = 64

  private struct Waiting: Sendable {
    var sequence: UInt32
    var length: Int
  }

  private let packet: Int
  private let capacity: Int
  private var waiting: [Waiting] = []
  private var bytes = ByteQueue()
  /// The last transfer was a whole number of packets and filled its URB: its end is still to come.
  private var owesEmptyPacket = false
  /// The last that were answered, in a ring.
  private var recent: [UInt32] = []
  private var nextRecent = 0
  private(set) var isHalted = false

  /// - Parameters:
  ///   - packet: wMaxPacketSize.
  ///   - capacity: of bytes that no URB has asked for yet.
  init(packet: Int, capacity: Int) {
    self.packet = packet
    self.capacity = capacity
  }

  var hasWaiting: Bool { !waiting.isEmpty }

  mutating func submit(_ sequence: UInt32, length: Int, _ answers: inout USBIPAnswers) {
    guard !isHalted else { return answers.submitted(sequence, status: USBIPStatus.stalled) }
    guard waiting.count < KeychainUSBDevice.maxWaiting else {
      return answers.submitted(sequence, status: USBIPStatus.tooMany)
    }
    waiting.append(Waiting(sequence: sequence, length: length))
    serve(&answers)
  }

  /// The bytes taken; the rest is to be offered again when the host has fetched some.
  mutating func write(
    _ new: UnsafeRawBufferPointer, _ answers: inout USBIPAnswers
  ) -> Int {
    var taken = 0
    while taken < new.count {
      let room = min(capacity - bytes.count, new.count - taken)
      guard room > 0 else { break }
      bytes.append(UnsafeRawBufferPointer(rebasing: new[taken..<taken + room]))
      owesEmptyPacket = false
      taken += room
      // The last of it goes out below: a transfer does not end where the endpoint was full.
      if taken < new.count { serve(&answers, untilFull: true) }
    }
    serve(&answers)
    return taken
  }

  /// Whether it waited.
  mutating func unlink(_ sequence: UInt32) -> Bool {
    guard let index = waiting.firstIndex(where: { $0.sequence == sequence }) else { return false }
    waiting.remove(at: index)
    return true
  }

  /// Whether it was answered a short while ago.
  func hasAnswered(_ sequence: UInt32) -> Bool { recent.contains(sequence) }

  mutating func setHalt(_ isHalted: Bool, _ answers: inout USBIPAnswers) {
    self.isHalted = isHalted
    if isHalted { answerAll(USBIPStatus.stalled, &answers) }
    serve(&answers)
  }

  mutating func reset(_ answers: inout USBIPAnswers) {
    isHalted = false
    answerAll(USBIPStatus.shutDown, &answers)
    discard()
  }

  /// What was said to a host that has gone.
  mutating func discard() {
    bytes.removeAll()
    owesEmptyPacket = false
  }

  private mutating func answerAll(_ status: Int32, _ answers: inout USBIPAnswers) {
    for urb in waiting { answers.submitted(urb.sequence, status: status) }
    waiting.removeAll()
  }

  /// - Parameter untilFull: more bytes follow, so that only full URBs are answered.
  private mutating func serve(_ answers: inout USBIPAnswers, untilFull: Bool = false) {
    guard !isHalted else { return }
    while let urb = waiting.first, !bytes.isEmpty || owesEmptyPacket {
      if untilFull && bytes.count < urb.length { return }
      waiting.removeFirst()
      answer(urb, &answers)
    }
  }

  private mutating func answer(_ urb: Waiting, _ answers: inout USBIPAnswers) {
    // Of an URB that ends within a packet, the packet that does not fit is sent again.
    let isCut = bytes.count > urb.length
    let count = isCut ? urb.length / packet * packet : bytes.count
    let status = isCut && count < urb.length ? USBIPStatus.overflow : USBIPStatus.done
    bytes.withBytes { all in
      let part = UnsafeRawBufferPointer(rebasing: all[..<count])
      answers.submitted(urb.sequence, status: status, data: part)
    }
    bytes.removeFirst(count)
    owesEmptyPacket = !isCut && count > 0 && count % packet == 0 && count == urb.length
    note(urb.sequence)
  }

  private mutating func note(_ sequence: UInt32) {
    if recent.count < Self.mostRecent {
      recent.append(sequence)
    } else {
      recent[nextRecent] = sequence
      nextRecent = (nextRecent + 1) % Self.mostRecent
    }
  }
}

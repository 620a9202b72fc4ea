/// An endpoint to the host. URBs wait here until there are bytes for them.
///
/// A transfer ends when its URB is full, or with a packet shorter than the endpoint's. Where the
/// bytes are a whole number of packets, an empty packet ends it (USB 2.0, 5.8.3).
struct InEndpoint: Sendable {
  private static let maxRecent = 64

  private struct Waiting: Sendable {
    var sequence: UInt32
    var length: Int
  }

  private let packet: Int
  private let capacity: Int
  private var waiting: [Waiting] = []
  private var bytes = ByteQueue()
  /// The last transfer was a whole number of packets and filled its URB: the empty packet that ends
  /// it is still to be sent.
  private var owesEmptyPacket = false
  /// The sequence numbers answered last, in a ring.
  private var recent: [UInt32] = []
  private var nextRecent = 0
  private(set) var isHalted = false

  /// - Parameters:
  ///   - packet: wMaxPacketSize.
  ///   - capacity: the most bytes that wait for an URB.
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

  /// Returns how many bytes were taken. Offer the rest again when the host has fetched some.
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
      // More bytes follow: answer full URBs only. The last part goes out below, where it may end a
      // transfer.
      if taken < new.count { serve(&answers, untilFull: true) }
    }
    serve(&answers)
    return taken
  }

  /// Takes an URB back. False if it was not waiting.
  mutating func unlink(_ sequence: UInt32) -> Bool {
    guard let index = waiting.firstIndex(where: { $0.sequence == sequence }) else { return false }
    waiting.remove(at: index)
    return true
  }

  /// Whether the URB is among the last 64 that were answered.
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

  /// Drops the bytes meant for a host that has gone.
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
    // An URB that ends within a packet gets the whole packets only. The packet that does not fit
    // stays for the next URB.
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
    if recent.count < Self.maxRecent {
      recent.append(sequence)
    } else {
      recent[nextRecent] = sequence
      nextRecent = (nextRecent + 1) % Self.maxRecent
    }
  }
}

/// Answers to URBs on their way to the host, as bytes. The owner sends them. Their size is bounded
/// by what the accepted URBs ask for.
public struct USBIPAnswers: Sendable {
  private var pending = ByteQueue()

  /// Nothing to send.
  public init() {}

  /// Whether everything is sent.
  public var isEmpty: Bool { pending.isEmpty }
  /// How many bytes wait to be sent.
  public var count: Int { pending.count }

  /// Hands all waiting bytes to `send`, which returns how many it took.
  /// - Returns: the same count.
  @discardableResult
  public mutating func send(_ send: (UnsafeRawBufferPointer) -> Int) -> Int {
    let taken = pending.withBytes { send($0) }
    pending.removeFirst(taken)
    return taken
  }

  /// Drops everything: the connection has ended.
  mutating func removeAll() { pending.removeAll() }

  /// RET_SUBMIT of an IN transfer.
  mutating func submitted(
    _ sequence: UInt32, status: Int32 = USBIPStatus.done, data: UnsafeRawBufferPointer
  ) {
    begin(USBIPCode.submitted, sequence)
    finish(status: status, actual: data.count)
    pending.append(data)
  }

  /// RET_SUBMIT of an OUT transfer, or of one that brings nothing.
  mutating func submitted(
    _ sequence: UInt32, status: Int32 = USBIPStatus.done, actual: Int = 0
  ) {
    begin(USBIPCode.submitted, sequence)
    finish(status: status, actual: actual)
  }

  /// RET_UNLINK.
  mutating func unlinked(_ sequence: UInt32, status: Int32) {
    begin(USBIPCode.unlinked, sequence)
    finish(status: status, actual: 0)
  }

  private mutating func begin(_ code: UInt32, _ sequence: UInt32) {
    pending.appendNetwork(code)
    pending.appendNetwork(sequence)
    // Device, direction and endpoint: the sequence says them all.
    pending.appendZeros(12)
  }

  private mutating func finish(status: Int32, actual: Int) {
    pending.appendNetwork(UInt32(bitPattern: status))
    pending.appendNetwork(UInt32(clamping: actual))
    pending.appendZeros(20)
  }
}

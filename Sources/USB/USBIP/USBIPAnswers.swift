/// Answers to URBs on their way to the host, as bytes. The owner sends them; they cannot be more
/// than what the URBs asked for that it took.
public struct USBIPAnswers: Sendable {
  private var pending = ByteQueue()

  public init() {}

  public var isEmpty: Bool { pending.isEmpty }
  /// Bytes.
  public var count: Int { pending.count }

  /// Shows all of them; `send` says how many bytes it took.
  /// - Returns: the same count.
  @discardableResult
  public mutating func send(_ send: (UnsafeRawBufferPointer) -> Int) -> Int {
    let taken = pending.withBytes { send($0) }
    pending.removeFirst(taken)
    return taken
  }

  /// The connection has ended.
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

/// Splits the stream of an imported device into commands: headers of 48 bytes, and the data of OUT
/// URBs.
public struct USBIPCommandReader: Sendable {
  /// The most bytes of one OUT transfer: 1 MiB. usbfs hands on in one piece what a program asks
  /// for.
  public static let maxData = 1 << 20

  private let deviceID: UInt32
  private var header: [UInt8] = []
  /// The URB whose data are still coming.
  private var block: USBRequestBlock?

  /// - Parameter deviceID: of ``USBIPDeviceRecord/deviceID``; URBs that name another are refused.
  public init(deviceID: UInt32) {
    self.deviceID = deviceID
    header.reserveCapacity(USBIPCode.headerSize)
  }

  /// The next command in `chunk`, from whose front it removes the bytes; nil when the chunk is used
  /// up.
  /// - Throws: `USBIPFailure` for a header that no host of this device sends. Bytes behind it have
  ///   no meaning: end the connection.
  public mutating func next(
    _ chunk: inout UnsafeRawBufferPointer
  ) throws(USBIPFailure) -> USBIPCommand? {
    if block == nil {
      fill(&header, to: USBIPCode.headerSize, from: &chunk)
      guard header.count == USBIPCode.headerSize else { return nil }
      defer { header.removeAll(keepingCapacity: true) }
      switch try parse() {
      case .submit(let new): block = new
      case .unlink(let sequence, let victim):
        return .unlink(sequence: sequence, victim: victim)
      }
    }
    guard var whole = block else { return nil }
    block = nil
    if !whole.isIn {
      fill(&whole.data, to: whole.length, from: &chunk)
      guard whole.data.count == whole.length else {
        block = whole
        return nil
      }
    }
    return .submit(whole)
  }

  private func fill(
    _ bytes: inout [UInt8], to count: Int, from chunk: inout UnsafeRawBufferPointer
  ) {
    let taken = min(count - bytes.count, chunk.count)
    bytes += chunk[..<taken]
    chunk = UnsafeRawBufferPointer(rebasing: chunk[taken...])
  }

  private func parse() throws(USBIPFailure) -> USBIPCommand {
    try header.span.withUnsafeBytes { (bytes) throws(USBIPFailure) -> USBIPCommand in
      var r = NetworkReader(bytes)
      let code = r.next(UInt32.self)
      let sequence = r.next(UInt32.self)
      let device = r.next(UInt32.self)
      guard device == deviceID else { throw USBIPFailure("an URB for the device \(device)") }
      let direction = r.next(UInt32.self)
      let endpoint = r.next(UInt32.self)
      switch code {
      case USBIPCode.unlink: return .unlink(sequence: sequence, victim: r.next())
      case USBIPCode.submit: break
      default: throw USBIPFailure("the command \(code)")
      }
      guard direction <= 1 else { throw USBIPFailure("the direction \(direction)") }
      guard endpoint <= 15 else { throw USBIPFailure("the endpoint \(endpoint)") }
      r.skip(4)
      let length = Int(r.next(Int32.self))
      r.skip(4)
      let packets = r.next(Int32.self)
      r.skip(4)
      guard packets == 0 || packets == -1 else { throw USBIPFailure("an isochronous transfer") }
      guard length >= 0 else { throw USBIPFailure("a transfer of \(length) bytes") }
      guard direction == 1 || length <= Self.maxData else {
        throw USBIPFailure("a transfer of \(length) bytes to the device: \(Self.maxData) at most")
      }
      return .submit(
        USBRequestBlock(
          sequence: sequence, endpoint: UInt8(endpoint), isIn: direction == 1, length: length,
          setup: SetupPacket(UnsafeRawBufferPointer(rebasing: bytes[40..<48]))))
    }
  }
}

import WireProtocol

/// What went into one direction of a line and what came out, read by decoders of its own.
struct WireTap {
  struct Frame: Equatable {
    /// Behind its delimiter, counted from the first byte that was sent.
    var end: Int
    var body: [UInt8]

    var isResent: Bool { body[0] & 4 != 0 }

    /// Of an EVENT.
    var identity: EventIdentity? {
      guard body[1] == MessageType.event.rawValue else { return nil }
      return body.withUnsafeBytes { EventIdentity(UnsafeRawBufferPointer(rebasing: $0[4...])) }
    }
  }

  private(set) var bytesSent = 0
  private(set) var bytesHeard = 0
  private(set) var sent: [Frame] = []
  private(set) var heard: [Frame] = []
  private var sender = FrameDecoder()
  private var receiver = FrameDecoder()

  mutating func send(_ bytes: UnsafeRawBufferPointer) {
    Self.read(bytes, &sender, &bytesSent, into: &sent)
  }

  mutating func hear(_ bytes: UnsafeRawBufferPointer) {
    Self.read(bytes, &receiver, &bytesHeard, into: &heard)
  }

  private static func read(
    _ bytes: UnsafeRawBufferPointer, _ decoder: inout FrameDecoder, _ count: inout Int,
    into frames: inout [Frame]
  ) {
    var rest = bytes
    while let outcome = decoder.next(&rest) {
      guard outcome == .frame else { continue }
      let end = count + bytes.count - rest.count
      frames.append(Frame(end: end, body: decoder.withBody { Array($0) }))
    }
    count += bytes.count
  }

  /// The frames sent that were not heard, in order, by their place among those sent. What was heard
  /// and never sent is `nil`.
  var lost: [Int]? {
    var lost: [Int] = []
    var next = 0
    for (index, frame) in sent.enumerated() {
      if next < heard.count, heard[next].body == frame.body {
        next += 1
      } else {
        lost.append(index)
      }
    }
    return next == heard.count ? lost : nil
  }
}

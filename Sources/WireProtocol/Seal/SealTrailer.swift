/// What stands between the payload of a sealed frame and its CRC (PROTOCOL.md, 15.4).
public struct SealTrailer: Sendable {
  /// Bytes.
  public static let size = 16

  /// The device's clock in units of 1024 µs, modulo 2^32; from a host, the newest proved one.
  public let clock: UInt32
  /// From 1, grows with each frame of its direction; of EVENT 0.
  public let counter: UInt32
  /// Over head, type, payload, clock and counter.
  public let tag: UInt64

  /// - Parameter bytes: exactly `size`.
  init(_ bytes: UnsafeRawBufferPointer) {
    var r = ByteReader(bytes)
    clock = r.next()
    counter = r.next()
    tag = r.next()
  }
}

extension FrameBody {
  /// Seals the frame, whose payload is complete and at most 229 bytes long.
  @inline(never)
  mutating func seal(_ key: SealKey, clock: UInt32, counter: UInt32) {
    markSealed()
    append(clock)
    append(counter)
    let tag = withBytesInPlace { key.tag(ofFrame: $0) }
    append(tag)
  }
}

extension SealKey {
  /// The tag of a frame.
  /// - Parameter body: head, type, seq, payload, clock and counter; seq does not count.
  @inline(never)
  func tag(ofFrame body: UnsafeRawBufferPointer) -> UInt64 {
    tag { hash in
      hash.update(UnsafeRawBufferPointer(rebasing: body[0..<2]))
      hash.update(UnsafeRawBufferPointer(rebasing: body[4...]))
    }
  }

  /// Whether a sealed frame has the tag of this key. The comparison takes the same time however
  /// much of a wrong tag is right.
  @inline(never)
  func proves(_ frame: ReceivedFrame) -> Bool {
    guard let trailer = frame.trailer else { return false }
    let end = frame.body.count - MemoryLayout<UInt64>.size
    let tagged = UnsafeRawBufferPointer(rebasing: frame.body[..<end])
    return tag(ofFrame: tagged) ^ trailer.tag == 0
  }
}

/// The counters and keys of one sealed session, as one end has them.
struct SealedSession: Sendable {
  private let key: SessionKey
  private let sends: SealPerson
  private let takes: SealPerson
  private(set) var sent: UInt32 = 0
  private(set) var received: UInt32 = 0

  init(_ key: SessionKey, sends: SealPerson, takes: SealPerson) {
    self.key = key
    self.sends = sends
    self.takes = takes
  }

  /// What the other end seals with.
  var theirs: SealKey { key.sealKey(takes) }

  /// Seals a frame of this end. A counter that has ended seals nothing more.
  mutating func seal(_ body: inout FrameBody, clock: UInt32) {
    guard sent < .max else { return }
    sent += 1
    body.seal(key.sealKey(sends), clock: clock, counter: sent)
  }

  /// Whether this frame is the other end's, and newer than all before it; if so it is noted.
  mutating func takes(_ frame: ReceivedFrame) -> Bool {
    guard let trailer = frame.trailer, trailer.counter > received, theirs.proves(frame) else {
      return false
    }
    received = trailer.counter
    return true
  }

  /// One of the counters is near its end: the host begins a new session.
  var isWornOut: Bool { max(sent, received) >= 0xFFFF_0000 }
}

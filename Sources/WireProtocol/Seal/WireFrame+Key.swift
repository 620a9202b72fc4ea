import FobBase

/// What watchers of a line may see of a frame.
extension WireFrame {
  /// The same frame, with zeros in place of a key: only PAIR carries one. Whoever listens to the
  /// line itself has the key; captures and monitors of the host do not.
  public var withoutKey: WireFrame {
    withBytes { wire in
      var chunk = wire
      var decoder = FrameDecoder()
      while let outcome = decoder.next(&chunk) {
        guard outcome == .frame else { continue }
        return decoder.withBody { body in
          guard body.count >= Self.keyEnds, body[1] == MessageType.pair.rawValue else {
            return self
          }
          var blank = FrameBody()
          blank.append(UnsafeRawBufferPointer(rebasing: body[..<Self.keyBegins]))
          for _ in Self.keyBegins..<Self.keyEnds { blank.append(UInt8(0)) }
          blank.append(UnsafeRawBufferPointer(rebasing: body[Self.keyEnds...]))
          return WireFrame(blank, afterSilence: wire.first == 0)
        }
      }
      return self
    }
  }

  /// Behind head, type, seq and session.
  private static var keyBegins: Int { 8 }
  private static var keyEnds: Int { 24 }
}

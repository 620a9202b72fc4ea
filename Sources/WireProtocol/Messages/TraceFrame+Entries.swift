extension TraceFrame {
  /// The entries behind `first`; those of a code unknown here are left out.
  public static func entries(
    _ payload: UnsafeRawBufferPointer, _ take: (_ index: UInt32, TraceEntry) -> Void
  ) {
    var r = ByteReader(payload)
    let first: UInt32 = r.next()
    for i in 0..<(payload.count - size) / TraceEntry.size {
      if let entry = TraceEntry(&r) { take(first &+ UInt32(i), entry) }
    }
  }
}

extension TraceEntry {
  public static let maxInFrame = 14
}

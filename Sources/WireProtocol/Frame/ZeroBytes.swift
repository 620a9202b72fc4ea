#if !hasFeature(Embedded)
  import CProcessor

  /// Where zeros stand among bytes, looked up for many at once.
  enum ZeroBytes {
    /// Of the 64 bytes at `bytes`: bit n says that byte n is zero.
    @inline(__always)
    static func among64(_ bytes: UnsafeRawPointer) -> UInt64 {
      UInt64(processor_equal16(bytes, 0)) | UInt64(processor_equal16(bytes + 16, 0)) &<< 16
        | UInt64(processor_equal16(bytes + 32, 0)) &<< 32
        | UInt64(processor_equal16(bytes + 48, 0)) &<< 48
    }
  }
#endif

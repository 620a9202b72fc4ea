import _Volatile

/// A memory-mapped register of 32 bits: each load and store happens, in the order written.
struct Register {
  private let register: VolatileMappedRegister<UInt32>

  @inline(__always)
  init(_ address: UInt) { register = VolatileMappedRegister(unsafeBitPattern: address) }

  @inline(__always)
  var value: UInt32 {
    get { register.load() }
    nonmutating set { register.store(newValue) }
  }

  @inline(__always)
  func set(_ bits: UInt32) { value |= bits }

  @inline(__always)
  func clear(_ bits: UInt32) { value &= ~bits }
}

/// A queue of at most `capacity` elements that never allocates. Its members are inlinable: other
/// modules would otherwise look up its element type at run time, at every call.
public struct FixedRing<let capacity: Int, Element> {
  @usableFromInline var storage: InlineArray<capacity, Element>
  @usableFromInline var head = 0
  @usableFromInline var used = 0

  /// - Parameter filler: stands in the places that hold nothing.
  @inlinable public init(filler: Element) { storage = InlineArray(repeating: filler) }

  /// Elements that it holds, 0 to `capacity`.
  @inlinable public var count: Int { used }
  /// Holds no element.
  @inlinable public var isEmpty: Bool { count == 0 }
  /// `append` refuses, and `push` gives up the oldest.
  @inlinable public var isFull: Bool { count == capacity }
  /// Elements that still fit.
  @inlinable public var free: Int { capacity - count }

  /// Appends and says true, or says false and changes nothing when full.
  @inlinable public mutating func append(_ element: Element) -> Bool {
    guard count < capacity else { return false }
    storage[Self.place(head + count)] = element
    used += 1
    return true
  }

  /// Appends, giving up the oldest element when full.
  @inlinable public mutating func push(_ element: Element) {
    if isFull { removeFirst(1) }
    _ = append(element)
  }

  /// Gives up the `n` oldest; traps where it holds fewer.
  @inlinable public mutating func removeFirst(_ n: Int) {
    precondition(n <= count)
    head = Self.place(head + n)
    used -= n
  }

  /// The element `index` places behind the oldest; traps where there is none.
  @inlinable public subscript(index: Int) -> Element {
    // Else a ring is copied for each question.
    @inline(__always) get {
      precondition(index < count)
      return storage[Self.place(head + index)]
    }
  }

  /// Static, because an unoptimised build would copy the whole ring for each call of a method.
  @inlinable static func place(_ at: Int) -> Int { at < capacity ? at : at - capacity }
}

extension FixedRing where Element == UInt8 {
  /// Appends all of `bytes` and says true, or says false and changes nothing where they do not fit.
  @inlinable public mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= free else { return false }
    let start = Self.place(head + count)
    let first = min(bytes.count, capacity - start)
    withUnsafeMutableBytes(of: &storage) { places in
      UnsafeMutableRawBufferPointer(rebasing: places[start...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<first]))
      places.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[first...]))
    }
    used += bytes.count
    return true
  }

  /// Reads the oldest bytes, as many as lie together. It is mutating so that they are read where
  /// they stand.
  @inlinable public mutating func withFront<R>(_ read: (UnsafeRawBufferPointer) -> R) -> R {
    let front = head..<min(head + count, capacity)
    return withUnsafeMutableBytes(of: &storage) {
      read(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0)[front]))
    }
  }
}

extension FixedRing: Sendable where Element: Sendable {}

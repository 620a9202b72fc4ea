/// At most `capacity` elements in place, without a heap.
public struct FixedList<let capacity: Int, Element: Equatable & Sendable>: Sendable {
  private var storage: InlineArray<capacity, Element>
  /// Elements that it holds, 0 to `capacity`.
  public private(set) var count = 0

  /// - Parameter filler: stands in the places that hold nothing.
  init(filler: Element) { storage = InlineArray(repeating: filler) }

  /// Holds no element.
  public var isEmpty: Bool { count == 0 }

  /// Appends and says true, or says false and changes nothing when full.
  @discardableResult
  public mutating func append(_ element: Element) -> Bool {
    guard count < capacity else { return false }
    storage[count] = element
    count += 1
    return true
  }

  /// The element at `index`; traps from `count` on.
  public subscript(index: Int) -> Element {
    precondition(index < count)
    return storage[index]
  }
}

extension FixedList: Equatable {
  public static func == (a: Self, b: Self) -> Bool {
    guard a.count == b.count else { return false }
    for index in 0..<a.count where a[index] != b[index] { return false }
    return true
  }
}

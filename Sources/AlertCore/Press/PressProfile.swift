/// How the edges of a button become meaning (protocol, Presses).
public enum PressProfile: Equatable, Sendable {
  /// Any pressed event raises the alarm, whatever its age; a release says nothing. The default
  /// (S0: pressing the button raises the alarm).
  case literal
  /// Clicks and holds; what cannot be decoded raises the alarm.
  case guarded(PanicSlots)
}

/// Which of the five panic slots (R62) clicks may ask for: slot n by n + 1 clicks. Clicks for any
/// other raise the alarm (R65), so nothing is asked for until it is configured.
public struct PanicSlots: Equatable, Sendable {
  public static let none = PanicSlots(rawValue: 0)
  public static let range: ClosedRange<UInt8> = 1...5

  /// Bit n - 1 is slot n.
  public private(set) var rawValue: UInt8

  /// - Parameter rawValue: five bits; further ones are dropped.
  public init(rawValue: UInt8) { self.rawValue = rawValue & 0b1_1111 }

  /// - Returns: nil where a number is no slot.
  public init?(_ numbers: [Int]) {
    self = .none
    for number in numbers {
      guard let number = UInt8(exactly: number), Self.range.contains(number) else { return nil }
      rawValue |= 1 << (number - 1)
    }
  }

  public func contains(_ slot: UInt8) -> Bool {
    Self.range.contains(slot) && rawValue & 1 << (slot - 1) != 0
  }

  /// The slots, lowest first.
  public var numbers: [UInt8] { Self.range.filter(contains) }

  /// Whether so many clicks, or more, can still come to mean a slot.
  func canBeMeant(byAtLeast clicks: Int) -> Bool {
    guard clicks <= Int(Self.range.upperBound) + 1 else { return false }
    return rawValue >> max(0, clicks - 2) != 0
  }
}

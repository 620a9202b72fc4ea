/// How many dimensions of the position are known. The numbers are those of GSA (and of gpsd).
public enum FixMode: UInt8, Sendable, Comparable {
  case noFix = 1
  case twoDimensional = 2
  /// With an altitude.
  case threeDimensional = 3

  public static func < (a: FixMode, b: FixMode) -> Bool { a.rawValue < b.rawValue }
}

/// Why a sentence with a right checksum is not believed.
public enum FieldError: Error, Equatable {
  /// A field that the rest of the sentence calls for is empty.
  case missing
  /// A field holds other characters, or another number of them, than its format says.
  case malformed
  /// Latitude past 90°, 60 minutes, day 32.
  case outOfRange
}

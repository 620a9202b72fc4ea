/// The default alphabet of SMS and its extension (3GPP TS 23.038, 6.2.1).
package enum GSM7 {
  private static let basic = Set(
    ("@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡"
      + "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà").unicodeScalars)
  /// Each of these follows an escape and costs two septets.
  private static let extended = Set("\u{0C}^{}\\[~]|€".unicodeScalars)

  /// 0 for a character that the alphabet does not have.
  package static func septets(_ scalar: Unicode.Scalar) -> Int {
    basic.contains(scalar) ? 1 : extended.contains(scalar) ? 2 : 0
  }

  /// How long a text is, and how long one SMS of its characters may be: septets, or UTF-16 units
  /// where the alphabet does not have them. An accent that stands apart from its letter counts as
  /// it is written.
  package static func length(_ text: String) -> (units: Int, limit: Int) {
    let septets = text.unicodeScalars.map(septets)
    return septets.contains(0) ? (text.utf16.count, 70) : (septets.reduce(0, +), 160)
  }

  /// Why a text is longer than one SMS, as a clause with its length; nil where it fits.
  /// - Parameter reserved: how many characters of the basic alphabet come behind it.
  package static func overlong(_ text: String, reserved: Int = 0) -> String? {
    let (units, limit) = length(text)
    let sum = units + reserved
    guard sum > limit else { return nil }
    let place = reserved > 0 ? ", \(reserved) of them the position's" : ""
    let wide = limit == 70 ? " of 16 bits, which it needs" : ""
    return "has \(sum) characters\(wide)\(place); one SMS has \(limit) of them"
  }
}

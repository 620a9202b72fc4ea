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

  /// Why a text is longer than one SMS, as a clause with its length; nil where it fits. An accent
  /// that stands apart from its letter counts as it is written.
  package static func overlong(_ text: String) -> String? {
    let septets = text.unicodeScalars.map(septets)
    if septets.contains(0) {
      let units = text.utf16.count
      return units > 70
        ? "has \(units) characters of 16 bits, which it needs; one SMS has 70 of them" : nil
    }
    let sum = septets.reduce(0, +)
    return sum > 160 ? "has \(sum) characters; one SMS has 160" : nil
  }
}

/// The length of a text in messages of the mobile network (3GPP TS 23.038, 6.2.1).
enum GSM7Oracle {
  private static let basic = Set(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡"
      + "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà")
  private static let extended = Set("\u{0C}^{}\\[~]|€")

  /// Nil for a text that the alphabet cannot write.
  static func septets(_ text: String) -> Int? {
    var count = 0
    for character in text {
      if basic.contains(character) {
        count += 1
      } else if extended.contains(character) {
        count += 2
      } else {
        return nil
      }
    }
    return count
  }
}

/// The default alphabet and its extension (3GPP TS 23.038, 6.2.1).
enum GSM7 {
  private static let basic = Set(
    ("@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡"
      + "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà").unicodeScalars)
  /// Each behind an escape.
  private static let extended = Set("\u{0C}^{}\\[~]|€".unicodeScalars)

  /// 0 for what it cannot write.
  static func septets(_ scalar: Unicode.Scalar) -> Int {
    basic.contains(scalar) ? 1 : extended.contains(scalar) ? 2 : 0
  }
}

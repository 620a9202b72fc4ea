/// Who this board is, and which of its lives this is.
enum Identity {
  /// As given to this board in its EEPROM; 1 where none was.
  static func serial() -> UInt32 {
    guard let word = EEPROM.word(at: EEPROM.serialAt), word != 0, word != .max else { return 1 }
    return word
  }

  /// The lower half counts the boots in the EEPROM, so that 65,536 boots in a row differ for sure;
  /// the upper half is where the clock's counter stood when the EEPROM had answered, so that a
  /// board whose EEPROM was changed differs, too. Both are mixed (finaliser of MurmurHash3, one to
  /// one).
  static func newNonce(serial: UInt32) -> UInt32 {
    let boots = (EEPROM.word(at: EEPROM.bootsAt) ?? 0) &+ 1
    _ = withUnsafeBytes(of: boots) { EEPROM.write(at: EEPROM.bootsAt, $0) }
    var nonce = (SystemClock.noise << 16 | boots & 0xFFFF) ^ serial
    nonce ^= nonce >> 16
    nonce = nonce &* 0x85EB_CA6B
    nonce ^= nonce >> 13
    nonce = nonce &* 0xC2B2_AE35
    nonce ^= nonce >> 16
    return nonce == 0 ? 1 : nonce
  }
}

import Capture

/// Keychains on USB in the lines of `fob devices`.
enum KeychainText {
  static func lines(_ keychains: [FoundKeychain]) -> [String] { keychains.flatMap { lines($0) } }

  private static func lines(_ keychain: FoundKeychain) -> [String] {
    let nodes = [keychain.port, keychain.links.first, keychain.usbNode].compactMap(\.self)
    let words = [
      "usb       \(keychain.spec)", "          now \(nodes.joined(separator: ", "))",
      said(by: keychain),
      "          \(keychain.problem ?? "free, as far as can be seen without opening it")",
    ]
    return (words + [keychain.warning.map { "          \($0)" }].compactMap(\.self)).map {
      PrintableText.of($0)
    }
  }

  private static func said(by keychain: FoundKeychain) -> String {
    let words = [
      keychain.serial ?? "without a serial number",
      keychain.battery.map { "battery \($0) %" },
      keychain.isLinked.map { $0 ? "linked" : "not linked" },
      keychain.firmware.map { "firmware \($0)" },
      keychain.silence.map { "says nothing of itself: \($0)" },
    ]
    return "          " + words.compactMap(\.self).joined(separator: ", ")
  }
}

/// A mail address as a stranger may see it (R11, G7).
public enum MaskedEmail {
  /// The first four letters before the @, or the first alone where there are no more than four;
  /// then four asterisks, which tell no length, and the domain.
  public static func of(_ address: String) -> String {
    guard let at = address.lastIndex(of: "@") else { return "****" }
    let local = address[..<at]
    return local.prefix(local.count > 4 ? 4 : 1) + "****" + address[at...]
  }
}

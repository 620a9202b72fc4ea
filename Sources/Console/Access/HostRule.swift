/// Which names this server answers to. A page of another site whose name is made to point here
/// (DNS rebinding) sends its own name in Host, and is refused.
struct HostRule: Sendable {
  private let names: Set<String>

  /// - Parameter names: beside those of the loopback.
  init(_ names: [String]) { self.names = Set(names.map { $0.lowercased() }) }

  func allows(_ authority: String) -> Bool {
    guard let name = Self.name(of: authority) else { return false }
    return ListenAddress.isLoopback(name) || names.contains(name)
  }

  /// Without its port, in lower case; an IPv6 address without brackets.
  static func name(of authority: String) -> String? {
    var rest = authority.lowercased()[...]
    var name: Substring
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      name = rest[rest.index(after: rest.startIndex)..<end]
      rest = rest[rest.index(after: end)...]
    } else {
      name = rest.prefix { $0 != ":" }
      rest = rest.dropFirst(name.count)
    }
    if name.last == "." { name = name.dropLast() }
    let isPort =
      rest.isEmpty || (rest.first == ":" && UInt16(rest.dropFirst()) != nil)
    return isPort && !name.isEmpty ? String(name) : nil
  }
}

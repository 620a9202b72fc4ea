import Glibc

/// What rules make of a device.
struct UdevOutcome: Equatable {
  var symlinks: [String] = []
  var group: String?
  var mode: String?
  var tags: Set<String> = []
  /// Those that our rules have set.
  var properties: [String: String] = [:]
  /// Written below `/sys`.
  var attributes: [String: String] = [:]

  static let nothing = UdevOutcome()

  /// Runs the rules as udev does: all matches of a line, then its assignments, then its jump.
  init(_ rules: [UdevRule], _ action: String, _ device: UdevDevice) {
    self.init()
    var index = 0
    while index < rules.count {
      let tokens = rules[index].tokens
      index += 1
      guard matches(tokens, action, device) else { continue }
      for token in tokens where !token.isMatch { assign(token, device) }
      if let target = tokens.first(where: { $0.key == "GOTO" })?.value {
        index =
          rules.firstIndex {
            $0.tokens.contains { $0.key == "LABEL" && $0.value == target }
          } ?? rules.count
      }
    }
  }

  private init() {}

  private func matches(
    _ tokens: [UdevRule.Token], _ action: String, _ device: UdevDevice
  ) -> Bool {
    let matches = tokens.filter(\.isMatch)
    let own = matches.filter { !Self.ofParents.contains($0.key) }.allSatisfy { token in
      switch token.key {
      case "ACTION": Self.fits(token, action)
      case "KERNEL": Self.fits(token, device.kernel)
      case "SUBSYSTEM": Self.fits(token, device.subsystem)
      case "ENV":
        Self.fits(
          token, properties[token.attribute ?? ""] ?? device.properties[token.attribute ?? ""] ?? ""
        )
      case "ATTR": device.attributes[token.attribute ?? ""].map { Self.fits(token, $0) } ?? false
      case "TEST": (device.attributes[token.value] != nil) == (token.sign == "==")
      case "TAG": tags.contains { Self.fits(token, $0) }
      default: false
      }
    }
    let upwards = matches.filter { Self.ofParents.contains($0.key) }
    guard own, !upwards.isEmpty else { return own }
    // All on one device: this one, or one above it.
    return ([device] + device.parents).contains { candidate in
      upwards.allSatisfy { token in
        switch token.key {
        case "SUBSYSTEMS": Self.fits(token, candidate.subsystem)
        case "KERNELS": Self.fits(token, candidate.kernel)
        case "ATTRS":
          candidate.attributes[token.attribute ?? ""].map { Self.fits(token, $0) } ?? false
        default: false
        }
      }
    }
  }

  private mutating func assign(_ token: UdevRule.Token, _ device: UdevDevice) {
    let value = filled(token.value, device)
    switch token.key {
    case "SYMLINK": symlinks.append(value)
    case "GROUP": group = value
    case "MODE": mode = value
    case "TAG": tags.insert(value)
    case "ENV": properties[token.attribute ?? ""] = value
    case "ATTR": attributes[token.attribute ?? ""] = value
    default: break
    }
  }

  /// With each `$env{NAME}` filled in.
  private func filled(_ text: String, _ device: UdevDevice) -> String {
    text.replacing(/\$env\{([A-Z_]+)\}/) { match in
      let name = String(match.1)
      return properties[name] ?? device.properties[name] ?? ""
    }
  }

  private static let ofParents: Set = ["SUBSYSTEMS", "KERNELS", "DRIVERS", "ATTRS"]

  /// Shell patterns with `|` between them, as udev has fnmatch(3) compare them.
  private static func fits(_ token: UdevRule.Token, _ text: String) -> Bool {
    let patterns = token.value.split(separator: "|", omittingEmptySubsequences: false)
    let isFound = patterns.contains { fnmatch(String($0), text, 0) == 0 }
    return isFound == (token.sign == "==")
  }
}

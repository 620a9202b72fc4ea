/// One line of a rules file as udev(7) reads it: comma-separated `KEY{attribute}operator"value"`.
struct UdevRule: Equatable {
  struct Token: Equatable {
    let key: String
    var attribute: String?
    let sign: String
    let value: String

    var isMatch: Bool { sign == "==" || sign == "!=" }
  }

  /// Of its first line in the file, from 1.
  let line: Int
  let tokens: [Token]

  struct Fault: Error, Equatable {
    let line: Int
    let reason: String
  }

  /// Every rule of a file: comments and blank lines are passed over, `\` at the end of a line
  /// continues it.
  static func read(_ text: String) throws(Fault) -> [UdevRule] {
    var rules: [UdevRule] = []
    var joined = ""
    var first = 0
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if joined.isEmpty {
        first = index + 1
        let rest = line.drop { $0 == " " || $0 == "\t" }
        if rest.isEmpty || rest.first == "#" { continue }
      }
      if line.last == "\\" {
        joined += line.dropLast()
        continue
      }
      joined += line
      rules.append(UdevRule(line: first, tokens: try tokens(of: joined, at: first)))
      joined = ""
    }
    guard joined.isEmpty else { throw Fault(line: first, reason: "a continuation without an end") }
    try checkJumps(rules)
    return rules
  }

  /// Each GOTO has one LABEL, further down.
  private static func checkJumps(_ rules: [UdevRule]) throws(Fault) {
    for (index, rule) in rules.enumerated() {
      for token in rule.tokens where token.key == "GOTO" {
        let labels = rules[index...].flatMap(\.tokens).filter {
          $0.key == "LABEL" && $0.value == token.value
        }
        guard labels.count == 1 else {
          throw Fault(line: rule.line, reason: "\(labels.count) labels \(token.value) below")
        }
      }
    }
  }

  private static func tokens(of text: String, at line: Int) throws(Fault) -> [Token] {
    var rest = text[...]
    var tokens: [Token] = []
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
      guard !rest.isEmpty else { break }
      tokens.append(try token(&rest, line))
      guard rest.isEmpty || rest.first == "," || rest.first == " " else {
        throw Fault(line: line, reason: "no comma behind \(tokens[tokens.count - 1].key)")
      }
    }
    return tokens
  }

  private static func token(_ rest: inout Substring, _ line: Int) throws(Fault) -> Token {
    let key = String(rest.prefix { $0.isUppercase })
    rest = rest.dropFirst(key.count)
    var attribute: String?
    if rest.first == "{" {
      guard let end = rest.firstIndex(of: "}") else { throw Fault(line: line, reason: "no }") }
      attribute = String(rest[rest.index(after: rest.startIndex)..<end])
      rest = rest[rest.index(after: end)...]
    }
    let signs = ["==", "!=", "+=", "-=", ":=", "="]
    guard let known = keys[key], known.hasAttribute == (attribute != nil),
      let sign = signs.first(where: { rest.hasPrefix($0) }), known.signs.contains(sign)
    else { throw Fault(line: line, reason: "'\(key)' cannot stand so at '\(rest.prefix(12))'") }
    rest = rest.dropFirst(sign.count)
    return Token(key: key, attribute: attribute, sign: sign, value: try value(&rest, line))
  }

  /// Between quotes; `\"` is a quote.
  private static func value(_ rest: inout Substring, _ line: Int) throws(Fault) -> String {
    guard rest.popFirst() == "\"" else { throw Fault(line: line, reason: "a value without quotes") }
    var value = ""
    while let next = rest.popFirst() {
      if next == "\"" { return value }
      if next == "\\", rest.first == "\"" {
        value.append(rest.removeFirst())
      } else {
        value.append(next)
      }
    }
    throw Fault(line: line, reason: "a quote without an end")
  }

  private static let match: Set = ["==", "!="]
  private static let set: Set = ["=", "+=", ":="]

  /// Those of udev(7) that a rule of ours may use.
  private static let keys: [String: (hasAttribute: Bool, signs: Set<String>)] = [
    "ACTION": (false, match), "KERNEL": (false, match), "SUBSYSTEM": (false, match),
    "DRIVER": (false, match), "KERNELS": (false, match), "SUBSYSTEMS": (false, match),
    "DRIVERS": (false, match), "ATTRS": (true, match), "TEST": (false, match),
    "ENV": (true, match.union(["=", "+="])), "ATTR": (true, match.union(["="])),
    "TAG": (false, match.union(["+="])), "SYMLINK": (false, set), "GROUP": (false, set),
    "MODE": (false, set), "OWNER": (false, set), "LABEL": (false, ["="]), "GOTO": (false, ["="]),
  ]
}

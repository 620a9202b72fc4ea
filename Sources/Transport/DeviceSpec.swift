/// Where a device is, as a user writes it: `pty:PATH`.
public struct DeviceSpec: Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Hashable, Sendable {
    /// A pseudo-terminal, or a stable link to one.
    case pty(path: String)
  }

  public let kind: Kind

  public init(pty path: String) { kind = .pty(path: path) }

  public init(_ text: String) throws(DeviceSpecError) {
    guard let colon = text.firstIndex(of: ":") else {
      throw DeviceSpecError(text: text, reason: "it names no kind of line")
    }
    let rest = String(text[text.index(after: colon)...])
    switch text[..<colon] {
    case "pty":
      guard !rest.isEmpty else { throw DeviceSpecError(text: text, reason: "the path is missing") }
      kind = .pty(path: rest)
    default:
      throw DeviceSpecError(text: text, reason: "'\(text[..<colon])' is no kind of line known here")
    }
  }

  public var path: String {
    switch kind {
    case .pty(let path): path
    }
  }

  public var description: String {
    switch kind {
    case .pty(let path): "pty:\(path)"
    }
  }
}

public struct DeviceSpecError: Error, Equatable, Sendable, CustomStringConvertible {
  public let text: String
  public let reason: String

  public var description: String {
    "cannot use device '\(text)': \(reason); write pty:PATH, as in pty:/tmp/fob.pty"
  }
}

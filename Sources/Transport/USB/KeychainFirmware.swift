/// FW_INFO (50): board name and build, as a keychain says them.
public struct KeychainFirmware: Hashable, Sendable {
  public let board: String
  public let build: String

  /// - Parameter payload: UTF-8, the two parted by a zero byte. Nil for anything else.
  public init?(_ payload: some Sequence<UInt8>) {
    let parts = Array(payload).split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let board = String(validating: parts[0], as: UTF8.self),
      let build = String(validating: parts[1], as: UTF8.self)
    else { return nil }
    self.board = board
    self.build = build
  }
}

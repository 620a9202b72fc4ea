import Glibc
public import SerialIO

extension IOFailure {
  /// Of a line that cannot be opened and is tried again: what is wrong, and what to look at.
  /// Without a full stop at its end, as notices are.
  public var whileRetrying: String {
    // Closing is not tried again.
    guard operation != "close" else { return description }
    let nobodyIsThere = reason == nil && [ENOENT, ECONNREFUSED].contains(errno)
    let question = nobodyIsThere ? " Is the keychain running, and the path right?" : ""
    return "\(self).\(question) fob keeps trying"
  }
}

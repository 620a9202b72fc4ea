/// The bounds of a control socket.
public enum ControlLimits {
  /// One request in bytes, without its newline.
  public static let longestRequest = 65_536
  /// One answer, as a client takes it.
  public static let longestAnswer = 1_048_576
  /// Lines that a server holds back for one client that does not read.
  public static let queuedLines = 1_024
  public static let clients = 32
}

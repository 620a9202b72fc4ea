/// The bounds of a control socket.
public enum ControlLimits {
  /// One request in bytes, without its newline.
  public static let maxRequestSize = 65_536
  /// One answer, as a client takes it.
  public static let maxAnswerSize = 1_048_576
  /// Rows in one answer; behind them it says where the next ones begin.
  public static let pageRows = 4_096
  /// The same in bytes, for rows that may be long; the last few may go beyond it.
  public static let pageBytes = 524_288
  public static let pageLongRows = 4
  /// Lines that a server holds back for one client that does not read.
  public static let queuedLines = 1_024
  /// The quietest gives way to one more, unless all are being answered.
  public static let clients = 32
}

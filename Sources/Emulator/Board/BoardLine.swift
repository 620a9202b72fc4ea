/// Where a board's link bytes go: a plug, or what stands between it and the board.
struct BoardLine {
  /// As `Board.readLink`.
  var read: (UnsafeMutableRawBufferPointer) -> Int
  /// As `Board.writeLink`. A line without a listener takes everything and drops it, as a USB CDC
  /// device that no host has opened.
  var write: (UnsafeRawBufferPointer) -> Int
}

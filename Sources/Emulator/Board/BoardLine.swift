import Control
import SerialIO

/// Where a board's link bytes go: a plug, or what stands between it and the board.
struct BoardLine {
  /// As `Board.readLink`.
  var read: (UnsafeMutableRawBufferPointer) -> Int
  /// As `Board.writeLink`. A line without a listener takes everything and drops it, as a USB CDC
  /// device that no host has opened.
  var write: (UnsafeRawBufferPointer) -> Int
}

extension BoardLine {
  /// The same line, with a copy of what the board reads and writes for whoever taps it. What the
  /// board writes while no host is there is copied too: it was said, though nobody heard it.
  func tapped(by tap: LineTap, device: String) -> BoardLine {
    BoardLine(
      read: { buffer in
        let count = read(buffer)
        if tap.isTapped, count > 0 {
          let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
          tap.pass(bytes, device: device, to: .device, at: BootClock.now())
        }
        return count
      },
      write: { bytes in
        let count = write(bytes)
        if tap.isTapped, count > 0 {
          let taken = UnsafeRawBufferPointer(rebasing: bytes[..<count])
          tap.pass(taken, device: device, to: .host, at: BootClock.now())
        }
        return count
      })
  }
}

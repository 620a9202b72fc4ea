import Control
import SerialIO

/// The board's end of its link, as two functions: a device transport's, or those of a tap or a
/// faulty line in front of it.
struct BoardLine {
  /// As `Board.readLink`.
  var read: (UnsafeMutableRawBufferPointer) -> Int
  /// As `Board.writeLink`. A line without a host takes everything and drops it, as a USB CDC device
  /// that no host has opened.
  var write: (UnsafeRawBufferPointer) -> Int
}

extension BoardLine {
  /// The same line, with a copy of all bytes for the tap. Bytes that the board writes without a
  /// host are copied, too.
  func tapped(by tap: LineTap, device: String) -> BoardLine {
    BoardLine(
      read: { buffer in
        let count = read(buffer)
        if tap.isTapped, count > 0 {
          let got = UnsafeRawBufferPointer(rebasing: buffer[..<count])
          tap.pass(got, device: device, to: .device, at: BootClock.now())
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

import CLinux
import FobBase

/// The mode that a terminal was opened with, kept against whoever sets another: no lock keeps a
/// program from it that has the device's name, as `stty sane` has.
struct TerminalMode: Sendable {
  /// Between two looks.
  static let lookEvery = Interval.seconds(2)

  private let flow: SerialSettings.Flow
  private let speed: UInt32?

  init(of line: borrowing OwnedDescriptor, flow: SerialSettings.Flow) {
    self.flow = flow
    var speed: UInt32 = 0
    self.speed = clinux_get_speed(line.number, &speed) == 0 ? speed : nil
  }

  /// - Parameter terminal: open, as long as the call lasts.
  /// - Returns: whether it was otherwise, and is as it was now.
  func restore(_ terminal: Int32) -> Bool {
    var now: UInt32 = 0
    let isSpeedKept =
      speed.map { clinux_get_speed(terminal, &now) != 0 || now == $0 } ?? true
    guard !isSpeedKept || !RawMode.isSet(on: terminal, flow) else { return false }
    if let speed, !isSpeedKept { _ = clinux_set_speed(terminal, speed) }
    return RawMode.restore(on: terminal, flow)
  }
}

import FobBase
import Glibc
import SerialIO
import Testing

extension RunningFob {
  /// Until the output has each of these.
  func awaitOutput(
    _ words: String..., at location: SourceLocation = #_sourceLocation
  ) throws {
    let deadline = BootClock.now() + .seconds(30)
    for wanted in words {
      while !output.contains(wanted) {
        try #require(
          BootClock.now() < deadline, "no '\(wanted)' in:\n\(output)", sourceLocation: location)
        usleep(2_000)
      }
    }
  }
}

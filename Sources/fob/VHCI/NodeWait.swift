import FobBase
import Foundation
import Glibc
import SerialIO

/// Waits until udev has given an attached keychain its name.
struct NodeWait {
  /// What comes before `/dev`: nothing, or a folder in a test.
  var root = ""
  var patience = Interval.seconds(5)

  /// What `/dev/fob/SERIAL` leads to, as in `/dev/ttyACM0`.
  /// - Throws: `Failure` that says what is missing.
  func node(of serial: String) throws(Failure) -> String {
    let name = "\(root)/dev/fob/\(serial)"
    let deadline = BootClock.now() + patience
    while BootClock.now() < deadline {
      if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: name) {
        return "/dev/" + (target as NSString).lastPathComponent
      }
      usleep(20_000)
    }
    throw Failure(
      .timedOut,
      "/dev/fob/\(serial) did not come: is the rule installed (make install-udev), is udevd"
        + " running, is the kernel module cdc_acm there? fob doctor looks at all of them")
  }
}

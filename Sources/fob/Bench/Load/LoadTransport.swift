import ArgumentParser
import SerialIO

/// What the keychains of a load are joined to their bridge by.
enum LoadTransport: String, ExpressibleByArgument, CaseIterable {
  /// In this process, without the kernel: emulator and sessions share a thread.
  case memory = "memory:"
  case unix = "unix:"
  case pty = "pty:"

  /// - Parameter folder: of the rig, short enough for a socket's name.
  func spec(_ number: Int, in folder: String) -> DeviceSpec {
    switch self {
    case .memory: DeviceSpec(.memory(name: "\(number)"))
    case .unix: DeviceSpec(.unix(path: "\(folder)/\(number)"))
    case .pty: DeviceSpec(pty: "\(folder)/\(number)")
    }
  }
}

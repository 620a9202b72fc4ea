public import SerialIO

/// The BBC micro:bit, whose debugger (DAPLink) makes a serial port, a drive and a debug port of one
/// USB plug. All boards with DAPLink have the same vendor and product id; a micro:bit's serial
/// number begins with the id of the board (DAPLink, docs/MICROBIT.md).
public enum Microbit {
  /// Boards that differ in processor and pins, and need firmware of their own.
  public enum Version: Int, CaseIterable, Sendable {
    /// nRF51822; board ids 9900 and 9901.
    case one = 1
    /// nRF52833; board ids 9903 to 9906.
    case two = 2

    /// The version of a board.
    /// - Parameter text: what begins with the four digits of a board id: the id itself, a serial
    ///   number, or a drive's Unique ID; nil for any other board.
    public init?(boardID text: some StringProtocol) {
      let id = String(text.prefix(4))
      guard let version = Self.allCases.first(where: { $0.boardIDs.contains(id) }) else {
        return nil
      }
      self = version
    }

    /// What its serial number may begin with.
    public var boardIDs: [String] {
      switch self {
      case .one: ["9900", "9901"]
      case .two: ["9903", "9904", "9905", "9906"]
      }
    }
  }

  /// The ids of every board with DAPLink.
  public static let address = USBAddress(vendor: 0x0D28, product: 0x0204)
  /// DAPLink's own rate after it was plugged in. A tty's is 9,600, which opening tells DAPLink.
  public static let baud: UInt32 = 115_200
}

extension AttachedDevice {
  /// Which micro:bit it is; nil for any other device. Whether a keychain runs on it, only its line
  /// can tell.
  public var microbit: Microbit.Version? {
    guard isDAPLink else { return nil }
    return address.serial.flatMap { Microbit.Version(boardID: $0) }
  }

  /// How its port is opened: a board with DAPLink is told its rate, for all others the driver's
  /// rate does.
  public var settings: SerialSettings {
    SerialSettings(baud: isDAPLink ? Microbit.baud : nil)
  }

  private var isDAPLink: Bool {
    Microbit.address.matches(vendor: address.vendor, product: address.product, serial: nil)
  }
}

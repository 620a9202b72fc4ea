/// A serial port of this machine, and whether it can be opened; found without opening it.
struct SerialPort: Encodable, Equatable {
  struct USB: Encodable, Equatable {
    /// Four hexadecimal digits each.
    let vendor: String
    let product: String
    var serial: String?
    /// Manufacturer and product in the device's own words.
    var name: String?
  }

  /// Like `/dev/ttyACM0`.
  let path: String
  /// What to give to `--device`: by the name that stays, where there is one.
  let spec: String
  /// The links in `/dev/serial/by-id`.
  let names: [String]
  var usb: USB?
  /// Why it cannot be opened now, and what to do; nil where nothing speaks against it.
  var problem: String?
}

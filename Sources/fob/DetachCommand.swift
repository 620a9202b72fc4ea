import ArgumentParser
import Capture

/// `fob detach`: unplugs what `fob attach` plugged in.
struct DetachCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "detach",
    abstract: "Unplug what fob attach has plugged into this machine.",
    discussion: "Needs root. What stock usbip has attached is unplugged as well.")

  @Argument(help: "Serial number of the device, or the port number that fob attach has printed.")
  var device: String?

  @Flag(help: "Unplug every attached device.")
  var all = false

  @Option(help: "Look for sys in this folder. (default: /)")
  var root: String?

  func validate() throws {
    guard device == nil || !all else { throw ValidationError("--all takes no device") }
  }

  func run() throws {
    let controller = try VHCIController(root: root ?? "")
    try controller.requireRight()
    let attached = try controller.ports().filter { !$0.isFree }.map { port in
      Attached(port: port.number, serial: controller.serial(of: port))
    }
    for one in try chosen(of: attached) {
      try controller.detach(one.port)
      let name = PrintableText.of(one.serial ?? "a device without a serial number")
      Terminal.line("detached \(name) from port \(one.port)")
    }
  }

  struct Attached: Equatable {
    let port: Int
    let serial: String?

    var words: String { "\(serial ?? "a device") at port \(port)" }
  }

  /// - Throws: `Failure` where nothing is attached, it is not said which, or it is not there.
  func chosen(of attached: [Attached]) throws(Failure) -> [Attached] {
    guard !attached.isEmpty else { throw Failure(.cannotOpen, "nothing is attached") }
    if all { return attached }
    let list = PrintableText.of(attached.map(\.words).joined(separator: ", "))
    guard let device else {
      guard attached.count == 1 else {
        throw Failure(.usage, "attached are \(list): say which by serial number or port, or --all")
      }
      return attached
    }
    let found = attached.filter { $0.serial == device || "\($0.port)" == device }
    guard !found.isEmpty else {
      throw Failure(.cannotOpen, "no device \(device) is attached; there is \(list)")
    }
    return found
  }
}

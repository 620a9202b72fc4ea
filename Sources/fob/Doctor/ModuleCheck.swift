/// The kernel's modules for keychains: their serial port, what `fob attach` plugs them into, and
/// the serial converters of real adapters.
struct ModuleCheck: BenchCheck {
  enum State: Equatable { case loaded, builtIn, loadable, missing }

  let release: String
  let serialPort: State
  let hostController: State
  let converter: State

  init(_ bench: BenchRoot) {
    let release = bench.text("/proc/sys/kernel/osrelease") ?? ""
    let folder = "/lib/modules/\(release)"
    let builtIn = Self.names(in: bench.text("\(folder)/modules.builtin") ?? "")
    let loadable = Self.names(in: bench.text("\(folder)/modules.dep") ?? "")
    func state(_ name: String) -> State {
      if builtIn.contains(name) { return .builtIn }
      if bench.exists("/sys/module/\(name)") { return .loaded }
      return loadable.contains(name) ? .loadable : .missing
    }
    self.release = release
    serialPort = state("cdc_acm")
    hostController = state("vhci_hcd")
    converter = state("usbserial")
  }

  var findings: [Finding] {
    [
      serialPort == .missing
        ? .error(
          "cdc_acm", "kernel \(release) has no cdc_acm: a keychain gets no serial port",
          "install linux-image-amd64 in the place of a cloud kernel; usb: needs no cdc_acm")
        : .ok("cdc_acm", Self.words(serialPort, "a keychain that is plugged in loads it")),
      hostController == .missing
        ? .warning(
          "vhci_hcd", "kernel \(release) has no vhci_hcd: fob attach cannot work",
          "install linux-image-amd64 in the place of a cloud kernel")
        : .ok("vhci_hcd", Self.words(hostController, "sudo modprobe vhci-hcd before fob attach")),
      converter == .missing
        ? .warning(
          "usbserial", "kernel \(release) has no usbserial: FTDI and such adapters get no port",
          "install linux-image-amd64 in the place of a cloud kernel, if a keychain hangs on one")
        : .ok("usbserial", Self.words(converter, "an adapter that is plugged in loads it")),
    ]
  }

  private static func words(_ state: State, _ loadable: String) -> String {
    switch state {
    case .loaded: "loaded"
    case .builtIn: "built into the kernel"
    case .loadable: "not loaded; \(loadable)"
    case .missing: "missing"
    }
  }

  /// Of lines like `kernel/drivers/usb/class/cdc-acm.ko.xz: …`; `-` and `_` are the same.
  private static func names(in text: String) -> Set<String> {
    let slash = UInt8(ascii: "/")
    let dash = UInt8(ascii: "-")
    return Set(
      text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
        line.prefix { $0 != UInt8(ascii: ":") }.split(separator: slash).last.map { file in
          let name = file.prefix { $0 != UInt8(ascii: ".") }
          return String(decoding: name.map { $0 == dash ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
        }
      })
  }
}

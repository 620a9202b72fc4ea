import Testing
import Transport

@Suite struct DeviceSpecTests {
  @Test func `a pty is named by its path, and reads as it was written`() throws {
    let spec = try DeviceSpec("pty:/tmp/fob.pty")
    #expect(spec == DeviceSpec(pty: "/tmp/fob.pty"))
    #expect(spec.path == "/tmp/fob.pty")
    #expect(spec.description == "pty:/tmp/fob.pty")
  }

  @Test func `a path may hold colons`() throws {
    #expect(try DeviceSpec("pty:/tmp/a:b").path == "/tmp/a:b")
  }

  @Test(arguments: [
    ("", "it names no kind of line"), ("/dev/ttyACM0", "it names no kind of line"),
    ("pty:", "the path is missing"), (":/tmp/x", "'' is no kind of line known here"),
    ("usb:1209:0001", "'usb' is no kind of line known here"),
    ("PTY:/tmp/x", "'PTY' is no kind of line known here"),
  ])
  func `what is no device is refused with the way out`(text: String, reason: String) {
    let refusal = #expect(throws: DeviceSpecError.self) { try DeviceSpec(text) }
    #expect(
      refusal?.description
        == "cannot use device '\(text)': \(reason); write pty:PATH, as in pty:/tmp/fob.pty")
  }
}

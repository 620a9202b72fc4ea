import TestSupport
import Testing

/// An option that would say nothing is refused: whoever gave it believes that it does something.
@Suite struct IgnoredOptionsTests {
  @Test(arguments: [
    ("run --scenario x.yaml --pin -", "a scenario says what its bench is"),
    ("run --scenario x.yaml --place a=1,1", "a scenario says what its bench is"),
    ("run --scenario x.yaml --countdown 0", "a scenario says what its bench is"),
    ("run --scenario x.yaml --profile literal", "a scenario says what its bench is"),
    ("run --scenario x.yaml --battery 87", "a scenario says what its bench is"),
    ("run --scenario x.yaml --gps none", "a scenario says what its bench is"),
    ("run --scenario x.yaml --on memory:x", "a scenario says what its bench is"),
    ("run --scenario x.yaml --listen 127.0.0.1:0", "a scenario says what its bench is"),
    ("run --scenario x.yaml --realtime", "a scenario says what its bench is"),
    ("run --scenario x.yaml --demo", "a scenario says what its bench is"),
    ("run --plain --demo", "--demo and --json have none"),
    ("run --plain --json", "--demo and --json have none"),
    ("bench latency --live --compare /bin/true", "--live shows one run"),
    ("run --scenario x.yaml y.yaml --state s", "--state is the folder of one scenario"),
    ("run --scenario x.yaml --check --state s", "--state is the folder of one scenario"),
    ("run --scenario x.yaml --check --junit j", "--check plays nothing"),
    ("run --junit j", "say nothing without --scenario"),
    ("run --check", "say nothing without --scenario"),
    ("run --no-gps --gps none", "--no-gps leaves the receiver out"),
    ("run --no-gps --at 1,1", "--no-gps leaves the receiver out"),
    ("run --no-gps --gps-loop", "--no-gps leaves the receiver out"),
    ("run --gps track:1,1 --at 1,1", "says its own places"),
    ("run --gps-loop", "--gps-loop says nothing without --gps"),
    ("run --gps track:1,1 --gps-loop", "only a file or a story begins again"),
    ("emulate --seed 2", "--seed says nothing without --press-every"),
    ("emulate --firmware x", "it needs --board lm3s6965evb or microbit"),
    ("emulate --usb-speed high", "--usb-speed says nothing without --usb"),
    ("emulate --link k --on memory:x", "give one of them"),
    ("bridge --ca x", "say nothing without --core"),
    ("bridge --host x", "say nothing without"),
    ("core --log x", "--log, --pin, --place and --owners are a bench's"),
    ("ctl watch --timeout 3", "--timeout says nothing to it"),
    ("ctl subscribe --timeout 3", "--timeout says nothing to it"),
    ("ctl tap --timeout 3", "--timeout says nothing to it"),
    ("monitor --read x --ready-fd 3", "--read goes without"),
    ("monitor --read x --seconds 3", "--read goes without"),
    ("monitor --json --fields", "--json has every field and byte already"),
    ("monitor --json --raw", "--json has every field and byte already"),
    ("monitor --json --write -", "both want standard output"),
    ("monitor --hello", "--hello goes with --device"),
    ("conform --list memory:", "--list runs nothing"),
    ("conform --list --json", "--list runs nothing"),
    ("conform --list --seed 1", "--list runs nothing"),
    ("conform memory: --slack 90", "say nothing to it"),
    ("conform memory: --clock-slack 9", "say nothing to it"),
    ("conform memory: --forget", "say nothing to it"),
    ("conform memory: --actuator none", "say nothing to it"),
    ("bench latency --forget", "say nothing without --device"),
    ("bench load --rounds 2", "--rounds says nothing without --keychains"),
    ("bench load --keychains 1 --from 2", "--from and --most are of one"),
    ("bench load --keychains 1 --most 2", "--from and --most are of one"),
    ("simulate --speed gps --threads 2", "say nothing then"),
    ("simulate --speed gps --hash", "say nothing then"),
    ("simulate --seed 1 --timeline --threads 2", "--threads says nothing then"),
    ("simulate --seed 1 --timeline --hash", "--timeline goes without"),
    ("simulate --seeds 1..9 --acts 1", "go with one seed"),
  ])
  func `an option that would be ignored is refused`(words: String, reason: String) throws {
    let fob = try RunningFob(
      words.split(separator: " ").map(String.init), in: ScratchDirectory(), awaitsReady: false)
    #expect(fob.awaitEnd() == 64, "\(fob.output)")
    #expect(fob.output.contains(reason), "\(fob.output)")
  }

  @Test(arguments: [
    ("gps --source track:1,1 --loop", "only a file or a story begins again"),
    ("gps --source at:1,1 --at-s 5", "is a story's clock"),
    ("fault --kind drop --byte 3", "does not belong here"),
    ("fault --kind none --rate 0.5", "does not belong here"),
    ("wait ready --event 1.1", "does not belong here"),
    ("state --serial 1 --all", "not both"),
  ])
  func `a field that a keychain would ignore is refused`(words: String, reason: String) throws {
    let scratch = try ScratchDirectory()
    let socket = scratch.path("keychain.sock")
    let keychain = try RunningFob(
      ["emulate", "--link", scratch.path("keychain"), "--control", socket], in: scratch)
    defer { keychain.interrupt() }
    let fob = try RunningFob(
      ["ctl"] + words.split(separator: " ").map(String.init) + ["--socket", socket], in: scratch,
      awaitsReady: false)
    #expect(fob.awaitEnd() == 77, "\(fob.output)")
    #expect(fob.output.contains(reason), "\(fob.output)")
  }
}

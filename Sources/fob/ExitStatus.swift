/// How `fob` ends, after sysexits(3). One table for every command.
enum ExitStatus: Int32, CaseIterable {
  case success = 0
  case expectationMissed = 1
  case usage = 64
  case cannotOpen = 66
  case unreachable = 69
  case unsteady = 71
  case ioError = 74
  case timedOut = 75
  case refused = 77

  var meaning: String {
    switch self {
    case .success: "done, or ended by Ctrl-C"
    case .expectationMissed:
      "what the demo promises or a scenario expects did not happen, a world broke a rule, "
        + "a keychain does not conform, a replay differs, fob doctor finds an error, "
        + "or fob bench a press that was lost or a stage that is worse"
    case .usage: "the command line is wrong"
    case .cannotOpen: "a file, folder or device cannot be opened"
    case .unreachable: "nobody answers at the control socket"
    case .unsteady: "the machine did not keep to the times of fob bench: its figures do not count"
    case .ioError: "reading or writing failed"
    case .timedOut: "it did not happen in time"
    case .refused: "the keychain or bridge refused"
    }
  }

  static var table: String {
    allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: "; ") + "."
  }
}

/// What a command could not do, in words for a person, and how the process ends.
struct Failure: Error {
  let status: ExitStatus
  let text: String

  init(_ status: ExitStatus, _ text: String) {
    self.status = status
    self.text = text
  }
}

import ArgumentParser

/// What may be asked of a bridge or core about exercises.
extension Ctl {
  struct Exercises: CtlRequest {
    static let configuration = CommandConfiguration(
      abstract:
        "Says which exercise runs, and how long the owner has breathed; starts or stops one."
    )

    enum Wanted: String, ExpressibleByArgument, CaseIterable { case breathing, grounding, stop }

    @Argument(help: "Which one starts; stop ends what runs. (default: neither)")
    var exercise: Wanted?

    @Option(help: "The keychain whose light shows it, 16 hexadecimal digits. (default: each)")
    var device: String?

    @OptionGroup var connection: CtlConnection

    var fields: [String: Any?] { ["exercise": exercise?.rawValue, "device": device] }
  }
}

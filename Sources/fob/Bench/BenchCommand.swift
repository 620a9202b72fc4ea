import ArgumentParser

/// `fob bench`: what a rig takes, how much it carries, and how soon it is well again.
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures a rig: how long a press takes, stage by stage.",
    subcommands: [LatencyCommand.self, LoadCommand.self, RecoveryCommand.self])
}

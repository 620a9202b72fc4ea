import ArgumentParser
import Glibc
import SerialIO
import Sinks

/// Carries one connection to a broker for a core, which starts it. It is no command for a person.
struct MQTTSessionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: MQTTSession.command,
    abstract: "Carries a connection to an MQTT broker for the core that has started it.",
    shouldDisplay: false)

  mutating func run() { MQTTSession.run(with: PacketSocket(owning: STDIN_FILENO)) }
}

import FobBase

/// A person at the terminal moves the device, and says when it is done.
package final class PromptActuator: Actuator {
  private let ask: (String) throws -> Void

  /// - Parameter ask: shows a line and waits for Enter.
  package init(ask: @escaping (String) throws -> Void) { self.ask = ask }

  package func obstacle(to ability: Ability) -> String? {
    switch ability {
    case .button, .reset, .powerCut: nil
    default: "a person cannot \(ability.words) by hand"
    }
  }

  package func perform(_ actuation: Actuation) throws {
    switch actuation {
    case .close: try ask("Press the button, keep it down, and type Enter")
    case .open: try ask("Let go of the button, and type Enter")
    case .reset: try ask("Reset the device, and type Enter")
    case .powerCut: try ask("Take the device's power away and give it back, and type Enter")
    default: throw RigFailure("a person cannot \(actuation.needs.words) by hand")
    }
  }
}

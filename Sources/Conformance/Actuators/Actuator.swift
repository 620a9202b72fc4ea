package import Emulator

/// What moves a device that this process has only the line of: its button, its power, its parts.
package protocol Actuator: AnyObject {
  /// Nil where it can do that, else why not.
  func obstacle(to ability: Ability) -> String?
  /// Done, or under way, when it returns.
  func perform(_ actuation: Actuation) throws
  func watchLight() throws
  func takeLight() throws -> [LightEdge]
}

extension Actuator {
  package func watchLight() throws {}
  package func takeLight() throws -> [LightEdge] { [] }
}

/// Nobody moves anything: only what a line alone can prove is tested.
package final class NoActuator: Actuator {
  package init() {}

  package func obstacle(to ability: Ability) -> String? {
    "nothing here can \(ability.words): give --actuator"
  }

  package func perform(_ actuation: Actuation) throws {
    throw RigFailure("nothing here can \(actuation.needs.words)")
  }
}

extension Ability {
  /// Behind "can".
  package var words: String {
    switch self {
    case .button: "press the button"
    case .brief: "press the button for a few milliseconds"
    case .edges: "move the contact to the microsecond"
    case .chatter: "let a held contact open for moments"
    case .reset: "reset the device"
    case .powerCut: "cut the device's power"
    case .brownOut: "let the device's supply fall"
    case .battery: "set the battery's charge"
    case .gauge: "have the gauge read exactly a charge"
    case .gps: "speak for the GPS receiver"
    case .store: "make the store fail"
    case .clock: "move the device's clock"
    case .light: "see the light"
    }
  }
}

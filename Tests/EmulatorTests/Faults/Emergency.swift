import FobBase
import WireProtocol

@testable import Emulator

/// One emergency from HELLO to its end: two presses, accepted, disarmed.
struct Emergency {
  private static let latest = FaultWorld.bootedAt + .seconds(60)

  private let start: FaultWorld

  init() {
    var world = FaultWorld()
    world.press(after: .milliseconds(300))
    world.press(after: .milliseconds(400))
    world.disarm(after: .milliseconds(1_600))
    start = world
  }

  /// The world before the bytes from `sent` on are sent, so that a fault may be set on them.
  struct Place {
    let world: FaultWorld
    let sent: Int
  }

  /// The way without any fault: a place for each moment at which bytes were sent.
  func places(_ direction: WireFault.Direction) -> [Place] {
    var world = start
    var places = [Place(world: world, sent: 0)]
    world.run(until: Self.latest) { world in
      let sent = world.tap(direction).bytesSent
      if sent > places.last!.sent { places.append(Place(world: world, sent: sent)) }
      return Self.isOver(world)
    }
    return places
  }

  static func isOver(_ world: FaultWorld) -> Bool { world.isSettled && world.shown == .ended }

  /// Goes on from `place` with `fault` in force.
  static func end(_ place: Place, _ fault: WireFault) -> FaultWorld {
    var world = place.world
    world.set(fault)
    world.run(until: latest, isOver)
    // Until what was held back has come, and a heartbeat behind it.
    world.run(until: world.now + fault.pause + .milliseconds(1_100))
    return world
  }
}

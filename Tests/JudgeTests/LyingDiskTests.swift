import FobBase
import Judge
import Testing
import WireProtocol

/// Timers over a reboot with a disk that had lied: what they count from may be gone.
@Suite struct LyingDiskTests {
  private let press = Event.press(1)
  private let second = Event.press(2)

  /// In no time, and by its wall clock, too.
  private func reboot(
    _ scene: inout Scene, losing events: [Event], finding standing: RestoredState, lies: Bool
  ) {
    scene.see(.stopped(host: 0))
    scene.show(.unclaimed)
    if lies { scene.see(.diskForgot(host: 0, events.map(\.identity))) }
    scene.see(.rebooted(host: 0, elapsedByWall: .zero))
    scene.see(.started(host: 0, standing))
  }

  @Test(arguments: [true, false])
  func `tracking may go on from before a press that the disk lost`(lies: Bool) {
    var scene = Scene { $0.messageEvery = .minutes(60) }
    let name = scene.emergency(press)
    scene.pass(1_000_000)
    scene.press(second)
    scene.see(.heard(host: 0, second))
    scene.store([second], in: name, row: .emergencySent)
    reboot(
      &scene, losing: [second], finding: RestoredState(incident: name, state: .emergencySent),
      lies: lies)
    scene.pass(800_000)
    scene.move(name, .emergencySent, .emergencyEnded)
    #expect(scene.found == (lies ? [] : [.timerEarly]))
  }

  @Test(arguments: [true, false])
  func `the next message may be reckoned from before one that the disk lost`(lies: Bool) {
    var scene = Scene()
    let name = scene.emergency(press)
    scene.pass(200_000)
    scene.press(second)
    scene.see(.heard(host: 0, second))
    for _ in 0..<2 { scene.store([], in: name, row: .emergencySent) }
    scene.tell(.update, 2, of: name)
    reboot(
      &scene, losing: [], finding: RestoredState(incident: name, state: .emergencySent), lies: lies)
    scene.pass(100_000)
    scene.handOut(Message(.again, 3, of: name))
    #expect(scene.found == (lies ? [] : [.timerEarly]))
  }

  @Test(arguments: [true, false])
  func `presses whose meanings the disk lost are read again, and may end a countdown`(lies: Bool) {
    var scene = Scene {
      $0.isGuarded = true
      $0.countdown = .seconds(10)
    }
    for event in [press, second] {
      scene.press(event)
      scene.see(.heard(host: 0, event))
      scene.store([event], isOpen: true)
    }
    var batch = Batch()
    batch.meanings = [press, second].map { ($0.identity, 0) }
    scene.see(.stored(host: 0, batch))
    reboot(&scene, losing: [], finding: RestoredState(), lies: lies)
    scene.move(press.name, .noEmergency, .alertCountdown)
    scene.move(press.name, .alertCountdown, .emergencySending)
    #expect(scene.found == (lies ? [] : [.timerEarly]))
  }

  /// Its moments are of the wall clock of before: the next message may be due at once.
  @Test(arguments: [0, 3_600] as [Int64], [true, false])
  func `a wall clock that jumps in a later incident has jumped for one that a lie opens again`(
    jump: Int64, isRunning: Bool
  ) {
    var scene = Scene()
    let first = scene.emergency(press)
    scene.disarm(press)
    scene.move(first, .emergencyEnded, .noEmergency)
    let later = scene.emergency(second)
    if isRunning {
      if jump != 0 { scene.see(.rebooted(host: 0, elapsedByWall: .seconds(jump))) }
    } else {
      scene.see(.stopped(host: 0))
      scene.show(.unclaimed)
      if jump != 0 { scene.see(.rebooted(host: 0, elapsedByWall: .seconds(jump))) }
      scene.see(.started(host: 0, RestoredState(incident: later, state: .emergencySent)))
    }
    reboot(
      &scene, losing: [second], finding: RestoredState(incident: first, state: .emergencySent),
      lies: true)
    scene.handOut(Message(.again, 5, of: first))
    #expect(scene.found == (jump == 0 ? [.timerEarly] : []))
  }
}

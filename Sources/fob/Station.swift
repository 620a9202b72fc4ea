import AlertCore
import Bridge
import SerialIO
import Sinks
import Storage
import Transport

/// A bridge with its store, log sink and control socket: what `run` and `bridge` share.
final class Station: Sendable {
  let bridge: AlertBridge
  private let control: BridgeControl
  private let watchers: Watchers

  init(
    folder: String, controlPath: String, logPath: String?, pin: PIN?,
    alarm: AlarmOptions, timeline: Timeline
  ) throws {
    let store = try AlertStore(directory: folder)
    let (account, newPIN) = try BenchAccount.open(store, pin: pin, places: alarm.place.map(\.place))
    let logPath = logPath ?? folder + "/alerts.jsonl"
    let sink = ShownSink(sink: try LogSink(path: logPath), timeline: timeline)
    let watchers = Watchers()
    self.watchers = watchers
    watchers.add { timeline.show($0) }
    bridge = try AlertBridge(account: account, policy: alarm.policy, store: store, sinks: [sink]) {
      watchers.tell($0)
    }
    let control = try BridgeControl(path: controlPath, bridge: bridge, store: store)
    self.control = control
    watchers.add { control.tell($0) }
    timeline.say("bench", "state in \(folder), messages in \(logPath)")
    timeline.say("bench", "control socket \(controlPath)")
    if let warning = alarm.warning { timeline.say("bench", warning, .bad) }
    if let newPIN { timeline.say("bench", "the PIN is \(newPIN)", .strong) }
    if let incident = bridge.status.incident, incident.state.isOpen {
      timeline.say(
        "alarm", "an alarm of an earlier run is still open: \(incident.state.rawValue)", .bad)
    }
  }

  /// - Parameter watcher: called in order on the bridge's event thread; it must not wait.
  func watch(_ watcher: @escaping @Sendable (BridgeEvent) -> Void) { watchers.add(watcher) }

  func start(_ devices: [DeviceSpec]) throws(IOFailure) { try bridge.start(devices) }

  func stop() {
    bridge.stop()
    control.stop()
  }
}

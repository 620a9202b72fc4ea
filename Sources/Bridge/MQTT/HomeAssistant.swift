import AlertCore
import Sinks
import WireProtocol

/// What Home Assistant discovers by MQTT (https://www.home-assistant.io/integrations/mqtt): the
/// alarm as a panel with its code, and each keychain of the account as a device.
struct HomeAssistant {
  let topics: StateTopics
  /// What discovery's topics begin with.
  let root: String

  /// The text of each entity by its topic; empty for the battery of a keychain that has none.
  ///
  /// Until a keychain has said HELLO, its battery has no text: what the broker keeps of it from
  /// before may be true.
  func entities(
    of status: CoreStatus, _ readings: [String: KeychainReading]
  ) -> [String: String] {
    let keychains = status.devices.filter(\.isOwned)
    var texts: [String: String] = [:]
    for entity in coreEntities() + keychains.flatMap(keychainEntities) {
      texts[topic(of: entity)] = StateTopics.json(entity)
    }
    for keychain in keychains {
      guard let hasBattery = readings[keychain.device]?.hasBattery else { continue }
      let battery = battery(of: keychain)
      texts[topic(of: battery)] = hasBattery ? StateTopics.json(battery) : ""
    }
    return texts
  }

  /// Where Home Assistant says that it has started, and wants to be told all again.
  var birth: String { root + "/status" }

  private func topic(of entity: Entity) -> String {
    "\(root)/\(entity.component)/\(entity.id)/config"
  }

  // MARK: The core

  /// One of each at a broker for each beginning of topics.
  private var node: String { "fob_" + topics.topic.replacing("/", with: "_") }

  private var core: Device {
    Device(identifiers: [node], name: "Panic alarm", model: "Alert core", software: nil, via: nil)
  }

  /// A command names the incident that its sender sees: one that comes late, when another alarm is
  /// open, does nothing.
  private func command(_ word: String, _ more: String = "") -> String {
    "{{ {'command': '\(word)', 'incident': this.attributes.incident\(more)} | to_json }}"
  }

  private func coreEntities() -> [Entity] {
    var panel = Entity("alarm_control_panel", node + "_alarm", name: "Alarm", of: core)
    panel.state = topics.alarm
    panel.template = "{{ value_json.panel }}"
    panel.attributes = topics.alarm
    panel.command = topics.command
    panel.commandTemplate = command("disarm", ", 'pin': code")
    // The PIN is checked here alone.
    panel.code = "REMOTE_CODE"
    panel.codeForArming = false
    panel.features = []
    let buttons = [("acknowledge", "Acknowledge"), ("silence", "Silence")].map { word, name in
      var button = Entity("button", "\(node)_\(word)", name: name, of: core)
      button.attributes = topics.alarm
      button.command = topics.command
      button.commandTemplate = command(word)
      return button
    }
    var overall = Entity("sensor", node + "_status", name: "Status", of: core)
    overall.state = topics.status
    overall.template = "{{ value_json.overall }}"
    overall.attributes = topics.status
    overall.category = "diagnostic"
    // It has subscribed to the messages with this, so it is a receiver of each.
    var message = Entity("event", node + "_message", name: "Message", of: core)
    message.state = topics.messages
    message.events = Notification.Kind.allCases.map(\.rawValue)
    message.template =
      "{{ {'event_type': value_json.kind, 'text': value_json.text,"
      + " 'incident': value_json.incident} | to_json }}"
    let ofCore = Entity.Availability(topic: topics.availability)
    return ([panel] + buttons + [overall, message]).map {
      var entity = $0
      entity.availability = [ofCore]
      return entity
    }
  }

  // MARK: Keychains

  private func node(of keychain: CoreStatus.Device) -> String { "\(node)_\(keychain.device)" }

  private func device(of keychain: CoreStatus.Device) -> Device {
    Device(
      identifiers: [node(of: keychain)], name: "Keychain \(keychain.device)", model: "Keychain",
      software: keychain.firmware, via: node)
  }

  private func reading(
    _ component: String, _ word: String, _ name: String, _ value: String,
    of keychain: CoreStatus.Device
  ) -> Entity {
    let id = keychain.device
    var entity = Entity(
      component, "\(node(of: keychain))_\(word)", name: name, of: device(of: keychain))
    entity.state = topics.keychain(id)
    entity.template = "{{ \(value) }}"
    entity.availability = [topics.availability, topics.keychain(id, "/availability")].map {
      Entity.Availability(topic: $0)
    }
    return entity
  }

  private func battery(of keychain: CoreStatus.Device) -> Entity {
    var battery = reading("sensor", "battery", "Battery", "value_json.battery", of: keychain)
    battery.kind = "battery"
    battery.unit = "%"
    battery.category = "diagnostic"
    return battery
  }

  /// What every keychain has.
  private func keychainEntities(_ device: CoreStatus.Device) -> [Entity] {
    let id = device.device
    let node = node(of: device)
    let keychain = self.device(of: device)
    let ofCore = Entity.Availability(topic: topics.availability)
    var link = reading(
      "binary_sensor", "link", "Link", "'ON' if value_json.isLinked else 'OFF'", of: device)
    link.kind = "connectivity"
    link.availability = [ofCore]
    link.category = "diagnostic"
    let light = reading("sensor", "light", "Light", "value_json.light", of: device)
    var place = Entity("device_tracker", node + "_position", name: "Position", of: keychain)
    place.attributes = topics.keychain(id, StateTopics.position)
    place.source = "gps"
    place.availability = [ofCore]
    var press = Entity("device_automation", node + "_press", name: nil, of: keychain)
    press.trigger = Entity.Trigger(topic: topics.press(id))
    return [link, light, place, press]
  }
}

extension HomeAssistant {
  struct Device: Encodable {
    let identifiers: [String]
    let name: String
    let model: String
    var manufacturer = "fob"
    let software: String?
    let via: String?

    enum CodingKeys: String, CodingKey {
      case identifiers, name, model, manufacturer
      case software = "sw_version"
      case via = "via_device"
    }
  }

  /// The configuration of one entity, with the names of Home Assistant's documents.
  struct Entity: Encodable {
    let component: String
    let id: String
    let name: String?
    let device: Device
    var state: String?
    var template: String?
    var attributes: String?
    var command: String?
    var commandTemplate: String?
    var code: String?
    var codeForArming: Bool?
    var features: [String]?
    var events: [String]?
    var kind: String?
    var unit: String?
    var category: String?
    var source: String?
    var availability: [Availability]?
    var trigger: Trigger?

    struct Availability: Encodable { let topic: String }
    struct Trigger { let topic: String }

    init(_ component: String, _ id: String, name: String?, of device: Device) {
      self.component = component
      self.id = id
      self.name = name
      self.device = device
    }

    enum CodingKeys: String, CodingKey {
      case id = "unique_id"
      case object = "object_id"
      case name, device, availability
      case state = "state_topic"
      case template = "value_template"
      case attributes = "json_attributes_topic"
      case command = "command_topic"
      case commandTemplate = "command_template"
      case code
      case codeForArming = "code_arm_required"
      case features = "supported_features"
      case events = "event_types"
      case kind = "device_class"
      case unit = "unit_of_measurement"
      case category = "entity_category"
      case source = "source_type"
      case allAvailable = "availability_mode"
      case automation = "automation_type"
      case type, subtype, topic
    }

    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(device, forKey: .device)
      if let trigger {
        // A trigger is no entity: it has neither an id nor availability.
        try values.encode("trigger", forKey: .automation)
        try values.encode("button_short_press", forKey: .type)
        try values.encode("button_1", forKey: .subtype)
        try values.encode(trigger.topic, forKey: .topic)
        return
      }
      try values.encode(id, forKey: .id)
      try values.encode(id, forKey: .object)
      try values.encodeIfPresent(name, forKey: .name)
      try values.encodeIfPresent(availability, forKey: .availability)
      try values.encode("all", forKey: .allAvailable)
      try values.encodeIfPresent(state, forKey: .state)
      try values.encodeIfPresent(template, forKey: .template)
      try values.encodeIfPresent(attributes, forKey: .attributes)
      try values.encodeIfPresent(command, forKey: .command)
      try values.encodeIfPresent(commandTemplate, forKey: .commandTemplate)
      try values.encodeIfPresent(code, forKey: .code)
      try values.encodeIfPresent(codeForArming, forKey: .codeForArming)
      try values.encodeIfPresent(features, forKey: .features)
      try values.encodeIfPresent(events, forKey: .events)
      try values.encodeIfPresent(kind, forKey: .kind)
      try values.encodeIfPresent(unit, forKey: .unit)
      try values.encodeIfPresent(category, forKey: .category)
      try values.encodeIfPresent(source, forKey: .source)
    }
  }
}

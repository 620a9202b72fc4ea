import AlertCore
import FobBase

/// One alert message of the Common Alerting Protocol, version 1.2 (OASIS, 1 July 2010), of one
/// incident to those who are told of it.
///
/// A further message and the end of an incident are of type Update, and refer to the messages
/// before them, whose place they take. The end is no Cancel: that takes back what should never have
/// been said, and an alarm that its owner has ended did take place. That all is well is said by the
/// response type AllClear, and only where the owner has said so.
package struct CAPAlert: Equatable, Sendable {
  /// The form's media type.
  package static let mediaType = "application/cap+xml"

  /// Names this message; the same over repeats and restarts.
  var identifier: String
  /// The name of the incident, whose keychain the sender is named by.
  var incident: String
  /// Other names under which people may have been told of the incident.
  var aliases: [String] = []
  /// µs since 1970; told to the second.
  var sent: Int64
  /// Of bench devices: nobody is to act on it.
  var isBench: Bool
  /// Those for whom it is.
  var addresses: [String]
  /// The incident's messages before this one.
  var earlier: [MessageTime] = []
  /// BCP 47, of the texts.
  var language: String
  var event: String
  var assessment: CAPAssessment
  var headline: String
  var description: String
  /// Where a contact says that they have it in hand.
  var web: String?
  /// Whom it is about, and whom to ask back.
  var contact = ""
  var parameters: [Parameter] = []
  var area: Area?

  struct Parameter: Equatable, Sendable {
    let name: String
    let value: String

    init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Where the owner was last.
  struct Area: Equatable, Sendable {
    /// In words, also where it is not known.
    let description: String
    let position: Position?
  }

  /// The longest texts, in bytes of UTF-8: a longer one is cut. CAP itself wishes for headlines of
  /// at most 160 characters.
  private static let (headlineSize, nameSize, textSize) = (160, 256, 4_096)

  /// Names a message of an incident.
  static func identifier(_ incident: String, _ sequence: Int) -> String {
    "\(incident).\(sequence)"
  }

  /// CAP asks for a name that no other sender in the world has. A core has none that outlasts a
  /// change of its host, so it is that of the incident's keychain, the last part of its name.
  private var sender: String { "fob-" + (incident.split(separator: "-").last ?? "") }

  /// The document, in UTF-8. Its elements stand in the order of the schema.
  package var xml: String {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2">"#,
      Self.element("identifier", identifier),
      Self.element("sender", sender),
      Self.element("sent", RFC3339.cap(sent)),
      Self.element("status", isBench ? "Test" : "Actual"),
      // Whoever knows of no message before it is told nothing by references.
      Self.element("msgType", earlier.isEmpty ? "Alert" : "Update"),
      Self.element("scope", "Private"),
      Self.element("addresses", Self.list(addresses)),
    ]
    if !earlier.isEmpty {
      let references = earlier.map {
        "\(sender),\(Self.identifier(incident, $0.sequence)),\(RFC3339.cap($0.wall))"
      }
      lines.append(Self.element("references", references.joined(separator: " ")))
    }
    lines.append(Self.element("incidents", Self.list([incident] + aliases)))
    lines += info
    lines.append("</alert>\n")
    return lines.joined(separator: "\n")
  }

  private var info: [String] {
    var lines = [
      "<info>", Self.element("language", language), Self.element("category", "Safety"),
      Self.element("category", "Rescue"), Self.element("event", event),
    ]
    lines += assessment.responseType.map { [Self.element("responseType", $0)] } ?? []
    lines += [
      Self.element("urgency", assessment.urgency), Self.element("severity", assessment.severity),
      Self.element("certainty", assessment.certainty),
    ]
    lines += Self.text("headline", headline, Self.headlineSize)
    lines += Self.text("description", description, Self.textSize)
    lines += web.map { [Self.element("web", $0)] } ?? []
    lines += Self.text("contact", contact, Self.nameSize)
    lines += parameters.flatMap {
      [
        "<parameter>", Self.element("valueName", $0.name), Self.element("value", $0.value),
        "</parameter>",
      ]
    }
    if let area {
      lines.append("<area>")
      lines += Self.text("areaDesc", area.description, Self.textSize)
      if let position = area.position {
        lines.append(Self.element("circle", Self.circle(position)))
      }
      lines.append("</area>")
    }
    return lines + ["</info>"]
  }

  /// A point, and a radius in km: how far off it may be; 0 where that is not known, since CAP has
  /// no circle without a radius.
  private static func circle(_ position: Position) -> String {
    let fraction = String((position.accuracy ?? 0) % 10_000)
    let radius =
      position.accuracy.map {
        "\($0 / 10_000)." + String(repeating: "0", count: 4 - fraction.utf8.count) + fraction
      } ?? "0"
    return
      "\(Position.degrees(position.latitude)),\(Position.degrees(position.longitude)) \(radius)"
  }

  /// Names with spaces between them; one that has a space itself stands in quotation marks.
  static func list(_ names: [String]) -> String {
    names.map { name in
      let name = cut(name, nameSize).map { $0 == "\"" ? "'" : $0.isWhitespace ? " " : $0 }
      return name.isEmpty || name.contains(" ") ? "\"\(String(name))\"" : String(name)
    }.joined(separator: " ")
  }

  /// An element, or none for a text that says nothing, which CAP advises against.
  private static func text(_ name: String, _ text: String, _ size: Int) -> [String] {
    text.allSatisfy(\.isWhitespace) ? [] : [element(name, cut(text, size))]
  }

  private static func element(_ name: String, _ text: String) -> String {
    "<\(name)>\(XML.escape(text))</\(name)>"
  }

  /// Whole characters alone, unless one is longer than all that may be.
  private static func cut(_ text: String, _ size: Int) -> String {
    guard text.utf8.count > size else { return text }
    var kept = ""
    var left = size - "…".utf8.count
    for character in text {
      left -= character.utf8.count
      if left < 0 { break }
      kept.append(character)
    }
    return kept + "…"
  }
}

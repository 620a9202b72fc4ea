/// An interface of a USB configuration, its first setting (USB 2.0, 9.6.5).
package struct USBInterface: Hashable, Sendable {
  package struct Endpoint: Hashable, Sendable {
    package var address: UInt8
    package var attributes: UInt8
    /// wMaxPacketSize as it stands in the descriptor.
    package var packet: UInt16

    package init(address: UInt8, attributes: UInt8, packet: UInt16) {
      self.address = address
      self.attributes = attributes
      self.packet = packet
    }

    var isIncoming: Bool { address & 0x80 != 0 }
    var isBulk: Bool { attributes & 3 == 2 }
    /// In bytes; the bits above are of high-speed endpoints that are not bulk.
    var size: Int { Int(packet & 0x7FF) }
  }

  package var number: UInt8
  package var classCode: UInt8
  package var subclass: UInt8
  package var endpoints: [Endpoint]
  /// Class-specific descriptors behind it.
  package var extra: [UInt8]

  package init(
    number: UInt8, classCode: UInt8, subclass: UInt8, endpoints: [Endpoint], extra: [UInt8] = []
  ) {
    self.number = number
    self.classCode = classCode
    self.subclass = subclass
    self.endpoints = endpoints
    self.extra = extra
  }
}

/// The serial line of a device, found by what its interfaces are, not by their numbers: CDC's data
/// interface with a bulk endpoint each way, and the ACM interface that controls it.
package struct CDCFunction: Hashable, Sendable {
  /// Nil where there is none: then the line has no coding and no DTR.
  package let control: UInt8?
  package let data: UInt8
  /// Endpoint addresses.
  package let incoming: UInt8
  package let outgoing: UInt8
  /// wMaxPacketSize, bytes.
  package let incomingPacket: Int
  package let outgoingPacket: Int

  /// The first one; nil where no interface is such a line.
  package init?(_ interfaces: [USBInterface]) {
    for data in interfaces where data.classCode == Self.dataClass {
      let bulk = data.endpoints.filter { $0.isBulk && (1...1_024).contains($0.size) }
      guard let incoming = bulk.first(where: { $0.isIncoming }),
        let outgoing = bulk.first(where: { !$0.isIncoming })
      else { continue }
      let controls = interfaces.filter {
        $0.classCode == Self.communication && $0.subclass == Self.abstractControl
      }
      // The one that says so in its union descriptor; else the last one before it.
      let owner =
        controls.first { Self.dependents(of: $0).contains(data.number) }
        ?? controls.last { $0.number < data.number && Self.dependents(of: $0).isEmpty }
      control = owner?.number
      self.data = data.number
      self.incoming = incoming.address
      self.outgoing = outgoing.address
      incomingPacket = incoming.size
      outgoingPacket = outgoing.size
      return
    }
    return nil
  }

  private static let communication: UInt8 = 0x02
  private static let abstractControl: UInt8 = 0x02
  private static let dataClass: UInt8 = 0x0A

  /// bSubordinateInterface of the union descriptor (CDC 1.2, 5.2.3.2).
  private static func dependents(of interface: USBInterface) -> [UInt8] {
    var rest = interface.extra[...]
    while let length = rest.first.map({ Int($0) }), length >= 3, length <= rest.count {
      let descriptor = Array(rest.prefix(length))
      if descriptor[1] == 0x24, descriptor[2] == 0x06 { return Array(descriptor.dropFirst(4)) }
      rest = rest.dropFirst(length)
    }
    return []
  }
}

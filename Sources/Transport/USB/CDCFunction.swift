/// An interface of a USB configuration, its first setting (USB 2.0, 9.6.5).
package struct USBInterface: Hashable, Sendable {
  /// An endpoint of the interface (USB 2.0, 9.6.6).
  package struct Endpoint: Hashable, Sendable {
    /// bEndpointAddress: the number, and bit 7 for an IN endpoint.
    package var address: UInt8
    /// bmAttributes; 2 in its lowest two bits is bulk.
    package var attributes: UInt8
    /// wMaxPacketSize as it stands in the descriptor.
    package var packet: UInt16

    /// The three fields as they stand in the descriptor.
    package init(address: UInt8, attributes: UInt8, packet: UInt16) {
      self.address = address
      self.attributes = attributes
      self.packet = packet
    }

    var isIncoming: Bool { address & 0x80 != 0 }
    var isBulk: Bool { attributes & 3 == 2 }
    /// wMaxPacketSize in bytes, without the upper bits, which only other than bulk endpoints use at
    /// high speed.
    var size: Int { Int(packet & 0x7FF) }
  }

  /// bInterfaceNumber.
  package var number: UInt8
  /// bInterfaceClass: 2 is CDC communications, 0x0A CDC data.
  package var classCode: UInt8
  /// bInterfaceSubClass: 2 is the abstract control model.
  package var subclass: UInt8
  /// All but endpoint 0.
  package var endpoints: [Endpoint]
  /// Class-specific descriptors behind the interface descriptor, as bytes.
  package var extra: [UInt8]

  /// An interface without class-specific descriptors unless given.
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

/// The serial line of a device, found by the classes of its interfaces: CDC's data interface with a
/// bulk endpoint each way, and the ACM interface that controls it.
package struct CDCFunction: Hashable, Sendable {
  /// Number of the ACM interface; nil where there is none: then the line has no coding and no DTR.
  package let control: UInt8?
  /// Number of the data interface.
  package let data: UInt8
  /// Address of the bulk IN endpoint.
  package let incoming: UInt8
  /// Address of the bulk OUT endpoint.
  package let outgoing: UInt8
  /// wMaxPacketSize of the bulk IN endpoint, bytes.
  package let incomingPacket: Int
  /// wMaxPacketSize of the bulk OUT endpoint, bytes.
  package let outgoingPacket: Int

  /// The first serial line among the interfaces; nil where there is none.
  package init?(_ interfaces: [USBInterface]) {
    for data in interfaces where data.classCode == Self.dataClass {
      let bulk = data.endpoints.filter { $0.isBulk && (1...1_024).contains($0.size) }
      guard let incoming = bulk.first(where: { $0.isIncoming }),
        let outgoing = bulk.first(where: { !$0.isIncoming })
      else { continue }
      let controls = interfaces.filter {
        $0.classCode == Self.communication && $0.subclass == Self.abstractControl
      }
      // The ACM interface whose union descriptor names the data interface; else the last before it
      // that names none.
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

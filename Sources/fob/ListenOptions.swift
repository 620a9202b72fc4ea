import ArgumentParser
import Bridge
import Console

/// Where the HTTP API listens.
struct ListenOptions: ParsableArguments {
  @Option(
    help: "Serve page and HTTP API at HOST:PORT, e.g. 127.0.0.1:8787; port 0 takes a free one.")
  var listen: String?

  @Option(help: "With --listen: PEM file with the certificate and its chain.")
  var tlsCert: String?

  @Option(
    help: """
      With --listen: PEM file with the certificate's key; file mode 0600, or the name of a systemd \
      credential.
      """)
  var tlsKey: String?

  @Flag(help: "With --listen: let other hosts ask without TLS; tokens go in clear text.")
  var insecureWide = false

  @Option(
    name: .customLong("host"),
    help: ArgumentHelp(
      "With --listen: further name or address of this host; may be repeated.",
      valueName: "name"))
  var hosts: [String] = []

  @Option(
    help: "With --listen: address that contacts can open, e.g. https://alarm.example.org.")
  var publicUrl: String?

  /// - Parameter mayBeTaken: nobody asked for it: where another runs there, nothing is served.
  static func standard(mayBeTaken: Bool) -> ListenOptions {
    var options = ListenOptions()
    options.listen = ListenAddress.standard.description
    options.tlsCert = nil
    options.tlsKey = nil
    options.insecureWide = false
    options.hosts = []
    options.publicUrl = nil
    options.isForAnybody = mayBeTaken
    return options
  }

  /// Goes on without it where it cannot listen.
  private(set) var isForAnybody = false

  private enum CodingKeys: CodingKey {
    case listen, tlsCert, tlsKey, insecureWide, hosts, publicUrl
  }

  func validate() throws {
    guard (tlsCert == nil) == (tlsKey == nil) else {
      throw ValidationError("--tls-cert and --tls-key go together")
    }
    guard listen != nil || !isGiven else {
      throw ValidationError(
        "--tls-cert, --tls-key, --insecure-wide, --host and --public-url say nothing without"
          + " --listen")
    }
    for host in hosts where !ListenAddress.isHost(host) {
      throw ValidationError(
        "'\(host)' is no name of a host; write --host core.example.org or --host 192.0.2.1,"
          + " without a port")
    }
    if let publicUrl, ListenAddress.host(ofPublicURL: publicUrl) == nil {
      throw ValidationError(
        "'\(publicUrl)' is no address that contacts can open; write https://alarm.example.org")
    }
    _ = try address()
  }

  /// Something is said.
  var isGiven: Bool {
    listen != nil || tlsCert != nil || insecureWide || !hosts.isEmpty || publicUrl != nil
  }

  private func address() throws -> ListenAddress? {
    do {
      return try listen.map {
        try ListenAddress($0, isTLS: tlsCert != nil, isForced: insecureWide)
      }
    } catch {
      throw ValidationError("\(error)")
    }
  }

  /// Where others reach this core, as far as the options say it; else empty.
  var reachedAt: String {
    if let publicUrl { return publicUrl }
    guard let address = try? address(), address.port != 0 else { return "" }
    let host = hosts.first ?? address.host
    let shown = host.contains(":") ? "[\(host)]" : host
    return "\(tlsCert == nil ? "http" : "https")://\(shown):\(address.port)"
  }

  /// Nil: nothing is served.
  func configuration(folder: String) throws -> ConsoleConfiguration? {
    guard let address = try address() else { return nil }
    var configuration = ConsoleConfiguration(
      address: address, tokens: TokenBook(folder: folder), links: try Links(folder: folder))
    if let tlsCert, let tlsKey {
      configuration.tls = ConsoleConfiguration.TLS(certificate: tlsCert, key: tlsKey)
    }
    configuration.sessionFolder = folder
    configuration.hosts = hosts
    configuration.publicURL = publicUrl.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    return configuration
  }
}

extension ConsoleConfiguration {
  /// Where a contact says that they have it in hand; nil where contacts can open no page.
  var acknowledgeURL: AlertBridge.AcknowledgeURL? {
    guard let publicURL else { return nil }
    let links = links
    return { "\(publicURL)/ack/\(links.acknowledgement(of: $0, by: $1, in: $2))" }
  }
}

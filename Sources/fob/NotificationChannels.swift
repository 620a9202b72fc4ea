import Bridge
import SerialIO
import Sinks
import Yams

/// The notification channels of a configuration file.
enum NotificationChannels {
  /// - Throws: `Failure` that names the file and the field that cannot be used.
  static func read(_ place: String) throws(Failure) -> [any Sink] {
    let path = SecretFile.path(of: place)
    let (text, isPrivate) = try TextFile.readTelling(path)
    do {
      let configuration = try YAMLDecoder().decode(SinkConfiguration.self, from: text)
      if !isPrivate,
        let index = configuration.sinks.firstIndex(where: { $0.secret != nil && !$0.test })
      {
        throw ConfigurationFailure(
          "sinks[\(index)].secret",
          "can be read by others: chmod 600 \(path), or give `secretFile`")
      }
      return try configuration.make()
    } catch let failure as ConfigurationFailure {
      throw Failure(.usage, "\(path): \(failure)")
    } catch let DecodingError.dataCorrupted(context)
      where context.underlyingError is ConfigurationFailure
    {
      throw Failure(.usage, "\(path): \(context.underlyingError!)")
    } catch {
      throw Failure(
        .usage, "\(path) is no configuration of notification channels: write `sinks:` and a list")
    }
  }

  /// What the account itself is written by; nil where no sink can.
  static func mail(by sinks: [any Sink]) -> AlertBridge.Mail? {
    guard let mailer = sinks.lazy.compactMap({ $0 as? any Mailer }).first else { return nil }
    return { try mailer.mail(to: $0, subject: $1, body: $2, key: $3) }
  }
}

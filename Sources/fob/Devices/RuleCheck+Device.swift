import Transport

extension RuleCheck {
  /// What one keychain lacks for want of the rule; nil where it was applied to it.
  func warning(for device: AttachedDevice) -> String? {
    if device.isKeychain, device.isKeptFromModemManager { return nil }
    if let path, counts {
      return "the udev rule \(path) was not applied to it: plug it in again"
    }
    return "the udev rule is not installed: no group, no name that stays, and ModemManager may open"
      + " the port; make install-udev"
  }
}

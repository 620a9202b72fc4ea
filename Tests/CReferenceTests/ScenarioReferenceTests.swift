import Testing

/// `session.json` and `reliability.json`, the cases of the device, through the device in C.
struct ScenarioReferenceTests {
  @Test(arguments: try Scenario.load("session", .device))
  func `session, device in C`(_ scenario: Scenario) { ScenarioRunner(scenario, CDeviceEnd()).run() }

  @Test(arguments: try Scenario.load("reliability", .device))
  func `reliability, device in C`(_ scenario: Scenario) {
    ScenarioRunner(scenario, CDeviceEnd()).run()
  }

  @Test func `there are cases`() throws {
    #expect(try Scenario.load("session", .device).count >= 16)
    #expect(try Scenario.load("reliability", .device).count >= 15)
  }
}

import Testing

struct ScenarioTests {
  @Test(arguments: try Scenario.load("session", .device))
  func `session, device`(_ scenario: Scenario) { ScenarioRunner(scenario, DeviceEnd()).run() }

  @Test(arguments: try Scenario.load("session", .host))
  func `session, host`(_ scenario: Scenario) { ScenarioRunner(scenario, HostEnd()).run() }

  @Test(arguments: try Scenario.load("reliability", .device))
  func `reliability, device`(_ scenario: Scenario) { ScenarioRunner(scenario, DeviceEnd()).run() }

  @Test(arguments: try Scenario.load("reliability", .host))
  func `reliability, host`(_ scenario: Scenario) { ScenarioRunner(scenario, HostEnd()).run() }
}

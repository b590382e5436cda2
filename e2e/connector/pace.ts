/** Concurrency and time limits, by the speed of the shop under test: the demo shop, or a WordPress with a few workers at `WOO_URL`. */
type Pace = {
  concurrentScenarios: number;
  /** Of the connector's calls to shop and API. */
  callTimeoutMs: number;
  /** For tests in which calls get no response on purpose. */
  shortCallTimeoutMs: number;
  /** Of the tests' own calls to the shop. */
  testCallTimeoutMs: number;
  stateTimeoutMs: number;
  webhookTimeoutMs: number;
  /** For sweeps to repair what webhooks did not deliver. */
  settleMs: number;
  /** Average per scenario. */
  scenarioTimeoutMs: number;
};

const demoShop: Pace = {
  concurrentScenarios: 16,
  callTimeoutMs: 5_000,
  shortCallTimeoutMs: 1_000,
  testCallTimeoutMs: 20_000,
  stateTimeoutMs: 20_000,
  webhookTimeoutMs: 15_000,
  settleMs: 60_000,
  scenarioTimeoutMs: 1_000,
};

const realShop: Pace = {
  concurrentScenarios: 4,
  callTimeoutMs: 30_000,
  shortCallTimeoutMs: 5_000,
  testCallTimeoutMs: 30_000,
  stateTimeoutMs: 60_000,
  webhookTimeoutMs: 30_000,
  settleMs: 180_000,
  scenarioTimeoutMs: 20_000,
};

/** Expectations are the same for both shops. */
export const pace: Pace = process.env.WOO_URL === undefined ? demoShop : realShop;

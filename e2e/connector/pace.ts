/** Concurrency and time limits, by the speed of the shop under test: the demo shop, or a WordPress with a few workers at `WOO_URL`. */
type Pace = {
  concurrentScenarios: number;
  /** Timeout of the connector's calls to the shop and the API, in milliseconds. */
  callTimeoutMs: number;
  /** Shorter timeout for tests in which calls get no response on purpose, in milliseconds. */
  shortCallTimeoutMs: number;
  /** Timeout of the tests' own calls to the shop, in milliseconds. */
  testCallTimeoutMs: number;
  stateTimeoutMs: number;
  webhookTimeoutMs: number;
  /** Time limit for sweeps to repair what webhooks did not deliver, in milliseconds. */
  settleMs: number;
  /** Average time limit of one scenario, in milliseconds. */
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

/** Limits for the shop under test. Only these differ between shops: expectations are the same. */
export const pace: Pace = process.env.WOO_URL === undefined ? demoShop : realShop;

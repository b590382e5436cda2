/** Time limits by the speed of the shop under test: the demo shop, or a WordPress with a few workers at `WOO_URL`. */
type Pace = {
  /** Scenarios that run concurrently. */
  livesAtOnce: number;
  /** Timeout of the connector's calls to shop and API, in milliseconds. */
  callTimeoutMs: number;
  /** The same where calls are left without a response on purpose, in milliseconds. */
  shortCallTimeoutMs: number;
  /** Timeout of the tests' own calls to the shop, in milliseconds. */
  ownCallTimeoutMs: number;
  /** Time limit for an expected state, in milliseconds. */
  stateTimeoutMs: number;
  /** Time limit for a webhook of Tillgate to arrive, in milliseconds. */
  mailTimeoutMs: number;
  /** Time limit for sweeps to repair what webhooks did not deliver, in milliseconds. */
  settleMs: number;
  /** Average time limit of one scenario, in milliseconds. */
  lifeTimeoutMs: number;
};

const demoShop: Pace = {
  livesAtOnce: 16,
  callTimeoutMs: 5_000,
  shortCallTimeoutMs: 1_000,
  ownCallTimeoutMs: 20_000,
  stateTimeoutMs: 20_000,
  mailTimeoutMs: 15_000,
  settleMs: 60_000,
  lifeTimeoutMs: 1_000,
};

const realShop: Pace = {
  livesAtOnce: 4,
  callTimeoutMs: 30_000,
  shortCallTimeoutMs: 5_000,
  ownCallTimeoutMs: 30_000,
  stateTimeoutMs: 60_000,
  mailTimeoutMs: 30_000,
  settleMs: 180_000,
  lifeTimeoutMs: 20_000,
};

/** The only difference between shops: time limits vary, expectations do not. */
export const pace: Pace = process.env.WOO_URL === undefined ? demoShop : realShop;

/** How fast the shop under test answers: the demo shop, or a WordPress with a few workers at `WOO_URL`. */
type Pace = {
  /** Orders whose lives are lived at the same time. */
  livesAtOnce: number;
  /** How long the connector waits for one call of the shop or the api, in milliseconds. */
  callTimeoutMs: number;
  /** The same where calls are left without an answer on purpose, in milliseconds. */
  shortCallTimeoutMs: number;
  /** How long the tests themselves wait for one call of the shop, in milliseconds. */
  ownCallTimeoutMs: number;
  /** How long a state may take that is waited for, in milliseconds. */
  stateTimeoutMs: number;
  /** How long a webhook of Tillgate may be on its way, in milliseconds. */
  mailTimeoutMs: number;
  /** How long the sweeps may take to bring in what the webhooks of the lives did not, in milliseconds. */
  settleMs: number;
  /** How long one life may take on average, in milliseconds. */
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

/** The one place where the suite tells shops apart: what is waited for differs, what must hold does not. */
export const pace: Pace = process.env.WOO_URL === undefined ? demoShop : realShop;

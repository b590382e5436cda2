import type { PayClient } from "@tillgate/client";
import type { ConnectorLog } from "../connector-log.js";
import type { ClockWatch } from "../health/clocks.js";
import type { Reporter } from "../health/reporter.js";
import type { Records } from "../records/records.js";
import type { Rules } from "../rules.js";
import type { ConnectorSettings, StoreCredential } from "../settings.js";
import type { StoreAccess } from "../store/store-access.js";

export type ConnectorContext = Records & {
  settings: ConnectorSettings;
  store: StoreAccess;
  /** Client for the current credential. */
  tillgate: PayClient;
  /** Client for a retired credential; null if there is none. Use `tillgateClient` instead. */
  retiredTillgate: (credential: StoreCredential) => PayClient | null;
  rules: Rules;
  log: ConnectorLog;
  reporter: Reporter;
  clocks: ClockWatch;
  /** Seconds since 1970, for the age of signatures. */
  nowSeconds: () => number;
};

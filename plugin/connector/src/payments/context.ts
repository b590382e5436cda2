import type { PayClient } from "@tillgate/client";
import type { ComparisonRules } from "../comparison-rules.js";
import type { ConnectorLog } from "../connector-log.js";
import type { ClockWatch } from "../health/clocks.js";
import type { Reporter } from "../health/reporter.js";
import type { Records } from "../records/records.js";
import type { Rules } from "../rules.js";
import type { ConnectorSettings, StoreCredential } from "../settings.js";
import type { StoreAccess } from "../store/store-access.js";

/** All that the operations of one store work with. */
export type ConnectorContext = Records & {
  settings: ConnectorSettings;
  store: StoreAccess;
  /** With the credential in use. */
  tillgate: PayClient;
  /** With a retired one; null where there is no such client. Asked through `tillgateOf`. */
  retiredTillgate: (credential: StoreCredential) => PayClient | null;
  rules: Rules;
  comparison: ComparisonRules;
  log: ConnectorLog;
  reporter: Reporter;
  clocks: ClockWatch;
  /** Seconds since 1970, for the age of signatures. */
  nowSeconds: () => number;
};

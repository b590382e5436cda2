import type { PayClient } from "@tillgate/client";
import type { Records } from "../records/records.js";
import type { Rules } from "../rules.js";
import type { ConnectorSettings } from "../settings.js";
import type { StoreAccess } from "../store/store-access.js";

/** Where the connector says what it does; pino's logger is one. */
export interface ConnectorLog {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** All that the operations of one store work with. */
export interface ConnectorContext extends Records {
  settings: ConnectorSettings;
  store: StoreAccess;
  tillgate: PayClient;
  rules: Rules;
  log: ConnectorLog;
  /** Seconds since 1970, for the age of signatures. */
  nowSeconds: () => number;
}

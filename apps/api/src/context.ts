import type { Database, Keyring } from "@tillgate/database";
import type { Logger } from "pino";
import type { Config } from "./config.js";
import type { Hints } from "./notifications/hints.js";

/** What operations work with. One per process. */
export type Context = {
  config: Config;
  database: Database;
  keyring: Keyring;
  hints: Hints;
  log: Logger;
};

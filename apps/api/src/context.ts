import type { Database, Keyring } from "@tillgate/database";
import type { Logger } from "pino";
import type { Config } from "./config.js";
import { createMemory, type Memory } from "./memory.js";
import { type Counters, createCounters } from "./metrics/counters.js";
import { createHints, type Hints } from "./notifications/hints.js";

/** What operations work with. One per process. */
export type Context = {
  config: Config;
  database: Database;
  keyring: Keyring;
  hints: Hints;
  memory: Memory;
  counters: Counters;
  log: Logger;
};

/** The context of a new process. */
export const createContext = ({
  config,
  database,
  log,
}: Pick<Context, "config" | "database" | "log">): Context => ({
  config,
  database,
  keyring: config.keyring,
  hints: createHints({ pool: database.pool, log }),
  memory: createMemory(database.pool),
  counters: createCounters(),
  log,
});

import { openDatabase } from "@tillgate/database";
import { pino } from "pino";
import { readConfig } from "../config.js";
import { type Context, createContext } from "../context.js";

const CONNECT_TIMEOUT_MS = 5_000;
/** Most commands run one query at a time, but lists read a few tables concurrently. */
const CONNECTIONS = 4;
/** Placeholder for TILLGATE_INTERNAL_KEY, which is required but not used by commands. */
const UNUSED_KEY = "-".repeat(32);

/** Creates a context that connects to the database at the first query. @throws SettingsError. */
export function connect(environment: NodeJS.ProcessEnv): Context {
  const config = readConfig({
    ...environment,
    TILLGATE_INTERNAL_KEY: environment.TILLGATE_INTERNAL_KEY || UNUSED_KEY,
  });
  const log = pino({ level: config.logLevel === "info" ? "warn" : config.logLevel }, pino.destination(2));
  const database = openDatabase({
    // Bypasses a pooler: a command uses few connections, and the role's limits do not apply to it.
    url: config.databaseDirectUrl,
    maxConnections: CONNECTIONS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    statementTimeoutMs: config.statementTimeoutMs,
    onIdleError: (error) => log.warn({ err: error }, "an idle database connection was lost"),
  });
  return createContext({ config, database, log });
}

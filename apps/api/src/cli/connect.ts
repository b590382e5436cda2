import { openDatabase } from "@tillgate/database";
import { pino } from "pino";
import { readConfig } from "../config.js";
import { type Context, createContext } from "../context.js";

const CONNECT_TIMEOUT_MS = 5_000;
/** A command does one thing after the other; a list reads a few tables at once. */
const CONNECTIONS = 4;
/** Commands serve no checkout edge, so any key will do where none is set. */
const NO_CHECKOUT_EDGE = "-".repeat(32);

/** Opens the database of the environment. It connects at the first query. @throws SettingsError. */
export function connect(environment: NodeJS.ProcessEnv): Context {
  const config = readConfig({
    ...environment,
    TILLGATE_INTERNAL_KEY: environment.TILLGATE_INTERNAL_KEY || NO_CHECKOUT_EDGE,
  });
  const log = pino({ level: config.logLevel === "info" ? "warn" : config.logLevel }, pino.destination(2));
  const database = openDatabase({
    // Past a pooler: a command holds one connection, and the role's own limits are not for it.
    url: config.databaseDirectUrl,
    maxConnections: CONNECTIONS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    statementTimeoutMs: config.statementTimeoutMs,
    onIdleError: (error) => log.warn({ err: error }, "an idle database connection broke"),
  });
  return createContext({ config, database, log });
}

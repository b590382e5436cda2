import { openDatabase } from "@tillgate/database";
import { pino } from "pino";
import { readConfig } from "../config.js";
import type { Context } from "../context.js";
import { createHints } from "../notifications/hints.js";
import { passwordReader } from "./password.js";
import { runAdmin } from "./run.js";

const CONNECT_TIMEOUT_MS = 5_000;
/** A command does one thing after the other; a list reads a few tables at once. */
const CONNECTIONS = 4;
/** Commands serve no checkout edge, so where its key is not set, nobody's will do. */
const NO_CHECKOUT_EDGE = "-".repeat(32);

let opened: Context | undefined;

/** Opens the database of the environment, once. @throws ConfigError. */
function connect(): Context {
  if (opened) return opened;
  const config = readConfig({
    ...process.env,
    TILLGATE_INTERNAL_KEY: process.env.TILLGATE_INTERNAL_KEY || NO_CHECKOUT_EDGE,
  });
  const log = pino({ level: config.logLevel === "info" ? "warn" : config.logLevel }, pino.destination(2));
  const database = openDatabase({
    url: config.databaseUrl,
    maxConnections: CONNECTIONS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    statementTimeoutMs: config.statementTimeoutMs,
    onIdleError: (error) => log.warn({ err: error }, "an idle database connection broke"),
  });
  const hints = createHints({ pool: database.pool, log });
  opened = { config, database, keyring: config.keyring, hints, log };
  return opened;
}

/** Whoever reads the output may stop reading, as `head` does: that is no failure, and there is nobody left to be told. */
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

process.exitCode = await runAdmin(
  process.argv.slice(2),
  { write: (text) => process.stdout.write(text), writeError: (text) => process.stderr.write(text) },
  connect,
  passwordReader(process.env, process),
);
await opened?.hints.close();
await opened?.database.close();

import { openDatabase } from "@tillgate/database";
import { pino } from "pino";
import { readConfig } from "../../../../src/config.js";
import { createContext } from "../../../../src/context.js";
import { startWorkers } from "../../../../src/jobs/workers.js";
import { startListener } from "../../../../src/platform/listener.js";

/** Entry point of a worker process that a test kills. */
const config = readConfig(process.env);
const log = pino({ level: config.logLevel });
const database = openDatabase({
  url: config.databaseUrl,
  maxConnections: 5,
  connectTimeoutMs: 10_000,
  statementTimeoutMs: config.statementTimeoutMs,
  onIdleError: (error) => log.warn({ err: error }, "an idle connection broke"),
});
const listener = startListener({ directUrl: config.databaseDirectUrl, log });
await startWorkers(createContext({ config, database, log }), listener);

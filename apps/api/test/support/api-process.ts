import { Writable } from "node:stream";
import type { Database } from "@tillgate/database";
import { createLimitedServer } from "@tillgate/service";
import { pino } from "pino";
import { readConfig } from "../../src/config.js";
import { type Context, createContext } from "../../src/context.js";
import { createApp, type ServedApis } from "../../src/http/app.js";
import { rejectMalformedRequests } from "../../src/http/shared/errors.js";
import { addDatabaseGauges } from "../../src/jobs/database-gauges.js";
import { addGauges, renderMetrics } from "../../src/metrics/metrics.js";
import { type Availability, watchAvailability } from "../../src/platform/availability.js";

import { startListener } from "../../src/platform/listener.js";

export const INTERNAL_KEY = "test-internal-key-of-forty-characters-00";
export const CONSOLE_KEY = "test-console-key-of-forty-characters-000";
export const PAY_URL = "https://pay.example.test";

/** Tests send more requests than a merchant may, and must see changes without waiting for a cache. */
const NO_LIMITS = {
  TILLGATE_PAY_REQUESTS_PER_MINUTE: "1000000",
  TILLGATE_PARTNER_REQUESTS_PER_MINUTE: "1000000",
  TILLGATE_TOKENS_PER_MINUTE: "1000000",
  TILLGATE_WRONG_SECRETS_PER_CLIENT: "1000000",
  TILLGATE_WRONG_SECRETS_PER_IP_ADDRESS: "1000000",
  TILLGATE_CONFIRMS_PER_MINUTE: "100000",
  TILLGATE_SHOPPER_QUOTES_PER_MINUTE: "100000",
  TILLGATE_WRONG_PINS_PER_IP_ADDRESS: "100000",
  TILLGATE_CREDENTIAL_CACHE_MS: "0",
  TILLGATE_DATABASE_WAITING: "100000",
};

/** The API shares its event loop with the tests, which may block it for seconds while loading. */
const DATABASE_TIMEOUT_MS = 20_000;

/** An API in the test process, with a separate database pool, listener and port. */
export type ApiProcess = {
  url: string;
  port: number;
  context: Context;
  availability: Availability;
  metrics(): Promise<string>;
  /** The log so far: one JSON object per line, from level `trace`. */
  logs(): string;
  close(): Promise<void>;
};

export type ApiOptions = {
  /** Overrides of a development configuration without rate limits; an empty value restores the default. */
  environment?: Record<string, string>;
  change?: (context: Context) => Context;
  /** APIs to serve. Default: all. */
  apis?: ServedApis;
  /** Time after which an unresponsive database counts as frozen, in milliseconds. */
  responseLimitMs?: number;
};

type ApiDatabase = { databaseUrl: string; database: Database; keys: string };

/** Starts the API's HTTP server on a free loopback port. Starts no background jobs. */
export async function startApi(
  { databaseUrl, database, keys }: ApiDatabase,
  options: ApiOptions,
): Promise<ApiProcess> {
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    TILLGATE_PAY_URL: PAY_URL,
    TILLGATE_INTERNAL_KEY: INTERNAL_KEY,
    TILLGATE_CONSOLE_KEY: CONSOLE_KEY,
    TILLGATE_ENCRYPTION_KEYS: keys,
    TILLGATE_SIGN_INS_PER_MINUTE: "1000",
    ...NO_LIMITS,
    // By default every write goes through group commit; `npm run test:long` runs the files without group commit as well.
    TILLGATE_GROUP_COMMIT: process.env.TILLGATE_TEST_GROUP_COMMIT ?? "always",
    LOG_LEVEL: "trace",
    ...options.environment,
  });
  const lines: string[] = [];
  const log = pino(
    { level: config.logLevel },
    new Writable({
      write(line, _encoding, done) {
        lines.push(String(line));
        done();
      },
    }),
  );
  const availability = watchAvailability({
    databaseUrl,
    pool: database.pool,
    maxWaiting: config.databaseWaiting,
    log,
    responseLimitMs: options.responseLimitMs ?? DATABASE_TIMEOUT_MS,
  });
  const base = createContext({ config, database, log });
  const context = options.change?.(base) ?? base;
  const { registry } = context.counters;
  addGauges(registry, { availability, pool: database.pool, config });
  addDatabaseGauges(registry, { availability, pool: database.pool });
  const listener = startListener({ directUrl: databaseUrl, log });
  const server = createLimitedServer(
    createApp({
      context,
      listener,
      availability,
      ...(options.apis && { apis: options.apis }),
    }),
    {},
    { requireHostHeader: false },
  );
  rejectMalformedRequests(server, log);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("the API has no port");
  return {
    url: `http://127.0.0.1:${bound.port}`,
    port: bound.port,
    context,
    availability,
    metrics: async () => renderMetrics([await registry.getMetricsAsJSON()]),
    logs: () => lines.join(""),
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await listener.close();
      await availability.close();
      await context.changes.close();
    },
  };
}

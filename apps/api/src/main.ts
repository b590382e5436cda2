import cluster from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import { describeUnreadableSecrets, openDatabase } from "@tillgate/database";
import {
  createLimitedServer,
  createLog,
  exitWithStartError,
  listen,
  type Running,
  run,
  type Serving,
} from "@tillgate/service";
import { startTracing } from "@tillgate/service/tracing";
import type { Logger } from "pino";
import { type Config, configForProcess, readConfig } from "./config.js";
import { type Context, createContext } from "./context.js";
import { createApp, type ServedApis } from "./http/app.js";
import { createMetricsApp } from "./http/metrics.js";
import { rejectMalformedRequests } from "./http/shared/errors.js";
import { addDatabaseGauges } from "./jobs/database-gauges.js";
import { startCounterRollUp, startLastUsedFlush, startRequestFlush } from "./jobs/flush.js";
import { startWorkers } from "./jobs/workers.js";
import { type Counters, createCounters } from "./metrics/counters.js";
import { addGauges, type ProcessMetrics } from "./metrics/metrics.js";
import { type Availability, watchAvailability } from "./platform/availability.js";
import { type Listener, startListener } from "./platform/listener.js";
import { checkDatabaseRole, retryUntilReachable } from "./platform/working-role.js";
import { countFailures } from "./processes/failures.js";
import { endWithPrimary, failInPrimary, notifyPrimary, sendMetrics } from "./processes/forked.js";
import { startHttpProcesses } from "./processes/primary.js";

const CONNECT_TIMEOUT_MS = 5_000;

async function serve(parts: {
  context: Context;
  listener: Listener;
  availability: Availability;
}): Promise<Serving[]> {
  const { config, log } = parts.context;
  const startServer = async (address: { host: string; port: number }, apis: ServedApis): Promise<Serving> => {
    const app = createApp({ ...parts, apis });
    const limits = { maxConnections: config.connections };
    const server = createLimitedServer(app, limits, { requireHostHeader: false });
    rejectMalformedRequests(server, log);
    return listen(server, address);
  };
  const open = await startServer(config, { open: true, internal: config.internal === undefined });
  return config.internal === undefined
    ? [open]
    : [open, await startServer(config.internal, { open: false, internal: true })];
}

type Component = Pick<Running, "stop"> & {
  /** Undefined for a component that runs in other processes. */
  counters?: Counters;
  figures(): Promise<ProcessMetrics[]>;
};

/** Starts the API's components in this process. @param exitWith ends the process if it must not run. */
async function startInProcess(
  config: Config,
  log: Logger,
  exitWith: (reason: string) => void,
): Promise<Component & { counters: Counters }> {
  const traces = await startTracing({
    service: `tillgate ${config.role}`,
    collector: config.traceCollector,
    sampleRatio: config.traceSampleRatio,
  });
  const database = openDatabase({
    url: config.databaseUrl,
    directUrl: config.databaseDirectUrl === config.databaseUrl ? undefined : config.databaseDirectUrl,
    maxConnections: config.databaseConnections,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    statementTimeoutMs: config.statementTimeoutMs,
    namedStatements: config.statementNames,
    onIdleError: (error) => log.warn({ err: error }, "an idle database connection was lost"),
  });
  // The database may be down for a while. The checks run once it responds; nothing is written before then.
  for (const check of [
    checkDatabaseRole({ pool: database.pool, production: config.production, log }),
    retryUntilReachable(() => describeUnreadableSecrets(database.pool, config.keyring)),
  ])
    void check.then(
      (reason) => reason !== undefined && exitWith(reason),
      (error: unknown) =>
        log.error({ err: error }, "could not check the database role or the encryption keys"),
    );
  const availability = watchAvailability({
    databaseUrl: config.databaseUrl,
    pool: database.pool,
    maxWaiting: config.databaseWaiting,
    log,
  });
  const context = createContext({ config, database, log });
  const { counters } = context;
  addGauges(counters.registry, { availability, pool: database.pool, config });
  addDatabaseGauges(counters.registry, { availability, pool: database.pool });
  const listener = startListener({ directUrl: config.databaseDirectUrl, log });
  const workers = config.role === "http" ? undefined : startWorkers(context, listener);
  const lastUsed = startLastUsedFlush(context);
  const requestLog = startRequestFlush(context);
  const rollUp = startCounterRollUp(context);
  const serving = config.role === "worker" ? [] : await serve({ context, listener, availability });
  if (workers && !config.mail && config.mailFolder === undefined)
    log.info(
      { event: "mail_not_configured" },
      "TILLGATE_SMTP_URL is not set, so no e-mail is sent; notices about webhook endpoints appear in the console and the timeline",
    );

  return {
    counters,
    figures: async () => [await counters.registry.getMetricsAsJSON()],
    stop: async () => {
      // Readiness fails first. Requests are served until the load balancer has noticed.
      availability.stop();
      for (const component of serving) component.drain();
      const workersEnded = workers?.close();
      if (serving.length > 0) await delay(config.drainMs);
      await Promise.all([...serving.map((one) => one.close(config.finishMs)), workersEnded]);
      await availability.close();
      await Promise.all([lastUsed.close(), requestLog.close()]);
      await rollUp.close();
      await listener.close();
      await context.changes.close();
      await database.close();
      await traces.close();
    },
  };
}

/** Starts the API. With several HTTP processes, this process forks and supervises them and, if its role includes the workers, runs these itself. */
async function startAll(config: Config, log: Logger): Promise<Pick<Running, "stop">> {
  const { role, host, port, httpProcesses: count } = config;
  const exitWith = (reason: string): void => exitWithStartError("API", reason);
  const forks = role !== "worker" && count > 1;
  const failures = countFailures();
  const parts: Component[] = [{ ...failures, stop: async () => undefined }];
  if (!forks) parts.push(await startInProcess(config, log, exitWith));
  else {
    if (role === "all") parts.push(await startInProcess(configForProcess(config, "worker"), log, exitWith));
    parts.push(await startHttpProcesses({ count, log, exitWith, onFailure: failures.addHttp }));
  }
  const metrics = await serveMetrics(config, log, parts);
  log.info({ role, host, ...(role !== "worker" && { port, httpProcesses: count }) }, "the API is running");
  return {
    async stop() {
      await Promise.all(parts.map((part) => part.stop()));
      await metrics?.close(config.finishMs);
    },
  };
}

async function serveMetrics(config: Config, log: Logger, parts: Component[]): Promise<Serving | undefined> {
  if (config.metrics === undefined) return undefined;
  const counters = parts.find((part) => part.counters)?.counters ?? createCounters();
  const collectFigures = async () => (await Promise.all(parts.map((part) => part.figures()))).flat();
  const app = createMetricsApp({ figures: collectFigures, counters, key: config.metricsKey, log });
  return listen(createLimitedServer(app), config.metrics);
}

async function startForked(config: Config, log: Logger): Promise<Pick<Running, "stop">> {
  endWithPrimary();
  const part = await startInProcess(configForProcess(config, "http"), log, failInPrimary).catch(
    failInPrimary,
  );
  sendMetrics(part.counters.registry);
  notifyPrimary({ tillgate: "up" });
  log.info("an HTTP process is running");
  return part;
}

await run("API", async () => {
  const config = readConfig(process.env);
  const log = createLog({
    level: config.logLevel,
    redact: [
      "*.authorization",
      "*.client_secret",
      "*.pin",
      "*.password",
      "*.secret",
      "*.pass",
      "err.config.auth",
    ],
  });
  const part = await (cluster.isWorker ? startForked(config, log) : startAll(config, log));
  return { log, ...part };
});

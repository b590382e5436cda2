import { availableParallelism } from "node:os";
import { type Environment, readSettings, rulesFor } from "@tillgate/service/settings";
import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { events, listeners, mustBeEncrypted, requests, running, shoppers } from "./settings.js";

/** A key is weak if it takes fewer guesses than 10 to this power. A key of 16 random bytes takes about 10^31. */
const MIN_GUESSES_LOG10 = 20;

const isWeakKey = (key: string): boolean => new ZxcvbnFactory().check(key).guessesLog10 < MIN_GUESSES_LOG10;

/** Long enough for a load balancer to notice failing readiness. */
const PRODUCTION_DRAIN_MS = 5_000;
/** Concurrent groups per kind of work. More than one, so that a group is written while another commits. */
const CONCURRENT_GROUPS = 2;
/** Maximum default for TILLGATE_HTTP_PROCESSES on machines with many cores. */
const MAX_HTTP_PROCESSES = 8;
/** Minimum database connections of a process. With fewer, concurrent calls block each other. */
const MIN_CONNECTIONS = 4;
const LOOPBACK = new Set(["127.0.0.1", "::1", "localhost"]);
const WEAK = "is too easy to guess for production; generate it at random";

export const apiSettings = { ...running, ...listeners, ...shoppers, ...requests, ...events };

const rule = rulesFor(apiSettings);
const rules = [
  rule(
    ["internalPort", "internalHost"],
    ({ internalPort, internalHost }) =>
      internalHost !== undefined && internalPort === undefined && "is required with TILLGATE_INTERNAL_HOST",
  ),
  rule(
    ["privateWebhookAddresses", "production"],
    ({ privateWebhookAddresses, production }) =>
      production && privateWebhookAddresses && 'must be "refuse" in production',
  ),
  rule(
    ["payUrl", "production"],
    ({ payUrl, production }) =>
      production && !payUrl.startsWith("https://") && "must be an https URL in production",
  ),
  rule(
    ["consoleUrl", "production"],
    ({ consoleUrl, production }) =>
      production && consoleUrl?.startsWith("https://") === false && "must be an https URL in production",
  ),
  rule(
    ["mailFolder", "production"],
    ({ mailFolder, production }) =>
      production &&
      mailFolder !== undefined &&
      "must be omitted in production: e-mails contain links that sign in",
  ),
  ...(["internalKey", "consoleKey", "metricsKey"] as const).map((name) =>
    rule([name, "production"], (settings) => {
      const key = settings[name];
      return settings.production && key !== undefined && isWeakKey(key) && WEAK;
    }),
  ),
  rule(
    ["metricsKey", "metricsHost", "metricsPort", "production"],
    ({ metricsKey, metricsHost, metricsPort, production }) =>
      production &&
      metricsPort !== undefined &&
      metricsKey === undefined &&
      !LOOPBACK.has(metricsHost) &&
      "is required in production unless TILLGATE_METRICS_HOST is loopback",
  ),
  rule(
    ["keyring", "production"],
    ({ keyring, production }) =>
      production && [...keyring.keys.values()].some((key) => isWeakKey(key.toString("base64"))) && WEAK,
  ),
  rule(
    ["mailFrom", "smtpServer"],
    ({ mailFrom, smtpServer }) =>
      smtpServer !== undefined && mailFrom === undefined && "is required with TILLGATE_SMTP_URL",
  ),
  rule(
    ["smtpServer", "mailFrom"],
    ({ mailFrom, smtpServer }) =>
      mailFrom !== undefined && smtpServer === undefined && "is required with TILLGATE_MAIL_FROM",
  ),
  rule(
    ["sandboxSignUp", "consoleUrl", "smtpServer", "mailFolder"],
    ({ sandboxSignUp, consoleUrl, smtpServer, mailFolder }) =>
      sandboxSignUp &&
      (consoleUrl === undefined || (smtpServer === undefined && mailFolder === undefined)) &&
      "requires TILLGATE_CONSOLE_URL and TILLGATE_SMTP_URL (outside production, TILLGATE_MAIL_FOLDER is enough), because sign-up links are sent by e-mail",
  ),
  rule(
    ["consoleKey", "internalKey"],
    ({ consoleKey, internalKey }) => consoleKey === internalKey && "must not be TILLGATE_INTERNAL_KEY",
  ),
];

export type Config = ReturnType<typeof readConfig>;

/** @throws SettingsError naming every missing or invalid setting. */
export function readConfig(environment: Environment) {
  const settings = readSettings(apiSettings, environment, rules);
  const {
    production,
    host,
    internalHost,
    internalPort,
    metricsHost,
    metricsPort,
    smtpServer,
    mailFrom,
    httpHosts,
  } = settings;
  return {
    ...settings,
    // One core is left to the workers and to a database on the same machine.
    httpProcesses:
      settings.httpProcesses ?? Math.max(1, Math.min(MAX_HTTP_PROCESSES, availableParallelism() - 1)),
    concurrentGroups: CONCURRENT_GROUPS,
    drainMs: settings.drainMs ?? (production ? PRODUCTION_DRAIN_MS : 0),
    databaseDirectUrl: settings.databaseDirectUrl ?? settings.databaseUrl,
    /** Listen address of the internal APIs; undefined if they share the public listener. */
    internal: internalPort === undefined ? undefined : { host: internalHost ?? host, port: internalPort },
    /** Listen address of `/metrics`; undefined if it is not served. */
    metrics: metricsPort === undefined ? undefined : { host: metricsHost, port: metricsPort },
    /** Undefined if e-mail is not configured. */
    mail:
      smtpServer && mailFrom
        ? { ...smtpServer, from: mailFrom, demandTls: mustBeEncrypted(smtpServer, { production, httpHosts }) }
        : undefined,
  };
}

export function configForProcess(config: Config, role: "http" | "worker"): Config {
  const processes = config.httpProcesses + (config.role === "all" ? 1 : 0);
  const share = Math.floor(config.databaseConnections / processes);
  return {
    ...config,
    role,
    databaseConnections: Math.max(MIN_CONNECTIONS, share),
    concurrentGroups: Math.max(1, Math.floor(config.concurrentGroups / config.httpProcesses)),
  };
}

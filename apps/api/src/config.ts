import { availableParallelism } from "node:os";
import { type Environment, readSettings, rulesOf } from "@tillgate/service/settings";
import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { edges, events, mustBeEncrypted, requests, running, shoppers } from "./settings.js";

/** Fewer guesses than this (as a power of ten) find the key; 16 random bytes need about 10^31. */
const LEAST_GUESSES_LOG10 = 20;

/** Whether a key looks typed, repeated or counted up instead of drawn at random. The length alone does not show it. */
const isWeakKey = (key: string): boolean => new ZxcvbnFactory().check(key).guessesLog10 < LEAST_GUESSES_LOG10;

/** Long enough for a balancer to notice that readiness fell, in milliseconds. */
const PRODUCTION_DRAIN_MS = 5_000;
/** Groups of one kind that run at the same time: one commits while the next is written. */
const CONCURRENT_GROUPS = 2;
/** What is left out takes no more than this of a large machine. */
const MOST_HTTP_PROCESSES = 8;
/** With fewer database connections, the calls of one process wait for each other. */
const LEAST_CONNECTIONS = 4;
const LOOPBACK = new Set(["127.0.0.1", "::1", "localhost"]);
const WEAK = "is too easy to guess for production; draw it at random";

/** Every setting of the api. */
export const apiSettings = { ...running, ...edges, ...shoppers, ...requests, ...events };

const rule = rulesOf(apiSettings);
const rules = [
  rule(
    ["internalPort", "internalHost"],
    ({ internalPort, internalHost }) =>
      internalHost !== undefined && internalPort === undefined && "is required with TILLGATE_INTERNAL_HOST",
  ),
  rule(
    ["privateWebhookAddresses", "production"],
    ({ privateWebhookAddresses, production }) =>
      production && privateWebhookAddresses && "must be refuse in production",
  ),
  rule(
    ["payUrl", "production"],
    ({ payUrl, production }) =>
      production && !payUrl.startsWith("https://") && "must be an https address in production",
  ),
  rule(
    ["consoleUrl", "production"],
    ({ consoleUrl, production }) =>
      production && consoleUrl?.startsWith("https://") === false && "must be an https address in production",
  ),
  rule(
    ["mailFolder", "production"],
    ({ mailFolder, production }) =>
      production &&
      mailFolder !== undefined &&
      "must be left out in production: mails hold links that sign in",
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
      "is required in production where TILLGATE_METRICS_HOST is not loopback",
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
      "needs TILLGATE_CONSOLE_URL and TILLGATE_SMTP_URL to be open: links are mailed",
  ),
  rule(
    ["consoleKey", "internalKey"],
    ({ consoleKey, internalKey }) => consoleKey === internalKey && "must not be TILLGATE_INTERNAL_KEY",
  ),
];

/** The settings under the names the code uses. */
export type Config = ReturnType<typeof readConfig>;

/** Reads the settings. @throws SettingsError naming every setting that is missing or wrong. */
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
      settings.httpProcesses ?? Math.max(1, Math.min(MOST_HTTP_PROCESSES, availableParallelism() - 1)),
    concurrentGroups: CONCURRENT_GROUPS,
    drainMs: settings.drainMs ?? (production ? PRODUCTION_DRAIN_MS : 0),
    databaseDirectUrl: settings.databaseDirectUrl ?? settings.databaseUrl,
    /** Where the internal edges listen; undefined: with the others. */
    internal: internalPort === undefined ? undefined : { host: internalHost ?? host, port: internalPort },
    /** Where `/metrics` is; undefined: nowhere. */
    metrics: metricsPort === undefined ? undefined : { host: metricsHost, port: metricsPort },
    /** Undefined: notices are not mailed. */
    mail:
      smtpServer && mailFrom
        ? { ...smtpServer, from: mailFrom, demandTls: mustBeEncrypted(smtpServer, { production, httpHosts }) }
        : undefined,
  };
}

/**
 * The settings of one process of several: what it does, its share of the database connections, and of the sets under way. More
 * of those would be smaller ones, and cost the database more than the processes win.
 */
export function configOfOne(config: Config, role: "http" | "worker"): Config {
  const processes = config.httpProcesses + (config.role === "all" ? 1 : 0);
  const share = Math.floor(config.databaseConnections / processes);
  return {
    ...config,
    role,
    databaseConnections: Math.max(LEAST_CONNECTIONS, share),
    concurrentGroups: Math.max(1, Math.floor(config.concurrentGroups / config.httpProcesses)),
  };
}

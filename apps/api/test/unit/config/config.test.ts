import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { SettingsError } from "@tillgate/service";
import { describe, expect, it } from "vitest";
import { configForProcess, readConfig } from "../../../src/config.js";

const SECRETS = {
  database: "hunter2-database-password",
  internal: "internal-key-that-nobody-may-ever-see",
  encryption: Buffer.alloc(32, 9).toString("base64"),
};
const REQUIRED_SETTINGS = {
  DATABASE_URL: `postgresql://tillgate:${SECRETS.database}@127.0.0.1:4005/tillgate`,
  TILLGATE_INTERNAL_KEY: SECRETS.internal,
  TILLGATE_ENCRYPTION_KEYS: `k1:${SECRETS.encryption}`,
};

function errorLinesOf(environment: Record<string, string | undefined>): string[] {
  try {
    readConfig({ ...REQUIRED_SETTINGS, ...environment });
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split("\n");
    throw error;
  }
  return [];
}

it("readConfig requires three settings, and defaults the others for development", () => {
  const config = readConfig(REQUIRED_SETTINGS);
  expect(config).toMatchObject({
    production: false,
    role: "all",
    host: "127.0.0.1",
    port: 4000,
    databaseUrl: REQUIRED_SETTINGS.DATABASE_URL,
    databaseDirectUrl: REQUIRED_SETTINGS.DATABASE_URL,
    payUrl: "http://localhost:4001",
    trustedProxies: [],
    httpHosts: [],
    privateWebhookAddresses: false,
    signInsPerMinute: 30,
    walletSessionSeconds: 604_800,
    pinFreshSeconds: 300,
    walletVisitSeconds: 3_600,
    wrongPinsUntilLock: 5,
    wrongPinsPerIpAddress: 30,
    pinLockSeconds: 60,
    logLevel: "info",
  });
  expect(config.keyring.current).toBe("k1");
});

describe("HTTP processes", () => {
  const shareOf = (processes: string, more: Record<string, string> = {}) => {
    const config = readConfig({ ...REQUIRED_SETTINGS, TILLGATE_HTTP_PROCESSES: processes, ...more });
    return configForProcess(config, "http");
  };

  it("default to one less than the number of cores, but at least one and at most eight", () => {
    const { httpProcesses } = readConfig(REQUIRED_SETTINGS);
    expect(httpProcesses).toBe(Math.min(8, Math.max(1, availableParallelism() - 1)));
    expect(readConfig({ ...REQUIRED_SETTINGS, TILLGATE_HTTP_PROCESSES: "3" }).httpProcesses).toBe(3);
  });

  it("share the database connections with each other and the worker process, with at least four each", () => {
    expect(shareOf("3").databaseConnections).toBe(5);
    expect(shareOf("2", { TILLGATE_ROLE: "http" }).databaseConnections).toBe(10);
    expect(shareOf("8").databaseConnections).toBe(4);
  });

  it("share the limit on concurrent groups, with at least one each", () => {
    expect(readConfig(REQUIRED_SETTINGS).concurrentGroups).toBe(2);
    expect(shareOf("2").concurrentGroups).toBe(1);
    expect(shareOf("8").concurrentGroups).toBe(1);
  });
});

it("missing and empty settings are reported one per line", () => {
  expect(
    errorLinesOf({ DATABASE_URL: undefined, TILLGATE_INTERNAL_KEY: "", TILLGATE_ENCRYPTION_KEYS: undefined }),
  ).toEqual([
    "DATABASE_URL: is required",
    "TILLGATE_INTERNAL_KEY: is required",
    "TILLGATE_ENCRYPTION_KEYS: is required",
  ]);
});

const postgres = "must be a postgresql:// URL";
const web = "must be an http or https URL";
const plain = "must not contain credentials, a query or a fragment";
const networks =
  "must be addresses, networks of /8 or smaller (10.0.0.0/8) or loopback, linklocal, uniquelocal, separated by commas";
const keys = "encryption keys must be a comma-separated list of <key id>:<32 bytes in base64>";

it.each([
  ["TILLGATE_ENVIRONMENT", "prod", "must be one of production, development"],
  ["TILLGATE_ROLE", "everything", "must be one of all, http, worker"],
  ["PORT", "0", "must be a whole number from 1 to 65535"],
  ["PORT", "65536", "must be a whole number from 1 to 65535"],
  ["PORT", "4000.5", "must be a whole number from 1 to 65535"],
  ["PORT", "0x10", "must be a whole number from 1 to 65535"],
  ["PORT", "1e3", "must be a whole number from 1 to 65535"],
  ["PORT", " ", "must be a whole number from 1 to 65535"],
  ["DATABASE_URL", "mysql://tillgate@localhost/x", postgres],
  ["DATABASE_URL", "localhost:5432", postgres],
  ["DATABASE_DIRECT_URL", "nowhere", postgres],
  ["TILLGATE_HTTP_PROCESSES", "0", "must be a whole number from 1 to 64"],
  ["TILLGATE_DATABASE_CONNECTIONS", "1", "must be a whole number from 2 to 200"],
  ["TILLGATE_DATABASE_CONNECTIONS", "201", "must be a whole number from 2 to 200"],
  ["TILLGATE_STATEMENT_TIMEOUT_MS", "99", "must be a whole number from 100 to 600000"],
  ["TILLGATE_PAY_URL", "pay.example", web],
  ["TILLGATE_PAY_URL", "ftp://pay.example", web],
  ["TILLGATE_PAY_URL", "https://user:pass@pay.example", plain],
  ["TILLGATE_PAY_URL", "https://pay.example/?a=1", plain],
  ["TILLGATE_PAY_URL", "https://pay.example/#a", plain],
  ["TILLGATE_INTERNAL_KEY", "k".repeat(31), "must be at least 32 characters"],
  ["TILLGATE_INTERNAL_KEY", `${"k".repeat(32)} é`, "must be printable ASCII without spaces"],
  ["TILLGATE_ENCRYPTION_KEYS", "k1", keys],
  ["TILLGATE_ENCRYPTION_KEYS", `k1:${Buffer.alloc(31).toString("base64")}`, keys],
  [
    "TILLGATE_ENCRYPTION_KEYS",
    `k1:${SECRETS.encryption},k1:${SECRETS.encryption}`,
    "encryption key ID k1 appears more than once",
  ],
  ["TILLGATE_TRUSTED_PROXIES", "everybody", networks],
  ["TILLGATE_TRUSTED_PROXIES", "10.0.0.0/33", networks],
  ["TILLGATE_TRUSTED_PROXIES", "10.0.0.1,true", networks],
  ["TILLGATE_WEBHOOK_PRIVATE_ADDRESSES", "yes", "must be one of allow, refuse"],
  ["TILLGATE_SANDBOX_SIGN_UP", "yes", "must be one of open, closed"],
  [
    "TILLGATE_SANDBOX_SIGN_UP",
    "open",
    "requires TILLGATE_CONSOLE_URL and TILLGATE_SMTP_URL (outside production, TILLGATE_MAIL_FOLDER is enough), because sign-up links are sent by e-mail",
  ],
  ["TILLGATE_WALLET_SESSION_SECONDS", "59", "must be a whole number from 60 to 2592000"],
  ["TILLGATE_SIGN_INS_PER_MINUTE", "-1", "must be a whole number from 1 to 100000"],
  ["TILLGATE_WRONG_PINS_UNTIL_LOCK", "101", "must be a whole number from 1 to 100"],
  ["TILLGATE_PIN_LOCK_SECONDS", "0", "must be a whole number from 1 to 86400"],
  ["TILLGATE_PIN_FRESH_SECONDS", "3601", "must be a whole number from 0 to 3600"],
  ["TILLGATE_WRONG_PINS_PER_IP_ADDRESS", "0", "must be a whole number from 1 to 100000"],
  ["TILLGATE_CONFIRMS_PER_MINUTE", "0", "must be a whole number from 1 to 100000"],
  ["TILLGATE_SHOPPER_QUOTES_PER_MINUTE", "0", "must be a whole number from 1 to 100000"],
  ["TILLGATE_STREAMS_PER_ORDER", "many", "must be a whole number from 1 to 10000"],
  ["TILLGATE_STREAMS_PER_IP_ADDRESS", "10001", "must be a whole number from 1 to 10000"],
  ["TILLGATE_DELIVERIES_AT_ONCE", "1001", "must be a whole number from 1 to 1000"],
  ["TILLGATE_KEEP_ATTEMPTS_DAYS", "6", "must be a whole number from 7 to 3650"],
  ["TILLGATE_KEEP_ATTEMPTS_DAYS", "3651", "must be a whole number from 7 to 3650"],
  ["TILLGATE_KEEP_EVENTS_DAYS", "29", "must be a whole number from 30 to 36500"],
  ["TILLGATE_KEEP_EVENTS_DAYS", "36501", "must be a whole number from 30 to 36500"],
  ["TILLGATE_DELIVERY_TIMEOUT_MS", "60001", "must be a whole number from 100 to 60000"],
  ["TILLGATE_TRACE_SAMPLE_RATIO", "1.5", "must be a number from 0 to 1"],
  ["TILLGATE_TRACE_SAMPLE_RATIO", "1e-3", "must be a number from 0 to 1"],
  ["LOG_LEVEL", "loud", "must be one of fatal, error, warn, info, debug, trace, silent"],
])("%s=%s is rejected with a one-line error", (name, value, rest) => {
  expect(errorLinesOf({ [name]: value })).toEqual([`${name}: ${rest}`]);
});

it("all invalid settings are reported together", () => {
  expect(errorLinesOf({ PORT: "x", LOG_LEVEL: "x", TILLGATE_ROLE: "x" })).toHaveLength(3);
  expect(
    errorLinesOf({
      PORT: "x",
      TILLGATE_ENVIRONMENT: "production",
      TILLGATE_INTERNAL_KEY: "changeme".repeat(4),
      TILLGATE_MAIL_FROM: "notices@example.com",
      TILLGATE_SMTP_URL: "nowhere",
      TILLGATE_INTERNAL_HOST: "10.0.0.5",
    }),
  ).toEqual([
    "PORT: must be a whole number from 1 to 65535",
    "TILLGATE_SMTP_URL: must be smtp:// or smtps://, with a host, and with both or neither of user and password, percent-encoded",
    "TILLGATE_INTERNAL_PORT: is required with TILLGATE_INTERNAL_HOST",
    "TILLGATE_PAY_URL: must be an https URL in production",
    "TILLGATE_INTERNAL_KEY: is too easy to guess for production; generate it at random",
    "TILLGATE_ENCRYPTION_KEYS: is too easy to guess for production; generate it at random",
  ]);
});

it("no error line contains a secret, even a malformed secret", () => {
  const lines = [
    ...errorLinesOf({ DATABASE_URL: `mysql://root:${SECRETS.database}@db/x`, PORT: "x" }),
    ...errorLinesOf({ DATABASE_DIRECT_URL: SECRETS.database }),
    ...errorLinesOf({ TILLGATE_INTERNAL_KEY: `${SECRETS.internal} with space` }),
    ...errorLinesOf({ TILLGATE_INTERNAL_KEY: SECRETS.internal.slice(0, 20) }),
    ...errorLinesOf({ TILLGATE_ENCRYPTION_KEYS: SECRETS.encryption }),
    ...errorLinesOf({ TILLGATE_ENCRYPTION_KEYS: `k1:${SECRETS.encryption}x` }),
    ...errorLinesOf({ TILLGATE_ENCRYPTION_KEYS: `k1:${SECRETS.encryption},k1:${SECRETS.encryption}` }),
    ...errorLinesOf({ TILLGATE_PAY_URL: `https://root:${SECRETS.database}@pay.example` }),
  ].join("\n");
  for (const secret of [SECRETS.database, SECRETS.internal.slice(0, 20), SECRETS.encryption.slice(0, 20)])
    expect(lines).not.toContain(secret);
});

describe("production", () => {
  const production = {
    TILLGATE_ENVIRONMENT: "production",
    TILLGATE_PAY_URL: "https://pay.example",
    TILLGATE_INTERNAL_KEY: randomBytes(32).toString("base64url"),
    TILLGATE_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
  };

  it("accepts an https payment page and random keys", () => {
    expect(readConfig({ ...REQUIRED_SETTINGS, ...production })).toMatchObject({
      production: true,
      privateWebhookAddresses: false,
    });
  });

  it("rejects a payment page on plain http", () => {
    expect(errorLinesOf({ ...production, TILLGATE_PAY_URL: "http://pay.example" })).toEqual([
      "TILLGATE_PAY_URL: must be an https URL in production",
    ]);
  });

  it("rejects a console on plain http and e-mails written to files, which would expose sign-in links", () => {
    expect(errorLinesOf({ ...production, TILLGATE_CONSOLE_URL: "http://console.example" })).toEqual([
      "TILLGATE_CONSOLE_URL: must be an https URL in production",
    ]);
    expect(errorLinesOf({ ...production, TILLGATE_MAIL_FOLDER: "mails" })).toEqual([
      "TILLGATE_MAIL_FOLDER: must be omitted in production: e-mails contain links that sign in",
    ]);
    expect(
      errorLinesOf({ TILLGATE_CONSOLE_URL: "http://localhost:4002", TILLGATE_MAIL_FOLDER: "mails" }),
    ).toEqual([]);
  });

  it.each([
    ["repeated", "TILLGATE_INTERNAL_KEY", "changeme".repeat(4)],
    ["sequence", "TILLGATE_CONSOLE_KEY", "abcdefghijklmnopqrstuvwxyz0123456789"],
    ["one repeated letter", "TILLGATE_METRICS_KEY", "x".repeat(40)],
    ["zeros", "TILLGATE_ENCRYPTION_KEYS", `k1:${Buffer.alloc(32).toString("base64")}`],
    [
      "zeros after a random key",
      "TILLGATE_ENCRYPTION_KEYS",
      `${production.TILLGATE_ENCRYPTION_KEYS},k0:${Buffer.alloc(32).toString("base64")}`,
    ],
  ])("rejects a key that is not random, which development accepts: %s (%s)", (_what, name, key) => {
    expect(errorLinesOf({ ...production, [name]: key })).toEqual([
      `${name}: is too easy to guess for production; generate it at random`,
    ]);
    expect(errorLinesOf({ [name]: key })).toEqual([]);
  });

  it("rejects metrics readable from the network without a key", () => {
    const open = { TILLGATE_METRICS_PORT: "9464", TILLGATE_METRICS_HOST: "0.0.0.0" };
    expect(errorLinesOf({ ...production, ...open })).toEqual([
      "TILLGATE_METRICS_KEY: is required in production unless TILLGATE_METRICS_HOST is loopback",
    ]);
    expect(errorLinesOf({ ...production, TILLGATE_METRICS_PORT: "9464" })).toEqual([]);
    expect(errorLinesOf(open)).toEqual([]);
  });

  it("does not mistake random keys for guessable keys", () => {
    for (let draw = 0; draw < 20; draw += 1)
      expect(
        errorLinesOf({ ...production, TILLGATE_CONSOLE_KEY: randomBytes(24).toString("base64url") }),
      ).toEqual([]);
  });

  it("does not allow webhooks to private addresses", () => {
    expect(errorLinesOf({ ...production, TILLGATE_WEBHOOK_PRIVATE_ADDRESSES: "allow" })).toEqual([
      'TILLGATE_WEBHOOK_PRIVATE_ADDRESSES: must be "refuse" in production',
    ]);
  });
});

it("TILLGATE_TRACE_PAGE must contain a trace ID placeholder", () => {
  expect(errorLinesOf({ TILLGATE_TRACE_PAGE: "https://traces.example/trace/{trace_id}" })).toEqual([]);
  const wrong = "TILLGATE_TRACE_PAGE: must be an http or https URL with {trace_id} in it";
  expect(errorLinesOf({ TILLGATE_TRACE_PAGE: "https://traces.example/trace" })).toEqual([wrong]);
  expect(errorLinesOf({ TILLGATE_TRACE_PAGE: "javascript:{trace_id}" })).toEqual([wrong]);
});

it("internal APIs may listen on a separate address, which requires a port", () => {
  expect(readConfig(REQUIRED_SETTINGS).internal).toBeUndefined();
  expect(readConfig({ ...REQUIRED_SETTINGS, TILLGATE_INTERNAL_PORT: "4100" }).internal).toEqual({
    host: "127.0.0.1",
    port: 4100,
  });
  expect(
    readConfig({ ...REQUIRED_SETTINGS, TILLGATE_INTERNAL_HOST: "10.0.0.5", TILLGATE_INTERNAL_PORT: "4100" })
      .internal,
  ).toEqual({ host: "10.0.0.5", port: 4100 });
  expect(errorLinesOf({ TILLGATE_INTERNAL_HOST: "10.0.0.5" })).toEqual([
    "TILLGATE_INTERNAL_PORT: is required with TILLGATE_INTERNAL_HOST",
  ]);
});

it("lists are split on commas, host names are lower-cased, and URLs lose their trailing slash", () => {
  expect(
    readConfig({
      ...REQUIRED_SETTINGS,
      TILLGATE_TRUSTED_PROXIES: " 10.0.0.0/8 ,::1, loopback",
      TILLGATE_HTTP_HOSTS: "Till.Local, 192.168.1.7",
      TILLGATE_PAY_URL: "https://pay.example/base//",
    }),
  ).toMatchObject({
    trustedProxies: ["10.0.0.0/8", "::1", "loopback"],
    httpHosts: ["till.local", "192.168.1.7"],
    payUrl: "https://pay.example/base",
  });
});

describe("mail", () => {
  const url = "smtps://mailer:smtp-password-nobody-may-see@mail.example";
  const from = "Tillgate <notices@example.com>";

  it("is optional, but requires both TILLGATE_SMTP_URL and TILLGATE_MAIL_FROM if either is set", () => {
    expect(readConfig(REQUIRED_SETTINGS).mail).toBeUndefined();
    expect(errorLinesOf({ TILLGATE_SMTP_URL: url })).toEqual([
      "TILLGATE_MAIL_FROM: is required with TILLGATE_SMTP_URL",
    ]);
    expect(errorLinesOf({ TILLGATE_MAIL_FROM: from })).toEqual([
      "TILLGATE_SMTP_URL: is required with TILLGATE_MAIL_FROM",
    ]);
    expect(
      readConfig({ ...REQUIRED_SETTINGS, TILLGATE_SMTP_URL: url, TILLGATE_MAIL_FROM: from }).mail,
    ).toMatchObject({
      host: "mail.example",
      port: 465,
      demandTls: true,
      from: { name: "Tillgate", address: "notices@example.com" },
    });
  });

  it("rejects unusable settings without repeating them, because they contain a password", () => {
    const lines = errorLinesOf({ TILLGATE_SMTP_URL: `${url}/inbox`, TILLGATE_MAIL_FROM: "nobody" });
    expect(lines).toEqual([
      "TILLGATE_SMTP_URL: must be smtp:// or smtps://, with a host, and with both or neither of user and password, percent-encoded",
      "TILLGATE_MAIL_FROM: must be one e-mail address, such as Tillgate <notices@example.com>",
    ]);
    expect(lines.join()).not.toContain("nobody-may-see");
  });
});

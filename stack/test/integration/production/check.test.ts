import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { findFreeBasePort } from "@tillgate/stack";
import { generate } from "selfsigned";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { freePorts } from "../../../../scripts/testing/free-port.js";
import { lockDataDirectory } from "../../../src/lock.js";
import { checkProduction, rejectMistakes } from "../../../src/production/check.js";
import { runUp } from "../../../src/production/up.js";

const root = path.resolve(import.meta.dirname, "../../../..");
const HOSTS = ["api.shop.test", "pay.shop.test", "console.shop.test"];
const YEAR_MS = 365 * 86_400_000;

let folder: string;
let good: Record<string, string>;
let taken: Server;
const at = (name: string) => path.join(folder, name);

/** Writes `<name>.pem` and `<name>-key.pem`. */
async function writeCertificate(name: string, hosts: readonly string[], from = 0, to = YEAR_MS) {
  const created = await generate([{ name: "commonName", value: hosts[0] }], {
    notBeforeDate: new Date(Date.now() + from),
    notAfterDate: new Date(Date.now() + to),
    extensions: [{ name: "subjectAltName", altNames: hosts.map((value) => ({ type: 2, value })) }],
  });
  await writeFile(at(`${name}.pem`), created.cert);
  await writeFile(at(`${name}-key.pem`), created.private, { mode: 0o600 });
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-check-"));
  await writeCertificate("cert", HOSTS);
  await writeCertificate("other", HOSTS);
  await writeCertificate("strange", ["api.shop.test"]);
  await writeCertificate("old", HOSTS, -YEAR_MS, -1_000);
  await writeCertificate("early", HOSTS, 2 * 86_400_000);
  await writeCertificate("ending", HOSTS, -YEAR_MS, 5.5 * 86_400_000);
  await mkdir(at("sandbox"));
  await writeFile(at("sandbox/accounts.json"), "{}");
  await mkdir(at("lost/postgres"), { recursive: true });
  await mkdir(at("damaged"));
  await writeFile(at("damaged/secrets.json"), "{");
  const [https = 0, http = 0] = await freePorts(2);
  taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  good = {
    TILLGATE_DATA_DIR: at("data"),
    TILLGATE_BACKUP_DIR: at("backups"),
    TILLGATE_API_PUBLIC_URL: "https://api.shop.test",
    TILLGATE_PAY_URL: "https://pay.shop.test",
    TILLGATE_CONSOLE_URL: "https://console.shop.test",
    TILLGATE_CERTIFICATE_FILE: at("cert.pem"),
    TILLGATE_CERTIFICATE_KEY_FILE: at("cert-key.pem"),
    TILLGATE_LISTEN_HOST: "127.0.0.1",
    TILLGATE_HTTPS_PORT: String(https),
    TILLGATE_HTTP_PORT: String(http),
    TILLGATE_PORT: String(await findFreeBasePort()),
    TILLGATE_SMTP_URL: "smtps://user:password@mail.shop.test",
    TILLGATE_MAIL_FROM: "Tillgate <pay@shop.test>",
    TILLGATE_PAY_TERMS_URL: "https://shop.test/terms",
    TILLGATE_TRACE_COLLECTOR: "http://127.0.0.1:4318/v1/traces",
    LOG_LEVEL: "warn",
    NODE_EXTRA_CA_CERTS: at("cert.pem"),
    OTHER_PROGRAM: "unrelated",
  };
});
afterAll(async () => {
  taken.close();
  await rm(folder, { recursive: true, force: true });
});

const takenPort = (): number => {
  const address = taken.address();
  return typeof address === "object" && address !== null ? address.port : 0;
};

async function writeSettings(settings: Record<string, string>, more = ""): Promise<string> {
  const file = at("settings.env");
  const lines = Object.entries(settings).map(([name, value]) => `${name}="${value}"\n`);
  await writeFile(file, lines.join("") + more, { mode: 0o600 });
  return file;
}

async function resolveHost(host: string): Promise<void> {
  const code = host.endsWith(".invalid") ? "ENOTFOUND" : host.endsWith(".later") ? "EAI_AGAIN" : undefined;
  if (code) throw Object.assign(new Error(`getaddrinfo ${code}`), { code });
}

const optionsFor = async (changes: Record<string, string>, more = "") => ({
  root,
  file: await writeSettings({ ...good, ...changes }, more),
  environment: {},
  resolveHost,
});

/** Checks the settings as `--check` does: a host that does not resolve is a mistake. */
const check = async (changes: Record<string, string> = {}, more = "") => {
  const { mistakes, unresolved, warnings } = await checkProduction(await optionsFor(changes, more));
  return { mistakes: [...mistakes, ...unresolved], warnings };
};

type Mistake = [name: string, changes: () => Record<string, string>, line: string | RegExp];

const MISTAKES: Mistake[] = [
  // Names
  [
    "a misspelt name",
    () => ({ TILLGATE_BACKUPS_DIR: "/b" }),
    "TILLGATE_BACKUPS_DIR: is not a setting. Did you mean TILLGATE_BACKUP_DIR?",
  ],
  [
    "a misspelt prefix",
    () => ({ TILGATE_SMTP_URL: "smtp://a" }),
    "TILGATE_SMTP_URL: is not a setting. Did you mean TILLGATE_SMTP_URL?",
  ],
  [
    "a misspelt setting of the API",
    () => ({ TILLGATE_METRIC_PORT: "9464" }),
    "TILLGATE_METRIC_PORT: is not a setting. Did you mean TILLGATE_METRICS_PORT?",
  ],
  [
    "a misspelt setting of the payment page",
    () => ({ TILLGATE_PAY_TERM_URL: "x" }),
    "TILLGATE_PAY_TERM_URL: is not a setting. Did you mean TILLGATE_PAY_TERMS_URL?",
  ],
  [
    "a misspelt setting of the console",
    () => ({ TILLGATE_CONSOLE_MAX_CONNECTION: "1" }),
    "TILLGATE_CONSOLE_MAX_CONNECTION: is not a setting. Did you mean TILLGATE_CONSOLE_MAX_CONNECTIONS?",
  ],
  [
    "an unknown name",
    () => ({ TILLGATE_FRIDGE_TEMPERATURE_IN_KELVIN: "4" }),
    "TILLGATE_FRIDGE_TEMPERATURE_IN_KELVIN: is not a setting. See docs/settings.md",
  ],
  [
    "a key that npm run up sets itself",
    () => ({ TILLGATE_ENCRYPTION_KEYS: "k1:x" }),
    "TILLGATE_ENCRYPTION_KEYS: is set by npm run up and has no effect here; remove it",
  ],
  [
    "another environment",
    () => ({ TILLGATE_ENVIRONMENT: "development" }),
    "TILLGATE_ENVIRONMENT: must be production; use npm start for a sandbox",
  ],
  // Values of npm run up
  ["no data folder", () => ({ TILLGATE_DATA_DIR: "" }), "TILLGATE_DATA_DIR: is required"],
  [
    "a relative data folder",
    () => ({ TILLGATE_DATA_DIR: "data" }),
    "TILLGATE_DATA_DIR: must be an absolute path",
  ],
  [
    "a plain HTTP address",
    () => ({ TILLGATE_PAY_URL: "http://pay.shop.test" }),
    /^TILLGATE_PAY_URL: must begin with https/,
  ],
  [
    "an address with a path",
    () => ({ TILLGATE_PAY_URL: "https://pay.shop.test/x" }),
    /^TILLGATE_PAY_URL: must be an http or https URL without a path/,
  ],
  [
    "two services on one host",
    () => ({ TILLGATE_CONSOLE_URL: "https://api.shop.test" }),
    /^TILLGATE_CONSOLE_URL: must have a different host/,
  ],
  [
    "no source of certificates",
    () => ({ TILLGATE_CERTIFICATE_FILE: "", TILLGATE_CERTIFICATE_KEY_FILE: "" }),
    /^TILLGATE_ACME_EMAIL: .*production needs HTTPS$/,
  ],
  [
    "a port that is not a number",
    () => ({ TILLGATE_HTTPS_PORT: "https" }),
    /^TILLGATE_HTTPS_PORT: must be a whole number/,
  ],
  [
    "a number of backups out of range",
    () => ({ TILLGATE_BACKUPS_KEPT: "0" }),
    /^TILLGATE_BACKUPS_KEPT: must be a whole number/,
  ],
  [
    "backups of an external PostgreSQL",
    () => ({ DATABASE_URL: "postgresql://a:b@127.0.0.1:1/x" }),
    /^TILLGATE_BACKUP_DIR: applies to the embedded PostgreSQL only/,
  ],
  // Values of the services
  [
    "a mail server without a sender",
    () => ({ TILLGATE_MAIL_FROM: "" }),
    "TILLGATE_MAIL_FROM: is required with TILLGATE_SMTP_URL",
  ],
  [
    "an SMTP address that is not a URL",
    () => ({ TILLGATE_SMTP_URL: "mail.shop.test:587" }),
    /^TILLGATE_SMTP_URL: must be smtp:\/\//,
  ],
  [
    "a number with letters",
    () => ({ TILLGATE_HTTP_PROCESSES: "two" }),
    /^TILLGATE_HTTP_PROCESSES: must be a whole number/,
  ],
  [
    "a retention below the minimum",
    () => ({ TILLGATE_KEEP_EVENTS_DAYS: "1" }),
    /^TILLGATE_KEEP_EVENTS_DAYS: must be a whole number/,
  ],
  [
    "an invalid value for private webhook addresses",
    () => ({ TILLGATE_WEBHOOK_PRIVATE_ADDRESSES: "maybe" }),
    /^TILLGATE_WEBHOOK_PRIVATE_ADDRESSES: must be/,
  ],
  ["an unknown log level", () => ({ LOG_LEVEL: "loud" }), /^LOG_LEVEL: must be one of/],
  [
    "a terms address without a scheme",
    () => ({ TILLGATE_PAY_TERMS_URL: "shop.test/terms" }),
    /^TILLGATE_PAY_TERMS_URL: must be an http or https URL/,
  ],
  [
    "a timeout of the console out of range",
    () => ({ TILLGATE_CONSOLE_REQUEST_TIMEOUT_MS: "5" }),
    /^TILLGATE_CONSOLE_REQUEST_TIMEOUT_MS: must be a whole number/,
  ],
  // Files and folders
  [
    "a sandbox's data folder",
    () => ({ TILLGATE_DATA_DIR: at("sandbox") }),
    /^TILLGATE_DATA_DIR: .*contains a sandbox/,
  ],
  [
    "a database without its secrets",
    () => ({ TILLGATE_DATA_DIR: at("lost") }),
    /^TILLGATE_DATA_DIR: .*no secrets\.json/,
  ],
  [
    "damaged secrets",
    () => ({ TILLGATE_DATA_DIR: at("damaged") }),
    /^TILLGATE_DATA_DIR: .*secrets\.json is not valid JSON/,
  ],
  [
    "a data folder that is a file",
    () => ({ TILLGATE_DATA_DIR: at("cert.pem") }),
    /^TILLGATE_DATA_DIR: .*cert\.pem is not a folder$/,
  ],
  [
    "a backup folder below a file",
    () => ({ TILLGATE_BACKUP_DIR: at("cert.pem/backups") }),
    /^TILLGATE_BACKUP_DIR: .* cannot be created: .*cert\.pem is not a folder$/,
  ],
  [
    "backups in the data folder",
    () => ({ TILLGATE_BACKUP_DIR: at("data/backups") }),
    /^TILLGATE_BACKUP_DIR: must be outside TILLGATE_DATA_DIR/,
  ],
  [
    "a missing NODE_EXTRA_CA_CERTS file",
    () => ({ NODE_EXTRA_CA_CERTS: at("none") }),
    /^NODE_EXTRA_CA_CERTS: .*none cannot be read/,
  ],
  // Certificate
  [
    "a certificate file that does not exist",
    () => ({ TILLGATE_CERTIFICATE_FILE: at("none.pem") }),
    /^TILLGATE_CERTIFICATE_FILE: .*none\.pem does not exist$/,
  ],
  [
    "a folder as the private key",
    () => ({ TILLGATE_CERTIFICATE_KEY_FILE: at("sandbox") }),
    /^TILLGATE_CERTIFICATE_KEY_FILE: .*sandbox is a folder$/,
  ],
  [
    "a private key as the certificate",
    () => ({ TILLGATE_CERTIFICATE_FILE: at("cert-key.pem") }),
    /^TILLGATE_CERTIFICATE_FILE: .* is not a certificate in PEM format$/,
  ],
  [
    "a certificate as the private key",
    () => ({ TILLGATE_CERTIFICATE_KEY_FILE: at("cert.pem") }),
    /^TILLGATE_CERTIFICATE_KEY_FILE: .* is not an unencrypted private key in PEM format$/,
  ],
  [
    "another certificate's key",
    () => ({ TILLGATE_CERTIFICATE_KEY_FILE: at("other-key.pem") }),
    "TILLGATE_CERTIFICATE_KEY_FILE: is not the key of the certificate",
  ],
  [
    "a certificate for other hosts",
    () => ({
      TILLGATE_CERTIFICATE_FILE: at("strange.pem"),
      TILLGATE_CERTIFICATE_KEY_FILE: at("strange-key.pem"),
    }),
    /^TILLGATE_CERTIFICATE_FILE: .*strange\.pem is not for pay\.shop\.test, console\.shop\.test$/,
  ],
  [
    "an expired certificate",
    () => ({ TILLGATE_CERTIFICATE_FILE: at("old.pem"), TILLGATE_CERTIFICATE_KEY_FILE: at("old-key.pem") }),
    /^TILLGATE_CERTIFICATE_FILE: .*old\.pem expired on/,
  ],
  [
    "a certificate that is not valid yet",
    () => ({
      TILLGATE_CERTIFICATE_FILE: at("early.pem"),
      TILLGATE_CERTIFICATE_KEY_FILE: at("early-key.pem"),
    }),
    /^TILLGATE_CERTIFICATE_FILE: .*early\.pem is not valid before/,
  ],
  // Ports and addresses
  [
    "a port in use",
    () => ({ TILLGATE_HTTPS_PORT: String(takenPort()) }),
    /^TILLGATE_HTTPS_PORT: port \d+ is already in use by another program$/,
  ],
  [
    "a metrics port in use",
    () => ({ TILLGATE_METRICS_PORT: String(takenPort()) }),
    /^TILLGATE_METRICS_PORT: port \d+ is already in use/,
  ],
  [
    "the same port for HTTPS and HTTP",
    () => ({ TILLGATE_HTTP_PORT: good.TILLGATE_HTTPS_PORT ?? "" }),
    /^TILLGATE_HTTP_PORT: port \d+ is also set in TILLGATE_HTTPS_PORT$/,
  ],
  [
    "a metrics port among the services' ports",
    () => ({ TILLGATE_METRICS_PORT: good.TILLGATE_PORT ?? "" }),
    /^TILLGATE_METRICS_PORT: port \d+ is also set in TILLGATE_PORT \(api\)$/,
  ],
  [
    "the same port on all addresses and on one address",
    () => ({ TILLGATE_LISTEN_HOST: "0.0.0.0", TILLGATE_METRICS_PORT: good.TILLGATE_HTTPS_PORT ?? "" }),
    /^TILLGATE_METRICS_PORT: port \d+ is also set in TILLGATE_HTTPS_PORT$/,
  ],
  [
    "a folder of certificates that does not exist",
    () => ({ SSL_CERT_DIR: `${folder}:${at("nowhere")}` }),
    /^SSL_CERT_DIR: .*nowhere cannot be read \(ENOENT\)$/,
  ],
  [
    "a listen address that this machine does not have",
    () => ({ TILLGATE_LISTEN_HOST: "203.0.113.7" }),
    "TILLGATE_LISTEN_HOST: 203.0.113.7 is not an address of this machine",
  ],
  [
    "a host that does not resolve",
    () => ({ TILLGATE_SMTP_URL: "smtps://a:b@mail.invalid" }),
    "TILLGATE_SMTP_URL: mail.invalid does not resolve to an address (ENOTFOUND)",
  ],
  [
    "a database that cannot be reached",
    () => ({ TILLGATE_BACKUP_DIR: "", DATABASE_URL: "postgresql://a:b@127.0.0.1:1/x" }),
    /^DATABASE_URL: \(127\.0\.0\.1:1\/x\) cannot be used: /,
  ],
];

describe("npm run up -- --check", () => {
  it("accepts a correct settings file and creates nothing", async () => {
    expect(await check()).toEqual({ mistakes: [], warnings: [] });
    await expect(chmod(at("data"), 0o700)).rejects.toThrow("ENOENT");
  });

  it.each(MISTAKES)("reports %s in one line", async (_name, changes, line) => {
    const { mistakes } = await check(changes());
    expect(mistakes.filter((mistake) => mistake.includes("\n"))).toEqual([]);
    const found = mistakes.filter((mistake) =>
      typeof line === "string" ? mistake === line : line.test(mistake),
    );
    expect([found.length, mistakes]).toEqual([1, mistakes]);
  });

  it.each<[string, () => Record<string, string>]>([
    [
      "variables of other programs that npm run up overrides",
      () => ({ NODE_ENV: "production", HOST: "0.0.0.0" }),
    ],
    ["another loopback address", () => ({ TILLGATE_LISTEN_HOST: "127.0.0.2" })],
    ["several folders of certificates", () => ({ SSL_CERT_DIR: `${folder}:${at("sandbox")}` })],
    [
      "the same port on different addresses",
      () => ({ TILLGATE_LISTEN_HOST: "127.0.0.2", TILLGATE_METRICS_PORT: good.TILLGATE_HTTPS_PORT ?? "" }),
    ],
  ])("accepts %s", async (_name, changes) => {
    expect(await check(changes())).toEqual({ mistakes: [], warnings: [] });
  });

  it("reports a line that is not a setting, a setting that is set twice, and an unclosed quotation mark", async () => {
    const { mistakes } = await check({}, "TILLGATE_DRAIN_MS 5\nLOG_LEVEL=info\nLOG_LEVEL='info\n");
    expect(mistakes).toEqual([
      expect.stringMatching(/^Line \d+: is not NAME=value$/),
      "LOG_LEVEL: is set twice",
      "A quotation mark ' is not closed",
      expect.stringMatching(/^LOG_LEVEL: must be one of/),
    ]);
  });

  it("only warns about a name server that does not respond, and a certificate that expires soon", async () => {
    const changes = {
      TILLGATE_CERTIFICATE_FILE: at("ending.pem"),
      TILLGATE_CERTIFICATE_KEY_FILE: at("ending-key.pem"),
      TILLGATE_PAY_TERMS_URL: "https://shop.later/terms",
    };
    expect(await check(changes)).toEqual({
      mistakes: [],
      warnings: [
        expect.stringMatching(/^TILLGATE_CERTIFICATE_FILE: .*ending\.pem expires in 5 days, on /),
        "TILLGATE_PAY_TERMS_URL: shop.later cannot be resolved now (EAI_AGAIN)",
      ],
    });
  });

  it("rejects a host that does not resolve, although a start only warns about it", async () => {
    const options = await optionsFor({ TILLGATE_PAY_TERMS_URL: "https://shop.invalid/terms" });
    const line = "TILLGATE_PAY_TERMS_URL: shop.invalid does not resolve to an address (ENOTFOUND)";
    await expect(rejectMistakes(options, { isStart: false })).rejects.toThrow(line);
    expect(await rejectMistakes(options, { isStart: true })).toEqual([line]);
  });

  it("accepts the ports of a system that is running on the data folder", async () => {
    const ports = { TILLGATE_DATA_DIR: at("running"), TILLGATE_METRICS_PORT: String(takenPort()) };
    await mkdir(at("running"));
    const unlock = await lockDataDirectory(at("running"), [takenPort()]);
    expect(await check(ports)).toEqual({ mistakes: [], warnings: [] });
    await unlock();
    expect((await check(ports)).mistakes).toEqual([
      expect.stringMatching(/^TILLGATE_METRICS_PORT: port \d+ is already in use by another program$/),
    ]);
  });
});

describe("npm run up", () => {
  it.each<[string, string[]]>([
    ["--check", ["--check"]],
    ["a start", []],
  ])("reports all errors together and exits with status 1: %s", async (_what, options) => {
    const file = await writeSettings({
      ...good,
      TILLGATE_BACKUPS_DIR: "/b",
      TILLGATE_HTTP_PROCESSES: "two",
      TILLGATE_CERTIFICATE_KEY_FILE: at("other-key.pem"),
    });
    const printed = vi.spyOn(console, "error").mockReturnValue();
    try {
      expect(await runUp([...options, file])).toBe(1);
      expect(printed.mock.calls.flat().join("\n").trim().split("\n")).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^TILLGATE_BACKUPS_DIR: /),
          expect.stringMatching(/^TILLGATE_HTTP_PROCESSES: /),
          expect.stringMatching(/^TILLGATE_CERTIFICATE_KEY_FILE: /),
        ]),
      );
      await expect(chmod(at("data"), 0o700)).rejects.toThrow("ENOENT");
    } finally {
      printed.mockRestore();
    }
  });
});

import path from "node:path";
import { isLiveAddress } from "@tillgate/contract";
import {
  baseAddress,
  longText,
  matching,
  origin,
  readSettings,
  rulesOf,
  type SettingsTable,
  text,
  wholeNumber,
} from "@tillgate/service/settings";
import { highestBasePort, LOWEST_BASE_PORT } from "../ports.js";
import { stackSettings } from "../settings.js";
import { StackError } from "../stack-error.js";

/** What `npm run up` reads from its file. What a service reads beside it may stand there too. */
export const upSettings = {
  /** Database, secrets, certificate and logs. An absolute path: back it up. */
  dataDirectory: { name: "TILLGATE_DATA_DIR", kind: matching(/^\//, "an absolute path") },
  /** The api's public address. */
  apiUrl: { name: "TILLGATE_API_PUBLIC_URL", kind: origin },
  /** The payment page's. */
  payUrl: { name: "TILLGATE_PAY_URL", kind: origin },
  /** The console's. */
  consoleUrl: { name: "TILLGATE_CONSOLE_URL", kind: origin },
  /** Address to listen on for HTTPS and HTTP. */
  listenHost: { name: "TILLGATE_LISTEN_HOST", kind: text, default: "0.0.0.0" },
  /** Port of HTTPS. */
  httpsPort: { name: "TILLGATE_HTTPS_PORT", kind: wholeNumber(1, 65_535), default: 443 },
  /** Port of HTTP, which only leads to HTTPS and answers the authority that issues certificates. */
  httpPort: { name: "TILLGATE_HTTP_PORT", kind: wholeNumber(1, 65_535), default: 80 },
  /** A certificate of your own for the three hosts, with its chain (PEM). It is read again when it changes. */
  certificateFile: {
    name: "TILLGATE_CERTIFICATE_FILE",
    kind: matching(/^\//, "an absolute path"),
    leftOut: "one is got by ACME",
  },
  /** Its key (PEM). */
  certificateKeyFile: {
    name: "TILLGATE_CERTIFICATE_KEY_FILE",
    kind: matching(/^\//, "an absolute path"),
    leftOut: "one is got by ACME",
  },
  /** Where the authority writes when something is wrong. With it you agree to its terms, and certificates are got and renewed. */
  acmeEmail: { name: "TILLGATE_ACME_EMAIL", kind: longText(3, 254), leftOut: "a certificate is given" },
  /** The authority's directory (RFC 8555). */
  acmeDirectory: {
    name: "TILLGATE_ACME_DIRECTORY",
    kind: baseAddress,
    default: "https://acme-v02.api.letsencrypt.org/directory",
  },
  /** First of the ports on loopback between these programs: api, page, console, database and the api's own edge. */
  basePort: {
    name: "TILLGATE_PORT",
    kind: wholeNumber(LOWEST_BASE_PORT, highestBasePort - 1),
    default: stackSettings.basePort.default,
  },
  /** Where the embedded PostgreSQL is backed up: best on another disk. Every change of the last day is there within a minute. */
  backupFolder: {
    name: "TILLGATE_BACKUP_DIR",
    kind: matching(/^\//, "an absolute path"),
    leftOut: "nothing is backed up",
  },
  /** Nightly backups that are kept. */
  backupsKept: { name: "TILLGATE_BACKUPS_KEPT", kind: wholeNumber(1, 1_000), default: 7 },
  /** A PostgreSQL of your own. */
  api: stackSettings.api,
  /** The same past a pooler in front of it. */
  apiDirect: stackSettings.apiDirect,
  /** The same as the role that owns the tables and migrates them. */
  apiOwner: stackSettings.apiOwner,
} satisfies SettingsTable;

const HTTPS_ONLY = "must begin with https: nothing is served in the clear";
const rule = rulesOf(upSettings);
const rules = [
  ...(["apiUrl", "payUrl", "consoleUrl"] as const).map((name) =>
    rule([name], (settings) => !isLiveAddress(settings[name]) && HTTPS_ONLY),
  ),
  rule(
    ["consoleUrl", "apiUrl", "payUrl"],
    ({ apiUrl, payUrl, consoleUrl }) =>
      new Set([apiUrl, payUrl, consoleUrl].map((url) => new URL(url).hostname)).size < 3 &&
      "must have another host than TILLGATE_API_PUBLIC_URL and TILLGATE_PAY_URL, which differ too",
  ),
  rule(
    ["certificateKeyFile", "certificateFile"],
    ({ certificateFile, certificateKeyFile }) =>
      (certificateFile === undefined) !== (certificateKeyFile === undefined) &&
      "goes with TILLGATE_CERTIFICATE_FILE: both or none",
  ),
  rule(
    ["backupFolder", "api"],
    ({ backupFolder, api }) =>
      backupFolder !== undefined &&
      api !== undefined &&
      "is for the embedded PostgreSQL: back up that of DATABASE_URL by its own means",
  ),
  rule(
    ["acmeEmail", "certificateFile"],
    ({ acmeEmail, certificateFile }) =>
      (acmeEmail === undefined) === (certificateFile === undefined) &&
      "or TILLGATE_CERTIFICATE_FILE is required, and not both: there is no production without HTTPS",
  ),
];

/** The settings of `npm run up`. */
export type UpSettings = ReturnType<typeof readUpSettings>;

/**
 * Reads what the file says.
 * @throws SettingsError naming every mistake. @throws StackError for a folder that `npm start` made.
 */
export function readUpSettings(environment: NodeJS.ProcessEnv) {
  const settings = readSettings(upSettings, environment, rules);
  if (environment.TILLGATE_ENVIRONMENT !== undefined && environment.TILLGATE_ENVIRONMENT !== "production")
    throw new StackError(
      "TILLGATE_ENVIRONMENT is production here; leave it out, or run npm start for a sandbox.",
    );
  return { ...settings, dataDirectory: path.normalize(settings.dataDirectory) };
}

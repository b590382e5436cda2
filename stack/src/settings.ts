import { networkInterfaces } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { parseAddress } from "@tillgate/contract";
import {
  matching,
  readBy,
  readSettings as readTable,
  type SettingsTable,
  text,
  wholeNumber,
} from "@tillgate/service/settings";
import { DEFAULT_BASE_PORT, highestBasePort, LOWEST_BASE_PORT } from "./ports.js";
import { StackError } from "./stack-error.js";

const databaseAddress = readBy("like postgresql://user:password@host:5432/database", (value) => {
  const url = parseAddress(value);
  return /^postgres(ql)?:$/.test(url?.protocol ?? "") && (url?.pathname ?? "").length > 1 ? value : undefined;
});

/** Environment variables of `npm start`. */
export const stackSettings = {
  /** Port of the API. The ports of the other services and the database follow. */
  basePort: {
    name: "TILLGATE_PORT",
    kind: wholeNumber(LOWEST_BASE_PORT, highestBasePort),
    default: DEFAULT_BASE_PORT,
  },
  /** Database, secrets, logs and sandbox.json. Relative to the project's folder. */
  dataDirectory: { name: "TILLGATE_DATA_DIR", kind: text, default: ".data" },
  /** Name or address by which other devices reach this machine. Not in production. */
  publicHost: {
    name: "TILLGATE_PUBLIC_HOST",
    kind: matching(
      /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/,
      "a host name or an IPv4 address without scheme and port",
    ),
    ifUnset: "this machine only, or the detected address with `--lan`",
  },
  /** Your own PostgreSQL for the API. */
  api: {
    name: "DATABASE_URL",
    kind: databaseAddress,
    ifUnset: "an embedded PostgreSQL",
    secret: true,
  },
  /** The same database without a connection pooler. */
  apiDirect: { name: "DATABASE_DIRECT_URL", kind: databaseAddress, ifUnset: "`DATABASE_URL`", secret: true },
  /** The same database, accessed as the role that owns the API's tables. */
  apiOwner: {
    name: "DATABASE_OWNER_URL",
    kind: databaseAddress,
    ifUnset: "the role in `DATABASE_URL` owns the tables, and a second role is created for the API",
    secret: true,
  },
  /** The demo shop's database. */
  store: {
    name: "STORE_DATABASE_URL",
    kind: databaseAddress,
    ifUnset: "created next to the database in `DATABASE_URL`",
    secret: true,
  },
  /** The connector's database. */
  connector: {
    name: "CONNECTOR_DATABASE_URL",
    kind: databaseAddress,
    ifUnset: "created next to the database in `DATABASE_URL`",
    secret: true,
  },
} satisfies SettingsTable;

export type Settings = ReturnType<typeof readSettings>;

const usage = `npm start [-- --lan] [--verbose]
  --lan       listen on the local network, so that a phone can scan the QR code (never in production)
  --verbose   also print the services' logs
Settings: TILLGATE_PORT (4000), TILLGATE_DATA_DIR (.data), TILLGATE_PUBLIC_HOST, DATABASE_URL. See docs/settings.md for all.`;

/** @param root the project's root, for relative paths. @throws SettingsError or StackError with a user-facing message. */
export function readSettings(commandLine: readonly string[], environment: NodeJS.ProcessEnv, root: string) {
  const { lan, verbose } = readFlags(commandLine);
  const trimmed = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value?.trim()]),
  );
  const { dataDirectory, basePort, publicHost, ...databaseUrls } = readTable(stackSettings, trimmed);
  if ((lan || publicHost !== undefined) && environment.TILLGATE_ENVIRONMENT === "production")
    throw new StackError(
      "--lan and TILLGATE_PUBLIC_HOST expose the sandbox to the network over plain HTTP. They are not allowed " +
        "when TILLGATE_ENVIRONMENT is production.",
    );
  return {
    dataDirectory: path.resolve(root, dataDirectory),
    basePort,
    /** Undefined: loopback only. */
    publicHost: publicHost ?? (lan ? localNetworkAddress() : undefined),
    databaseUrls,
    /** Whether to print the services' logs too. */
    verbose,
  };
}

function readFlags(commandLine: readonly string[]): { lan: boolean; verbose: boolean } {
  try {
    const { values } = parseArgs({
      args: [...commandLine],
      options: { lan: { type: "boolean", default: false }, verbose: { type: "boolean", default: false } },
      strict: true,
    });
    return values;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StackError(`${reason}\n\n${usage}`, { cause });
  }
}

/**
 * Returns this machine's IPv4 address, preferably a private one, because VPN interfaces often have public ones. @throws StackError if there is none.
 */
function localNetworkAddress(): string {
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ family, internal }) => family === "IPv4" && !internal)
    .map(({ address }) => address);
  const isPrivate = (address: string) => /^(192\.168|10|172\.(1[6-9]|2\d|3[01]))\./.test(address);
  const found =
    addresses.find((address) => address.startsWith("192.168.")) ?? addresses.find(isPrivate) ?? addresses[0];
  if (found !== undefined) return found;
  throw new StackError(
    "--lan found no network. Set this machine's address with TILLGATE_PUBLIC_HOST=<address>.",
  );
}

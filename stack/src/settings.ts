import { networkInterfaces } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { defaultBasePort, portsFrom } from "./ports.js";
import { StackError } from "./stack-error.js";

/** What a person chose on the command line and in the environment. */
export type Settings = {
  /** TILLGATE_DATA_DIR; default `.data` in the project. Database, secrets, logs, sandbox.json. */
  dataDirectory: string;
  /** TILLGATE_PORT; default 4000. The other ports follow it. */
  basePort: number;
  /** `--lan` or TILLGATE_PUBLIC_HOST: the name other devices reach this machine by. Undefined: this machine only. */
  publicHost: string | undefined;
  /** DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_OWNER_URL, STORE_DATABASE_URL, CONNECTOR_DATABASE_URL: a PostgreSQL of one's own. */
  databaseUrls: {
    api: string | undefined;
    /** Past a pooler in front of DATABASE_URL. */
    apiDirect: string | undefined;
    /** As the role that owns the api's tables. Undefined: the role in DATABASE_URL owns them, and another is made to work as. */
    apiOwner: string | undefined;
    store: string | undefined;
    connector: string | undefined;
  };
  /** `--verbose`: the services' logs on the screen too. */
  verbose: boolean;
};

export const usage = `npm start [-- --lan] [--verbose]
  --lan       listen on the local network, so that a phone can scan the QR code (never in production)
  --verbose   show the services' logs here too
Settings: TILLGATE_PORT (4000), TILLGATE_DATA_DIR (.data), TILLGATE_PUBLIC_HOST, DATABASE_URL`;

/**
 * @param root the project's folder, which relative paths start from.
 * @throws StackError with one line for a person.
 */
export function readSettings(
  commandLine: readonly string[],
  environment: NodeJS.ProcessEnv,
  root: string,
): Settings {
  const { lan, verbose } = readFlags(commandLine);
  return {
    dataDirectory: path.resolve(root, given(environment.TILLGATE_DATA_DIR) ?? ".data"),
    basePort: readBasePort(given(environment.TILLGATE_PORT)),
    publicHost: readPublicHost(lan, environment),
    databaseUrls: {
      api: readDatabaseUrl("DATABASE_URL", environment),
      apiDirect: readDatabaseUrl("DATABASE_DIRECT_URL", environment),
      apiOwner: readDatabaseUrl("DATABASE_OWNER_URL", environment),
      store: readDatabaseUrl("STORE_DATABASE_URL", environment),
      connector: readDatabaseUrl("CONNECTOR_DATABASE_URL", environment),
    },
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

function given(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : value.trim();
}

function readBasePort(value: string | undefined): number {
  if (value === undefined) return defaultBasePort;
  const basePort = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isNaN(basePort)) throw new StackError(`TILLGATE_PORT must be a whole number; it is "${value}".`);
  return portsFrom(basePort).api;
}

function readPublicHost(lan: boolean, environment: NodeJS.ProcessEnv): string | undefined {
  const named = given(environment.TILLGATE_PUBLIC_HOST);
  if (named === undefined && !lan) return undefined;
  if (environment.TILLGATE_ENVIRONMENT === "production") {
    throw new StackError(
      "--lan and TILLGATE_PUBLIC_HOST show the sandbox to the network over plain HTTP and are refused " +
        "when TILLGATE_ENVIRONMENT is production.",
    );
  }
  if (named !== undefined) return checkedHost(named);
  const address = localNetworkAddress();
  if (address === undefined) {
    throw new StackError("--lan found no network; name this machine with TILLGATE_PUBLIC_HOST=<address>.");
  }
  return address;
}

function checkedHost(host: string): string {
  const isName = /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(host);
  if (!isName) {
    throw new StackError(
      `TILLGATE_PUBLIC_HOST must be a host name or an IPv4 address without scheme and port; it is "${host}".`,
    );
  }
  return host;
}

/** The address phones nearby use: private IPv4 ranges before others, as tunnels often have public ones. */
function localNetworkAddress(): string | undefined {
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ family, internal }) => family === "IPv4" && !internal)
    .map(({ address }) => address);
  const isPrivate = (address: string) => /^(192\.168|10|172\.(1[6-9]|2\d|3[01]))\./.test(address);
  return (
    addresses.find((address) => address.startsWith("192.168.")) ?? addresses.find(isPrivate) ?? addresses[0]
  );
}

function readDatabaseUrl(name: string, environment: NodeJS.ProcessEnv): string | undefined {
  const value = given(environment[name]);
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isPostgres = url?.protocol === "postgresql:" || url?.protocol === "postgres:";
  if (!url || !isPostgres || url.pathname.length < 2) {
    throw new StackError(`${name} must look like postgresql://user:password@host:5432/database.`);
  }
  return value;
}

import { mkdir } from "node:fs/promises";
import path from "node:path";
import { type Addresses, toAddresses } from "./addresses.js";
import {
  type DatabaseUrls,
  ensureEmbeddedDatabases,
  migrateApiDatabase,
  rejectLostSecrets,
  rejectWrongEncryptionKeys,
  resolveExternalDatabases,
  stopLeftoverDatabase,
} from "./databases.js";
import { createFailureCounts, type FailureCounts } from "./failure-counts.js";
import { type ServiceName, serviceNames } from "./inherited-settings.js";
import { lockDataDirectory } from "./lock.js";
import { assignPorts, type PortName, rejectTakenPorts, waitForLeftoverServices } from "./ports.js";
import type { Report } from "./report.js";
import { describeSandbox, type Sandbox, writeApiSettings, writeSandbox } from "./sandbox.js";
import { loadSecrets, type Secrets } from "./secrets.js";
import { seedAccounts } from "./seed-accounts.js";
import { defineServices, rejectUnbuilt } from "./services.js";
import type { Settings } from "./settings.js";
import { type Closing, closeAll, startServices } from "./start-services.js";
import { POSTGRESQL, startSupervisedServer } from "./supervised-server.js";

/** The repository's root, relative to `stack/dist`. */
const projectRoot = path.join(import.meta.dirname, "../..");

export type StackOptions = Partial<Settings> & {
  dataDirectory: string;
  basePort: number;
  /** Services to start. Default: all. */
  services?: readonly ServiceName[];
  /** Variables for every service; they override inherited ones. */
  environment?: Record<string, string>;
  /** Whether PostgreSQL flushes commits to disk. Default: true. Disable only in tests. */
  fsync?: boolean;
  report?: Report;
  /** On abort, everything started so far is stopped and `startStack` throws. */
  signal?: AbortSignal;
};

export type Stack = {
  addresses: Addresses;
  sandbox: Sandbox;
  /** Stops the services, then the database. Idempotent. */
  stop(): Promise<void>;
};

/**
 * Starts PostgreSQL (unless a database URL is configured), creates and migrates the databases, seeds the sandbox once, starts the services and writes
 * `sandbox.json`. A process that exits later is restarted.
 * @throws StackError with a user-facing message, for example if a port or the data directory is in use, or a service exits early. By then, everything
 * started so far has been stopped.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { report = () => undefined, signal = new AbortController().signal } = options;
  const closing: Closing = [];
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= closeAll(closing);
    return stopped;
  };
  try {
    return await start({ ...options, report, signal }, closing, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

type StartOptions = StackOptions & { report: Report; signal: AbortSignal };

async function start(options: StartOptions, closing: Closing, stop: () => Promise<void>): Promise<Stack> {
  const { dataDirectory, report, signal, publicHost, services = serviceNames } = options;
  const ports = assignPorts(options.basePort);
  const addresses = toAddresses(ports, publicHost);
  const usesEmbeddedServer = options.databaseUrls?.api === undefined;

  rejectUnbuilt(services, projectRoot);
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  await waitForLeftoverServices(dataDirectory);
  closing.push(await lockDataDirectory(dataDirectory, Object.values(ports)));
  if (usesEmbeddedServer) await stopLeftoverDatabase(dataDirectory);
  const portNames: PortName[] = usesEmbeddedServer ? [...services, "postgresql"] : [...services];
  await rejectTakenPorts(ports, portNames, addresses.listenHost);
  if (usesEmbeddedServer) rejectLostSecrets(dataDirectory);
  const secrets = await loadSecrets(dataDirectory);
  signal.throwIfAborted();

  const failures = createFailureCounts(usesEmbeddedServer ? [POSTGRESQL, ...services] : services);
  const databaseUrls = await openDatabases({
    ...options,
    failures,
    port: ports.postgresql,
    secrets,
    closing,
  });
  signal.throwIfAborted();
  report("Migrating the database…");
  await migrateApiDatabase(databaseUrls);
  signal.throwIfAborted();
  const accounts = await seedAccounts({
    dataDirectory,
    databaseUrl: databaseUrls.api,
    embedded: usesEmbeddedServer,
    secrets,
    shopOrigins: [
      ...new Set([
        addresses.public.store,
        ...["localhost", "127.0.0.1"].map((host) => `http://${host}:${ports.store}`),
      ]),
    ],
    report,
  });
  await rejectWrongEncryptionKeys(databaseUrls, secrets);
  signal.throwIfAborted();

  const mailFolder = path.join(dataDirectory, "mails");
  await mkdir(mailFolder, { recursive: true, mode: 0o700 });
  const definitions = defineServices({
    root: projectRoot,
    ports,
    addresses,
    publicHost,
    mailFolder,
    databaseUrls,
    secrets,
    merchant: accounts.merchant,
    environment: { ...process.env, ...options.environment },
  });
  report(`Starting ${services.join(", ")}…`);
  await startServices(
    services.map((name) => definitions[name]),
    {
      logFolder: path.join(dataDirectory, "logs"),
      signal,
      report,
      failures,
      follow: options.verbose ? report : undefined,
    },
    closing,
  );

  const sandbox = describeSandbox({
    addresses,
    databaseUrl: databaseUrls.api,
    secrets,
    accounts,
    mailFolder,
  });
  await writeSandbox(dataDirectory, sandbox);
  await writeApiSettings(dataDirectory, definitions.api.environment);
  return { addresses, sandbox, stop };
}

type OpenOptions = StartOptions & {
  port: number;
  secrets: Secrets;
  failures: FailureCounts;
  closing: Closing;
};

async function openDatabases(options: OpenOptions): Promise<DatabaseUrls> {
  const { databaseUrls, secrets, closing, report, failures } = options;
  const api = databaseUrls?.api;
  if (databaseUrls && api !== undefined) {
    report("Using the PostgreSQL server in DATABASE_URL…");
    return resolveExternalDatabases({ ...databaseUrls, api }, secrets);
  }
  report("Starting PostgreSQL…");
  const { dataDirectory, port, fsync = true } = options;
  const url = await startSupervisedServer({ dataDirectory, port, fsync, report, failures }, closing);
  return ensureEmbeddedDatabases(url, secrets);
}

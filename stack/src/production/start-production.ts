import { mkdir } from "node:fs/promises";
import path from "node:path";
import { waitForAbort } from "../abort-on-signal.js";
import {
  type ApiDatabaseUrls,
  ensureEmbeddedApiDatabase,
  migrateApiDatabase,
  rejectLostSecrets,
  rejectWrongEncryptionKeys,
  resolveExternalApiDatabase,
  stopLeftoverDatabase,
} from "../databases.js";
import { createFailureCounts, type FailureCounts } from "../failure-counts.js";
import { lockDataDirectory } from "../lock.js";
import { describeForeignAddress, findListenError } from "../ports.js";
import type { Report } from "../report.js";
import { writeApiSettings } from "../sandbox.js";
import { loadSecrets, type Secrets } from "../secrets.js";
import { rejectUnbuilt } from "../services.js";
import { StackError } from "../stack-error.js";
import { type Closing, closeAll, startServices } from "../start-services.js";
import { POSTGRESQL, startSupervisedServer } from "../supervised-server.js";
import { type CertificateSource, createAcmeCertificates, createFileCertificates } from "./certificates.js";
import { startFront } from "./front.js";
import { startNightlyBackups } from "./nightly-backups.js";
import { rejectSandboxDatabase, rejectSandboxFolder } from "./reject-sandbox.js";
import {
  defineProductionServices,
  getPorts,
  getUpstreams,
  listListenPorts,
  productionServices,
} from "./services.js";
import type { UpSettings } from "./settings.js";

/** The repository's root, relative to `stack/dist/production`. */
export const projectRoot = path.join(import.meta.dirname, "../../..");
/** Served by the API on every host (RFC 9116). */
const SECURITY_TXT = "/.well-known/security.txt";
/** Limit for requests in progress at shutdown. */
const DRAIN_TIMEOUT_MS = 8_000;

export type Production = {
  /** Stops the front server, the services and then the database. Idempotent. */
  stop(): Promise<void>;
};

type StartOptions = {
  settings: UpSettings;
  /** Variables for the services. The settings file overrides the process environment. */
  environment: NodeJS.ProcessEnv;
  report: Report;
  /** On abort, everything started so far is stopped and `startProduction` throws. */
  signal: AbortSignal;
};

/**
 * Starts the database (embedded or external), the services on loopback, and the HTTPS front server. If a process exits later, only that process is
 * restarted.
 * @throws StackError with a user-facing message, for example if the folder or database is a sandbox's, the certificate file is unusable, the data
 * folder is already in use, or a newer version has migrated the database. By then, everything started so far has been stopped.
 */
export async function startProduction(options: StartOptions): Promise<Production> {
  const closing: Closing = [];
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= closeAll(closing);
    return stopped;
  };
  try {
    await start(options, closing);
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  { settings, environment, report, signal }: StartOptions,
  closing: Closing,
): Promise<void> {
  const { dataDirectory } = settings;
  rejectUnbuilt(productionServices, projectRoot);
  rejectSandboxFolder(dataDirectory);
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const ports = listListenPorts(settings, environment).map(({ port }) => port);
  closing.push(await lockDataDirectory(dataDirectory, ports));
  await rejectUnusablePorts(settings);
  const challenges = new Map<string, string>();
  const certificates = createCertificateSource(settings, challenges, report);
  // Certificate files are read before anything is changed. ACME needs the front running first.
  const fromFiles = settings.acmeEmail === undefined ? await certificates.load() : undefined;
  if (settings.api === undefined) {
    await stopLeftoverDatabase(dataDirectory);
    rejectLostSecrets(dataDirectory);
  }
  const secrets = await loadSecrets(dataDirectory);
  signal.throwIfAborted();
  const failures = createFailureCounts(
    settings.api === undefined ? [POSTGRESQL, ...productionServices] : productionServices,
  );
  const databaseUrls = await openDatabase({ settings, secrets, report, failures }, closing);
  await rejectSandboxDatabase(databaseUrls.apiOwner);
  signal.throwIfAborted();
  report("Migrating the database…");
  await migrateApiDatabase(databaseUrls);
  await rejectWrongEncryptionKeys(databaseUrls, secrets);
  signal.throwIfAborted();
  const definitions = defineProductionServices({
    root: projectRoot,
    settings,
    secrets,
    databaseUrls,
    environment,
  });
  report(`Starting ${productionServices.join(", ")}…`);
  const logFolder = path.join(dataDirectory, "logs");
  await startServices(definitions, { logFolder, signal, report, failures }, closing);
  const [api] = definitions;
  await writeApiSettings(dataDirectory, api?.environment ?? {});
  const front = await startFront({
    host: settings.listenHost,
    httpsPort: settings.httpsPort,
    httpPort: settings.httpPort,
    upstreams: getUpstreams(settings),
    paths: new Map([[SECURITY_TXT, `http://127.0.0.1:${getPorts(settings).api}`]]),
    certificate: fromFiles ?? {},
    challenges,
    log: report,
  });
  closing.push(() => front.close(DRAIN_TIMEOUT_MS));
  // A failed request does not fail the start: a service manager would restart the system every few seconds, and the authority would rate-limit it.
  if (!fromFiles) {
    const ordered = certificates.load().then(front.setCertificate, (error: Error) => {
      report(`${error.message}
HTTPS is unavailable until a certificate is issued. The next attempt is in an hour. To try again immediately, restart Tillgate.`);
    });
    await Promise.race([ordered, waitForAbort(signal)]);
    signal.throwIfAborted();
  }
  if (settings.backupFolder !== undefined)
    closing.push(startNightlyBackups({ ...settings, backupFolder: settings.backupFolder }, report));
  const stopWatching = certificates.watch(front.setCertificate);
  closing.push(async () => stopWatching());
}

/** @throws StackError for a listen address that this machine does not have, and for public ports that cannot be used. */
async function rejectUnusablePorts({ listenHost, httpsPort, httpPort }: UpSettings): Promise<void> {
  const foreign = await describeForeignAddress(listenHost);
  if (foreign !== undefined) throw new StackError(foreign);
  const unusable: string[] = [];
  for (const [name, port] of [
    ["TILLGATE_HTTPS_PORT", httpsPort],
    ["TILLGATE_HTTP_PORT", httpPort],
  ] as const)
    if ((await findListenError(port, listenHost)) !== undefined) unusable.push(`${port} (${name})`);
  if (unusable.length > 0)
    throw new StackError(
      `Cannot listen on port ${unusable.join(" and port ")}: already in use, or not permitted for this user. Stop the other program, or set another port.`,
    );
}

function createCertificateSource(
  settings: UpSettings,
  challenges: Map<string, string>,
  report: Report,
): CertificateSource {
  const hosts = [...getUpstreams(settings).keys()];
  const { acmeEmail, certificateFile = "", certificateKeyFile = "" } = settings;
  return acmeEmail === undefined
    ? createFileCertificates({ certificateFile, certificateKeyFile }, hosts, report)
    : createAcmeCertificates({ ...settings, acmeEmail }, hosts, challenges, report);
}

type OpenOptions = { settings: UpSettings; secrets: Secrets; report: Report; failures: FailureCounts };

async function openDatabase(
  { settings, secrets, report, failures }: OpenOptions,
  closing: Closing,
): Promise<ApiDatabaseUrls> {
  const { api, apiDirect, apiOwner, dataDirectory } = settings;
  if (api !== undefined) {
    report("Using the PostgreSQL server in DATABASE_URL…");
    return (await resolveExternalApiDatabase({ api, apiDirect, apiOwner }, secrets)).own;
  }
  report("Starting PostgreSQL…");
  const url = await startSupervisedServer(
    {
      dataDirectory,
      port: getPorts(settings).postgresql,
      fsync: true,
      backupFolder: settings.backupFolder,
      report,
      failures,
    },
    closing,
  );
  return ensureEmbeddedApiDatabase(url, secrets);
}

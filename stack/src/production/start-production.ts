import { mkdir } from "node:fs/promises";
import path from "node:path";
import {
  type ApiDatabaseUrls,
  ensureOwnApiDatabase,
  findGivenApiDatabase,
  migrateApiDatabase,
  rejectLostSecrets,
  stopLeftoverDatabase,
} from "../databases.js";
import { lockDataDirectory } from "../lock.js";
import { openServer } from "../open-server.js";
import { closeAll, type Parts, startServices } from "../parts.js";
import { writeApiSettings } from "../sandbox.js";
import { loadSecrets, type Secrets } from "../secrets.js";
import { rejectUnbuilt } from "../services.js";
import type { StackError } from "../stack-error.js";
import { startNightlyBackups } from "./backups.js";
import { acmeCertificates, type Certificates, givenCertificates } from "./certificates.js";
import { startFront } from "./front.js";
import { rejectSandboxDatabase, rejectSandboxFolder } from "./reject-sandbox.js";
import { defineProduction, portsOf, productionServices, upstreamsOf } from "./services.js";
import type { UpSettings } from "./settings.js";

/** The project's folder, seen from `stack/dist/production`. */
const projectRoot = path.join(import.meta.dirname, "../../..");
/** How long requests under way may take at the end, in milliseconds. */
const FINISH_MS = 8_000;

export type Production = {
  /** Settles when a program ends unasked. The others go on until `stop`. */
  failed: Promise<StackError>;
  /** Ends the front, the services, then the database. May be called twice. */
  stop(): Promise<void>;
};

type StartOptions = {
  settings: UpSettings;
  /** For the services: what the file says, and what programs need of the machine. */
  environment: NodeJS.ProcessEnv;
  report: (line: string) => void;
  /** Aborted: whatever has been started is ended, and this throws. */
  signal: AbortSignal;
};

/**
 * Starts a production system: its database (an embedded PostgreSQL, or a given one), the services on loopback, and the front that
 * speaks HTTPS.
 * @throws StackError with words for a person: a sandbox's folder or database, an unfit certificate that was given, a port that is taken, a second start, a
 * database that a newer version has migrated. Whatever was started has been ended then.
 */
export async function startProduction(options: StartOptions): Promise<Production> {
  const parts: Parts = { closing: [], failures: [] };
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= closeAll(parts.closing);
    return stopped;
  };
  try {
    await start(options, parts);
    return { failed: Promise.race(parts.failures), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start({ settings, environment, report, signal }: StartOptions, parts: Parts): Promise<void> {
  const { dataDirectory } = settings;
  rejectUnbuilt(productionServices, projectRoot);
  rejectSandboxFolder(dataDirectory);
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  parts.closing.push(await lockDataDirectory(dataDirectory));
  const challenges = new Map<string, string>();
  const certificates = certificatesOf(settings, challenges, report);
  // One that is given is read before anything is changed. ACME needs the front, which needs one to begin with.
  const given = settings.acmeEmail === undefined ? await certificates.first() : undefined;
  if (settings.api === undefined) {
    await stopLeftoverDatabase(dataDirectory);
    rejectLostSecrets(dataDirectory);
  }
  const secrets = await loadSecrets(dataDirectory);
  signal.throwIfAborted();
  const databaseUrls = await openDatabase(settings, secrets, parts, report);
  await rejectSandboxDatabase(databaseUrls.apiOwner);
  signal.throwIfAborted();
  report("Migrating the database …");
  await migrateApiDatabase(databaseUrls);
  signal.throwIfAborted();
  const definitions = defineProduction({ root: projectRoot, settings, secrets, databaseUrls, environment });
  report(`Starting ${productionServices.join(", ")} …`);
  const logFolder = path.join(dataDirectory, "logs");
  await startServices(definitions, { logFolder, signal }, parts);
  const [api] = definitions;
  await writeApiSettings(dataDirectory, api?.environment ?? {});
  const front = await startFront({
    host: settings.listenHost,
    httpsPort: settings.httpsPort,
    httpPort: settings.httpPort,
    upstreams: upstreamsOf(settings),
    certificate: given ?? {},
    challenges,
    log: report,
  });
  parts.closing.push(() => front.close(FINISH_MS));
  // A start that ended here would be begun again every few seconds by what keeps it running, and the authority would shut it out.
  if (!given)
    await certificates.first().then(front.use, (error: Error) => {
      report(`${error.message}
Until there is one, HTTPS is refused. It is asked for again in an hour; a new start asks at once.`);
    });
  if (settings.backupFolder !== undefined)
    parts.closing.push(startNightlyBackups({ ...settings, backupFolder: settings.backupFolder }, report));
  const endFollowing = certificates.follow(front.use);
  parts.closing.push(async () => endFollowing());
}

function certificatesOf(
  settings: UpSettings,
  challenges: Map<string, string>,
  report: (line: string) => void,
): Certificates {
  const hosts = [...upstreamsOf(settings).keys()];
  const { acmeEmail, certificateFile = "", certificateKeyFile = "" } = settings;
  return acmeEmail === undefined
    ? givenCertificates({ certificateFile, certificateKeyFile }, hosts, report)
    : acmeCertificates({ ...settings, acmeEmail }, hosts, challenges, report);
}

async function openDatabase(
  settings: UpSettings,
  secrets: Secrets,
  parts: Parts,
  report: (line: string) => void,
): Promise<ApiDatabaseUrls> {
  const { api, apiDirect, apiOwner, dataDirectory } = settings;
  if (api !== undefined) {
    report("Using the PostgreSQL of DATABASE_URL …");
    return (await findGivenApiDatabase({ api, apiDirect, apiOwner }, secrets)).own;
  }
  report("Starting PostgreSQL …");
  const url = await openServer(
    {
      dataDirectory,
      port: portsOf(settings).postgresql,
      fsync: true,
      backupFolder: settings.backupFolder,
      report,
    },
    parts,
  );
  return ensureOwnApiDatabase(url, secrets);
}

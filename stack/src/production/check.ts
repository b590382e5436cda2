import { createPrivateKey, X509Certificate } from "node:crypto";
import { lookup } from "node:dns/promises";
import { existsSync } from "node:fs";
import { access, constants, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { parseAddress } from "@tillgate/contract";
import { findRunningServer } from "@tillgate/database/embedded";
import { errorReason } from "@tillgate/service";
import { SettingsError } from "@tillgate/service/settings";
import { getEmbeddedDataDirectory, readRole, rejectLostSecrets } from "../databases.js";
import { readLockedPorts } from "../lock.js";
import { describeForeignAddress, findListenError, waitForLeftoverServices } from "../ports.js";
import { getSystemErrorCode, readJsonObject } from "../private-file.js";
import { StackError } from "../stack-error.js";
import { findCertificateProblems } from "./certificates.js";
import { checkSettings } from "./check-settings.js";
import { findLineMistakes, readSettingsFile } from "./read-settings-file.js";
import { rejectSandboxFolder } from "./reject-sandbox.js";
import { getPorts, getUpstreams, listListenPorts } from "./services.js";
import { readUpSettings, type UpSettings } from "./settings.js";

const DAY_MS = 86_400_000;
/** A check warns about a certificate that expires within this many days. */
const WARN_DAYS = 14;
/** These machine settings name a file; SSL_CERT_DIR can name several folders. */
const MACHINE_FILES = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"];
const ANY_ADDRESS = new Set(["0.0.0.0", "::"]);

export type Check = {
  /** Mistakes that prevent a start, one message each. */
  mistakes: string[];
  unresolved: string[];
  /** Problems that do not prevent a start, such as a certificate that expires soon. */
  warnings: string[];
};

type CheckOptions = {
  root: string;
  file: string;
  /** The process's variables. For the services, variables in the settings file override them. */
  environment: NodeJS.ProcessEnv;
  /** Resolves a host name. Default: the machine's resolver. */
  resolveHost?: (host: string) => Promise<unknown>;
};

/**
 * Checks the settings, folders, certificate, ports, addresses and databases of `npm run up`. Creates and changes nothing.
 * @throws StackError if the settings file cannot be read.
 */
export async function checkProduction({
  root,
  file,
  resolveHost = lookup,
  ...options
}: CheckOptions): Promise<Check> {
  const fileSettings = await readSettingsFile(file);
  const environment = { ...options.environment, ...fileSettings };
  const { mistakes, known } = await checkSettings(root, fileSettings, environment);
  const settings = readUsable(fileSettings);
  const addresses = await checkAddresses([...known.keys()], fileSettings, resolveHost);
  const certificate = settings ? await checkCertificate(settings) : { mistakes: [], warnings: [] };
  return {
    mistakes: [
      ...findLineMistakes(await readFile(file, "utf8")),
      ...mistakes,
      ...(await checkFolders(fileSettings)),
      ...(await checkMachineFiles(fileSettings)),
      ...certificate.mistakes,
      ...(settings ? await checkPorts(settings, environment) : []),
      ...(settings ? await checkDatabases(settings) : []),
    ],
    unresolved: addresses.unresolved,
    warnings: [...certificate.warnings, ...addresses.warnings],
  };
}

/**
 * Checks the settings file and everything that it refers to.
 * @param isStart false for `--check`. A start only warns about a host that does not resolve, so that a third party's name server cannot prevent a
 * start after a reboot.
 * @returns the warnings.
 * @throws SettingsError listing every mistake.
 */
export async function rejectMistakes(
  options: CheckOptions,
  { isStart }: { isStart: boolean },
): Promise<string[]> {
  const { mistakes, unresolved, warnings } = await checkProduction(options);
  const rejected = isStart ? mistakes : [...mistakes, ...unresolved];
  if (rejected.length > 0) throw new SettingsError(rejected.join("\n"));
  return isStart ? [...unresolved, ...warnings] : warnings;
}

/** @returns undefined if some settings are invalid, which {@link checkSettings} reports. */
function readUsable(fileSettings: NodeJS.ProcessEnv): UpSettings | undefined {
  try {
    return readUpSettings(fileSettings);
  } catch (error) {
    if (error instanceof SettingsError) return undefined;
    throw error;
  }
}

async function checkFolders(settings: NodeJS.ProcessEnv): Promise<string[]> {
  const { TILLGATE_DATA_DIR: data, TILLGATE_BACKUP_DIR: backup } = settings;
  const mistakes: string[] = [];
  for (const name of ["TILLGATE_DATA_DIR", "TILLGATE_BACKUP_DIR"]) {
    const folder = settings[name];
    const problem = folder?.startsWith("/") ? await describeFolder(folder) : undefined;
    if (problem) mistakes.push(`${name}: ${folder} ${problem}`);
  }
  if (!data?.startsWith("/")) return mistakes;
  if (backup?.startsWith("/") && isInside(backup, data))
    mistakes.push(
      "TILLGATE_BACKUP_DIR: must be outside TILLGATE_DATA_DIR, ideally on another disk; otherwise both can be lost together",
    );
  const checkContent = async (): Promise<void> => {
    rejectSandboxFolder(data);
    if (!settings.DATABASE_URL) rejectLostSecrets(data);
    await readJsonObject(path.join(data, "secrets.json"));
  };
  await checkContent().catch((error: unknown) => mistakes.push(`TILLGATE_DATA_DIR: ${errorReason(error)}`));
  return mistakes;
}

/** Explains why this user cannot write to a folder, or cannot create it in its nearest existing parent; undefined if there is no problem. */
async function describeFolder(folder: string): Promise<string | undefined> {
  let existing = folder;
  while (!existsSync(existing)) existing = path.dirname(existing);
  const owner = existing === folder ? "it" : `${existing}, where it would be created,`;
  if (!(await stat(existing)).isDirectory())
    return existing === folder ? "is not a folder" : `cannot be created: ${existing} is not a folder`;
  return await access(existing, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => undefined,
    (error: unknown) =>
      getSystemErrorCode(error) === "EROFS"
        ? `cannot be used: ${owner} is read-only`
        : `cannot be used: this user may not write to ${owner === "it" ? "it" : existing}`,
  );
}

const isInside = (folder: string, parent: string): boolean => !path.relative(parent, folder).startsWith("..");

async function checkMachineFiles(settings: NodeJS.ProcessEnv): Promise<string[]> {
  const files = MACHINE_FILES.flatMap((name) => {
    const value = settings[name] ?? "";
    const parts = name === "SSL_CERT_DIR" ? value.split(path.delimiter) : [value];
    return parts.filter(Boolean).map((file) => ({ name, file }));
  });
  const problems = files.map(({ name, file }) =>
    access(file, constants.R_OK).then(
      () => [],
      (error: unknown) => [`${name}: ${file} cannot be read (${getSystemErrorCode(error)})`],
    ),
  );
  return (await Promise.all(problems)).flat();
}

async function checkCertificate(settings: UpSettings): Promise<Omit<Check, "unresolved">> {
  const { certificateFile, certificateKeyFile } = settings;
  if (certificateFile === undefined || certificateKeyFile === undefined)
    return { mistakes: [], warnings: [] };
  const mistakes: string[] = [];
  const parse = async <Value>(
    name: string,
    file: string,
    kind: string,
    read: (pem: string) => Value,
  ): Promise<Value | undefined> => {
    const pem = await readFile(file, "utf8").catch((error: unknown) => {
      const code = getSystemErrorCode(error);
      const reasons: Record<string, string> = {
        ENOENT: "does not exist",
        EISDIR: "is a folder",
        EACCES: "cannot be read by this user",
      };
      mistakes.push(`${name}: ${file} ${reasons[code ?? ""] ?? `cannot be read (${code})`}`);
    });
    if (pem === undefined) return undefined;
    try {
      return read(pem);
    } catch {
      mistakes.push(`${name}: ${file} is not ${kind} in PEM format`);
      return undefined;
    }
  };
  const certificate = await parse(
    "TILLGATE_CERTIFICATE_FILE",
    certificateFile,
    "a certificate",
    (pem) => new X509Certificate(pem),
  );
  const key = await parse(
    "TILLGATE_CERTIFICATE_KEY_FILE",
    certificateKeyFile,
    "an unencrypted private key",
    (pem) => createPrivateKey(pem),
  );
  const warnings: string[] = [];
  if (certificate) {
    const subject = `TILLGATE_CERTIFICATE_FILE: ${certificateFile}`;
    const problems = findCertificateProblems(certificate, [...getUpstreams(settings).keys()]);
    mistakes.push(...problems.map((problem) => `${subject} ${problem}`));
    const { validTo } = certificate;
    const daysLeft = Math.floor((Date.parse(validTo) - Date.now()) / DAY_MS);
    if (daysLeft >= 0 && daysLeft < WARN_DAYS)
      warnings.push(`${subject} expires in ${daysLeft} ${daysLeft === 1 ? "day" : "days"}, on ${validTo}`);
    if (key && !certificate.checkPrivateKey(key))
      mistakes.push("TILLGATE_CERTIFICATE_KEY_FILE: is not the key of the certificate");
  }
  return { mistakes, warnings };
}

async function checkPorts(settings: UpSettings, environment: NodeJS.ProcessEnv): Promise<string[]> {
  const { listenHost, dataDirectory } = settings;
  const mistakes: string[] = [];
  const foreign = await describeForeignAddress(listenHost);
  if (foreign !== undefined) return [foreign];
  const ports = listListenPorts(settings, environment);
  for (const [at, { name, port, host }] of ports.entries()) {
    const same = ports.slice(0, at).find((other) => other.port === port && isSameAddress(other.host, host));
    if (same) mistakes.push(`${name}: port ${port} is also set in ${same.name}`);
  }
  await waitForLeftoverServices(dataDirectory);
  const locked = await readLockedPorts(dataDirectory);
  const ownPorts = locked.isRunning ? locked.ports : [];
  // If the server of a killed stack still uses its port, the next start stops it.
  if (await findRunningServer(getEmbeddedDataDirectory(dataDirectory)))
    ownPorts.push(getPorts(settings).postgresql);
  for (const { name, port, host } of ports)
    if (!ownPorts.includes(port) && (await findListenError(port, host)) === "EADDRINUSE")
      mistakes.push(`${name}: port ${port} is already in use by another program`);
  return mistakes;
}

/** Returns whether two programs that listen on these addresses would conflict on the same port. */
const isSameAddress = (one: string, other: string): boolean =>
  one === other ||
  [one, other].some((host) => ANY_ADDRESS.has(host)) ||
  [one, other].every((host) => host === "localhost" || host === "127.0.0.1");

/** Resolves the host of every setting that is a URL. */
async function checkAddresses(
  names: readonly string[],
  settings: NodeJS.ProcessEnv,
  resolveHost: (host: string) => Promise<unknown>,
): Promise<Pick<Check, "unresolved" | "warnings">> {
  const unresolved: string[] = [];
  const warnings: string[] = [];
  await Promise.all(
    names.map(async (name) => {
      const hostname = parseAddress(settings[name] ?? "")?.hostname.replace(/^\[(.*)\]$/, "$1") ?? "";
      if (hostname === "") return;
      await resolveHost(hostname).catch((error: unknown) => {
        // EAI_AGAIN: no name server responds.
        const isTemporary = getSystemErrorCode(error) === "EAI_AGAIN";
        (isTemporary ? warnings : unresolved).push(
          `${name}: ${hostname} ${isTemporary ? "cannot be resolved now" : "does not resolve to an address"} (${getSystemErrorCode(error)})`,
        );
      });
    }),
  );
  return { unresolved: unresolved.sort(), warnings: warnings.sort() };
}

/** @returns one message per database that cannot be used. */
async function checkDatabases({ api, apiDirect, apiOwner }: UpSettings): Promise<string[]> {
  const problems = Object.entries({
    DATABASE_URL: api,
    DATABASE_DIRECT_URL: apiDirect,
    DATABASE_OWNER_URL: apiOwner,
  }).map(async ([name, url]) => {
    if (url === undefined) return [];
    return await readRole(name, url).then(
      () => [],
      (error: unknown) => {
        if (error instanceof StackError) return [error.message.replace(`${name} (`, `${name}: (`)];
        throw error;
      },
    );
  });
  return (await Promise.all(problems)).flat();
}

import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { errorReason } from "@tillgate/service";
import acme from "acme-client";
import { readReplaceable, writePrivateJson } from "../private-file.js";
import { StackError } from "../stack-error.js";
import type { UpSettings } from "./settings.js";

/** In PEM format. */
export type Certificate = { cert: string; key: string };

const CHECK_INTERVAL_MS = 60_000;
/** Renewal starts when this share of the lifetime remains. Authorities issue certificates for 90, 45 or 6 days. */
const RENEW_AT_REMAINING = 1 / 3;
/** Delay before a failed request is retried, because authorities limit failures per hour. */
const RETRY_DELAY_MS = 3_600_000;
/** Initial interval at which the status of a certificate order is polled; it doubles. */
const POLL_INTERVAL_MS = 1_000;
const REQUEST_TIMEOUT_MS = 30_000;

acme.axios.defaults.timeout = REQUEST_TIMEOUT_MS;
// The library's interceptors hide network errors and wait as long as Retry-After demands: hours at a rate limit. We retry after RETRY_DELAY_MS.
acme.axios.interceptors.request.clear();
acme.axios.interceptors.response.clear();

export type CertificateSource = {
  /**
   * Returns the certificate to start with. With ACME, requests a certificate if none is stored. @throws StackError if there is no usable certificate.
   */
  load(): Promise<Certificate>;
  /** Calls `use` with every newer certificate. @returns a function that stops watching. */
  watch(use: (certificate: Certificate) => void): () => void;
};

type Log = (line: string) => void;
type CertificateFiles = { certificateFile: string; certificateKeyFile: string };

/** Reads the operator's certificate files, which are renewed externally, and reloads them when they change. */
export function createFileCertificates(
  { certificateFile, certificateKeyFile }: CertificateFiles,
  hosts: string[],
  log: Log,
): CertificateSource {
  const readChangeTime = async (): Promise<number> =>
    Math.max(
      ...(await Promise.all(
        [certificateFile, certificateKeyFile].map(async (file) => (await stat(file)).mtimeMs),
      )),
    );
  const read = async (): Promise<Certificate> => {
    const [cert, key] = await Promise.all([
      readFile(certificateFile, "utf8"),
      readFile(certificateKeyFile, "utf8"),
    ]);
    const problems = findCertificateProblems(new X509Certificate(cert), hosts);
    if (problems.length > 0) throw new StackError(`${certificateFile} ${problems.join(" and ")}.`);
    return { cert, key };
  };
  let loadedAt = 0;
  return {
    async load() {
      try {
        loadedAt = await readChangeTime();
        return await read();
      } catch (cause) {
        if (cause instanceof StackError) throw cause;
        throw new StackError(
          `The certificate or its key cannot be read: ${cause instanceof Error ? cause.message : cause}`,
          { cause },
        );
      }
    },
    watch: (use) =>
      runEvery(CHECK_INTERVAL_MS, log, async () => {
        const now = await readChangeTime();
        if (now === loadedAt) return;
        use(await read());
        loadedAt = now;
        log("The certificate changed and was reloaded.");
      }),
  };
}

/** Checks a certificate. @returns phrases to follow the file name, such as "expired on …"; empty if the certificate can be used for these hosts. */
export function findCertificateProblems(certificate: X509Certificate, hosts: string[]): string[] {
  const { validFrom, validTo } = certificate;
  const missing = hosts.filter((host) => certificate.checkHost(host) === undefined);
  return [
    ...(Date.parse(validTo) < Date.now() ? [`expired on ${validTo}`] : []),
    ...(Date.parse(validFrom) > Date.now() ? [`is not valid before ${validFrom}`] : []),
    ...(missing.length > 0 ? [`is not for ${missing.join(", ")}`] : []),
  ];
}

type AcmeSettings = Pick<UpSettings, "dataDirectory" | "acmeDirectory"> & { acmeEmail: string };

/**
 * Uses ACME (RFC 8555) with HTTP-01 challenges. The account key and the certificate are stored in the data folder, so that a restart reuses a valid
 * certificate.
 * @param challenges responses by token, for the front server to serve; filled while a certificate is being requested.
 */
export function createAcmeCertificates(
  { dataDirectory, acmeDirectory, acmeEmail }: AcmeSettings,
  hosts: string[],
  challenges: Map<string, string>,
  log: Log,
): CertificateSource {
  const folder = path.join(dataDirectory, "certificates");
  const files = {
    account: path.join(folder, "account.json"),
    certificate: path.join(folder, "certificate.json"),
  };
  const readIntact = async (): Promise<(Certificate & { parsed: X509Certificate }) | undefined> => {
    const found = await readReplaceable(files.certificate);
    if (typeof found?.cert !== "string" || typeof found.key !== "string") return undefined;
    const parsed = parseCertificate(found.cert, found.key);
    return parsed && { cert: found.cert, key: found.key, parsed };
  };
  const readStored = async (): Promise<Certificate | undefined> => {
    const found = await readIntact();
    if (found === undefined) return undefined;
    const { parsed, ...certificate } = found;
    const coversHosts = hosts.every((host) => parsed.checkHost(host) !== undefined);
    return coversHosts && new Date(parsed.validTo) > new Date() ? certificate : undefined;
  };
  const loadAccountKey = async (): Promise<string> => {
    const found = await readReplaceable(files.account);
    if (typeof found?.key === "string" && parsePrivateKey(found.key)) return found.key;
    if (existsSync(files.account)) log(`${files.account} is damaged; creating a new account.`);
    const key = String(await acme.crypto.createPrivateKey());
    await writePrivateJson(files.account, { key });
    return key;
  };
  const order = async (): Promise<Certificate> => {
    log(`Requesting a certificate for ${hosts.join(", ")}…`);
    if (existsSync(files.certificate) && !(await readIntact()))
      log(`${files.certificate} is damaged and will be replaced.`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const client = new acme.Client({
      directoryUrl: acmeDirectory,
      accountKey: await loadAccountKey(),
      backoffMin: POLL_INTERVAL_MS,
    });
    const [commonName] = hosts;
    const [key, csr] = await acme.crypto.createCsr({
      altNames: hosts,
      ...(commonName !== undefined && { commonName }),
    });
    const cert = await client.auto({
      csr,
      email: acmeEmail,
      termsOfServiceAgreed: true,
      challengePriority: ["http-01"],
      // A self-check from inside the network proves nothing about what the authority sees.
      skipChallengeVerification: true,
      challengeCreateFn: async (_authorization, challenge, response) => {
        challenges.set(challenge.token, response);
      },
      challengeRemoveFn: async (_authorization, challenge) => {
        challenges.delete(challenge.token);
      },
    });
    const issued = { cert, key: String(key) };
    await writePrivateJson(files.certificate, issued);
    return issued;
  };
  let nextOrderAt = 0;
  return {
    async load() {
      const found = await readStored();
      if (found) return found;
      nextOrderAt = Date.now() + RETRY_DELAY_MS;
      return order().catch((cause: unknown) => {
        throw new StackError(`No certificate was issued: ${describeFailure(cause)}`, { cause });
      });
    },
    watch: (use) =>
      runEvery(CHECK_INTERVAL_MS, log, async () => {
        const found = await readStored();
        if ((found && !needsRenewal(found)) || Date.now() < nextOrderAt) return;
        nextOrderAt = Date.now() + RETRY_DELAY_MS;
        use(await order());
        log(found ? "The certificate was renewed." : "A certificate was issued.");
      }),
  };
}

/** Errors for an authority's certificate that is outside its validity period, which usually means that this machine's clock is wrong. */
const CLOCK_CODES = ["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"];

function describeFailure(cause: unknown): string {
  const reason = errorReason(cause);
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return CLOCK_CODES.includes(code)
    ? `${reason}. Check this machine's clock: its time is ${new Date().toISOString()}.`
    : reason;
}

/** @returns undefined if the certificate or the key is damaged, or they do not match. */
function parseCertificate(pem: string, key: string): X509Certificate | undefined {
  const privateKey = parsePrivateKey(key);
  try {
    const certificate = new X509Certificate(pem);
    return privateKey && certificate.checkPrivateKey(privateKey) ? certificate : undefined;
  } catch {
    return undefined;
  }
}

function parsePrivateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

function needsRenewal({ cert }: Certificate): boolean {
  const { validFrom, validTo } = new X509Certificate(cert);
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  return to - Date.now() < (to - from) * RENEW_AT_REMAINING;
}

/** Runs `work` at an interval, one run at a time, and logs failures. @returns a function that stops the runs. */
function runEvery(everyMs: number, log: Log, work: () => Promise<void>): () => void {
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    work()
      .catch((error: unknown) =>
        log(`Certificate check failed: ${error instanceof Error ? error.message : error}`),
      )
      .finally(() => {
        isRunning = false;
      });
  }, everyMs);
  return () => clearInterval(timer);
}

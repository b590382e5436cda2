import { X509Certificate } from "node:crypto";
import { mkdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { reasonOf } from "@tillgate/service";
import acme from "acme-client";
import { readJsonObject, writePrivateJson } from "../private-file.js";
import { StackError } from "../stack-error.js";
import type { UpSettings } from "./settings.js";

/** A certificate with its chain, and its key (PEM). */
export type Certificate = { cert: string; key: string };

/** How often a given certificate, or the end of one of ours, is looked at, in milliseconds. */
const CHECK_EVERY_MS = 60_000;
/** One of ours is renewed when so much of its life is left: authorities issue them for 90 days, for 45, for 6. */
const RENEW_BEFORE_END = 1 / 3;
/** After a failure it is asked for again so much later, in milliseconds: authorities shut out who fails a few times in an hour. */
const RETRY_MS = 3_600_000;
/** How long the authority may take to answer at all, in milliseconds. */
const REACH_LIMIT_MS = 30_000;

export type Certificates = {
  /** The first one. @throws StackError when there is none. */
  first(): Promise<Certificate>;
  /** Calls back with every newer one, until it is ended. @returns the call that ends it. */
  follow(use: (certificate: Certificate) => void): () => void;
};

type Log = (line: string) => void;
type Given = { certificateFile: string; certificateKeyFile: string };

/** A certificate of the operator's own, in two files that somebody else renews. */
export function givenCertificates(
  { certificateFile, certificateKeyFile }: Given,
  hosts: string[],
  log: Log,
): Certificates {
  const changedAt = async (): Promise<number> =>
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
    rejectUnusable(cert, hosts, certificateFile);
    return { cert, key };
  };
  let seen = 0;
  return {
    async first() {
      try {
        seen = await changedAt();
        return await read();
      } catch (cause) {
        if (cause instanceof StackError) throw cause;
        throw new StackError(
          `The certificate cannot be read: ${cause instanceof Error ? cause.message : cause}`,
          { cause },
        );
      }
    },
    follow: (use) =>
      repeatEvery(CHECK_EVERY_MS, log, async () => {
        const now = await changedAt();
        if (now === seen) return;
        use(await read());
        seen = now;
        log("The certificate has changed and is in use.");
      }),
  };
}

/** @throws StackError for a certificate that has ended, or is not for these hosts. */
function rejectUnusable(cert: string, hosts: string[], file: string): void {
  const parsed = new X509Certificate(cert);
  if (new Date(parsed.validTo) < new Date()) throw new StackError(`${file} ended on ${parsed.validTo}.`);
  const missing = hosts.filter((host) => parsed.checkHost(host) === undefined);
  if (missing.length > 0) throw new StackError(`${file} is not for ${missing.join(", ")}.`);
}

type Acme = Pick<UpSettings, "dataDirectory" | "acmeDirectory"> & { acmeEmail: string };

/**
 * Certificates by ACME (RFC 8555), proved over HTTP. The account's key and the certificate are kept in the data folder, so a start asks
 * for none while the last one is good.
 * @param challenges what the front answers to the authority: filled while a certificate is asked for.
 */
export function acmeCertificates(
  { dataDirectory, acmeDirectory, acmeEmail }: Acme,
  hosts: string[],
  challenges: Map<string, string>,
  log: Log,
): Certificates {
  const folder = path.join(dataDirectory, "certificates");
  const files = {
    account: path.join(folder, "account.json"),
    certificate: path.join(folder, "certificate.json"),
  };
  const kept = async (): Promise<Certificate | undefined> => {
    const found = await readJsonObject(files.certificate);
    if (typeof found?.cert !== "string" || typeof found.key !== "string") return undefined;
    const parsed = new X509Certificate(found.cert);
    const isFor = hosts.every((host) => parsed.checkHost(host) !== undefined);
    return isFor && new Date(parsed.validTo) > new Date() ? { cert: found.cert, key: found.key } : undefined;
  };
  const accountKey = async (): Promise<string> => {
    const found = await readJsonObject(files.account);
    if (typeof found?.key === "string") return found.key;
    const key = String(await acme.crypto.createPrivateKey());
    await writePrivateJson(files.account, { key });
    return key;
  };
  const ask = async (): Promise<Certificate> => {
    log(`Asking for a certificate for ${hosts.join(", ")} …`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await reach(acmeDirectory);
    const client = new acme.Client({ directoryUrl: acmeDirectory, accountKey: await accountKey() });
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
      // The authority is the one that looks; our own look from inside proves nothing.
      skipChallengeVerification: true,
      challengeCreateFn: async (_authorization, challenge, answer) => {
        challenges.set(challenge.token, answer);
      },
      challengeRemoveFn: async (_authorization, challenge) => {
        challenges.delete(challenge.token);
      },
    });
    const made = { cert, key: String(key) };
    await writePrivateJson(files.certificate, made);
    return made;
  };
  let askAfter = 0;
  return {
    async first() {
      const found = await kept();
      if (found) return found;
      askAfter = Date.now() + RETRY_MS;
      return ask().catch((cause: unknown) => {
        throw new StackError(`No certificate was issued: ${cause instanceof Error ? cause.message : cause}`, {
          cause,
        });
      });
    },
    follow: (use) =>
      repeatEvery(CHECK_EVERY_MS, log, async () => {
        const found = await kept();
        if ((found && !isDue(found)) || Date.now() < askAfter) return;
        askAfter = Date.now() + RETRY_MS;
        use(await ask());
        log(found ? "The certificate was renewed." : "A certificate was issued.");
      }),
  };
}

/** Whether so little of its life is left that it is to be renewed. */
function isDue({ cert }: Certificate): boolean {
  const { validFrom, validTo } = new X509Certificate(cert);
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  return to - Date.now() < (to - from) * RENEW_BEFORE_END;
}

/** The client would try for more than a minute, and could not say why it did not reach the authority. */
async function reach(directory: string): Promise<void> {
  const signal = AbortSignal.timeout(REACH_LIMIT_MS);
  const response = await fetch(directory, { signal }).catch((error: Error) => {
    // What failed below "fetch failed".
    const cause = error.cause ?? error;
    throw new StackError(`${directory} cannot be reached: ${reasonOf(cause)}`, { cause });
  });
  await response.body?.cancel();
  if (!response.ok) throw new StackError(`${directory} answers ${response.status}.`);
}

/** Does it again and again, one at a time. What fails is said, and tried again. */
function repeatEvery(everyMs: number, log: Log, work: () => Promise<void>): () => void {
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    work()
      .catch((error: unknown) => log(`The certificate: ${error instanceof Error ? error.message : error}`))
      .finally(() => {
        busy = false;
      });
  }, everyMs);
  return () => clearInterval(timer);
}

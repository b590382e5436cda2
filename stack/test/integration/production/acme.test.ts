import { createPrivateKey, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, globalAgent } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { freePorts } from "../../../../scripts/testing/free-port.js";
import { createAcmeCertificates } from "../../../src/production/certificates.js";
import { type Front, startFront } from "../../../src/production/front.js";
import { type Authority, isPebbleInstalled, loopbackCertificate, startPebble } from "../../support/pebble.js";

const HOSTS = ["api.shop.test", "pay.shop.test", "console.shop.test"];
const HOUR_MS = 3_600_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-acme-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Makes HTTPS requests of this process trust this certificate instead of the default authorities. */
function trust(certificate: string): void {
  globalAgent.options.ca = certificate;
}

type Options = { directory: string; challenges?: Map<string, string>; log?: (line: string) => void };

const certificates = ({ directory, challenges = new Map(), log = () => undefined }: Options) =>
  createAcmeCertificates(
    { dataDirectory: folder, acmeDirectory: directory, acmeEmail: "you@shop.test" },
    HOSTS,
    challenges,
    log,
  );

/** Creates a certificate source on a fake clock, and records when it requests certificates, in hours since the start. */
function withFakeClock(options: Options) {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
  const startedAt = Date.now();
  const requestedAtHours: number[] = [];
  const used: string[] = [];
  const failures: string[] = [];
  const source = certificates({
    ...options,
    log: (line) => {
      if (line.startsWith("Requesting")) requestedAtHours.push((Date.now() - startedAt) / HOUR_MS);
      if (line.startsWith("Certificate check failed: ")) failures.push(line);
    },
  });
  let stop = (): void => undefined;
  onTestFinished(() => {
    stop();
    vi.useRealTimers();
  });
  return {
    source,
    requestedAtHours,
    used,
    failures,
    follow: () => {
      stop = source.watch(({ cert }) => used.push(cert));
    },
    /** Jumps to a time (hours since the start), then advances minute by minute until the assertion holds. */
    advanceUntil: (hours: number, assertion: () => void) => {
      vi.setSystemTime(startedAt + hours * HOUR_MS);
      return vi.waitFor(
        () => {
          vi.advanceTimersByTime(60_000);
          assertion();
        },
        { timeout: 10_000, interval: 10 },
      );
    },
  };
}

/** Matches a time (hours since the start) up to an hour later, because many fake minutes pass while a file is read. */
const soonAfter = (hours: number) => expect.toSatisfy((at: number) => at > hours - 0.05 && at < hours + 1);

describe.skipIf(!isPebbleInstalled)("certificates from an ACME CA", () => {
  const challenges = new Map<string, string>();
  let front: Front;
  let authority: Authority;
  beforeAll(async () => {
    const [httpsPort = 0, httpPort = 0] = await freePorts(2);
    front = await startFront({
      host: "127.0.0.1",
      httpsPort,
      httpPort,
      upstreams: new Map(HOSTS.map((host) => [host, "http://127.0.0.1:1"])),
      certificate: {},
      challenges,
      log: () => undefined,
    });
    authority = await startPebble({ folder, httpPort, days: 6 });
    trust(authority.root);
  });
  afterAll(async () => {
    authority.stop();
    await front.close(0);
  });

  it("are not issued when a challenge fails, and are requested again after an hour", async () => {
    const unserved = { directory: authority.directory };
    const { source, follow, advanceUntil, requestedAtHours, failures } = withFakeClock(unserved);
    await expect(source.load()).rejects.toThrow("No certificate was issued");
    follow();
    await advanceUntil(0.9, () => expect(failures).toHaveLength(1));
    expect(requestedAtHours).toEqual([soonAfter(0), soonAfter(1)]);
  }, 60_000);

  it("cover all hosts, are stored in a file that only its owner can read, and are reused at the next start", async () => {
    const options = { directory: authority.directory, challenges };
    const first = await certificates(options).load();
    expect(HOSTS.map((host) => new X509Certificate(first.cert).checkHost(host))).toEqual(HOSTS);
    expect(challenges.size).toBe(0);
    expect((await stat(path.join(folder, "certificates/certificate.json"))).mode & 0o777).toBe(0o600);
    expect(await certificates(options).load()).toEqual(first);
  }, 60_000);

  it.each([
    ["invalid JSON", () => "{"],
    ["JSON that is not an object", () => "[]"],
    ["a damaged certificate", (text: string) => text.replace("BEGIN CERTIFICATE", "BEGIN CERTIFICATES")],
    ["a damaged key", (text: string) => text.replace(/(BEGIN [A-Z ]*PRIVATE KEY-----\\n.{9})./, "$1!")],
    [
      "the key of another certificate",
      async (text: string) =>
        JSON.stringify({ ...JSON.parse(text), key: (await loopbackCertificate()).private }),
    ],
  ])(
    "are requested again if the stored file contains %s",
    async (_what, damage) => {
      const options = { directory: authority.directory, challenges };
      const file = path.join(folder, "certificates/certificate.json");
      const { cert } = await certificates(options).load();
      await writeFile(file, await damage(await readFile(file, "utf8")));
      const account = path.join(folder, "certificates/account.json");
      await writeFile(account, "{");
      const log = vi.fn();
      const again = await certificates({ ...options, log }).load();
      expect(again.cert).not.toBe(cert);
      expect(log).toHaveBeenCalledWith(`${file} is damaged and will be replaced.`);
      expect(log).toHaveBeenCalledWith(`${account} is damaged; creating a new account.`);
      expect(new X509Certificate(again.cert).checkPrivateKey(createPrivateKey(again.key))).toBe(true);
      expect(await certificates(options).load()).toEqual(again);
      const { source, follow, advanceUntil, failures, used } = withFakeClock(options);
      expect(await source.load()).toEqual(again);
      await writeFile(file, "{");
      follow();
      await advanceUntil(1.9, () => expect(used).toHaveLength(1));
      expect(failures).toEqual([]);
    },
    60_000,
  );

  it("are renewed when a third of their lifetime is left, not earlier", async () => {
    const options = { directory: authority.directory, challenges };
    const { follow, advanceUntil, requestedAtHours, used } = withFakeClock(options);
    follow();
    await advanceUntil(95.5, () => expect(used).toHaveLength(1));
    expect(requestedAtHours).toEqual([soonAfter(96)]);
  }, 60_000);
});

describe("a request for a certificate", () => {
  /** Starts an HTTPS server in place of an ACME CA. @returns its directory URL. */
  async function startServer(
    respond: Parameters<typeof createServer>[1],
    validity?: Parameters<typeof loopbackCertificate>[0],
  ): Promise<string> {
    const { cert, private: key } = await loopbackCertificate(validity);
    const server = createServer({ cert, key }, respond).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      server.close();
    });
    trust(cert);
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}/dir`;
  }
  const withoutStored = () => rm(path.join(folder, "certificates"), { recursive: true, force: true });

  it("fails without waiting when the CA rate-limits it for an hour, and reports status 429", async () => {
    await withoutStored();
    const problem = { type: "urn:ietf:params:acme:error:rateLimited", detail: "too many certificates" };
    const directory = await startServer((_request, response) =>
      response
        .writeHead(429, { "Retry-After": "3600", "Content-Type": "application/problem+json" })
        .end(JSON.stringify(problem)),
    );
    await expect(certificates({ directory }).load()).rejects.toThrow(/^No certificate was issued: .*429/);
  });

  it.each([
    ["behind", { notBeforeDate: new Date("2099-01-01"), notAfterDate: new Date("2099-04-01") }],
    ["ahead", { notBeforeDate: new Date("2020-01-01"), notAfterDate: new Date("2020-04-01") }],
  ])("reports this machine's time when its clock is %s", async (_when, validity) => {
    await withoutStored();
    const directory = await startServer((_request, response) => response.end(), validity);
    await expect(certificates({ directory }).load()).rejects.toThrow(
      /^No certificate was issued: certificate (has expired|is not yet valid)\. Check this machine's clock: its time is \d{4}-.*\.$/,
    );
  });
});

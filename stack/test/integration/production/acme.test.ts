import { X509Certificate } from "node:crypto";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { acmeCertificates } from "../../../src/production/certificates.js";
import { type Front, startFront } from "../../../src/production/front.js";
import { type CertificateAuthority, startCertificateAuthority } from "../../support/certificate-authority.js";
import { freePorts } from "../../support/free-ports.js";

const HOSTS = ["api.shop.test", "pay.shop.test", "console.shop.test"];
const HOUR_MS = 3_600_000;

let folder: string;
let front: Front;
let authority: CertificateAuthority;
const challenges = new Map<string, string>();
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-acme-"));
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
  authority = await startCertificateAuthority(httpPort, { days: 6 });
});
afterAll(async () => {
  authority.close();
  await front.close(0);
  await rm(folder, { recursive: true, force: true });
});

const certificates = (log: (line: string) => void = () => undefined, hosts = HOSTS, served = challenges) =>
  acmeCertificates(
    { dataDirectory: folder, acmeDirectory: authority.directory, acmeEmail: "you@shop.test" },
    hosts,
    served,
    log,
  );

/** Certificates on a fake clock, with the hours after which each request was made. */
function withFakeClock(served?: Map<string, string>) {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
  const startedAt = Date.now();
  const requestedAtHours: number[] = [];
  const used: string[] = [];
  const failures: string[] = [];
  const made = certificates(
    (line) => {
      if (line.startsWith("Requesting")) requestedAtHours.push((Date.now() - startedAt) / HOUR_MS);
      if (line.startsWith("Certificate check failed: ")) failures.push(line);
    },
    HOSTS,
    served,
  );
  let stop = (): void => undefined;
  onTestFinished(() => {
    stop();
    vi.useRealTimers();
  });
  return {
    made,
    requestedAtHours,
    used,
    failures,
    follow: () => {
      stop = made.watch(({ cert }) => used.push(cert));
    },
    /** Jumps to a time, then advances minute by minute until the assertion holds. */
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

it("a failed challenge gets no certificate and is retried after an hour", async () => {
  const { made, follow, advanceUntil, requestedAtHours, failures } = withFakeClock(new Map());
  await expect(made.load()).rejects.toThrow("No certificate was issued");
  follow();
  await advanceUntil(0.9, () => expect(failures).toHaveLength(1));
  expect(requestedAtHours).toEqual([expect.closeTo(0, 1), expect.closeTo(1.01, 1)]);
  expect(authority.issued()).toBe(0);
});

it("one certificate for all hosts is issued, stored readable by its owner only, and reused at the next start", async () => {
  const first = await certificates().load();
  expect(HOSTS.map((host) => new X509Certificate(first.cert).checkHost(host))).toEqual(HOSTS);
  expect(challenges.size).toBe(0);
  expect((await stat(path.join(folder, "certificates/certificate.json"))).mode & 0o777).toBe(0o600);
  expect(await certificates().load()).toEqual(first);
  expect(authority.issued()).toBe(1);
});

it("a certificate is renewed when a third of its lifetime is left, not earlier", async () => {
  const { follow, advanceUntil, requestedAtHours, used } = withFakeClock();
  follow();
  await advanceUntil(95.5, () => expect(used).toHaveLength(1));
  expect(requestedAtHours).toEqual([expect.closeTo(96, 1)]);
  expect(authority.issued()).toBe(2);
});

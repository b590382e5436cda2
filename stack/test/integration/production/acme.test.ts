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

const certificates = (log: (line: string) => void = () => undefined, hosts = HOSTS, answered = challenges) =>
  acmeCertificates(
    { dataDirectory: folder, acmeDirectory: authority.directory, acmeEmail: "you@shop.test" },
    hosts,
    answered,
    log,
  );

/** Those whose time the test says, and how many hours after their making they asked the authority. */
function timed(answered?: Map<string, string>) {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
  const began = Date.now();
  const askedAfter: number[] = [];
  const used: string[] = [];
  const failures: string[] = [];
  const made = certificates(
    (line) => {
      if (line.startsWith("Asking")) askedAfter.push((Date.now() - began) / HOUR_MS);
      if (line.startsWith("The certificate: ")) failures.push(line);
    },
    HOSTS,
    answered,
  );
  let end = (): void => undefined;
  onTestFinished(() => {
    end();
    vi.useRealTimers();
  });
  return {
    made,
    askedAfter,
    used,
    failures,
    follow: () => {
      end = made.follow(({ cert }) => used.push(cert));
    },
    /** From then on it is looked at every minute, as fast as it goes, until it is so. */
    from: (hours: number, isSo: () => void) => {
      vi.setSystemTime(began + hours * HOUR_MS);
      return vi.waitFor(
        () => {
          vi.advanceTimersByTime(60_000);
          isSo();
        },
        { timeout: 10_000, interval: 10 },
      );
    },
  };
}

it("a failed challenge gets no certificate and is retried after an hour", async () => {
  const { made, follow, from, askedAfter, failures } = timed(new Map());
  await expect(made.first()).rejects.toThrow("No certificate was issued");
  follow();
  await from(0.9, () => expect(failures).toHaveLength(1));
  expect(askedAfter).toEqual([expect.closeTo(0, 1), expect.closeTo(1.01, 1)]);
  expect(authority.issued()).toBe(0);
});

it("one certificate for all hosts is issued, stored readable by its owner only, and reused at the next start", async () => {
  const first = await certificates().first();
  expect(HOSTS.map((host) => new X509Certificate(first.cert).checkHost(host))).toEqual(HOSTS);
  expect(challenges.size).toBe(0);
  expect((await stat(path.join(folder, "certificates/certificate.json"))).mode & 0o777).toBe(0o600);
  expect(await certificates().first()).toEqual(first);
  expect(authority.issued()).toBe(1);
});

it("a certificate is renewed when a third of its lifetime is left, not earlier", async () => {
  const { follow, from, askedAfter, used } = timed();
  follow();
  await from(95.5, () => expect(used).toHaveLength(1));
  expect(askedAfter).toEqual([expect.closeTo(96, 1)]);
  expect(authority.issued()).toBe(2);
});

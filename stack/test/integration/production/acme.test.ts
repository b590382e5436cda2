import { X509Certificate } from "node:crypto";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { acmeCertificates } from "../../../src/production/certificates.js";
import { type Front, startFront } from "../../../src/production/front.js";
import { type CertificateAuthority, startCertificateAuthority } from "../../support/certificate-authority.js";
import { freePorts } from "../../support/free-ports.js";

const HOSTS = ["api.shop.test", "pay.shop.test", "console.shop.test"];

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
  // Good for 20 days only: due for a new one at once.
  authority = await startCertificateAuthority(httpPort, { days: 20 });
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

it("no certificate is issued to who cannot answer for a host", async () => {
  await expect(certificates(undefined, HOSTS, new Map()).first()).rejects.toThrow(
    "No certificate was issued",
  );
  expect(authority.issued()).toBe(0);
});

it("a certificate for all hosts is got once, kept for its owner only, and used again at the next start", async () => {
  const first = await certificates().first();
  expect(HOSTS.map((host) => new X509Certificate(first.cert).checkHost(host))).toEqual(HOSTS);
  expect(challenges.size).toBe(0);
  expect((await stat(path.join(folder, "certificates/certificate.json"))).mode & 0o777).toBe(0o600);
  expect(await certificates().first()).toEqual(first);
  expect(authority.issued()).toBe(1);
});

it("one that ends soon is renewed while it is still good", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const lines: string[] = [];
  const used: string[] = [];
  const end = certificates((line) => lines.push(line)).follow(({ cert }) => used.push(cert));
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  await vi.waitFor(() => expect(lines).toContain("The certificate was renewed."), 10_000);
  end();
  expect([used.length, authority.issued()]).toEqual([1, 2]);
});

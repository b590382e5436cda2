import { spawn, spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { generate } from "selfsigned";
import { freePorts } from "../../../scripts/testing/free-port.js";

/** A test CA. `root`: the certificate of the CA's HTTPS server (PEM). */
export type Authority = { directory: string; root: string; stop(): void };

/** Whether Debian's package `pebble` is installed. */
export const isPebbleInstalled = spawnSync("pebble", ["-h"]).error === undefined;

/** Creates a self-signed certificate for 127.0.0.1. */
export const loopbackCertificate = (validity: { notBeforeDate?: Date; notAfterDate?: Date } = {}) =>
  generate([{ name: "commonName", value: "127.0.0.1" }], {
    ...validity,
    extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }],
  });

/**
 * Starts pebble, Let's Encrypt's ACME CA for tests. Pebble rejects some nonces on purpose, as RFC 8555 allows.
 * @param input.folder folder for pebble's files.
 * @param input.httpPort loopback port to which pebble sends HTTP-01 challenges, regardless of the host's name.
 * @param input.days lifetime of pebble's certificates.
 */
export async function startPebble(input: {
  folder: string;
  httpPort: number;
  days: number;
}): Promise<Authority> {
  const [port, dnsPort, managementPort, tlsPort] = await freePorts(4);
  const { cert, private: key } = await loopbackCertificate();
  const file = (name: string) => path.join(input.folder, name);
  await writeFile(file("pebble.crt"), cert);
  await writeFile(file("pebble.key"), key);
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: "",
    certificate: file("pebble.crt"),
    privateKey: file("pebble.key"),
    httpPort: input.httpPort,
    tlsPort,
    certificateValidityPeriod: input.days * 86_400,
  };
  await writeFile(file("pebble.json"), JSON.stringify({ pebble }));
  const disabled = ["-http01", "", "-https01", "", "-tlsalpn01", "", "-defaultIPv6", ""];
  const programs = [
    // Resolves every name to 127.0.0.1.
    spawn("pebble-challtestsrv", [
      ...["-dns01", `127.0.0.1:${dnsPort}`, "-management", `127.0.0.1:${managementPort}`],
      ...disabled,
    ]),
    spawn("pebble", ["-config", file("pebble.json"), "-dnsserver", `127.0.0.1:${dnsPort}`], {
      env: { ...process.env, PEBBLE_VA_NOSLEEP: "1" },
    }),
  ];
  const stop = () => {
    for (const program of programs) program.kill();
  };
  await Promise.all(
    programs.map(async (program) => {
      const lines = createInterface({ input: program.stdout });
      for await (const line of lines)
        if (/ACME directory available|Starting management server/.test(line)) break;
      program.stdout.resume();
      program.stderr.resume();
    }),
  );
  return { directory: `https://127.0.0.1:${port}/dir`, root: cert, stop };
}

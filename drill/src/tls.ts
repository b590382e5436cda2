import { execFileSync } from "node:child_process";
import { chownSync, readFileSync } from "node:fs";
import https from "node:https";
import path from "node:path";
import { giveToAccount } from "./files.js";
import type { Account } from "./program.js";

const TIMEOUT_MS = 3_000;

/** One certificate for all programs of a cluster, and the authority that signed it. */
export type Certificate = { folder: string; authority: string; certificate: string; key: string };

export async function createCertificate(folder: string, account: Account | undefined): Promise<Certificate> {
  await giveToAccount(folder, account);
  const files = {
    folder,
    authority: path.join(folder, "ca.crt"),
    certificate: path.join(folder, "server.crt"),
    key: path.join(folder, "server.key"),
  };
  const authorityKey = path.join(folder, "ca.key");
  const common = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const openssl = (...parts: string[]) => execFileSync("openssl", [...common, ...parts], { stdio: "pipe" });
  openssl("-subj", "/CN=drill", "-keyout", authorityKey, "-out", files.authority);
  openssl(
    ...["-CA", files.authority, "-CAkey", authorityKey, "-subj", "/CN=drill member"],
    ...["-addext", "basicConstraints=critical,CA:FALSE", "-addext", "extendedKeyUsage=serverAuth,clientAuth"],
    ...["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", files.key, "-out", files.certificate],
  );
  // PostgreSQL rejects a key that belongs to another user.
  if (account) chownSync(files.key, account.uid, account.gid);
  return files;
}

/** Sends an HTTPS request with the client certificate: POST if there is a body, otherwise GET. */
export type Caller = (
  url: string,
  options?: { body?: string; password?: string; timeoutMs?: number },
) => Promise<{ status: number; text: string }>;

export function callerOf({ authority, certificate, key }: Certificate): Caller {
  const tls = { ca: readFileSync(authority), cert: readFileSync(certificate), key: readFileSync(key) };
  return (url, { body, password, timeoutMs = TIMEOUT_MS } = {}) =>
    new Promise((resolve, reject) => {
      const request = https.request(
        url,
        {
          ...tls,
          method: body === undefined ? "GET" : "POST",
          ...(body !== undefined && { headers: { "content-type": "application/json" } }),
          ...(password !== undefined && { auth: `patroni:${password}` }),
          signal: AbortSignal.timeout(timeoutMs),
        },
        (response) => {
          let text = "";
          response.setEncoding("utf8");
          response.on("data", (part: string) => {
            text += part;
          });
          response.on("error", reject);
          response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
        },
      );
      request.on("error", reject);
      request.end(body);
    });
}

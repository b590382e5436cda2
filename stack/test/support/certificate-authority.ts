import { once } from "node:events";
import { createServer, request } from "node:http";
import { json, text } from "node:stream/consumers";
import * as x509 from "@peculiar/x509";
import { calculateJwkThumbprint, decodeProtectedHeader, type JWK } from "jose";

/** Lifetime of the issued certificates, in days. */
type Days = { days: number };

export type CertificateAuthority = {
  directory: string;
  /** Its root certificate (PEM). */
  root: string;
  /** Number of certificates issued. */
  issued(): number;
  close(): void;
};

/**
 * A minimal ACME authority (RFC 8555). It validates HTTP-01 challenges on loopback, with the host's name in the Host header.
 * @param httpPort loopback port of the challenge server.
 */
export async function startCertificateAuthority(
  httpPort: number,
  { days }: Days,
): Promise<CertificateAuthority> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=Test authority",
    keys,
    signingAlgorithm: algorithm,
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
  });
  const hosts: { name: string; status: "pending" | "valid" | "invalid" }[] = [];
  let thumbprint = "";
  let certificate = "";
  let issued = 0;

  const validateChallenge = async (host: string, token: string): Promise<boolean> => {
    const path = `/.well-known/acme-challenge/${token}`;
    const sent = request({ host: "127.0.0.1", port: httpPort, path, headers: { host }, agent: false }).end();
    const [answer] = await once(sent, "response");
    return (await text(answer)).trim() === `${token}.${thumbprint}`;
  };
  const issue = async (csr: string): Promise<string> => {
    const certificateRequest = new x509.Pkcs10CertificateRequest(Buffer.from(csr, "base64url"));
    const made = await x509.X509CertificateGenerator.create({
      subject: certificateRequest.subject,
      issuer: root.subject,
      notAfter: new Date(Date.now() + days * 86_400_000),
      publicKey: certificateRequest.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.SubjectAlternativeNameExtension(hosts.map(({ name }) => ({ type: "dns", value: name }))),
      ],
    });
    issued += 1;
    return `${made.toString("pem")}\n${root.toString("pem")}\n`;
  };
  const isValidated = (): boolean => hosts.every(({ status }) => status === "valid");
  const order = (base: string) => ({
    status: certificate !== "" ? "valid" : isValidated() ? "ready" : "pending",
    identifiers: hosts.map(({ name: value }) => ({ type: "dns", value })),
    authorizations: hosts.map((_host, at) => `${base}/authorization/${at}`),
    finalize: `${base}/finalize`,
    ...(certificate !== "" && { certificate: `${base}/certificate` }),
  });
  const challenge = (base: string, at: number) => ({
    type: "http-01",
    url: `${base}/challenge/${at}`,
    token: `token-${at}`,
    status: hosts[at]?.status,
  });

  const server = createServer(async (received, response) => {
    const base = `http://${received.headers.host}`;
    const [, what = "", number = ""] = (received.url ?? "").split("/");
    const at = Number(number);
    const signed =
      received.method === "POST" ? ((await json(received)) as { protected: string; payload: string }) : null;
    const payload = JSON.parse(Buffer.from(signed?.payload ?? "", "base64url").toString() || "{}");
    response
      .setHeader("Replay-Nonce", crypto.randomUUID().replaceAll("-", ""))
      .setHeader("Content-Type", "application/json");
    const respond = (body: unknown, status = 200, location = "") =>
      response.writeHead(status, location === "" ? {} : { Location: location }).end(JSON.stringify(body));
    if (what === "directory")
      return respond({ newNonce: `${base}/nonce`, newAccount: `${base}/account`, newOrder: `${base}/order` });
    if (what === "nonce") return response.writeHead(200).end();
    if (what === "account") {
      const { jwk } = decodeProtectedHeader(signed ?? { protected: "" });
      if (jwk) thumbprint = await calculateJwkThumbprint(jwk as JWK);
      return respond({ status: "valid" }, 201, `${base}/account/1`);
    }
    if (what === "order" && number === "") {
      hosts.splice(
        0,
        hosts.length,
        ...payload.identifiers.map(({ value }: { value: string }) => ({
          name: value,
          status: "pending" as const,
        })),
      );
      certificate = "";
      return respond(order(base), 201, `${base}/order/1`);
    }
    if (what === "order") return respond(order(base));
    const host = hosts[at];
    if (what === "authorization" && host)
      return respond({
        status: host.status,
        identifier: { type: "dns", value: host.name },
        challenges: [challenge(base, at)],
      });
    if (what === "challenge" && host) {
      host.status = (await validateChallenge(host.name, `token-${at}`)) ? "valid" : "invalid";
      return respond(challenge(base, at));
    }
    if (what === "finalize" && isValidated()) {
      certificate = await issue(payload.csr);
      return respond(order(base), 200, `${base}/order/1`);
    }
    if (what === "certificate")
      return response
        .writeHead(200, { "Content-Type": "application/pem-certificate-chain" })
        .end(certificate);
    return respond({ type: "urn:ietf:params:acme:error:malformed", detail: "not validated" }, 403);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    directory: `http://127.0.0.1:${port}/directory`,
    root: root.toString("pem"),
    issued: () => issued,
    close: () => server.close(),
  };
}

import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import { request as httpsRequest } from "node:https";
import { text } from "node:stream/consumers";
import { connect } from "node:tls";
import { generate } from "selfsigned";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePorts } from "../../../../scripts/testing/free-port.js";
import { type Front, startFront } from "../../../src/production/front.js";

const HOSTS = ["api.shop.test", "pay.shop.test"];
const certificateFor = async (days: number) => {
  const created = await generate([{ name: "commonName", value: HOSTS[0] }], {
    keySize: 2048,
    notAfterDate: new Date(Date.now() + days * 86_400_000),
    extensions: [{ name: "subjectAltName", altNames: HOSTS.map((value) => ({ type: 2, value })) }],
  });
  return { cert: created.cert, key: created.private };
};

let upstream: Server;
let front: Front;
let ports: number[];
let certificate: { cert: string; key: string };
const challenges = new Map([["token-1", "token-1.thumbprint"]]);
const logged: string[] = [];
let release: () => void = () => undefined;
beforeAll(async () => {
  ports = await freePorts(4);
  certificate = await certificateFor(30);
  upstream = createServer((request, response) => {
    if (request.url === "/stream") {
      response.writeHead(200, { "Content-Type": "text/event-stream" }).write("data: first\n\n");
      release = () => response.end("data: last\n\n");
      return;
    }
    response
      .setHeader("Content-Type", "application/json")
      .end(JSON.stringify({ url: request.url, headers: request.headers }));
  }).listen(ports[2], "127.0.0.1");
  await once(upstream, "listening");
  front = await startFront({
    host: "127.0.0.1",
    httpsPort: ports[0] ?? 0,
    httpPort: ports[1] ?? 0,
    upstreams: new Map([
      ["api.shop.test", `http://127.0.0.1:${ports[2]}`],
      ["pay.shop.test", `http://127.0.0.1:${ports[3]}`],
    ]),
    paths: new Map([["/.well-known/security.txt", `http://127.0.0.1:${ports[2]}`]]),
    certificate,
    challenges,
    log: (line) => logged.push(line),
  });
});
afterAll(async () => {
  release();
  await front.close(0);
  upstream.closeAllConnections();
  upstream.close();
});

async function open(
  host: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const sent = httpsRequest({
    host: "127.0.0.1",
    port: ports[0],
    servername: HOSTS[0],
    ca: certificate.cert,
    path,
    headers: { host, ...headers },
    agent: false,
  }).end();
  const [response] = await once(sent, "response");
  return response;
}

async function requestPlainHttp(method: string, host: string, path: string): Promise<IncomingMessage> {
  const sent = httpRequest({
    host: "127.0.0.1",
    port: ports[1],
    method,
    path,
    headers: { host },
    agent: false,
  }).end();
  const [response] = await once(sent, "response");
  return response;
}

it("the front server forwards a request to the service of its host and replaces the client's forwarding headers", async () => {
  const response = await open("api.shop.test:8443", "/orders?a=b", {
    "x-forwarded-for": "203.0.113.9",
    "x-forwarded-proto": "http",
    forwarded: "for=203.0.113.9",
    "x-real-header": "kept",
  });
  const { url, headers } = JSON.parse(await text(response));
  expect(url).toBe("/orders?a=b");
  expect(headers).toMatchObject({
    host: "api.shop.test:8443",
    "x-forwarded-for": "127.0.0.1",
    "x-forwarded-proto": "https",
    "x-real-header": "kept",
  });
  expect(headers).not.toHaveProperty("forwarded");
});

it("the front server forwards /.well-known/security.txt to the service that serves it, regardless of the host", async () => {
  // The service of this host is down.
  const { url } = JSON.parse(await text(await open("pay.shop.test", "/.well-known/security.txt")));
  expect(url).toBe("/.well-known/security.txt");
});

it("the front server forwards a stream without buffering", async () => {
  const response = await open("api.shop.test", "/stream");
  const [first] = await once(response, "data");
  expect(String(first)).toBe("data: first\n\n");
  release();
  expect(await text(response)).toBe("data: last\n\n");
});

it("the front server rejects other hosts, and responds with 503 when the service is down", async () => {
  expect((await open("other.test", "/")).statusCode).toBe(421);
  const down = await open("pay.shop.test", "/");
  expect([down.statusCode, down.headers["retry-after"]]).toEqual([503, "2"]);
  expect(logged.join()).toContain("could not be forwarded");
});

it("the front server serves only the redirect to HTTPS and the ACME challenge over plain HTTP", async () => {
  const redirect = await requestPlainHttp("GET", "api.shop.test", "/docs?x=1");
  expect([redirect.statusCode, redirect.headers.location]).toEqual([
    308,
    `https://api.shop.test:${ports[0]}/docs?x=1`,
  ]);
  expect((await requestPlainHttp("POST", "api.shop.test", "/orders")).statusCode).toBe(403);
  expect((await requestPlainHttp("GET", "evil.test", "/")).statusCode).toBe(421);
  const proof = await requestPlainHttp("GET", "anything.test", "/.well-known/acme-challenge/token-1");
  expect([proof.statusCode, await text(proof)]).toEqual([200, "token-1.thumbprint\n"]);
  expect(
    (await requestPlainHttp("GET", "api.shop.test", "/.well-known/acme-challenge/other")).statusCode,
  ).toBe(308);
});

it("the front server uses a renewed certificate for new connections", async () => {
  const shown = async () => {
    const socket = connect({
      host: "127.0.0.1",
      port: ports[0],
      servername: HOSTS[0],
      rejectUnauthorized: false,
    });
    await once(socket, "secureConnect");
    const { raw } = socket.getPeerCertificate();
    socket.destroy();
    return new X509Certificate(raw).validTo;
  };
  const before = await shown();
  const newer = await certificateFor(60);
  front.setCertificate(newer);
  expect(await shown()).not.toBe(before);
  certificate = newer;
});

import { describe, expect, it } from "vitest";
import { sendRaw } from "../../support/raw-http.js";
import { basic, errorOf } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";
import { createTestSandbox } from "../../support/test-api.js";

const PAY = "/pay/sandbox/api/v1";

const sandbox = await createTestSandbox();

describe("plain HTTP outside production", () => {
  const environment = { TILLGATE_HTTP_HOSTS: "till.local" };

  it("is accepted for loopback and configured hosts only", async () => {
    const { port } = await sandbox.startApi({ environment });
    for (const host of [
      "localhost",
      "LOCALHOST:4000",
      "127.0.0.1:1",
      "127.8.8.8",
      "[::1]:4000",
      "shop.localhost",
      "till.local",
      "Till.Local:80",
    ])
      expect({
        host,
        status: (await sendRaw(port, { path: `${PAY}/orders`, headers: { host } })).status,
      }).toEqual({ host, status: 401 });
    for (const host of [
      "evil.example",
      "127.0.0.1.evil.example",
      "localhost.evil.example",
      "10.0.0.1",
      "::1.evil",
      "xtill.local",
      "0.0.0.0",
      "user@localhost",
    ]) {
      const response = await sendRaw(port, { path: `${PAY}/orders`, headers: { host } });
      expect({ host, ...errorOf(response) }).toEqual({ host, status: 403, texts: ["HTTPS is required"] });
    }
  });

  it("is rejected even if an untrusted client sends forwarded host or protocol headers", async () => {
    const { port } = await sandbox.startApi({ environment });
    const headers = { host: "evil.example", "x-forwarded-host": "localhost", "x-forwarded-proto": "https" };
    expect((await sendRaw(port, { path: `${PAY}/orders`, headers })).status).toBe(403);
  });
});

describe("API in production", () => {
  const production = { TILLGATE_ENVIRONMENT: "production", TILLGATE_PAY_URL: "https://pay.example.test" };
  const https = { "x-forwarded-proto": "https", host: "api.example.test" };

  it.each([
    ["accepts", "127.0.0.1", 404],
    ["rejects", "0.0.0.0", 403],
  ])(
    "%s plain HTTP on internal APIs bound to %s, and rejects it on the public API",
    async (_where, host, status) => {
      const environment = { ...production, TILLGATE_INTERNAL_HOST: host, TILLGATE_INTERNAL_PORT: "4999" };
      const { port } = await sandbox.startApi({ environment, apis: { open: false, internal: true } });
      const path = "/checkout/v1/orders/none";
      expect((await sendRaw(port, { path, headers: { host: "127.0.0.1" } })).status).toBe(status);
      const open = await sandbox.startApi({ environment, apis: { open: true, internal: false } });
      expect(
        (await sendRaw(open.port, { path: `${PAY}/orders`, headers: { host: "127.0.0.1" } })).status,
      ).toBe(403);
    },
  );

  it("rejects plain HTTP with 403 in the error envelope despite forwarded headers, except at /healthz, and writes nothing", async () => {
    const { port } = await sandbox.startApi({ environment: production });
    const authorization = basic(sandbox.access.merchant);
    for (const headers of [
      { authorization },
      { authorization, ...https },
      { authorization, forwarded: "proto=https" },
    ])
      for (const [method, path] of [
        ["GET", `${PAY}/orders`],
        ["POST", `${PAY}/orders`],
        ["GET", "/checkout/v1/orders/x"],
        ["GET", "/nothing"],
      ] as const) {
        const response = await expectNoWrites(sandbox, () => sendRaw(port, { method, path, headers }));
        expect(errorOf(response)).toEqual({ status: 403, texts: ["HTTPS is required"] });
      }
    expect((await sendRaw(port, { path: "/healthz" })).status).toBe(200);
  });

  it("accepts a trusted proxy's forwarded protocol, and sends HSTS over HTTPS", async () => {
    const { port } = await sandbox.startApi({
      environment: { ...production, TILLGATE_TRUSTED_PROXIES: "10.0.0.0/8,127.0.0.1" },
    });
    const headers = { authorization: basic(sandbox.access.merchant), ...https };
    const response = await sendRaw(port, { path: `${PAY}/orders`, headers });
    expect(response.status).toBe(200);
    expect(response.headers.get("strict-transport-security")).toMatch(/max-age=31536000/);
    const plain = await sendRaw(port, {
      path: `${PAY}/orders`,
      headers: { ...headers, "x-forwarded-proto": "http" },
    });
    expect(plain.status).toBe(403);
  });
});

import { MAX_BODY_BYTES, MAX_COMPARISON_BODY_BYTES } from "@tillgate/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../../../src/context.js";
import type { ApiProcess } from "../../support/api-process.js";
import { merchantIdOf } from "../../support/parties.js";
import { describedTexts } from "./documented-responses.js";
import { checks, type Fixture, NO_CREDENTIALS, NO_RATE_LIMITS, openFixture, operations } from "./fixture.js";
import { describeOperationErrors } from "./operation-errors.js";

/** APIs that return errors, by cause. The `strict` API exceeds its rate limit at the second request. */
type FailingApis = Record<"production" | "broken" | "unavailable" | "strict", ApiProcess>;

const ORDER_ONLY_OPERATIONS = [
  "createOrder",
  "cancelOrder",
  "simulateOrder",
  "createPayment",
  "compareOrders",
];

const REPORT_OPERATIONS = [
  "listReportWallets",
  "getReportDay",
  "listReportFeed",
  "getStatementCsv",
  "getStatementXml",
  "getFeeStatement",
];

let scene: Fixture;
let failingApis: FailingApis;
beforeAll(async () => {
  scene = await openFixture();
  const failing = (error: () => Error) => ({
    environment: NO_RATE_LIMITS,
    change: (context: Context) => ({
      ...context,
      database: new Proxy(context.database, {
        get() {
          throw error();
        },
      }),
    }),
  });
  const { sandbox } = scene;
  failingApis = {
    production: await sandbox.startApi({
      environment: { ...NO_RATE_LIMITS, TILLGATE_ENVIRONMENT: "production" },
    }),
    broken: await sandbox.startApi(failing(() => new Error("the database is gone"))),
    unavailable: await sandbox.startApi(
      failing(() => Object.assign(new Error("the server is shutting down"), { code: "57P01" })),
    ),
    strict: await sandbox.startApi({
      environment: {
        ...NO_RATE_LIMITS,
        TILLGATE_PAY_REQUESTS_PER_MINUTE: "1",
        TILLGATE_PARTNER_REQUESTS_PER_MINUTE: "1",
        TILLGATE_TOKENS_PER_MINUTE: "1",
      },
    }),
  };
});
afterAll(() => scene.sandbox.close());

describe.each(
  operations.map(({ id, method, security, path, servers }) => ({ id, method, security, path, servers })),
)("$id", ({ id, method, security, path, servers }) => {
  it("returns documented responses on success", async () => {
    expect(await scene.statusOf(id, await scene.validRequest(id))).toBe(200);
  });

  it("returns documented responses on every server in the document", async () => {
    for (const [server] of servers.entries()) {
      const { parameters = {} } = await scene.validRequest(id);
      const nothing = method === "get" ? {} : { body: {} };
      const status = await scene.statusOf(id, {
        parameters,
        server,
        authorization: NO_CREDENTIALS,
        ...nothing,
      });
      expect(status).toBe(security === null ? 400 : security === "accessToken" ? 403 : 401);
    }
  });

  it("returns documented responses for plain HTTP, an internal error, an unavailable database and an exceeded rate limit", async () => {
    const request = await scene.validRequest(id);
    const { production, broken, unavailable, strict } = failingApis;
    expect(await scene.statusOf(id, { ...request, url: production.url })).toBe(403);
    expect(await scene.statusOf(id, { ...request, url: broken.url })).toBe(500);
    expect(await scene.statusOf(id, { ...request, url: unavailable.url })).toBe(503);
    await scene.call(id, { ...request, url: strict.url });
    expect(await scene.statusOf(id, { ...request, url: strict.url })).toBe(429);
  });

  it("returns documented responses for malformed bodies and paths", async () => {
    const request = await scene.validRequest(id);
    if (path.includes("{")) {
      const parameters = Object.fromEntries(
        Object.keys(request.parameters ?? {}).map((name) => [name, "%E0"]),
      );
      expect(await scene.statusOf(id, { parameters })).toBe(400);
    }
    if (method === "get") return;
    expect(await scene.statusOf(id, { ...request, text: "{" })).toBe(400);
    const tooMany = id === "compareOrders" ? MAX_COMPARISON_BODY_BYTES : MAX_BODY_BYTES;
    expect(await scene.statusOf(id, { ...request, text: `"${"a".repeat(tooMany)}"` })).toBe(413);
    for (const headers of [
      { "content-type": "text/plain" },
      { "content-type": "application/json; charset=latin1" },
      { "content-type": "application/json", "content-encoding": "gzip" },
    ])
      expect(await scene.statusOf(id, { ...request, text: "{}", headers })).toBe(415);
  });

  it("returns documented responses for callers without permission", async () => {
    const request = await scene.validRequest(id);
    if (security) {
      const rejected = security === "accessToken" ? 403 : 401;
      expect(await scene.statusOf(id, { ...request, authorization: NO_CREDENTIALS })).toBe(rejected);
    }
    if (security === "clientCredentials" || security === "accessToken")
      expect(await scene.statusOf(id, { ...request, authorization: scene.live })).toBe(
        security === "accessToken" ? 403 : 401,
      );
    const merchantId = await merchantIdOf(scene.sandbox, scene.sandbox.access.merchant.client_id);
    await scene.withChange(
      "UPDATE merchants SET suspended_at = now() WHERE id = $1",
      "UPDATE merchants SET suspended_at = NULL WHERE id = $1",
      [merchantId],
      async () => expect(await scene.statusOf(id, request)).toBe(403),
    );
    if (security && method !== "get")
      expect(await scene.statusOf(id, { ...request, authorization: scene.readOnly })).toBe(403);
    if (security === "clientCredentials" && method !== "get" && !ORDER_ONLY_OPERATIONS.includes(id))
      expect(await scene.statusOf(id, { ...request, authorization: scene.orderOnly })).toBe(403);
    if (security && security !== "apiToken" && !REPORT_OPERATIONS.includes(id))
      expect(await scene.statusOf(id, { ...request, authorization: scene.reportsOnly })).toBe(403);
    if (security !== "apiToken") return;
    await scene.withChange(
      "UPDATE merchants SET partner_api_enabled = false WHERE id = $1",
      "UPDATE merchants SET partner_api_enabled = true WHERE id = $1",
      [merchantId],
      async () => expect(await scene.statusOf(id, request)).toBe(403),
    );
  });
});

describeOperationErrors(() => scene);

describe("/openapi.json", () => {
  it("contains no response text that these tests did not receive", () => {
    expect(describedTexts(operations).filter((text) => !checks.seen.has(text))).toEqual([]);
  });
});

import { gzipSync } from "node:zlib";
import { MAX_BODY_BYTES } from "@tillgate/contract";
import { describe, expect, it } from "vitest";
import { openPage } from "../../support/checkout.js";
import { createOrder, ORDER_CREATED, paymentTokenOf, readOrder } from "../../support/orders.js";
import { sendRaw } from "../../support/raw-http.js";
import { basic, errorOf, payApi, send } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

const PAY = "/pay/sandbox/api/v1";

const { sandbox, server, api } = await createTestApi();

describe("request bodies", () => {
  const malformed = { status: 400, texts: ["Malformed JSON"] };

  it.each(["{", '{"amount":1,}', "{'amount':1}", "amount=1", '{"amount":NaN}', '"\u0001"', "{}{}", "\u0000"])(
    "are rejected as malformed JSON with 400, and nothing is written: %j",
    async (body) => {
      for (const path of ["/orders", "/refunds"])
        expect(errorOf(await expectNoWrites(sandbox, () => api.postText(path, body)))).toEqual(malformed);
    },
  );

  it("are rejected if they contain invalid UTF-8", async () => {
    const [head, tail] = ['{"amount":1,"currency":"EUR","reference":"', '"}'];
    for (const broken of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
      const body = new Uint8Array([...Buffer.from(head), ...broken, ...Buffer.from(tail)]);
      expect(errorOf(await expectNoWrites(sandbox, () => api.postText("/orders", body)))).toEqual(malformed);
    }
  });

  it.each(["[]", '[{"amount":1}]', "null", "1", "true", '"text"'])(
    "are rejected with 400 if they are not an object: %s",
    async (body) => {
      for (const path of ["/orders", "/refunds"]) {
        const response = await expectNoWrites(sandbox, () => api.postText(path, body));
        expect(errorOf(response)).toEqual({
          status: 400,
          texts: ["The body must be a JSON object"],
          fields: { body: ["The body must be a JSON object"] },
        });
      }
    },
  );

  it("are treated as {} if empty: the required fields are reported", async () => {
    const response = await sendRaw(server.port, {
      method: "POST",
      path: `${PAY}/orders`,
      headers: { authorization: basic(sandbox.access.merchant) },
    });
    expect(Object.keys(errorOf(response).fields ?? {})).toEqual(["amount", "currency"]);
  });

  it("may have up to 65536 bytes, and are rejected with 413 above that", async () => {
    const around = (filler: string) => `{"amount":1,"currency":"EUR","unknown":"${filler}"}`;
    const room = MAX_BODY_BYTES - around("").length;
    readOrder(await api.postText("/orders", around("a".repeat(room))), ORDER_CREATED);
    for (const filler of ["a".repeat(room + 1), "é".repeat(room / 2 + 1), "a".repeat(1_000_000)]) {
      const response = await expectNoWrites(sandbox, () => api.postText("/orders", around(filler)));
      expect(errorOf(response)).toEqual({ status: 413, texts: ["The body is larger than 64 KiB"] });
    }
    const chunked = await expectNoWrites(sandbox, () =>
      sendRaw(server.port, {
        method: "POST",
        path: `${PAY}/orders`,
        headers: {
          authorization: basic(sandbox.access.merchant),
          "content-type": "application/json",
          "transfer-encoding": "chunked",
        },
        body: around("a".repeat(room + 1)),
      }),
    );
    expect(errorOf(chunked).status).toBe(413);
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/xml",
    "json",
    "",
  ])("are rejected with 415 for content type %j", async (type) => {
    const response = await expectNoWrites(sandbox, () =>
      api.postText("/orders", '{"amount":1,"currency":"EUR"}', { "content-type": type }),
    );
    expect(errorOf(response)).toEqual({
      status: 415,
      texts: ["The body must be JSON (Content-Type: application/json)"],
    });
  });

  it.each(["application/json; charset=utf-8", "APPLICATION/JSON", "application/problem+json"])(
    "are read as JSON for content type %j",
    async (type) => {
      const response = await api.postText("/orders", '{"amount":1,"currency":"EUR"}', {
        "content-type": type,
      });
      readOrder(response, ORDER_CREATED);
    },
  );

  it("are rejected with 415 in another charset", async () => {
    const response = await expectNoWrites(sandbox, () =>
      api.postText("/orders", "{}", { "content-type": "application/json; charset=latin1" }),
    );
    expect(errorOf(response)).toEqual({ status: 415, texts: ["The body must be JSON in UTF-8"] });
  });

  it("are rejected with 415 if compressed, whether valid, broken or a decompression bomb", async () => {
    const packed = gzipSync('{"amount":1,"currency":"EUR"}');
    for (const bytes of [
      packed,
      packed.subarray(0, 10),
      Buffer.from("not gzip"),
      gzipSync(Buffer.alloc(10_000_000)),
    ])
      for (const encoding of ["gzip", "br", "deflate", "unknown"]) {
        const response = await expectNoWrites(sandbox, () =>
          api.postText("/orders", new Uint8Array(bytes), { "content-encoding": encoding }),
        );
        expect(errorOf(response)).toEqual({ status: 415, texts: ["The body's encoding is not supported"] });
      }
  });

  it("may be deeply nested in unknown fields", async () => {
    const deep = `{"amount":1,"currency":"EUR","x":${"[".repeat(30_000)}${"]".repeat(30_000)}}`;
    readOrder(await api.postText("/orders", deep), ORDER_CREATED);
  });
});

describe("routes and methods", () => {
  it.each([
    "/",
    "/nothing",
    "/pay",
    `${PAY}`,
    `${PAY}/order`,
    `${PAY}/orders/x/cancel/y`,
    "/checkout/v1",
    "/pay/other/api/v1/orders",
    "/%",
    "/%00",
    "//healthz",
  ])("return 404 for the unknown route %s", async (path) => {
    expect(errorOf(await sendRaw(server.port, { path }))).toEqual({ status: 404, texts: ["Unknown route"] });
  });

  it("reject malformed percent-encoding in an ID with 400", async () => {
    for (const path of [
      `${PAY}/orders/%`,
      `${PAY}/orders/%zz`,
      `${PAY}/refunds/%ff`,
      `${PAY}/orders/%E0%A4%A/cancel`,
    ]) {
      const response = await sendRaw(server.port, {
        path,
        headers: { authorization: basic(sandbox.access.merchant) },
      });
      expect(errorOf(response)).toEqual({ status: 400, texts: ["Malformed URL"] });
    }
  });

  it.each([
    ["/healthz", "GET, HEAD"],
    ["/readyz", "GET, HEAD"],
    [`${PAY}/orders`, "GET, HEAD, POST"],
    [`${PAY}/orders/POS-1`, "GET, HEAD"],
    [`${PAY}/orders/POS-1/cancel`, "POST"],
    [`${PAY}/refunds`, "GET, HEAD, POST"],
    [`${PAY}/refunds/RF-1`, "GET, HEAD"],
  ])("at %s allow only %s, and return 405 with Allow for other methods", async (path, allowed) => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]) {
      if (allowed.split(", ").includes(method)) continue;
      const response = await sendRaw(server.port, { method, path });
      expect({ method, ...errorOf(response) }).toEqual({
        method,
        status: 405,
        texts: ["Method not allowed"],
      });
      expect(new Set(response.headers.get("allow")?.split(", "))).toEqual(new Set(allowed.split(", ")));
    }
  });

  it("respond to HEAD like GET, without a body", async () => {
    const { order_id } = await createOrder(api);
    const headers = { authorization: basic(sandbox.access.merchant) };
    for (const path of ["/healthz", `${PAY}/orders`, `${PAY}/orders/${order_id}`, `${PAY}/refunds`]) {
      const [get, head] = [
        await sendRaw(server.port, { path, headers }),
        await sendRaw(server.port, { method: "HEAD", path, headers }),
      ];
      expect({ path, status: head.status, text: head.text }).toEqual({ path, status: 200, text: "" });
      expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"));
    }
  });
});

describe("responses", () => {
  it("have a unique request ID, Cache-Control: no-store, and headers against framing and sniffing", async () => {
    const ids = new Set<string | null>();
    const paths = ["/healthz", "/readyz", "/nothing", `${PAY}/orders`, "/%"];
    for (const path of paths) {
      const { headers } = await sendRaw(server.port, {
        path,
        headers: { "x-request-id": "req_chosen-by-caller" },
      });
      expect(headers.get("x-request-id")).toMatch(/^req_[0-9a-f]{32}$/);
      ids.add(headers.get("x-request-id"));
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-frame-options")).toBe("SAMEORIGIN");
      expect(headers.get("content-security-policy")).toContain("default-src 'self'");
      expect(headers.get("x-powered-by")).toBeNull();
      expect(headers.get("server")).toBeNull();
      expect(headers.get("etag")).toBeNull();
      expect(headers.get("strict-transport-security")).toBeNull();
    }
    expect(ids.size).toBe(paths.length);
  });

  it("reveal only the request ID of an internal error, and the log contains the cause but no row data", async () => {
    const hint = "Failing row contains (the-token-of-a-page)";
    const broken = await sandbox.startApi({
      change(context) {
        const pool = Object.create(context.database.pool);
        pool.query = () =>
          Promise.reject(Object.assign(new Error("relation is on fire"), { detail: hint, code: "XX000" }));
        return { ...context, database: { ...context.database, pool } };
      },
    });
    const response = await payApi(broken, sandbox.access.merchant).post("/orders", {
      amount: 1,
      currency: "EUR",
    });
    const id = response.headers.get("x-request-id");
    expect(errorOf(response)).toEqual({ status: 500, texts: [`Internal error. Request ID: ${id}`] });
    expect(response.text).not.toMatch(/fire|\.ts|\.js|at |stack/);
    const line =
      broken
        .logs()
        .split("\n")
        .find((text) => text.includes("unexpected error")) ?? "";
    expect(line).toContain(`"requestId":"${id}"`);
    expect(line).toContain("relation is on fire");
    expect(line).toContain('"code":"XX000"');
    expect(line).not.toContain("the-token-of-a-page");
    expect((await sendRaw(broken.port, { path: "/healthz" })).status).toBe(200);
    expect(errorOf(await sendRaw(broken.port, { path: "/readyz" }))).toEqual({
      status: 503,
      texts: ["The database does not respond"],
    });
  });
});

describe("logs", () => {
  it("contain no secret: no key, PIN, session, payment token or form token", async () => {
    const order = await createOrder(api, { reference: "logged?" });
    const page = openPage(server, paymentTokenOf(order));
    const shopper = sandbox.access.shoppers[0];
    if (!shopper) throw new Error("the sandbox has no shopper");
    await page.signInResponse(shopper.email, "000000");
    await page.signIn(shopper.email, shopper.pin);
    const { form_token } = await page.view();
    await page.act("pay", form_token);
    await payApi(server, { ...sandbox.access.merchant, client_secret: "wrong-secret-x" }).get("/orders");
    const logged = server.logs();
    expect(logged).toContain('"statusCode":200');
    const { merchant } = sandbox.access;
    for (const secret of [
      merchant.client_secret,
      basic(merchant).slice(6),
      "wrong-secret-x",
      server.context.config.internalKey,
      paymentTokenOf(order),
      page.session ?? "",
      form_token,
      shopper.pin,
      shopper.email,
    ])
      expect(logged.includes(secret)).toBe(false);
  });
});

it("GET /healthz and GET /readyz need no credentials", async () => {
  for (const path of ["/healthz", "/readyz"]) {
    const response = await send(server.url + path);
    expect({ status: response.status, body: response.body }).toEqual({ status: 200, body: { status: "ok" } });
  }
});

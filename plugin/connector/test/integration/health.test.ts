import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLIENT_SECRET } from "./fakes/fake-tillgate.js";
import { type Bench, CONSUMER_SECRET, HEALTH_KEY, STORE_WEBHOOK_SECRET, setUp } from "./fakes/set-up.js";

let bench: Bench;
beforeAll(async () => {
  bench = await setUp();
});
afterAll(() => bench.close());

const bearer = { authorization: `Bearer ${HEALTH_KEY}` };
const text = async (path: string, headers: Record<string, string> = bearer) => {
  const response = await fetch(`${bench.url}${path}`, { headers });
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
};
const paths = ["/v1/stores/demo/health", "/health/demo", "/metrics"];

describe("the health report, the health page and the metrics", () => {
  it.each(paths)("require the key as a bearer token or Basic password: %s", async (path) => {
    const basic = (password: string) => ({
      authorization: `Basic ${Buffer.from(`anybody:${password}`).toString("base64")}`,
    });
    expect((await text(path)).status).toBe(200);
    expect((await text(path, basic(HEALTH_KEY))).status).toBe(200);
    for (const headers of [
      {},
      basic("wrong"),
      { authorization: `Bearer ${HEALTH_KEY}x` },
      { authorization: "Bearer" },
      { authorization: HEALTH_KEY },
    ]) {
      expect((await text(path, headers)).status).toBe(401);
    }
  });

  it("return 404 for an unknown store (report and page) and 405 for an unsupported method (metrics)", async () => {
    expect((await text("/v1/stores/nobody/health")).status).toBe(404);
    expect((await text("/health/nobody")).status).toBe(404);
    const posted = await fetch(`${bench.url}/metrics`, { method: "POST", headers: bearer });
    expect(posted.status).toBe(405);
  });

  it("report the status failing before the first sweep, and no problems after it", async () => {
    expect(await bench.connector.health()).toMatchObject({ status: "failing", last_sweep: null });
    bench.store.webhooks = [
      {
        status: "active",
        topic: "order.updated",
        delivery_url: "http://connector.test/v1/stores/demo/store-webhook",
      },
    ];
    await bench.connector.sweep();
    const { status, body } = await bench.call("/v1/stores/demo/health", { headers: bearer });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        store: "demo",
        status: "ok",
        summary: "Customers can pay. No problems with webhooks. No known differences from Tillgate.",
        problems: [],
        mismatches: 0,
        last_sweep: { failed: [] },
      },
    });
  });

  it("report that customers cannot pay, and why, while the store is unreachable", async () => {
    bench.store.fault = (_call, response) => {
      response.writeHead(503, { "content-type": "text/html" }).end("<h1>Maintenance</h1>");
      return true;
    };
    await bench.connector.sweep();
    const health = await bench.connector.health();
    expect(health).toMatchObject({ status: "failing", can_pay: false });
    expect(health.summary).toMatch(/^Some or all customers can’t pay/);
    expect(health.problems).toContainEqual(
      expect.objectContaining({ kind: "unreachable", text: expect.stringContaining("maintenance mode") }),
    );
    expect((await text("/health/demo")).text).not.toContain("<p>Nothing right now.</p>");
    bench.store.fault = null;
    await bench.connector.sweep();
    expect((await bench.connector.health()).can_pay).toBe(true);
  });

  it("report that customers cannot pay while most payments fail to start", async () => {
    for (let id = 9_001; id <= 9_003; id += 1) {
      bench.store.add({ id, total: "41.505" });
      expect((await bench.start(id)).status).toBe(422);
    }
    const { can_pay, problems } = await bench.connector.health();
    expect(can_pay).toBe(false);
    expect(problems).toContainEqual(
      expect.objectContaining({ kind: "starts", text: expect.stringContaining("3 of the last 3") }),
    );
    for (let id = 9_004; id <= 9_007; id += 1) {
      bench.store.add({ id });
      await bench.start(id);
    }
    expect((await bench.connector.health()).can_pay).toBe(true);
    for (let id = 9_001; id <= 9_007; id += 1) bench.store.remove(id);
    await bench.database.query("DELETE FROM payments WHERE store_order_id > 9000");
    await bench.forgetDue();
  });

  it("show the last event, open payments, and the order number of a payment that doesn't match its order", async () => {
    bench.store.add({ id: 1 });
    bench.store.add({ id: 2, number: "K7M2-9Q4P" });
    await bench.start(1);
    await bench.start(2);
    bench.store.edit(2, { total: "60.00" });
    await bench.deliver(bench.tillgate.set(bench.tillgate.orderOf("K7M2-9Q4P").order_id, "PAID"));
    const health = await bench.connector.health();
    expect(health).toMatchObject({
      status: "attention",
      mismatches: 1,
      payments: { under_way: 1, given_up: 0 },
      last_webhook: { outcome: "applied", event: "pos.order.paid" },
      problems: [
        {
          kind: "mismatch",
          order_id: 2,
          order_number: "K7M2-9Q4P",
          text: expect.stringContaining("60.00 EUR"),
        },
      ],
    });
    const page = await text("/health/demo");
    expect(page.text).toContain(`post=2&amp;action=edit">K7M2-9Q4P</a>`);
    bench.store.edit(2, { status: "processing" });
    await bench.makeDue();
    await bench.connector.sweep();
    expect((await bench.connector.health()).mismatches).toBe(0);
  });

  it("show the likely cause of the last error", async () => {
    bench.store.fault = (_call, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>Maintenance</h1>");
      return true;
    };
    await bench.makeDue();
    await bench.connector.sweep();
    bench.store.fault = null;
    const { last_error: error, last_sweep: sweep } = await bench.connector.health();
    expect(error).toMatchObject({
      cause: "store_answer",
      words: expect.stringContaining("/wp-json/"),
    });
    expect(sweep?.failed).toContain("reading the shop’s changes");
    const page = await text("/health/demo");
    expect(page.text).toContain("/wp-json/");
  });

  it("don't report a request with a wrong order key as an error", async () => {
    const { last_error: before } = await bench.connector.health();
    expect((await bench.start(1, "a wrong key")).status).toBe(404);
    expect((await bench.connector.health()).last_error).toEqual({ ...before, age_ms: expect.any(Number) });
  });

  it("explain a rejected delivery until a genuine delivery arrives", async () => {
    const { order_id } = bench.tillgate.orderOf("1");
    const good = bench.tillgate.event("pos.order.expired", order_id);
    const { id, event, data } = JSON.parse(good.body);
    await bench.deliver(bench.tillgate.sign(id, event, data, { secret: "another secret" }));
    const { problems } = await bench.connector.health();
    expect(problems).toContainEqual(
      expect.objectContaining({ kind: "webhook_refused", text: expect.stringContaining("client secret") }),
    );
    await bench.deliver(bench.tillgate.sign("evt_01234567890123456789", "tillgate.test", {}));
    expect((await bench.connector.health()).problem_counts.webhook_refused).toBeUndefined();
  });

  it("escape the problem texts on the page", async () => {
    await bench.records.of("demo").health.raise({
      kind: "mismatch",
      subject: "script",
      storeOrderId: 3,
      text: `<script>alert("1")</script> & 'more'`,
    });
    const page = await text("/health/demo");
    expect(page.type).toContain("text/html");
    expect(page.text).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;more&#39;");
    expect(page.text).not.toContain("<script>");
  });

  it("count webhooks, sweeps, requests, payments, mismatches and errors (metrics)", async () => {
    const { text: metrics } = await text("/metrics");
    for (const line of [
      /^tillgate_connector_webhooks_total\{store="demo",outcome="applied"\} [1-9]/m,
      /^tillgate_connector_webhooks_total\{store="demo",outcome="refused"\} [1-9]/m,
      /^tillgate_connector_sweep_seconds_count\{store="demo",outcome="done"\} [1-9]/m,
      /^tillgate_connector_sweep_seconds_count\{store="demo",outcome="failed"\} [1-9]/m,
      /^tillgate_connector_call_seconds_count\{store="demo",to="store",operation="GET orders\/\{id\}",outcome="200"\} [1-9]/m,
      /^tillgate_connector_call_seconds_count\{store="demo",to="tillgate",operation="POST orders",outcome="200"\} [1-9]/m,
      /^tillgate_connector_pending_attempts\{store="demo",checked="yes"\} 1$/m,
      /^tillgate_connector_problems\{store="demo",kind="mismatch"\} 1$/m,
      /^tillgate_connector_errors_total\{store="demo",cause="store_answer"\} [1-9]/m,
      /^tillgate_connector_clock_difference_seconds\{store="demo",of="tillgate"\} -?\d/m,
    ]) {
      expect(metrics).toMatch(line);
    }
  });

  it("contain no secrets", async () => {
    for (const path of paths) {
      const response = await text(path);
      for (const secret of [CLIENT_SECRET, CONSUMER_SECRET, STORE_WEBHOOK_SECRET, HEALTH_KEY]) {
        expect(response.text).not.toContain(secret);
      }
    }
  });
});

it("the health page is shown in the browser's language", async () => {
  const page = await fetch(`${bench.url}/health/demo`, {
    headers: { ...bearer, "accept-language": "de-AT,de;q=0.9,en;q=0.8" },
  });
  expect(page.headers.get("vary")).toContain("Accept-Language");
  const html = await page.text();
  expect(html).toContain('<html lang="de" dir="ltr">');
  expect(html).not.toContain("Comparison with Tillgate");
});

describe("a clock that is off by 10 minutes", () => {
  it.each([
    ["the store's", { store: 600 }, "The shop’s clock is 10 minutes ahead of the connector’s"],
    ["Tillgate's", { tillgate: -600 }, "Tillgate’s clock is 10 minutes behind the connector’s"],
    ["the connector's", { store: 600, tillgate: 600 }, "it is 10 minutes behind the shop’s and Tillgate’s"],
  ] as const)("is reported, and payments still work: %s", async (_whose, seconds, words) => {
    const other = await setUp();
    try {
      const off = { store: 0, tillgate: 0, ...seconds };
      const date = (by: number) => new Date(Date.now() + by * 1000).toUTCString();
      other.store.fault = (_call, response) => {
        response.setHeader("date", date(off.store));
        return false;
      };
      other.tillgate.fault = (_method, _path, response) => {
        response.setHeader("date", date(off.tillgate));
        return false;
      };
      other.store.add({ id: 1 });
      await other.start(1);
      const { order_id } = other.tillgate.orderOf("1");
      const { body } = other.tillgate.set(order_id, "PAID");
      const { id, event, data } = JSON.parse(body);
      const late = other.tillgate.sign(id, event, data, { ageSeconds: -off.tillgate });
      expect((await other.deliver(late)).status).toBe(200);
      expect(other.store.order(1).status).toBe("processing");
      await other.makeDue();
      await other.connector.sweep();
      const { clocks, problem_counts, status } = await other.connector.health();
      expect(clocks.warning).toContain(words);
      expect(clocks.warning).toMatch(/(599|600|601) s/);
      expect(problem_counts.clock).toBe(1);
      expect(status).toBe("attention");
    } finally {
      await other.close();
    }
  });
});

it("a connector whose clock is off by a day is not reported as failing", async () => {
  const other = await setUp();
  const originalNow = Date.now;
  try {
    for (const hours of [24, -24]) {
      Date.now = () => originalNow() + hours * 3_600_000;
      await other.connector.sweep();
      expect((await other.connector.health()).status).not.toBe("failing");
    }
  } finally {
    Date.now = originalNow;
    await other.close();
  }
});

it("the health report shows the store's webhook as active soon after its creation, and as disabled after the next scheduled check", async () => {
  const other = await setUp();
  const webhook = {
    status: "active",
    topic: "order.updated",
    delivery_url: "http://connector.test/v1/stores/demo/store-webhook",
  };
  const ageLastCheck = () => other.database.query("UPDATE reports SET reported_at = reported_at - 6000");
  try {
    expect((await other.connector.health()).store_webhook).toBe("missing");
    other.store.webhooks = [webhook];
    await ageLastCheck();
    expect(await other.connector.health()).toMatchObject({ store_webhook: "active", problems: [] });
    other.store.webhooks = [{ ...webhook, status: "disabled" }];
    await other.database.query("UPDATE reports SET reported_at = reported_at - 11 * 60 * 1000");
    await other.connector.sweep();
    expect(await other.connector.health()).toMatchObject({
      store_webhook: "disabled",
      problem_counts: { store_webhook: 1 },
    });
    // An inactive webhook is checked at every sweep.
    other.store.webhooks = [webhook];
    await other.connector.sweep();
    expect((await other.connector.health()).problem_counts.store_webhook).toBeUndefined();
  } finally {
    await other.close();
  }
});

it("the health page is available while the store is unreachable", async () => {
  const other = await setUp();
  try {
    other.store.fault = (_call, response) => {
      response.writeHead(500).end();
      return true;
    };
    expect((await other.connector.health()).store_webhook).toBe("unknown");
    expect((await fetch(`${other.url}/health/demo`, { headers: bearer })).status).toBe(200);
  } finally {
    await other.close();
  }
});

it("the health report, the health page and the metrics are disabled without a health key", async () => {
  const other = await setUp({}, { healthKey: null });
  try {
    for (const path of paths) expect((await other.call(path, { headers: bearer })).status).toBe(404);
  } finally {
    await other.close();
  }
});

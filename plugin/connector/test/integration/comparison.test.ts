import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { compare as compareByCommand } from "../../src/compare/compare.js";
import type { DifferenceName } from "../../src/records/records.js";
import { type Bench, HEALTH_KEY, setUp } from "./fakes/set-up.js";

/** Older than fresh_seconds. */
const SETTLED_MS = 10 * 60_000;

let bench: Bench;
beforeAll(async () => {
  bench = await setUp({ compareBatch: 3 });
});
afterAll(() => bench.close());
// Each test compares only its own payments.
afterEach(() => bench.database.query("DELETE FROM payments; DELETE FROM differences; DELETE FROM due"));

let orders = 0;
/** An order with a started payment. */
async function startPayment(): Promise<{ id: number; pos: string }> {
  orders += 1;
  const id = orders;
  bench.store.add({ id });
  await bench.start(id);
  return { id, pos: bench.tillgate.orderOf(String(id)).order_id };
}
async function paid() {
  const order = await startPayment();
  await bench.deliver(bench.tillgate.set(order.pos, "PAID"));
  expect(bench.store.order(order.id).status).toBe("processing");
  return order;
}
/** Ages all changes in the shop and in Tillgate. */
function skipFreshPeriod(): void {
  const before = new Date(Date.now() - SETTLED_MS).toISOString();
  for (const order of bench.store.orders.values()) order.date_modified_gmt = before.slice(0, 19);
  const then = before.replace(/\.\d+Z$/, "+00:00");
  for (const order of bench.tillgate.orders.values()) {
    if (order.paid_at !== null) order.paid_at = then;
    if (order.status !== "PENDING") order.expires_at = then;
  }
  for (const refund of bench.tillgate.refunds) refund.created_at = then;
}
/** Runs the comparison in progress to its end. */
async function end(): Promise<void> {
  await bench.connector.idle();
  while (await bench.connector.runComparison());
}
/** Runs a comparison. @returns the differences */
async function compare() {
  skipFreshPeriod();
  expect(await bench.connector.startComparison()).toBe(true);
  await end();
  const view = await bench.connector.comparison();
  expect(view.last).toMatchObject({ under_way: false, asked_by: "person" });
  return view.differences;
}
const nameOf = ({
  payment_id,
  subject,
  subject_id,
  field,
}: Awaited<ReturnType<typeof compare>>[number]): DifferenceName => ({
  paymentId: payment_id,
  subject,
  subjectId: subject_id,
  field,
});
const differencesOf = async (id: number) => (await compare()).filter(({ order_id }) => order_id === id);
/** The only difference of an order. */
async function differenceOf(id: number) {
  const found = await differencesOf(id);
  expect(found).toHaveLength(1);
  const [one] = found;
  if (one === undefined) throw new Error(`Order ${id} agrees.`);
  return one;
}
/** Counts requests that move money or cancel a payment in Tillgate. */
const countMoneyRequests = () =>
  bench.tillgate.requests.filter((one) => / POST \/(refunds|orders)/.test(one)).length;

describe("a comparison with Tillgate", () => {
  it("finds nothing in several batches if shop and Tillgate agree", async () => {
    for (let count = 0; count < 7; count += 1) await paid();
    const { id, pos } = await paid();
    for (const delivery of bench.tillgate.refund(pos, 5)) await bench.deliver(delivery);
    bench.store.refundByHand(id, "3.00");
    await bench.scheduleCheck(id);
    await bench.connector.sweep();
    expect(await compare()).toEqual([]);
    expect((await bench.connector.comparison()).last).toMatchObject({ compared: 8, skipped: 0 });
  });

  it("changes nothing in the shop or at Tillgate", async () => {
    const { id } = await paid();
    bench.store.edit(id, { status: "pending" });
    const before = { moved: countMoneyRequests(), writes: bench.store.writes.length };
    expect(await differencesOf(id)).toMatchObject([{ kind: "paid_shop_unpaid" }]);
    expect({ moved: countMoneyRequests(), writes: bench.store.writes.length }).toEqual(before);
    bench.store.edit(id, { status: "processing" });
    expect(await differencesOf(id)).toEqual([]);
  });

  it("cannot be started again while it runs, and resumes after an interruption without comparing a payment twice", async () => {
    for (let count = 0; count < 6; count += 1) await paid();
    skipFreshPeriod();
    const compared: string[] = [];
    let broken = true;
    bench.tillgate.fault = (method, path, response) => {
      if (method !== "GET" || !path.startsWith("/orders/")) return false;
      if (broken && compared.length === 4) {
        response.writeHead(503).end();
        return true;
      }
      compared.push(path);
      return false;
    };
    expect(await bench.connector.startComparison()).toBe(true);
    await bench.connector.idle();
    expect(await bench.connector.startComparison()).toBe(false);
    await bench.connector.idle();
    expect((await bench.connector.comparison()).last).toMatchObject({ under_way: true, compared: 4 });
    broken = false;
    while (await bench.connector.runComparison());
    bench.tillgate.fault = null;
    const { last } = await bench.connector.comparison();
    expect(last).toMatchObject({ under_way: false, skipped: 0, compared: compared.length });
    expect(new Set(compared).size).toBe(compared.length);
  });

  it("skips a payment that cannot be compared, and keeps its known differences", async () => {
    const { id, pos } = await paid();
    bench.store.edit(id, { total: "60.00" });
    const [before] = await differencesOf(id);
    bench.tillgate.fault = (_method, path, response) => {
      if (path !== `/orders/${pos}`) return false;
      response.writeHead(500).end();
      return true;
    };
    await bench.connector.startComparison();
    await bench.connector.idle();
    for (let tries = 0; tries < 3; tries += 1) await bench.connector.runComparison().catch(() => true);
    bench.tillgate.fault = null;
    const view = await bench.connector.comparison();
    expect(view.last).toMatchObject({ under_way: false, skipped: 1 });
    expect(view.differences).toContainEqual(before);
    bench.store.edit(id, { total: "41.50" });
    expect(await differencesOf(id)).toEqual([]);
  });

  it("runs once per night, from the second night on", async () => {
    const other = await setUp();
    try {
      other.store.add({ id: 1 });
      await other.start(1);
      expect(await other.connector.runComparison()).toBe(false);
      expect((await other.connector.comparison()).last).toBeNull();
      await other.database.query("UPDATE comparisons SET started_at = started_at - 24 * 60 * 60 * 1000");
      await other.connector.runComparison();
      const { last } = await other.connector.comparison();
      expect(last).toMatchObject({ asked_by: "night", compared: 1, under_way: false });
      await other.connector.runComparison();
      expect((await other.connector.comparison()).last).toEqual(last);
    } finally {
      await other.close();
    }
  });

  it("is reported as a problem on the health page while it finds differences", async () => {
    const { id } = await paid();
    bench.store.edit(id, { total: "50.00" });
    await compare();
    const { problem_counts, status, comparison } = await bench.connector.health();
    expect({ count: problem_counts.books, status, found: comparison.difference_count }).toEqual({
      count: 1,
      status: "attention",
      found: 1,
    });
    bench.store.edit(id, { total: "41.50" });
    await compare();
    expect((await bench.connector.health()).problem_counts.books).toBeUndefined();
  });
});

describe("repairing a difference", () => {
  it("marks an order set back to pending as paid again, without moving money or adding a second note", async () => {
    const { id } = await paid();
    const notes = [...bench.store.notesOf(id)];
    bench.store.edit(id, { status: "pending" });
    const found = await differenceOf(id);
    expect(found).toMatchObject({ kind: "paid_shop_unpaid", repair: "apply_order" });
    const before = countMoneyRequests();
    expect(await bench.connector.repairDifference(nameOf(found))).toBe("repaired");
    expect(bench.store.order(id).status).toBe("processing");
    expect(bench.store.notesOf(id)).toEqual(notes);
    expect(countMoneyRequests()).toBe(before);
    expect(await bench.connector.repairDifference(nameOf(found))).toBe("gone");
    expect(await differencesOf(id)).toEqual([]);
  });

  it("applies a payment that the shop missed", async () => {
    const { id, pos } = await startPayment();
    bench.tillgate.set(pos, "PAID");
    const found = await differenceOf(id);
    expect(found.kind).toBe("paid_shop_unpaid");
    expect(await bench.connector.repairDifference(nameOf(found))).toBe("repaired");
    expect(bench.store.order(id)).toMatchObject({
      status: "processing",
      transaction_id: bench.tillgate.order(pos).trx_id,
    });
  });

  it("applies an expiry that the shop missed", async () => {
    const { id, pos } = await startPayment();
    bench.tillgate.set(pos, "EXPIRED");
    const found = await differenceOf(id);
    expect(found.kind).toBe("end_not_learned");
    expect(await bench.connector.repairDifference(nameOf(found))).toBe("repaired");
    expect(bench.store.order(id).status).toBe("failed");
  });

  it("restores a transaction ID removed from the order", async () => {
    const { id, pos } = await paid();
    bench.store.edit(id, { transaction_id: "" });
    const found = await differenceOf(id);
    expect(found).toMatchObject({ kind: "transaction_missing", field: "transaction" });
    expect(await bench.connector.repairDifference(nameOf(found))).toBe("repaired");
    expect(bench.store.order(id).transaction_id).toBe(bench.tillgate.order(pos).trx_id);
  });

  it("cancels the open payment of a cancelled order", async () => {
    const { id, pos } = await startPayment();
    bench.store.edit(id, { status: "cancelled" });
    const found = await differenceOf(id);
    expect(found).toMatchObject({ kind: "open_not_wanted", repair: "cancel_open" });
    expect(await bench.connector.repairDifference(nameOf(found))).toBe("repaired");
    expect(bench.tillgate.order(pos).status).toBe("CANCELLED");
  });

  it("records a Tillgate refund that the shop missed, once and without moving money", async () => {
    const { id, pos } = await paid();
    bench.tillgate.refund(pos, 5);
    const found = await differenceOf(id);
    expect(found).toMatchObject({ kind: "refund_missing_in_shop", repair: "record_refund" });
    const before = countMoneyRequests();
    const outcomes = await Promise.all([
      bench.connector.repairDifference(nameOf(found)),
      bench.connector.repairDifference(nameOf(found)),
    ]);
    expect(outcomes).toContain("repaired");
    expect(bench.store.refundsOf(id)).toMatchObject([{ amount: "5.00" }]);
    expect(countMoneyRequests()).toBe(before);
    await bench.makeDue();
    await bench.connector.sweep();
    expect(bench.store.refundsOf(id)).toHaveLength(1);
  });

  it.each(["at Tillgate", "in the shop"])(
    "recreates the deleted record of a refund made %s, without moving money",
    async (where) => {
      const { id, pos } = await paid();
      if (where === "in the shop") {
        bench.store.refundByHand(id, "5.00");
        await bench.scheduleCheck(id);
        await bench.connector.sweep();
      } else for (const delivery of bench.tillgate.refund(pos, 5)) await bench.deliver(delivery);
      expect(bench.tillgate.order(pos).refunded_amount).toBe(5);
      expect(await differencesOf(id)).toEqual([]);
      bench.store.refundsOf(id).splice(0);
      bench.store.edit(id, {});
      await bench.scheduleCheck(id);
      await bench.connector.sweep();
      const found = await differenceOf(id);
      expect(found).toMatchObject({ kind: "refund_missing_in_shop", repair: "record_refund" });
      const before = countMoneyRequests();
      expect(await bench.connector.repairDifference(nameOf(found))).toBe("repaired");
      await bench.makeDue();
      await bench.scheduleCheck(id);
      await bench.connector.sweep();
      expect(bench.store.refundsOf(id)).toMatchObject([{ amount: "5.00" }]);
      expect(countMoneyRequests()).toBe(before);
      expect(bench.tillgate.order(pos).refunded_amount).toBe(5);
      expect(await differencesOf(id)).toEqual([]);
    },
  );
});

describe("a difference without an automatic repair", () => {
  it.each([
    ["another total", "amount_differs", ({ id }) => bench.store.edit(id, { total: "60.00" })],
    ["another currency", "currency_differs", ({ id }) => bench.store.edit(id, { currency: "USD" })],
    [
      "another transaction",
      "transaction_differs",
      ({ id }) => bench.store.edit(id, { transaction_id: "TRX-000000000001" }),
    ],
    [
      "cancelled after it was paid",
      "paid_shop_cancelled",
      ({ id }) => bench.store.edit(id, { status: "cancelled" }),
    ],
    ["deleted after it was paid", "paid_shop_deleted", ({ id }) => bench.store.remove(id)],
    [
      "a refund of the shop that was not sent",
      "refund_only_in_shop",
      ({ id }) => bench.store.refundByHand(id, "4.00"),
    ],
    [
      "Tillgate's sum of refunds",
      "refunded_sum_differs",
      ({ pos }) => {
        bench.tillgate.order(pos).refunded_amount = 7;
      },
    ],
    ["unknown at Tillgate", "missing_at_tillgate", ({ pos }) => bench.tillgate.orders.delete(pos)],
  ] as [string, string, (order: { id: number; pos: string }) => unknown][])(
    "is listed with advice, and repairing it changes nothing: %s",
    async (_name, kind, change) => {
      const order = await paid();
      change(order);
      const found = await differenceOf(order.id);
      expect(found).toMatchObject({ kind, repair: null, repair_label: null });
      expect(found.advice.length).toBeGreaterThan(20);
      const before = { moved: countMoneyRequests(), writes: bench.store.writes.length };
      expect(await bench.connector.repairDifference(nameOf(found))).toBe("left");
      expect({ moved: countMoneyRequests(), writes: bench.store.writes.length }).toEqual(before);
    },
  );
});

describe("accepting a difference", () => {
  const problems = async () =>
    (await bench.connector.health()).problems
      .map(({ kind }) => kind)
      .filter((kind) => kind === "books" || kind === "mismatch")
      .sort();

  it("removes that difference from the list, without moving money or hiding others", async () => {
    const { id, pos } = await paid();
    for (const delivery of bench.tillgate.refund(pos, 5)) await bench.deliver(delivery);
    bench.store.refundsOf(id).splice(0);
    bench.store.edit(id, {});
    await bench.scheduleCheck(id);
    await bench.connector.sweep();
    const found = await differenceOf(id);
    expect(await problems()).toEqual(["books", "mismatch"]);
    const before = { moved: countMoneyRequests(), writes: bench.store.writes.length };
    expect(await bench.connector.acceptDifference(nameOf(found))).toBe("accepted");
    expect(await bench.connector.acceptDifference(nameOf(found))).toBe("accepted");
    expect(await bench.connector.comparison()).toMatchObject({
      difference_count: 0,
      accepted_count: 1,
      differences: [],
    });
    expect(await differencesOf(id)).toEqual([]);
    await bench.makeDue();
    await bench.scheduleCheck(id);
    await bench.connector.sweep();
    expect(await problems()).toEqual([]);
    expect({ moved: countMoneyRequests(), writes: bench.store.writes.length }).toEqual(before);
    bench.store.edit(id, { status: "pending" });
    expect(await differencesOf(id)).toMatchObject([{ field: "state" }]);
    expect((await bench.connector.comparison()).accepted_count).toBe(1);
  });

  it("is undone for good if the difference's amount changes", async () => {
    const { id } = await paid();
    bench.store.edit(id, { total: "60.00" });
    const found = await differenceOf(id);
    await bench.connector.acceptDifference(nameOf(found));
    expect(await differencesOf(id)).toEqual([]);
    bench.store.edit(id, { total: "61.00" });
    expect(await differencesOf(id)).toMatchObject([{ kind: "amount_differs" }]);
    bench.store.edit(id, { total: "41.50" });
    expect(await differencesOf(id)).toEqual([]);
    bench.store.edit(id, { total: "60.00" });
    expect(await differencesOf(id), "A difference that returns must be accepted again.").toHaveLength(1);
  });

  it('returns "gone" for an unknown difference', async () => {
    const { id } = await paid();
    bench.store.edit(id, { total: "60.00" });
    const found = nameOf(await differenceOf(id));
    for (const other of [
      { ...found, paymentId: 999_999 },
      { ...found, subjectId: "POS-other" },
      { ...found, field: "state" },
    ])
      expect(await bench.connector.acceptDifference(other)).toBe("gone");
    expect((await bench.connector.comparison()).difference_count).toBe(1);
  });
});

describe("the health page", () => {
  const basic = { authorization: `Basic ${Buffer.from(`anybody:${HEALTH_KEY}`).toString("base64")}` };
  const bearer = { authorization: `Bearer ${HEALTH_KEY}` };
  const page = async () => (await fetch(`${bench.url}/health/demo`, { headers: basic })).text();
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${bench.url}${path}`, {
      method: "POST",
      redirect: "manual",
      headers: { ...basic, "content-type": "application/x-www-form-urlencoded", ...headers },
      body: new URLSearchParams(fields),
    });
  const tokenIn = (html: string) => /name="token" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const run = async () => {
    await bench.connector.idle();
    const { rows } = await bench.database.query("SELECT run FROM comparisons WHERE store_id = 'demo'");
    return Number(rows[0].run);
  };

  it("starts a comparison, shows a difference and repairs it with a button", async () => {
    const { id } = await paid();
    bench.store.edit(id, { status: "pending" });
    skipFreshPeriod();
    const before = await run();
    const compared = await post("/health/demo/comparison", { token: tokenIn(await page()) });
    expect(compared.status).toBe(303);
    expect(compared.headers.get("location")).toBe("../demo?message=comparing");
    expect(await run()).toBe(before + 1);
    const html = await page();
    expect(html).toContain(`post=${id}&amp;action=edit">${id}</a>.`);
    expect(html).toContain("was paid in Tillgate");
    const [, form = ""] = /action="demo\/repairs">(.*?)<\/form>/.exec(html) ?? [];
    expect(form).toContain("<button>Update from Tillgate</button>");
    const fields = Object.fromEntries(
      [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    const repaired = await post("/health/demo/repairs", fields);
    expect(repaired.headers.get("location")).toBe("../demo?message=repaired");
    expect(bench.store.order(id).status).toBe("processing");
  });

  it("marks a difference as correct with a button", async () => {
    const { id } = await paid();
    bench.store.edit(id, { total: "60.00" });
    await compare();
    const html = await page();
    const [, form = ""] = /action="demo\/acceptances">(.*?)<\/form>/.exec(html) ?? [];
    expect(form).toContain("<button>Mark as correct</button>");
    const fields = Object.fromEntries(
      [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    const forged = await post("/health/demo/acceptances", { ...fields, token: "x" });
    expect(forged.headers.get("location")).toBe("../demo?message=form_refused");
    expect((await bench.connector.comparison()).difference_count).toBe(1);
    const noted = await post("/health/demo/acceptances", fields);
    expect(noted.headers.get("location")).toBe("../demo?message=accepted");
    expect(await page()).toContain("Marked as correct and not listed: 1.");
  });

  it("rejects forms from other pages, and with a missing or wrong token", async () => {
    const before = await run();
    const token = tokenIn(await page());
    for (const [fields, headers] of [
      [{}, {}],
      [{ token: `${token}x` }, {}],
      [{ token }, { origin: "https://evil.example" }],
      [{ token }, { origin: "null" }],
      [{ token }, { "sec-fetch-site": "cross-site" }],
    ] as [Record<string, string>, Record<string, string>][]) {
      const response = await post("/health/demo/comparison", fields, headers);
      expect(response.headers.get("location")).toBe("../demo?message=form_refused");
    }
    expect(await run()).toBe(before);
    expect(
      (await post("/health/demo/comparison", { token }, { authorization: "Basic bm9ib2R5" })).status,
    ).toBe(401);
    expect((await fetch(`${bench.url}/health/demo/comparison`, { headers: basic })).status).toBe(405);
  });

  it('has a JSON API that requires the bearer token, returns "gone" for an unknown difference and rejects invalid fields', async () => {
    const json = { ...bearer, "content-type": "application/json" };
    const send = (what: string, body: object, headers: Record<string, string> = json) =>
      bench.call(`/v1/stores/demo/${what}`, { method: "POST", headers, body: JSON.stringify(body) });
    const name = { payment_id: 1, subject: "order", subject_id: "POS-1", field: "state" };
    for (const what of ["repairs", "acceptances"]) {
      expect((await send(what, name, { ...json, ...basic })).status).toBe(401);
      expect((await send(what, { ...name, payment_id: 999_999 })).body).toEqual({ outcome: "gone" });
      for (const wrong of [
        {},
        { ...name, payment_id: 0 },
        { ...name, subject: "shop" },
        { ...name, field: "" },
      ])
        expect((await send(what, wrong)).status).toBe(400);
      expect((await send(what, { ...name, subject_id: "x".repeat(64) })).status).toBe(200);
      expect((await send(what, { ...name, subject_id: "x".repeat(65) })).status).toBe(400);
    }
    const started = await bench.call("/v1/stores/demo/comparison", { method: "POST", headers: bearer });
    expect(started).toMatchObject({ status: 202, body: { begun: true, store: "demo" } });
    await end();
    expect((await bench.call("/v1/stores/demo/comparison", { headers: bearer })).body).toMatchObject({
      last: { under_way: false },
    });
    expect((await bench.call("/v1/stores/demo/comparison", { method: "POST", headers: basic })).status).toBe(
      401,
    );
  });
});

describe("tillgate-compare", () => {
  /** Runs the command as a user does. */
  async function command(words: string[], changes: Record<string, string> = {}) {
    let [printed, report] = ["", ""];
    const code = await compareByCommand(words, {
      environment: { CONNECTOR_URL: bench.url, CONNECTOR_HEALTH_KEY: HEALTH_KEY, ...changes },
      print: (text) => {
        printed += text;
      },
      report: (text) => {
        report += text;
      },
      pollMs: 10,
    });
    return { code, printed, report };
  }

  it("prints differences and advice, repairs with --repair, and exits with 1 if differences remain", async () => {
    const { id } = await paid();
    const other = await paid();
    skipFreshPeriod();
    expect(await command(["demo"])).toEqual({
      code: 0,
      printed: "No differences found: 2 compared.\n",
      report: "",
    });
    bench.store.edit(id, { status: "pending" });
    bench.store.edit(other.id, { total: "60.00" });
    const result = await command(["demo"]);
    expect(result).toMatchObject({ code: 1, report: "" });
    expect(result.printed).toContain(`✗ Order ${id}: 41.50 EUR was paid in Tillgate`);
    expect(result.printed).toContain("→ Update from Tillgate: use --repair");
    expect(result.printed).toContain("→ Refund the excess");
    expect(result.printed).toMatch(/2 differences: 2 compared\.\n$/);
    expect(bench.store.order(id).status).toBe("pending");
    const repaired = await command(["demo", "--repair"]);
    expect(repaired.printed).toContain(`Order ${id}: Update from Tillgate: repaired`);
    expect(repaired).toMatchObject({
      code: 1,
      printed: expect.stringMatching(/1 difference: 2 compared\.\n$/),
    });
    expect(bench.store.order(id).status).toBe("processing");
    bench.store.edit(other.id, { total: "41.50" });
  });

  it("exits with 2 on invalid usage or a failed request, and prints no key", async () => {
    const wrongKey = "wrong_7f0e1d2c3b4a5968778695a4b3c2d1e0";
    for (const [words, changes, message] of [
      [[], {}, "missing required argument"],
      [["demo", "--fix"], {}, "unknown option"],
      [["nobody"], {}, "Store not found"],
      [["demo"], { CONNECTOR_HEALTH_KEY: wrongKey }, "HTTP 401"],
      [["demo"], { CONNECTOR_HEALTH_KEY: "short" }, "CONNECTOR_HEALTH_KEY"],
      [["demo"], { CONNECTOR_URL: "" }, "CONNECTOR_URL"],
      [["demo"], { CONNECTOR_URL: "http://127.0.0.1:9" }, "cannot be reached"],
    ] as [string[], Record<string, string>, string][]) {
      const { code, report, printed } = await command(words, changes);
      expect({ code, printed }).toEqual({ code: 2, printed: "" });
      expect(report).toContain(message);
      expect(report).not.toContain(wrongKey);
    }
    expect(await command(["--help"])).toMatchObject({ code: 0, report: "" });
  });
});

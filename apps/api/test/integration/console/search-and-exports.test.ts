import {
  type ConsoleSearchHit,
  consoleOrderListResponseSchema,
  consoleRefundResponseSchema,
  consoleSearchResponseSchema,
  EXPORT_COLUMNS,
} from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { writeRequests } from "../../../src/platform/write-requests.js";
import { openPage } from "../../support/checkout.js";
import { createOrder, createPaidOrder, getOrder, paymentTokenOf } from "../../support/orders.js";
import { addLiveCredential } from "../../support/parties.js";
import { addPartner, addRecipient, lookUpRecipient, partnerApi } from "../../support/partner.js";
import { errorOf, payApi } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import {
  addConsoleUser,
  type ConsoleClient,
  type ConsoleParties,
  createConsoleParties,
  dataOf,
  merchantConsole,
} from "./console-client.js";

const { sandbox, server, api, merchantId } = await createTestApi();
const { prisma } = sandbox.database;
let parties: ConsoleParties;
let shop: ConsoleClient;
let paid: { orderId: string; trxId: string };
let refundId: string;

beforeAll(async () => {
  parties = await createConsoleParties(sandbox);
  shop = merchantConsole(server, parties);
  paid = await createPaidOrder(server, api, {
    reference: "cart 7",
    amount: 77.7,
    callback_url: "https://shop.example/hook",
  });
  const refunded = await api.post("/refunds", {
    transaction_id: paid.trxId,
    amount: 7,
    reason: '=cmd|"/c calc"',
  });
  refundId = (refunded.body as { data: { refund_id: string } }).data.refund_id;
});

describe("console search", () => {
  const hits = async (q: string, of = shop): Promise<ConsoleSearchHit[]> =>
    dataOf(consoleSearchResponseSchema, await of.get("/search", { q })).hits;
  const found = async (q: string, of = shop) =>
    (await hits(q, of)).map(({ kind, id, exact }) => [kind, id, exact]);

  it("resolves the ID of an order, refund, event, delivery or credential", async () => {
    const token = paymentTokenOf(await getOrder(api, paid.orderId));
    for (const q of [paid.orderId, ` ${paid.orderId.toLowerCase()} `, paid.trxId, token])
      expect((await found(q))[0]).toEqual(["order", paid.orderId, true]);
    expect(await found(refundId)).toEqual([["refund", refundId, true]]);
    const event = await prisma.event.findFirstOrThrow({ where: { orderId: paid.orderId } });
    expect(await found(event.id)).toEqual([["event", event.id, true]]);
    const delivery = await prisma.delivery.findFirstOrThrow({ where: { eventId: event.id } });
    expect(await found(delivery.id)).toEqual([["delivery", delivery.id, true]]);
    const { client_id } = sandbox.access.merchant;
    expect((await hits(client_id)).map(({ kind, title }) => [kind, title])).toEqual([
      ["credential", client_id],
    ]);
    const viewer = await addConsoleUser(sandbox, "viewer@example.com", merchantId, "viewer");
    expect(await found(client_id, merchantConsole(server, { user: viewer, merchantId }))).toEqual([]);
  });

  it("resolves the IDs of the merchant's requests, payment links, tills and bulk payouts for permitted roles", async () => {
    const { headers } = await api.get("/orders");
    await writeRequests(sandbox.database.pool, server.context.memory.requestLog);
    const requestId = headers.get("x-request-id") ?? "";
    const scope = { merchantId, mode: "sandbox", createdById: parties.user } as const;
    const link = await prisma.paymentLink.create({
      data: { ...scope, token: "link-token", description: "A deposit", currency: "EUR" },
    });
    const till = await prisma.till.create({
      data: { ...scope, token: "till-token", name: "Counter", terminalId: "counter", currency: "EUR" },
    });
    const batch = await prisma.payoutBatch.create({ data: { ...scope, name: "wages" } });
    const wanted = [
      ["request", requestId, "GET /pay/sandbox/api/v1/orders"],
      ["link", link.id, "A deposit"],
      ["link", "link-token", "A deposit"],
      ["till", till.id, "Counter"],
      ["till", "till-token", "Counter"],
      ["batch", batch.id, "wages"],
    ];
    const named = async (q: string, of = shop) =>
      (await hits(q, of)).map(({ kind, title, exact }) => [kind, title, exact]);
    const elsewhere = merchantConsole(server, { user: parties.otherUser, merchantId: parties.otherId });
    for (const [kind, q = "", title] of wanted) {
      expect(await named(q)).toEqual([[kind, title, true]]);
      expect(await named(q, elsewhere)).toEqual([]);
    }
    const viewer = await addConsoleUser(sandbox, "viewer.too@example.com", merchantId, "viewer");
    const seen = merchantConsole(server, { user: viewer, merchantId });
    expect(await named(requestId, seen)).toEqual([]);
    expect(await named(till.id, seen)).toEqual([]);
    expect(await named(link.id, seen)).toHaveLength(1);
  });

  it("ranks an exact match above newer prefix matches", async () => {
    const { order_id: named } = await createOrder(api, { reference: "basket 31" });
    for (let i = 0; i < 11; i += 1) await createOrder(api, { reference: `basket 31${i}` });
    const ids = (await hits("basket 31")).map(({ id }) => id);
    expect([ids[0], ids.length]).toEqual([named, 10]);
  });

  it("finds references and amounts, and an order together with its refunds", async () => {
    expect(await found("cart 7")).toEqual([
      ["order", paid.orderId, false],
      ["refund", refundId, false],
    ]);
    expect((await hits("77.70"))[0]).toMatchObject({
      kind: "order",
      id: paid.orderId,
      title: "cart 7",
      money: { amount: "77.70", currency: "EUR" },
    });
    expect(await found("77.71")).toEqual([]);
    expect(errorOf(await shop.get("/search", { q: " " })).status).toBe(400);
  });

  it("finds words of references, descriptions and reasons case-insensitively, matching the last word by prefix", async () => {
    const cup = await createOrder(api, { reference: "WC-1042/b", description: "Deux tasses CAFÉ, bleues" });
    const ids = async (q: string) => (await hits(q)).map(({ id }) => id);
    for (const q of ["1042", "wc 104", "B 1042", "café", "tasses bleu", "deux-tasses"])
      expect(await ids(q)).toContain(cup.order_id);
    // Only the last word matches by prefix, and every word must match.
    for (const q of ["042", "tas bleues", "tasses rouges", "--", "' | '", "!:*&"])
      expect(await ids(q)).not.toContain(cup.order_id);
    expect(await ids("cart")).toEqual([paid.orderId, refundId]);
    expect(await ids("calc")).toEqual([refundId]);
    const { items } = dataOf(consoleOrderListResponseSchema, await shop.get("/orders", { q: "tasses" }));
    expect(items.map(({ order_id }) => order_id)).toEqual([cup.order_id]);
    const exported = await shop.get("/orders.csv", { columns: "reference", q: "tasses" });
    expect(exported.text).toBe("reference\r\nWC-1042/b\r\n");
  });

  it("finds an order whose description is one word of maximum length", async () => {
    const description = "ǅ".repeat(500);
    const long = await createOrder(api, { description });
    expect((await hits(description.slice(0, 200))).map(({ id }) => id)).toEqual([long.order_id]);
  });

  it("finds orders by words of the payer's name; the payer's e-mail and phone match only in full", async () => {
    const shopper = sandbox.access.shoppers.find(
      ({ active, currencies }) => active && currencies.includes("EUR"),
    );
    if (!shopper) throw new Error("the sandbox has no active shopper with a EUR wallet");
    const order = await createOrder(api, { amount: 3 });
    const page = openPage(server, paymentTokenOf(order));
    await page.signIn(shopper.email, shopper.pin);
    expect((await page.pay()).status).toBe(200);
    const ids = async (q: string, of = shop) => (await hits(q, of)).map(({ id }) => id);
    const [first = "", last = ""] = shopper.name.split(" ");
    expect([first, await ids("amelie")]).toEqual(["Amélie", [order.order_id]]);
    for (const q of [first, last.slice(0, 3), `${last} ${first}`, shopper.email.toUpperCase(), shopper.phone])
      expect(await ids(q)).toEqual([order.order_id]);
    for (const q of [shopper.email.slice(1), shopper.email.slice(0, -1), shopper.phone.slice(0, -1)])
      expect(await ids(q)).not.toContain(order.order_id);
    expect(
      await ids(last, merchantConsole(server, { user: parties.otherUser, merchantId: parties.otherId })),
    ).toEqual([]);
  });

  it("finds an amount in English, German and French notation, with or without currency", async () => {
    const { order_id: dear } = await createOrder(api, { amount: 1234.56 });
    const { order_id: cheap } = await createOrder(api, { amount: 41.63 });
    const ids = async (q: string) => (await hits(q)).map(({ id }) => id);
    const french = new Intl.NumberFormat("fr-FR", { style: "currency", currency: "EUR" }).format(1234.56);
    for (const q of [
      "1234.56",
      "1,234.56",
      "1.234,56",
      "EUR 1,234.56",
      "eur1234,56",
      "€1,234.56",
      french,
      "-EUR\u00a01,234.56",
    ])
      expect([q, await ids(q)]).toEqual([q, [dear]]);
    for (const q of ["41.63", "41,63", "EUR 41.63", "41,63 €"])
      expect([q, await ids(q)]).toEqual([q, [cheap]]);
    for (const q of ["USD 41.63", "41.635", "XYZ 41.63"]) expect([q, await ids(q)]).toEqual([q, []]);
    const { items } = dataOf(
      consoleOrderListResponseSchema,
      await shop.get("/orders", { q: "EUR 1,234.56" }),
    );
    expect(items.map(({ order_id }) => order_id)).toEqual([dear]);
  });

  it("finds both meanings of an ambiguous amount", async () => {
    const { order_id: large } = await createOrder(api, { amount: 1900 });
    const { order_id: small } = await createOrder(api, { amount: 1.9 });
    for (const q of ["1,900", "1.900"]) expect((await hits(q)).map(({ id }) => id)).toEqual([small, large]);
  });

  it("finds refunds by amount", async () => {
    const { trxId } = await createPaidOrder(server, api, { amount: 30 });
    const { body } = await api.post("/refunds", { transaction_id: trxId, amount: 13.37 });
    const { refund_id: refund } = (body as { data: { refund_id: string } }).data;
    expect((await hits("EUR 13.37")).map(({ kind, id }) => [kind, id])).toEqual([["refund", refund]]);
  });

  it("ignores accents in queries and in stored text", async () => {
    const { order_id: accented } = await createOrder(api, { description: "Für Benoît Łukasz, Größe 3" });
    const { order_id: plain } = await createOrder(api, { reference: "for Zoe" });
    for (const q of ["benoit", "BENOÎT", "Benoi\u0302", "lukasz", "fur", "grosse", "größ"])
      expect([q, (await hits(q)).map(({ id }) => id)]).toEqual([q, [accented]]);
    expect((await hits("zoë")).map(({ id }) => id)).toEqual([plain]);
  });

  it("finds orders by terminal, and by the URL of their payment page", async () => {
    const order = await createOrder(api, { terminal_id: "Kasse-7" });
    const { payment_url: address } = (await getOrder(api, order.order_id)) as { payment_url: string };
    for (const q of ["Kasse-7", "kasse-7"])
      expect((await hits(q)).map(({ id }) => id)).toEqual([order.order_id]);
    for (const q of [address, `${address}?lang=fr`, address.replace(/^https?:\/\//, "")])
      expect([q, await found(q)]).toEqual([q, [["order", order.order_id, true]]]);
  });

  it("finds an endpoint by its URL, and tills, links and bulk payouts by words of their names", async () => {
    await shop.post("/receivers", { address: "https://shop.example/found", events: ["pos.order.paid"] });
    const scope = { merchantId, mode: "sandbox", createdById: parties.user } as const;
    await prisma.paymentLink.create({
      data: { ...scope, token: "named-link", description: "Dépôt de garantie", currency: "EUR" },
    });
    await prisma.till.create({
      data: { ...scope, token: "named-till", name: "Bar am Fluß", terminalId: "bar-9", currency: "EUR" },
    });
    await prisma.payoutBatch.create({ data: { ...scope, name: "Löhne Mai" } });
    const named = async (q: string) => (await hits(q)).map(({ kind, title }) => [kind, title]);
    expect(await named("https://shop.example/found")).toEqual([["endpoint", "https://shop.example/found"]]);
    expect(await named("depot garantie")).toEqual([["link", "Dépôt de garantie"]]);
    for (const q of ["fluss", "bar-9"]) expect(await named(q)).toEqual([["till", "Bar am Fluß"]]);
    expect(await named("lohne")).toEqual([["batch", "Löhne Mai"]]);
  });

  it("finds a payout by the recipient's complete phone number in national format", async () => {
    const [partner, phone] = [await addPartner(sandbox), "+33712345678"];
    const partners = partnerApi(server, partner.token);
    const recipient = await addRecipient(sandbox);
    await prisma.walletUser.updateMany({ where: { email: recipient.email }, data: { phone } });
    await partners.post("/payout", {
      lookup_token: await lookUpRecipient(partners, recipient),
      amount: 5,
      sender_currency: "EUR",
      receiver_currency: "EUR",
      reference: "by phone",
      idempotency_key: "by phone",
    });
    const desk = merchantConsole(server, { user: parties.administrator, merchantId: partner.merchantId });
    const titles = async (q: string) => (await hits(q, desk)).map(({ title }) => title);
    for (const q of ["0712345678", "07 12 34 56 78", "07.12.34.56.78", "712345678", "+33 7 12 34 56 78"])
      expect([q, await titles(q)]).toEqual([q, ["by phone"]]);
    for (const q of ["071234567", "12345678", "0812345678"]) expect([q, await titles(q)]).toEqual([q, []]);
  });

  it("reports that there are more results, all of which the order list shows", async () => {
    for (let i = 0; i < 12; i += 1) await createOrder(api, { amount: 64.32 });
    const few = dataOf(consoleSearchResponseSchema, await shop.get("/search", { q: "64.32" }));
    expect([few.hits.length, few.more]).toEqual([10, ["order"]]);
    const { items } = dataOf(
      consoleOrderListResponseSchema,
      await shop.get("/orders", { q: "64.32", per_page: "50" }),
    );
    expect(items).toHaveLength(12);
    expect(dataOf(consoleSearchResponseSchema, await shop.get("/search", { q: "cart 7" })).more).toEqual([]);
  });

  it("finds an object by the ID of the payment page or console request that changed it", async () => {
    const order = await prisma.order.findUniqueOrThrow({ where: { id: paid.orderId } });
    expect(await found(order.payRequestId ?? "")).toEqual([
      ["order", paid.orderId, true],
      ["refund", refundId, false],
    ]);
    const other = await createOrder(api);
    const cancelled = await shop.post(`/orders/${other.order_id}/cancel`, { reason: "Typed twice" });
    expect(cancelled.status).toBe(200);
    expect(await found(cancelled.headers.get("x-request-id") ?? "")).toEqual([
      ["order", other.order_id, true],
    ]);
    const again = await shop.post(`/orders/${paid.orderId}/refunds`, { amount: 1, idempotency_key: "found" });
    const created = dataOf(consoleRefundResponseSchema, again);
    const byConsole = again.headers.get("x-request-id") ?? "";
    expect(await found(byConsole)).toEqual([["refund", created.refund_id, true]]);
    const elsewhere = merchantConsole(server, { user: parties.otherUser, merchantId: parties.otherId });
    for (const q of [order.payRequestId ?? "", byConsole]) expect(await found(q, elsewhere)).toEqual([]);
  });

  it("finds payouts by the recipient's e-mail", async () => {
    const partner = await addPartner(sandbox);
    const partners = partnerApi(server, partner.token);
    const recipient = await addRecipient(sandbox);
    await partners.post("/payout", {
      lookup_token: await lookUpRecipient(partners, recipient),
      amount: 5,
      sender_currency: "EUR",
      receiver_currency: "EUR",
      reference: "wages",
      idempotency_key: "wages",
    });
    const desk = merchantConsole(server, { user: parties.administrator, merchantId: partner.merchantId });
    expect((await hits(recipient.email.toUpperCase(), desk)).map(({ kind, title }) => [kind, title])).toEqual(
      [["payout", "wages"]],
    );
    expect(await found(recipient.email)).toEqual([]);
  });

  it("does not find objects of another merchant or mode", async () => {
    const live = payApi(server, await addLiveCredential(sandbox, sandbox.access.merchant.client_id), "live");
    const inLive = await createOrder(live, { reference: "live cart" });
    const other = await createPaidOrder(server, payApi(server, sandbox.access.other_merchant), {
      reference: "other cart",
    });
    for (const q of [inLive.order_id, "live cart", other.orderId, other.trxId, "other cart"])
      expect(await found(q)).toEqual([]);
    const there = merchantConsole(server, { ...parties, mode: "live" });
    expect(await found("live cart", there)).toEqual([["order", inLive.order_id, false]]);
    expect(await found("cart 7", there)).toEqual([]);
  });
});

/** The header of a CSV export with all columns. Each time is followed by its UTC offset. */
const HEAD = EXPORT_COLUMNS.order.join(",").replaceAll(/(\w+_at)/g, "$1,$1_offset");

describe("console export", () => {
  it("contains the whole filtered list as CSV, escaped so that spreadsheets run no formulas; a header reports the total", async () => {
    await createOrder(api, { reference: "+1 of them", description: 'say "hi", twice' });
    const all = await shop.get("/orders.csv");
    expect(all.headers.get("content-type")).toContain("text/csv");
    expect(all.headers.get("content-disposition")).toBe("attachment; filename=orders.csv");
    const lines = all.text.trim().split("\r\n");
    expect(lines[0]).toBe(HEAD);
    expect(all.headers.get("x-tillgate-total")).toBe(String(lines.length - 1));
    expect(lines[1]).toContain(`,'+1 of them,,"say ""hi"", twice",`);
    const few = await shop.get("/orders.csv", {
      status: "PAID",
      columns: "amount,order_id",
      min_amount: "77",
    });
    // The client strips the file's byte order mark.
    expect(few.text).toBe(`amount,order_id\r\n77.70,${paid.orderId}\r\n`);
    const french = await shop.get("/orders.csv", {
      ...{ status: "PAID", columns: "amount,created_at", min_amount: "77", dialect: "semicolon" },
    });
    expect(french.text).toMatch(
      /^amount;created_at;created_at_offset\r\n77,70;\d{4}-\d\d-\d\d \d\d:\d\d:\d\d;UTC\+00:00\r\n$/,
    );
    expect(few.headers.get("x-tillgate-total")).toBe("1");
    const refunds = await shop.get("/refunds.csv", { columns: "reason", q: "calc" });
    expect(refunds.text).toBe(`reason\r\n"'=cmd|""/c calc"""\r\n`);
  });

  it("contains both amounts of a converted payment's refund", async () => {
    const { order_id } = await createOrder(api);
    await api.post(`/orders/${order_id}/simulate`, { outcome: "paid_converted" });
    const { trx_id } = await getOrder(api, order_id);
    await api.post("/refunds", { transaction_id: trx_id, amount: 1, reference: "converted" });
    const { rows } = await sandbox.database.pool.query<{ amount: string; currency: string }>(
      `SELECT trim_scale(r.payer_amount / power(10::numeric, c.digits))::text AS amount, c.code AS currency
       FROM refunds r JOIN orders o ON o.id = r.order_id JOIN currencies c ON c.code = o.payer_currency WHERE o.id = $1`,
      [order_id],
    );
    const { text } = await shop.get("/refunds.csv", {
      columns: "amount,currency,payer_amount,payer_currency",
      q: "converted",
    });
    const [, line] = text.split("\r\n");
    const [amount, currency, payerAmount, payerCurrency] = line?.split(",") ?? [];
    expect([amount, currency, payerCurrency]).toEqual(["1.00", "EUR", rows[0]?.currency]);
    expect(Number(payerAmount)).toBe(Number(rows[0]?.amount));
    const unconverted = await shop.get("/refunds.csv", {
      columns: "payer_amount,payer_currency",
      q: refundId,
    });
    expect(unconverted.text).toBe("payer_amount,payer_currency\r\n,\r\n");
  });

  it("contains the same rows in JSON, or an empty array if there are none", async () => {
    const { body } = await shop.get("/refunds.json", { q: refundId });
    expect(body).toEqual([
      expect.objectContaining({ refund_id: refundId, transaction_id: paid.trxId, amount: "7.00" }),
    ]);
    expect((await shop.get("/payouts.json")).body).toEqual([]);
    expect(errorOf(await shop.get("/orders.json", { columns: "secret", status: "x" })).status).toBe(400);
    expect(errorOf(await shop.get("/orders.json", { columns: "amount,all" })).status).toBe(400);
  });

  it("contains all columns if the query has columns=all", async () => {
    const all = await shop.get("/orders.csv", { columns: "all", status: "PAID" });
    expect(all.text.split("\r\n")[0]).toBe(HEAD);
  });

  it("streams many rows, and allows one export per merchant at a time", async () => {
    await sandbox.executeAsSuperuser(`SET session_replication_role = replica;
      INSERT INTO orders (id, token, mode, merchant_id, credential_id, amount, currency, payment_method, status, state, created_at, expires_at)
        SELECT 'POS-19990101-' || lpad(n::text, 6, '0'), 'many' || n, mode, merchant_id, credential_id, 100, 'EUR', 'both', 'CANCELLED', 'CANCELLED',
          clock_timestamp() - n * interval '1 second', clock_timestamp() FROM orders, generate_series(1, 30000) n WHERE id = '${paid.orderId}'`);
    const both = await Promise.all(["csv", "json"].map((format) => shop.get(`/orders.${format}`)));
    const whole = both.filter(({ status }) => status === 200);
    for (const { text, headers } of whole) {
      const ids = new Set(text.match(/POS-[\dA-Z-]+/g));
      expect(String(ids.size)).toBe(headers.get("x-tillgate-total"));
      expect(ids.size).toBeGreaterThan(30_000);
    }
    expect(both.map(({ status }) => status).sort()).toEqual([200, 429]);
    expect(both.find(({ status }) => status === 429)?.headers.get("retry-after")).toBe("10");
    await sandbox.executeAsSuperuser(
      "SET session_replication_role = replica; DELETE FROM orders WHERE id LIKE 'POS-19990101-%'",
    );
  });
});

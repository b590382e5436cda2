import { randomBytes } from "node:crypto";
import {
  CHECKOUT_PATH,
  checkoutLinkOrderResponseSchema,
  checkoutLinkSchema,
  consoleOrderResponseSchema,
  consolePaymentLinkResponseSchema,
  consolePaymentLinksResponseSchema,
  consoleTimelineResponseSchema,
  MAX_LINK_USES,
  MAX_PAYMENT_LINKS,
  successEnvelope,
} from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { INTERNAL_KEY } from "../../support/api-process.js";
import { openPage } from "../../support/checkout.js";
import { errorOf, send } from "../../support/requests.js";
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

beforeAll(async () => {
  parties = await createConsoleParties(sandbox);
  shop = merchantConsole(server, { user: parties.user, merchantId });
});

const postLink = (fields: Record<string, unknown> = {}) =>
  shop.post("/links", { description: "Two mugs", currency: "EUR", ...fields });
const createLink = async (fields: Record<string, unknown> = { amount: "4.50" }) =>
  dataOf(consolePaymentLinkResponseSchema, await postLink(fields)).link;
type Link = Awaited<ReturnType<typeof createLink>>;
const readLink = async ({ link_id }: Link) =>
  dataOf(consolePaymentLinkResponseSchema, await shop.get(`/links/${link_id}`));

/** Simulates a browser that opens payment links. @param address the browser's IP address */
function visitor(address = `192.0.2.${1 + Math.floor(Math.random() * 250)}`) {
  const headers = {
    "x-tillgate-internal-key": INTERNAL_KEY,
    "x-tillgate-client-address": address,
    "x-tillgate-visitor": randomBytes(16).toString("hex"),
    "content-type": "application/json",
  };
  const at = (link: { url: string }, step = "") =>
    `${server.url}${CHECKOUT_PATH}/links/${link.url.split("/").at(-1)}${step}`;
  const open = (link: { url: string }) => send(at(link), { headers });
  const postOrder = (link: Link, amount?: string) =>
    send(at(link, "/orders"), { method: "POST", headers, body: JSON.stringify({ amount }) });
  return {
    open,
    view: async (link: Link) => dataOf(successEnvelope(checkoutLinkSchema.strict()), await open(link)),
    postOrder,
    /** Starts an order. @returns the order's payment URL */
    startOrder: async (link: Link, amount?: string) =>
      dataOf(checkoutLinkOrderResponseSchema, await postOrder(link, amount)).payment_url,
  };
}
const pageOf = (paymentUrl: string) => openPage(server, paymentUrl.split("/").at(-1) ?? "");
const paySchema = z.object({ reason: z.string().optional() });
const pay = (paymentUrl: string) => pageOf(paymentUrl).act("sandbox-approve");

describe("payment link", () => {
  it("is created with an audit record, and creates a payable order for its amount", async () => {
    const link = await createLink({ amount: "4.50", description: "Two mugs" });
    expect(link).toMatchObject({ state: "open", paid: 0, max_uses: null, amount: { amount: "4.50" } });
    const shopper = visitor();
    expect(await shopper.view(link)).toMatchObject({
      merchant: { name: sandbox.access.merchant.name },
      description: "Two mugs",
      amount: "4.50 EUR",
      state: "open",
      payment_url: null,
    });
    const url = await shopper.startOrder(link);
    expect((await pageOf(url).view()).order).toMatchObject({
      amount: "4.50 EUR",
      description: "Two mugs",
      status: "PENDING",
    });
    expect((await pay(url)).status).toBe(200);
    const { link: after, orders } = await readLink(link);
    expect(after).toMatchObject({ paid: 1, state: "open" });
    expect(orders).toMatchObject([{ status: "PAID", money: { amount: "4.50", currency: "EUR" } }]);
    const order = dataOf(consoleOrderResponseSchema, await shop.get(`/orders/${orders[0]?.order_id}`));
    expect(order.link).toEqual({ link_id: link.link_id, description: "Two mugs" });
    const { entries } = dataOf(
      consoleTimelineResponseSchema,
      await shop.get(`/orders/${orders[0]?.order_id}/timeline`),
    );
    for (const kind of ["order.created", "order.paid"])
      expect(entries.find((entry) => entry.kind === kind)?.request_id).toMatch(/^req_/);
    const record = await prisma.auditRecord.findFirstOrThrow({ where: { subject: link.link_id } });
    expect(record.action).toBe("payment_link.create");
    const { links } = dataOf(consolePaymentLinksResponseSchema, await shop.get("/links"));
    expect(links[0]).toEqual(after);
  });

  it.each([
    [
      "description",
      [
        ["", 400],
        ["x", 200],
        ["x".repeat(500), 200],
        ["x".repeat(501), 400],
      ],
    ],
    [
      "amount",
      [
        ["0", 400],
        ["0.01", 200],
        ["0.001", 400],
        ["none", 400],
      ],
    ],
    [
      "max_uses",
      [
        [0, 400],
        [1, 200],
        [1.5, 400],
        [MAX_LINK_USES, 200],
        [MAX_LINK_USES + 1, 400],
      ],
    ],
    [
      "expires_on",
      [
        ["2020-01-01", 400],
        ["2099-02-30", 400],
        ["2099-02-28", 200],
      ],
    ],
    [
      "currency",
      [
        ["JPY", 400],
        ["EUR", 200],
      ],
    ],
  ] as const)("is created only with a valid %s", async (field, cases) => {
    for (const [value, status] of cases)
      expect([value, (await postLink({ amount: "1", [field]: value })).status]).toEqual([value, status]);
  });

  it("accepts only amounts within its bounds if it has no fixed amount, and reports the violated bound", async () => {
    expect((await postLink({ amount: "1", min_amount: "1" })).status).toBe(400);
    expect((await postLink({ min_amount: "5", max_amount: "4.99" })).status).toBe(400);
    const link = await createLink({ min_amount: "2.00", max_amount: "5.00" });
    for (const [amount, status] of [
      [undefined, 400],
      ["1.99", 400],
      ["2.00", 200],
      ["5.00", 200],
      ["5.01", 400],
      ["2.001", 400],
    ] as const)
      expect([amount, (await visitor().postOrder(link, amount)).status]).toEqual([amount, status]);
    expect(errorOf(await visitor().postOrder(link, "1")).texts).toEqual([
      "The amount field must be at least 2.00",
    ]);
  });

  it("charges its fixed amount and ignores an amount from the visitor", async () => {
    const url = await visitor().startOrder(await createLink({ amount: "4.50" }), "0.01");
    expect((await pageOf(url).view()).order.amount).toBe("4.50 EUR");
  });

  it("can be closed and reopened, with one audit record per change, while an open order stays payable", async () => {
    const link = await createLink();
    const url = await visitor().startOrder(link);
    for (let time = 0; time < 2; time += 1) await shop.post(`/links/${link.link_id}`, { closed: true });
    expect((await readLink(link)).link.state).toBe("closed");
    expect(await prisma.auditRecord.count({ where: { subject: link.link_id } })).toBe(2);
    expect((await visitor().view(link)).state).toBe("closed");
    expect(errorOf(await visitor().postOrder(link))).toEqual({
      status: 409,
      texts: ["This payment link cannot be used right now"],
    });
    expect((await pay(url)).status).toBe(200);
    await shop.post(`/links/${link.link_id}`, { closed: false });
    expect(await prisma.auditRecord.count({ where: { subject: link.link_id } })).toBe(3);
    expect((await visitor().postOrder(link)).status).toBe(200);
  });

  it("creates no order after its last day", async () => {
    const link = await createLink({ amount: "1", expires_on: "2099-01-01" });
    expect(link.expires_at).toBe("2099-01-02T00:00:00+00:00");
    await sandbox.executeAsSuperuser(
      `UPDATE payment_links SET expires_at = clock_timestamp() WHERE id = '${link.link_id}'`,
    );
    expect((await visitor().view(link)).state).toBe("expired");
    expect((await visitor().postOrder(link)).status).toBe(409);
    expect((await readLink(link)).link.state).toBe("expired");
  });

  it("is not found if it does not exist, or in the console of another merchant", async () => {
    expect((await visitor().open({ url: "x/l/none" })).status).toBe(404);
    expect((await shop.get("/links/none")).status).toBe(404);
    const link = await createLink();
    const other = merchantConsole(server, { user: parties.otherUser, merchantId: parties.otherId });
    expect((await other.get(`/links/${link.link_id}`)).status).toBe(404);
  });

  it("creates no order for a suspended merchant", async () => {
    const link = await createLink();
    await prisma.merchant.update({ where: { id: merchantId }, data: { suspendedAt: new Date() } });
    const response = await visitor().postOrder(link);
    await prisma.merchant.update({ where: { id: merchantId }, data: { suspendedAt: null } });
    expect(errorOf(response).texts).toEqual(["This account is suspended."]);
  });

  it("is visible to viewers, who cannot change it", async () => {
    const viewer = merchantConsole(server, {
      user: await addConsoleUser(sandbox, "links-viewer@example.com", merchantId, "viewer"),
      merchantId,
    });
    const link = await createLink();
    expect((await viewer.get(`/links/${link.link_id}`)).status).toBe(200);
    expect((await viewer.post(`/links/${link.link_id}`, { closed: true })).status).toBe(403);
    expect((await readLink(link)).link.state).toBe("open");
  });

  it("is rejected above the maximum number of links, even if the last two are created concurrently", async () => {
    const { otherId, otherUser } = parties;
    await prisma.paymentLink.createMany({
      data: Array.from({ length: MAX_PAYMENT_LINKS - 1 }, (_, number) => ({
        merchantId: otherId,
        mode: "sandbox" as const,
        description: "N",
        currency: "EUR",
        token: `many ${number}`,
        createdById: otherUser,
      })),
    });
    const other = merchantConsole(server, { user: otherUser, merchantId: otherId });
    const responses = await Promise.all(
      ["a", "b"].map((description) => other.post("/links", { description, currency: "EUR" })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe("uses of a payment link", () => {
  it("share one order if a visitor submits twice or returns, unless the amount differs", async () => {
    const link = await createLink({});
    const shopper = visitor();
    const [one, again] = await Promise.all([
      shopper.startOrder(link, "3.00"),
      shopper.startOrder(link, "3.00"),
    ]);
    expect(again).toBe(one);
    expect((await shopper.view(link)).payment_url).toBe(one);
    expect(await shopper.startOrder(link, "3.00")).toBe(one);
    expect(await shopper.startOrder(link, "4.00")).not.toBe(one);
    expect((await visitor().view(link)).payment_url).toBeNull();
    // The order that lost the race is cancelled, so that nobody can pay it.
    const pending = await prisma.order.count({ where: { status: "PENDING", amount: 300, merchantId } });
    expect(pending).toBe(1);
  });

  it("are counted when the order is paid, not while it is open", async () => {
    const link = await createLink({ amount: "7.77", max_uses: 1 });
    const responses = await Promise.all(Array.from({ length: 20 }, () => visitor().postOrder(link)));
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    expect((await visitor().view(link)).state).toBe("open");
    const [url, late] = [await visitor().startOrder(link), visitor()];
    await late.startOrder(link);
    await pay(url);
    expect((await visitor().view(link)).state).toBe("used");
    expect(await late.view(link)).toMatchObject({ state: "used", payment_url: null });
    expect((await visitor().postOrder(link)).status).toBe(409);
    expect((await readLink(link)).link).toMatchObject({ state: "used", paid: 1 });
  });

  it("do not exceed the maximum even if twenty shoppers pay concurrently, and the other orders stay unpaid", async () => {
    const link = await createLink({ amount: "6.66", max_uses: 2 });
    const urls = await Promise.all(Array.from({ length: 20 }, () => visitor().startOrder(link)));
    const paid = await Promise.all(urls.map(async (url) => (await pay(url)).body));
    const reasons = paid.map((body) => paySchema.parse(body).reason ?? "paid");
    expect(reasons.filter((reason) => reason === "paid")).toHaveLength(2);
    expect(reasons.filter((reason) => reason === "link_used")).toHaveLength(18);
    expect(await prisma.order.count({ where: { amount: 666, merchantId, status: "PAID" } })).toBe(2);
    expect((await readLink(link)).link).toMatchObject({ state: "used", paid: 2 });
  });

  it("are limited to three open orders per visitor, and allowed again when one of them is cancelled", async () => {
    const link = await createLink({});
    const shopper = visitor();
    const urls = [];
    for (const amount of ["1.00", "2.00", "3.00"]) urls.push(await shopper.startOrder(link, amount));
    const rejected = await shopper.postOrder(link, "4.00");
    expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([429, "60"]);
    // An order in progress is still found.
    expect(await shopper.startOrder(link, "2.00")).toBe(urls[1]);
    expect((await visitor().postOrder(link, "4.00")).status).toBe(200);
    await pageOf(urls[0] ?? "").view();
    await pageOf(urls[0] ?? "").act("cancel");
    expect((await shopper.postOrder(link, "4.00")).status).toBe(200);
  });

  it("are limited to three open orders per visitor, even for concurrent requests", async () => {
    const link = await createLink({});
    const shopper = visitor();
    const amounts = Array.from({ length: 10 }, (_, at) => `${at + 10}.00`);
    const responses = await Promise.all(amounts.map((amount) => shopper.postOrder(link, amount)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
    const pending = await prisma.order.count({
      where: { merchantId, status: "PENDING", paymentLink: { linkId: link.link_id } },
    });
    expect(pending).toBe(3);
  });

  it("still count after a refund", async () => {
    const link = await createLink({ amount: "2.00", max_uses: 1 });
    const url = await visitor().startOrder(link);
    await pay(url);
    const token = url.split("/").at(-1) ?? "";
    const { trxId } = await prisma.order.findUniqueOrThrow({ where: { token } });
    expect((await api.post("/refunds", { transaction_id: trxId, amount: "2.00" })).status).toBe(200);
    expect((await readLink(link)).link).toMatchObject({ state: "used" });
  });

  it("are rate limited per address", async () => {
    const link = await createLink({});
    const statuses = new Set<number>();
    for (let time = 0; time < 62; time += 1)
      statuses.add((await visitor("198.51.100.9").postOrder(link, "1.00")).status);
    expect([...statuses].sort()).toEqual([200, 429]);
    expect((await visitor("198.51.100.10").postOrder(link, "1.00")).status).toBe(200);
  });
});

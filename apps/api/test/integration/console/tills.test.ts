import { randomBytes } from "node:crypto";
import {
  CHECKOUT_PATH,
  checkoutTillSchema,
  consoleCredentialListResponseSchema,
  consoleOrderResponseSchema,
  consoleTillOrderResponseSchema,
  consoleTillResponseSchema,
  consoleTillsResponseSchema,
  consoleTimelineResponseSchema,
  MAX_TILLS,
  successEnvelope,
} from "@tillgate/contract";
import { hashSecret } from "@tillgate/database";
import { beforeAll, describe, expect, it } from "vitest";
import { INTERNAL_KEY } from "../../support/api-process.js";
import { openPage } from "../../support/checkout.js";
import { makeOverdue } from "../../support/orders.js";
import { partnerApi } from "../../support/partner.js";
import { errorOf, payApi, send } from "../../support/requests.js";
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
let cashierConsole: ConsoleClient;

beforeAll(async () => {
  parties = await createConsoleParties(sandbox);
  shop = merchantConsole(server, { user: parties.user, merchantId });
  const cashier = await addConsoleUser(sandbox, "counter@example.com", merchantId, "finance");
  cashierConsole = merchantConsole(server, { user: cashier, merchantId });
});

let terminals = 0;
async function addTill(fields: Record<string, unknown> = {}) {
  terminals += 1;
  const till = { name: `Till ${terminals}`, terminal_id: `T${terminals}`, currency: "EUR", ...fields };
  return dataOf(consoleTillResponseSchema, await shop.post("/tills", till)).till;
}
let keys = 0;
const charge = (till: { till_id: string }, fields: Record<string, unknown> = {}) => {
  keys += 1;
  return cashierConsole.post(`/tills/${till.till_id}/orders`, {
    amount: "4.50",
    idempotency_key: `key ${keys}`,
    ...fields,
  });
};
const readOrder = async (response: ReturnType<typeof charge>) =>
  dataOf(consoleTillOrderResponseSchema, await response).order;
const openOrderAt = async (till: { till_id: string }) =>
  dataOf(consoleTillResponseSchema, await cashierConsole.get(`/tills/${till.till_id}`)).open;
const tokenOf = ({ payment_url }: { payment_url: string }) => payment_url.split("/").at(-1) ?? "";
const codeOf = ({ code_url }: { code_url: string }) =>
  send(`${server.url}${CHECKOUT_PATH}/tills/${code_url.split("/").at(-1)}`, {
    headers: { "x-tillgate-internal-key": INTERNAL_KEY, "x-tillgate-client-address": "192.0.2.7" },
  });
const orderShownAt = async (till: { code_url: string }) =>
  dataOf(successEnvelope(checkoutTillSchema.strict()), await codeOf(till));

describe("till", () => {
  it("is created with a name, a unique terminal ID and one of the merchant's currencies, with an audit record", async () => {
    const till = await addTill({ name: "Counter", terminal_id: "counter-1" });
    expect(till).toMatchObject({
      name: "Counter",
      terminal_id: "counter-1",
      currency: "EUR",
      digits: 2,
      paused: false,
    });
    const { tills } = dataOf(consoleTillsResponseSchema, await cashierConsole.get("/tills"));
    expect(tills).toContainEqual(till);
    expect(
      errorOf(await shop.post("/tills", { name: "Other", terminal_id: "counter-1", currency: "EUR" })),
    ).toEqual({
      status: 409,
      texts: ["A till with this terminal ID already exists"],
    });
    expect(
      errorOf(await shop.post("/tills", { name: "Other", terminal_id: "x", currency: "JPY" })).status,
    ).toBe(400);
    const record = await prisma.auditRecord.findFirstOrThrow({ where: { subject: till.till_id } });
    expect(record.action).toBe("till.create");
  });

  it.each([
    ["name", 80],
    ["terminal_id", 64],
  ])("has a %s of 1 to %i characters", async (field, most) => {
    const created = async (length: number) =>
      (
        await shop.post("/tills", {
          name: "N",
          terminal_id: `L ${field}`,
          currency: "EUR",
          [field]: "x".repeat(length),
        })
      ).status;
    expect([await created(0), await created(most + 1), await created(most)]).toEqual([400, 400, 200]);
  });

  it("is rejected above the limit of one hundred, even when the last two are created concurrently", async () => {
    const { otherId, otherUser } = parties;
    await prisma.till.createMany({
      data: Array.from({ length: MAX_TILLS - 1 }, (_, number) => ({
        merchantId: otherId,
        mode: "sandbox" as const,
        name: "N",
        terminalId: `many ${number}`,
        currency: "EUR",
        token: `many ${number}`,
        createdById: otherUser,
      })),
    });
    const other = merchantConsole(server, { user: otherUser, merchantId: otherId });
    const statuses = await Promise.all(
      ["a", "b"].map(
        async (terminal_id) =>
          (await other.post("/tills", { name: "N", terminal_id, currency: "EUR" })).status,
      ),
    );
    expect(statuses.sort()).toEqual([200, 409]);
  });

  it("can be renamed, paused and reopened, with one audit record per change", async () => {
    const till = await addTill();
    for (let time = 0; time < 2; time += 1)
      await shop.post(`/tills/${till.till_id}`, { name: "Bar", paused: true });
    const paused = dataOf(consoleTillResponseSchema, await cashierConsole.get(`/tills/${till.till_id}`)).till;
    expect(paused).toMatchObject({ name: "Bar", paused: true });
    expect(await prisma.auditRecord.count({ where: { subject: till.till_id, action: "till.change" } })).toBe(
      1,
    );
    expect(errorOf(await charge(till))).toEqual({ status: 409, texts: ["This till is paused"] });
    await shop.post(`/tills/${till.till_id}`, { paused: false });
    expect((await charge(till)).status).toBe(200);
    expect(await prisma.auditRecord.count({ where: { subject: till.till_id, action: "till.change" } })).toBe(
      2,
    );
  });

  it("is not found by an ID that is not a UUID", async () => {
    expect((await cashierConsole.get("/tills/counter-1")).status).toBe(404);
  });
});

describe("order at a till", () => {
  it("is created once per idempotency key, is shown as the till's open order, and can be paid", async () => {
    const till = await addTill();
    const [one, again] = await Promise.all(
      [1, 2].map(() => readOrder(charge(till, { note: "Two mugs", idempotency_key: "pressed twice" }))),
    );
    expect(one?.order_id).toBe(again?.order_id);
    const { entries } = dataOf(
      consoleTimelineResponseSchema,
      await shop.get(`/orders/${one?.order_id}/timeline`),
    );
    expect(entries).toMatchObject([{ kind: "order.created", request_id: expect.stringMatching(/^req_/) }]);
    expect(await openOrderAt(till)).toMatchObject({
      order_id: one?.order_id,
      status: "PENDING",
      description: "Two mugs",
    });
    const page = openPage(server, tokenOf(one ?? { payment_url: "" }));
    await page.act("sandbox-approve");
    expect(await openOrderAt(till)).toBeNull();
    const paid = dataOf(
      consoleTillOrderResponseSchema,
      await cashierConsole.get(`/tills/${till.till_id}/orders/${one?.order_id}`),
    ).order;
    expect(paid).toMatchObject({ status: "PAID", money: { amount: "4.50", currency: "EUR" } });
    expect(paid.trx_id).toMatch(/^TRX-/);
    const order = await prisma.order.findUniqueOrThrow({ where: { id: paid.order_id } });
    expect(order.terminalId).toBe(till.terminal_id);
    const shown = dataOf(consoleOrderResponseSchema, await cashierConsole.get(`/orders/${order.id}`));
    expect(shown.till).toEqual({ till_id: till.till_id, name: till.name });
  });

  it("is rejected if the amount is invalid in the till's currency", async () => {
    const till = await addTill();
    for (const amount of ["0", "-1", "1.001", "a lot"]) {
      const response = await charge(till, { amount });
      expect([amount, response.status]).toEqual([amount, 400]);
    }
    expect(await openOrderAt(till)).toBeNull();
  });

  it("is no longer open after it expires", async () => {
    const till = await addTill();
    const { order_id } = await readOrder(charge(till));
    await makeOverdue(sandbox, order_id);
    expect(await openOrderAt(till)).toBeNull();
  });

  it("is not found under another till of the same merchant", async () => {
    const [till, other] = [await addTill(), await addTill()];
    const { order_id } = await readOrder(charge(till));
    expect((await cashierConsole.get(`/tills/${other.till_id}/orders/${order_id}`)).status).toBe(404);
  });

  it("is rejected for a suspended merchant", async () => {
    const till = await addTill();
    await prisma.merchant.update({ where: { id: merchantId }, data: { suspendedAt: new Date() } });
    const response = await charge(till);
    await prisma.merchant.update({ where: { id: merchantId }, data: { suspendedAt: null } });
    expect(errorOf(response).texts).toEqual(["This account is suspended."]);
  });
});

describe("printed code of a till", () => {
  it("shows the newest open order of the till, no order of another till, and no order while the till is paused", async () => {
    const [till, other] = [await addTill(), await addTill()];
    expect(await orderShownAt(till)).toEqual({
      merchant_name: sandbox.access.merchant.name,
      name: till.name,
      mode: "sandbox",
      payment_url: null,
    });
    await readOrder(charge(till));
    const newest = await readOrder(charge(till));
    expect((await orderShownAt(till)).payment_url).toBe(newest.payment_url);
    expect((await orderShownAt(other)).payment_url).toBeNull();
    await shop.post(`/tills/${till.till_id}`, { paused: true });
    expect((await orderShownAt(till)).payment_url).toBeNull();
  });

  it("shows an order created through the API for this terminal", async () => {
    const till = await addTill();
    const created = await api.post("/orders", {
      amount: "3.00",
      currency: "EUR",
      terminal_id: till.terminal_id,
    });
    expect(created.status).toBe(200);
    expect((await orderShownAt(till)).payment_url).toMatch(/\/pay\//);
  });

  it("returns 404 for an unknown code", async () => {
    expect((await codeOf({ code_url: "x/t/none" })).status).toBe(404);
  });
});

describe("credential of the console", () => {
  it("is created once for concurrent orders, is not listed, and cannot be rotated or revoked", async () => {
    const till = await addTill();
    await Promise.all([charge(till), charge(till), charge(till)]);
    const own = await prisma.credential.findMany({ where: { merchantId, kind: "console" } });
    expect(own).toHaveLength(1);
    const id = own[0]?.id ?? "";
    const { credentials } = dataOf(consoleCredentialListResponseSchema, await shop.get("/credentials"));
    expect(credentials.map(({ credential_id }) => credential_id)).not.toContain(id);
    for (const step of ["rotate", "revoke"])
      expect((await shop.post(`/credentials/${id}/${step}`, {})).status).toBe(404);
    expect((await prisma.credential.findUniqueOrThrow({ where: { id } })).revokedAt).toBeNull();
  });

  it("cannot authenticate a call to the Pay API or the Partner API, even with its secret", async () => {
    const secret = `tgs_test_${randomBytes(32).toString("hex")}`;
    const { id } = await prisma.credential.create({
      data: {
        ...{ merchantId: parties.otherId, mode: "sandbox", kind: "console" },
        secretHash: hashSecret(secret),
      },
    });
    const access = { client_id: id, client_secret: secret };
    expect((await payApi(server, access).get("/orders")).status).toBe(401);
    expect((await partnerApi(server, secret).get("/balance")).status).toBe(401);
    const token = await payApi(server, access).post("/authentication/token", {
      client_id: id,
      secret_id: secret,
    });
    expect([token.status, JSON.stringify(token.body)]).toEqual([
      400,
      expect.not.stringContaining("access_token"),
    ]);
  });
});

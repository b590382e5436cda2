import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ApiProcess } from "../../../support/api-process.js";
import { openPage } from "../../../support/checkout.js";
import { countResponses } from "../../../support/concurrent-calls.js";
import { countOf } from "../../../support/counts.js";
import {
  createOrder,
  createPaidOrder,
  getOrder,
  paymentTokenOf,
  REFUND_CREATED,
  readRefund,
} from "../../../support/orders.js";
import {
  accountBalance,
  addPartner,
  addRecipient,
  COMPLETED,
  lookUpRecipient,
  type PartnerOptions,
  partnerApi,
  type Recipient,
  readPayout,
} from "../../../support/partner.js";
import { type ApiResponse, type PayApi, payApi } from "../../../support/requests.js";
import { eventNamesOf, expectValidEvents } from "../../../support/rows.js";
import { createTestSandbox } from "../../../support/test-api.js";

/** Number of payouts in the race between two processes, with and without group commit. */
const RACED = countOf({ full: 10_000, reduced: 200 });
const CONCURRENCY = 100;
const ORDERS = countOf({ full: 400, reduced: 40 });
const timeout = countOf({ full: 600_000, reduced: 30_000 });

/** More than the number of concurrent requests. Other tests cover a full queue. */
const TILLGATE_DATABASE_WAITING = "2000";

const sandbox = await createTestSandbox();
let grouped: ApiProcess;
let singly: ApiProcess;
beforeAll(async () => {
  grouped = await sandbox.startApi({
    environment: { TILLGATE_GROUP_COMMIT: "auto", TILLGATE_DATABASE_WAITING },
  });
  singly = await sandbox.startApi({
    environment: { TILLGATE_GROUP_COMMIT: "never", TILLGATE_DATABASE_WAITING },
  });
});
afterAll(() => expectValidEvents(sandbox));

/** Adds a merchant without payout fees. `pay` sends a payout through one of the processes. */
async function merchant(options: PartnerOptions, recipient: Recipient) {
  const partner = await addPartner(sandbox, options);
  await sandbox.database.prisma.feeSchedule.create({
    data: { merchantId: partner.merchantId, mode: "sandbox", currency: "EUR", fixed: 0n, percent: "0" },
  });
  const lookup_token = await lookUpRecipient(partnerApi(singly, partner.token), recipient);
  return {
    partner,
    pay: (through: ApiProcess, changed: Record<string, unknown> = {}): Promise<ApiResponse> =>
      partnerApi(through, partner.token).post("/payout", {
        lookup_token,
        amount: 1,
        sender_currency: "EUR",
        receiver_currency: "EUR",
        reference: randomUUID(),
        idempotency_key: randomUUID(),
        ...changed,
      }),
  };
}

const statusAndText = (response: ApiResponse): string => Object.keys(countResponses([response])).join();

const countDeadlocks = async (): Promise<number> => {
  const { rows } = await sandbox.database.pool.query(
    "SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()",
  );
  return rows[0].deadlocks;
};

it("with group commit, payouts that are rejected for different reasons each get their own error, and the others are paid", async () => {
  const recipient = await addRecipient(sandbox, { EUR: 0n, XAF: 0n });
  const rich = await merchant({}, recipient);
  const poor = await merchant({ wallets: { EUR: 99n } }, recipient);
  const limited = (terms: Record<string, unknown>) => merchant({ terms: { EUR: terms } }, recipient);
  const [daily, monthly, each, none] = await Promise.all([
    limited({ daily: 99n }),
    limited({ monthly: 99n }),
    limited({ perTransaction: 99n }),
    limited({ authorized: false }),
  ]);
  const idle = await addRecipient(sandbox);
  const lookupOfIdle = await lookUpRecipient(partnerApi(singly, rich.partner.token), idle);
  await sandbox.database.prisma.walletUser.update({ where: { id: idle.id }, data: { active: false } });
  await rich.pay(singly, { reference: "taken", idempotency_key: "done before" });
  const rejections: ((through: ApiProcess) => Promise<ApiResponse>)[] = [
    (through) => poor.pay(through),
    (through) => daily.pay(through),
    (through) => monthly.pay(through),
    (through) => each.pay(through),
    (through) => none.pay(through),
    (through) => rich.pay(through, { reference: "taken" }),
    (through) => rich.pay(through, { lookup_token: lookupOfIdle }),
    (through) => rich.pay(through, { lookup_token: randomUUID() }),
    (through) => rich.pay(through, { receiver_currency: "XOF" }),
    (through) => rich.pay(through, { sender_currency: "XAF" }),
    (through) => rich.pay(through, { quote_id: randomUUID(), lookup_token: undefined }),
    (through) => rich.pay(through, { idempotency_key: "done before" }),
  ];
  const alone = await Promise.all(rejections.map(async (request) => statusAndText(await request(singly))));
  expect(new Set(alone).size).toBeGreaterThanOrEqual(9);
  for (let round = 0; round < 3; round += 1) {
    const good = Array.from({ length: 24 }, () => rich.pay(grouped));
    const answered = await Promise.all(
      rejections.map(async (request) => statusAndText(await request(grouped))),
    );
    const more = Array.from({ length: 8 }, () => rich.pay(grouped));
    expect(answered).toEqual(alone);
    expect(countResponses(await Promise.all([...good, ...more]))).toEqual({ [`200 ${COMPLETED}`]: 32 });
  }
});

it("payouts of a busy merchant in two processes, one of them without group commit, cause no deadlock and lose no money", {
  timeout,
}, async () => {
  const before = await countDeadlocks();
  const recipients = await Promise.all(Array.from({ length: 4 }, () => addRecipient(sandbox)));
  const [first] = recipients;
  if (!first) throw new Error("the test has no recipient");
  const hot = await merchant({ wallets: { EUR: 100_000_000n } }, first);
  const others = await Promise.all(
    recipients.map((item) => merchant({ wallets: { EUR: 100_000_000n } }, item)),
  );
  const tokens = await Promise.all(
    recipients.map((item) => lookUpRecipient(partnerApi(singly, hot.partner.token), item)),
  );
  let paid = 0;
  for (let sent = 0; sent < RACED; sent += CONCURRENCY) {
    const responses = await Promise.all(
      Array.from({ length: CONCURRENCY }, (_, at) => {
        const through = at % 5 === 0 ? singly : grouped;
        const other = at % 4 === 0 ? others[(at / 4) % others.length] : undefined;
        return other ? other.pay(through) : hot.pay(through, { lookup_token: tokens[at % tokens.length] });
      }),
    );
    for (const response of responses) readPayout(response, COMPLETED);
    paid += responses.length;
  }
  const received = await Promise.all(recipients.map(({ wallets }) => accountBalance(sandbox, wallets.EUR)));
  expect(received.reduce((sum, item) => sum + item, 0n)).toBe(BigInt(paid) * 100n);
  expect(await countDeadlocks()).toBe(before);
});

it("a group of refunds returns the error of each rejected refund, and completes the other refunds", {
  timeout,
}, async () => {
  const shops = (["merchant", "other_merchant"] as const).map((name) => ({
    api: payApi(grouped, sandbox.access[name]),
    single: payApi(singly, sandbox.access[name]),
  }));
  const [shop, other] = shops;
  if (!shop || !other) throw new Error("two merchants are needed");
  const before = await countDeadlocks();
  const pay = async ({ single }: typeof shop) =>
    (await createPaidOrder(singly, single, { amount: 10 })).trxId;
  const refund = (api: PayApi, trxId: string, fields: Record<string, unknown> = {}) =>
    api.post("/refunds", { transaction_id: trxId, ...fields });
  const [taken, theirs] = [await pay(shop), await pay(other)];
  readRefund(await refund(shop.single, taken, { amount: 4, idempotency_key: "done before" }), REFUND_CREATED);
  const rejections = [
    (api: PayApi) => refund(api, taken, { amount: 6.01 }),
    (api: PayApi) => refund(api, theirs),
    (api: PayApi) => refund(api, taken, { amount: 5, idempotency_key: "done before" }),
  ];
  const alone = await Promise.all(rejections.map(async (send) => statusAndText(await send(shop.single))));
  expect(new Set(alone).size).toBe(rejections.length);
  const paid = await Promise.all(
    Array.from({ length: 24 }, async (_, at) => {
      const of = at % 3 === 0 ? other : shop;
      return { of, trxId: await pay(of) };
    }),
  );
  const made = paid.flatMap(({ of, trxId }) => [
    refund(of.api, trxId, { amount: 4, idempotency_key: trxId }),
    refund(of.api, trxId, { amount: 6, idempotency_key: `rest of ${trxId}` }),
    refund(of.single, trxId, { amount: 4, idempotency_key: trxId }),
  ]);
  const answered = await Promise.all(rejections.map(async (send) => statusAndText(await send(shop.api))));
  expect(answered).toEqual(alone);
  for (const response of await Promise.all(made)) readRefund(response, REFUND_CREATED);
  const { rows } = await sandbox.database.pool.query(
    "SELECT state, refunded::int, (SELECT count(*)::int FROM refunds r WHERE r.order_id = o.id) AS refunds FROM orders o WHERE trx_id = ANY($1)",
    [paid.map(({ trxId }) => trxId)],
  );
  expect(rows).toEqual(paid.map(() => ({ state: "REFUNDED", refunded: 1_000, refunds: 2 })));
  expect(await countDeadlocks()).toBe(before);
});

it("concurrent orders of a shop that are created, paid and cancelled in two processes each reach one final state", {
  timeout,
}, async () => {
  const apis = [payApi(grouped, sandbox.access.merchant), payApi(singly, sandbox.access.merchant)] as const;
  const before = await countDeadlocks();
  const created = await Promise.all(
    Array.from({ length: ORDERS }, (_, at) => createOrder(apis[at % 8 === 0 ? 1 : 0], { amount: 1 })),
  );
  expect(new Set(created.map(({ order_id }) => order_id)).size).toBe(ORDERS);
  await Promise.all(
    created.flatMap((order, at) => {
      const pages = [grouped, singly].map((through) => openPage(through, paymentTokenOf(order)));
      return [
        ...pages.map((page) => page.act("sandbox-approve")),
        ...(at % 3 === 0 ? [apis[0].post(`/orders/${order.order_id}/cancel`, {})] : []),
      ];
    }),
  );
  for (const { order_id } of created) {
    const { status } = await getOrder(apis[0], order_id);
    expect(["PAID", "CANCELLED"]).toContain(status);
    expect(await eventNamesOf(sandbox, order_id)).toEqual([`pos.order.${status.toLowerCase()}`]);
  }
  expect(await countDeadlocks()).toBe(before);
});

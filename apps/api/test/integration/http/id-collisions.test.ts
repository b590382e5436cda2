import { describe, expect, it } from "vitest";
import { createIdSpace, createIdSpaces, ID_KINDS, type IdSpaces } from "../../../src/platform/ids.js";
import type { ApiProcess } from "../../support/api-process.js";
import { openPage } from "../../support/checkout.js";
import {
  createOrder,
  createPaidOrder,
  getOrder,
  paymentTokenOf,
  REFUND_CREATED,
  readRefund,
} from "../../support/orders.js";
import {
  addPartner,
  addRecipient,
  COMPLETED,
  lookUpRecipient,
  type PartnerApi,
  partnerApi,
  readPayout,
} from "../../support/partner.js";
import { type PayApi, payApi } from "../../support/requests.js";
import { createTestSandbox } from "../../support/test-api.js";

const CONCURRENCY = 16;
/** Several times the capacity of the shortest IDs. */
const CALLS = 48;

const sandbox = await createTestSandbox();

const LETTERS = { alphabet: `${"A".repeat(16)}${"B".repeat(16)}` };
/** One random digit: 10 codes. */
const ONE_DIGIT = { shortest: 3 };

const tinySpaces = (maxGrowth?: number): IdSpaces => ({
  order: createIdSpace({ ...ID_KINDS.order, ...LETTERS }, maxGrowth),
  refund: createIdSpace({ ...ID_KINDS.refund, ...LETTERS }, maxGrowth),
  payment: createIdSpace({ ...ID_KINDS.payment, ...ONE_DIGIT }, maxGrowth),
  payout: createIdSpace({ ...ID_KINDS.payout, ...LETTERS }, maxGrowth),
  partnerTransaction: createIdSpace({ ...ID_KINDS.partnerTransaction, ...ONE_DIGIT }, maxGrowth),
});

const startWith = (ids: IdSpaces): Promise<ApiProcess> =>
  sandbox.startApi({ change: (context) => ({ ...context, memory: { ...context.memory, ids } }) });

async function runBatches<Made>(count: number, make: () => Promise<Made>): Promise<Made[]> {
  const created: Made[] = [];
  while (created.length < count)
    created.push(...(await Promise.all(Array.from({ length: CONCURRENCY }, make))));
  return created;
}

/** Expects unique IDs of different lengths. */
function expectGrowth(ids: string[]): void {
  expect(new Set(ids).size).toBe(ids.length);
  const lengths = ids.map((id) => id.length);
  expect(Math.max(...lengths)).toBeGreaterThan(Math.min(...lengths));
}

const refundOf = async (server: ApiProcess, api: PayApi) => {
  const { trxId } = await createPaidOrder(server, api, { amount: 2 });
  const refund = readRefund(await api.post("/refunds", { transaction_id: trxId, amount: 1 }), REFUND_CREATED);
  return { trxId, refundId: refund.refund_id };
};

const payOut = async (api: PartnerApi, lookup_token: string) => {
  const key = crypto.randomUUID();
  const fields = { lookup_token, amount: 1, sender_currency: "EUR", receiver_currency: "EUR" };
  const response = await api.post("/payout", { ...fields, reference: key, idempotency_key: key });
  return readPayout(response, COMPLETED);
};

describe("a nearly full ID space", () => {
  it("causes no order to be rejected, in the process that fills it or in a new process, because IDs grow", async () => {
    const { merchant } = sandbox.access;
    const api = payApi(await startWith(tinySpaces()), merchant);
    expectGrowth((await runBatches(96, () => createOrder(api))).map(({ order_id }) => order_id));
    const later = payApi(await startWith(tinySpaces()), merchant);
    for (const order of await runBatches(32, () => createOrder(later)))
      expect(await getOrder(later, order.order_id)).toMatchObject({ order_id: order.order_id });
  });

  it("causes no payment or refund to be rejected", async () => {
    const server = await startWith(tinySpaces());
    const api = payApi(server, sandbox.access.merchant);
    const created = await runBatches(CALLS, () => refundOf(server, api));
    expectGrowth(created.map(({ trxId }) => trxId));
    expectGrowth(created.map(({ refundId }) => refundId));
  });

  it("causes no payout to be rejected", async () => {
    const partner = await addPartner(sandbox, { wallets: { EUR: 10_000_000n } });
    const api = partnerApi(await startWith(tinySpaces()), partner.token);
    const token = await lookUpRecipient(api, await addRecipient(sandbox));
    const created = await runBatches(CALLS, () => payOut(api, token));
    expectGrowth(created.map(({ payout_id }) => payout_id));
    expectGrowth(created.map(({ trx_id }) => trx_id ?? ""));
  });

  it("would fail requests if IDs did not grow", async () => {
    const server = await startWith({ ...createIdSpaces(), payment: tinySpaces(0).payment });
    const api = payApi(server, sandbox.access.merchant);
    const statuses = await runBatches(16, async () => {
      const page = openPage(server, paymentTokenOf(await createOrder(api)));
      return (await page.act("sandbox-approve")).status;
    });
    expect(statuses).toContain(500);
  }, 90_000);
});

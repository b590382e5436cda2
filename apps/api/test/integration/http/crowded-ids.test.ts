import { describe, expect, it } from "vitest";
import { createIdSpace, createIdSpaces, ID_KINDS, type IdSpaces } from "../../../src/platform/ids.js";
import type { ApiProcess } from "../../support/api-process.js";
import { openPage } from "../../support/checkout.js";
import {
  createOrder,
  getOrder,
  paidOrder,
  REFUND_CREATED,
  readRefund,
  tokenOf,
} from "../../support/orders.js";
import {
  addPartner,
  addRecipient,
  COMPLETED,
  lookUp,
  type PartnerApi,
  partnerApi,
  readPayout,
} from "../../support/partner.js";
import { type PayApi, payApi } from "../../support/requests.js";
import { sandboxOfFile } from "../../support/scene.js";

const AT_ONCE = 16;
/** Several times what the shortest ids of a tiny space are enough for. */
const MANY = 48;

const sandbox = await sandboxOfFile();

/** Two letters instead of 32: a merchant has 16 codes of the shortest, or 64. */
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

/** Makes calls, some at a time. */
async function many<Made>(count: number, make: () => Promise<Made>): Promise<Made[]> {
  const made: Made[] = [];
  while (made.length < count) made.push(...(await Promise.all(Array.from({ length: AT_ONCE }, make))));
  return made;
}

/** What ids have in common: each is new, the first are short, and later ones are longer. */
function expectGrowth(ids: string[]): void {
  expect(new Set(ids).size).toBe(ids.length);
  const lengths = ids.map((id) => id.length);
  expect(Math.max(...lengths)).toBeGreaterThan(Math.min(...lengths));
}

const refundOf = async (server: ApiProcess, api: PayApi) => {
  const { trxId } = await paidOrder(server, api, { amount: 2 });
  const refund = readRefund(await api.post("/refunds", { transaction_id: trxId, amount: 1 }), REFUND_CREATED);
  return { trxId, refundId: refund.refund_id };
};

const payOut = async (api: PartnerApi, lookup_token: string) => {
  const key = crypto.randomUUID();
  const fields = { lookup_token, amount: 1, sender_currency: "EUR", receiver_currency: "EUR" };
  const answer = await api.post("/payout", { ...fields, reference: key, idempotency_key: key });
  return readPayout(answer, COMPLETED);
};

describe("an ID space that fills up", () => {
  it("rejects no order: IDs grow, and a new process learns the length with its first requests", async () => {
    const { merchant } = sandbox.access;
    const api = payApi(await startWith(tinySpaces()), merchant);
    expectGrowth((await many(96, () => createOrder(api))).map(({ order_id }) => order_id));
    const later = payApi(await startWith(tinySpaces()), merchant);
    for (const order of await many(32, () => createOrder(later)))
      expect(await getOrder(later, order.order_id)).toMatchObject({ order_id: order.order_id });
  });

  it("rejects no payment and no refund", async () => {
    const server = await startWith(tinySpaces());
    const api = payApi(server, sandbox.access.merchant);
    const made = await many(MANY, () => refundOf(server, api));
    expectGrowth(made.map(({ trxId }) => trxId));
    expectGrowth(made.map(({ refundId }) => refundId));
  });

  it("rejects no payout", async () => {
    const partner = await addPartner(sandbox, { wallets: { EUR: 10_000_000n } });
    const api = partnerApi(await startWith(tinySpaces()), partner.token);
    const token = await lookUp(api, await addRecipient(sandbox));
    const made = await many(MANY, () => payOut(api, token));
    expectGrowth(made.map(({ payout_id }) => payout_id));
    expectGrowth(made.map(({ trx_id }) => trx_id ?? ""));
  });

  it("would reject some requests if IDs did not grow", async () => {
    const server = await startWith({ ...createIdSpaces(), payment: tinySpaces(0).payment });
    const api = payApi(server, sandbox.access.merchant);
    const statuses = await many(16, async () => {
      const page = openPage(server, tokenOf(await createOrder(api)));
      return (await page.act("sandbox-approve")).status;
    });
    expect(statuses).toContain(500);
  }, 90_000);
});

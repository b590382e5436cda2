import { proveLedger } from "@tillgate/database";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPage } from "../../support/checkout.js";
import { countOf } from "../../support/counts.js";
import { createOrder, paymentTokenOf } from "../../support/orders.js";
import { addCredential } from "../../support/parties.js";
import {
  addPartner,
  addRecipient,
  decidePayout,
  decideRefund,
  lookUpRecipient,
  type Partner,
  type PartnerApi,
  partnerApi,
  type Recipient,
} from "../../support/partner.js";
import { type ApiResponse, type PayApi, payApi } from "../../support/requests.js";
import { expectValidEvents } from "../../support/rows.js";
import { createTestSandbox } from "../../support/test-api.js";

const RUNS = countOf({ full: 60, reduced: 6 });
const STEPS = countOf({ full: 60, reduced: 30 });
/** Number of concurrent steps. */
const CONCURRENCY = 6;

type World = {
  partner: Partner;
  partners: PartnerApi[];
  pays: PayApi[];
  processes: { url: string }[];
  recipients: Recipient[];
  tokens: string[];
  /** Objects of earlier steps, for later steps to use. */
  quotes: string[];
  waiting: string[];
  transactions: string[];
  waitingRefunds: string[];
};

let processes: { url: string }[];

const sandbox = await createTestSandbox();
beforeAll(async () => {
  processes = [await sandbox.startApi(), await sandbox.startApi()];
});
afterAll(() => expectValidEvents(sandbox));

/** Adds a merchant with small wallets, low limits and a review amount, so that many steps are rejected. */
async function createWorld(): Promise<World> {
  const partner = await addPartner(sandbox, {
    wallets: { EUR: 6_000n, XAF: 20_000n },
    terms: {
      EUR: { perTransaction: 3_000n, daily: 12_000n, monthly: 15_000n, reviewAbove: 1_500n },
      XAF: { reviewAbove: 4_000n },
    },
  });
  const { prisma } = sandbox.database;
  const payer = await prisma.walletUser.create({
    data: { mode: "sandbox", name: "Test shopper", testOfMerchantId: partner.merchantId },
  });
  await prisma.account.create({
    data: { mode: "sandbox", currency: "EUR", kind: "shopper", walletUserId: payer.id, balance: 0n },
  });
  const access = await addCredential(sandbox, partner.merchantId, "sandbox");
  const partners = processes.map((server) => partnerApi(server, partner.token));
  const recipients = [
    await addRecipient(sandbox, { EUR: 0n, XAF: 0n }),
    await addRecipient(sandbox, { EUR: 0n, XAF: 500n }),
  ];
  const tokens = [];
  for (const recipient of recipients) tokens.push(await lookUpRecipient(at(partners, 0), recipient));
  return {
    partner,
    partners,
    pays: processes.map((server) => payApi(server, access)),
    processes,
    recipients,
    tokens,
    quotes: [],
    waiting: [],
    transactions: [],
    waitingRefunds: [],
  };
}

const at = <Value>(list: Value[], index: number): Value => {
  const value = list[index % list.length];
  if (value === undefined) throw new Error("the list to choose from is empty");
  return value;
};

/** Expects a status below 500. @returns the response */
function expectNoInternalError(response: ApiResponse): ApiResponse {
  expect(response.status, response.text).toBeLessThan(500);
  return response;
}

const found = (text: string, pattern: RegExp): string | undefined => pattern.exec(text)?.[1];

const currency = fc.constantFrom("EUR", "XAF");
const pick = fc.nat({ max: 99 });
/** Few values, so that keys and references collide. */
const collidingKey = fc.nat({ max: 40 });
const amountIn = (code: string, size: number): number => (code === "EUR" ? size / 100 : size * 3);

const stepArbitrary = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("payout" as const),
      from: currency,
      to: currency,
      size: fc.integer({ min: 1, max: 3_200 }),
      recipient: pick,
      key: collidingKey,
      reference: collidingKey,
      process: pick,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("quote" as const),
      from: currency,
      to: currency,
      size: fc.integer({ min: 1, max: 2_500 }),
      recipient: pick,
      process: pick,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("payoutByQuote" as const),
      quote: pick,
      key: collidingKey,
      reference: collidingKey,
      process: pick,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("settle" as const), payout: pick, approve: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("payment" as const),
      size: fc.integer({ min: 1, max: 2_000 }),
      key: collidingKey,
      process: pick,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("refund" as const),
      transaction: pick,
      size: fc.option(fc.integer({ min: 1, max: 1_200 })),
      key: collidingKey,
      process: pick,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("settleRefund" as const), refund: pick, approve: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("approval" as const), needed: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("recipient" as const), recipient: pick, active: fc.boolean() }),
  },
);
type Step = typeof stepArbitrary extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * The first steps of each run, because random steps may lack a refund. Their keys do not collide with those
 * of the random steps.
 */
const OPENING: Step[] = [
  { kind: "payment", size: 800, key: 98, process: 0 },
  { kind: "refund", transaction: 0, size: null, key: 98, process: 0 },
];

/** Ignores only the errors of an item that is already decided, or whose recipient or wallet is no longer active. */
const tolerateDecided = (work: Promise<void>): Promise<void> =>
  work.catch((error: unknown) => {
    expect(error).toMatchObject({ code: expect.stringMatching(/^TG0(44|45|22)$/) });
  });

async function runStep(world: World, step: Step): Promise<void> {
  const { prisma } = sandbox.database;
  switch (step.kind) {
    case "payout":
    case "payoutByQuote": {
      const terms =
        step.kind === "payout"
          ? {
              lookup_token: at(world.tokens, step.recipient),
              amount: amountIn(step.from, step.size),
              sender_currency: step.from,
              receiver_currency: step.to,
            }
          : { quote_id: world.quotes.length > 0 ? at(world.quotes, step.quote) : "none" };
      const response = expectNoInternalError(
        await at(world.partners, step.process).post("/payout", {
          ...terms,
          idempotency_key: `k${step.key}`,
          reference: `r${step.reference}`,
        }),
      );
      const id = found(response.text, /"payout_id":"(\w+)"/);
      if (id && response.text.includes('"pending"')) world.waiting.push(id);
      return;
    }
    case "quote": {
      const response = expectNoInternalError(
        await at(world.partners, step.process).post("/quote", {
          lookup_token: at(world.tokens, step.recipient),
          amount: amountIn(step.from, step.size),
          sender_currency: step.from,
          receiver_currency: step.to,
        }),
      );
      const id = found(response.text, /"quote_id":"([\w-]+)"/);
      if (id) world.quotes.push(id);
      return;
    }
    case "settle":
      if (world.waiting.length > 0)
        await tolerateDecided(decidePayout(sandbox, at(world.waiting, step.payout), step.approve));
      return;
    case "payment": {
      const api = at(world.pays, step.process);
      const order = await createOrder(api, {
        amount: step.size / 100,
        idempotency_key: `p${step.key}.${step.size}`,
      });
      await openPage(at(world.processes, step.process + 1), paymentTokenOf(order)).act("sandbox-approve");
      const id = found(
        expectNoInternalError(await api.get(`/orders/${order.order_id}`)).text,
        /"trx_id":"(TRX-\d+)"/,
      );
      if (id) world.transactions.push(id);
      return;
    }
    case "refund": {
      if (world.transactions.length === 0) return;
      const response = expectNoInternalError(
        await at(world.pays, step.process).post("/refunds", {
          transaction_id: at(world.transactions, step.transaction),
          ...(step.size !== null && { amount: step.size / 100 }),
          idempotency_key: `f${step.key}`,
        }),
      );
      const id = found(response.text, /"refund_id":"([\w-]+)"/);
      if (id && response.text.includes('"pending"')) world.waitingRefunds.push(id);
      return;
    }
    case "settleRefund":
      if (world.waitingRefunds.length > 0)
        await tolerateDecided(decideRefund(sandbox, at(world.waitingRefunds, step.refund), step.approve));
      return;
    case "approval":
      await prisma.merchant.update({
        where: { id: world.partner.merchantId },
        data: { refundsNeedApproval: step.needed },
      });
      return;
    case "recipient":
      await prisma.walletUser.update({
        where: { id: at(world.recipients, step.recipient).id },
        data: { active: step.active },
      });
  }
}

describe("random interleavings of payouts, quotes, decisions, payments, refunds and retries", () => {
  it(
    "violate no ledger rule and cause no internal error",
    async () => {
      const visited = new Set<string>();
      await fc.assert(
        fc.asyncProperty(
          fc.array(stepArbitrary, { minLength: STEPS / 2, maxLength: STEPS, size: "max" }),
          async (steps) => {
            const world = await createWorld();
            for (const step of OPENING) await runStep(world, step);
            for (let next = 0; next < steps.length; next += CONCURRENCY)
              await Promise.all(
                steps.slice(next, next + CONCURRENCY).map((step) => {
                  visited.add(step.kind);
                  return runStep(world, step);
                }),
              );
            const { rules } = await proveLedger(sandbox.url);
            expect(rules.filter(({ violations }) => violations.length > 0)).toEqual([]);
          },
        ),
        { numRuns: RUNS, endOnFailure: true },
      );
      expect(visited.size).toBe(9);
      const { rows } = await sandbox.database.pool.query<{ kind: string }>(
        "SELECT DISTINCT kind::text FROM transfers ORDER BY kind",
      );
      expect(rows.map(({ kind }) => kind)).toEqual(
        expect.arrayContaining(["hold", "payment", "payout", "refund", "top_up"]),
      );
    },
    countOf({ full: 300_000, reduced: 60_000 }),
  );
});

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiProcess } from "../../../support/api-process.js";
import { callConcurrently, countResponses } from "../../../support/concurrent-calls.js";
import { countOf } from "../../../support/counts.js";
import {
  accountBalance,
  addPartner,
  addRecipient,
  COMPLETED,
  decidePayout,
  holdBalanceOf,
  lookUpRecipient,
  type Partner,
  type PartnerApi,
  type PartnerOptions,
  PENDING,
  partnerApi,
  REPEATED,
  type Recipient,
  readPayout,
  readQuote,
} from "../../../support/partner.js";
import type { ApiResponse } from "../../../support/requests.js";
import { expectValidEvents } from "../../../support/rows.js";
import { createTestSandbox } from "../../../support/test-api.js";

/** Number of concurrent requests, sent to two processes. */
const MANY = countOf({ full: 200, reduced: 60 });
const AFFORDED = countOf({ full: 50, reduced: 15 });

let processes: [ApiProcess, ApiProcess];
let recipient: Recipient;

const sandbox = await createTestSandbox();
beforeAll(async () => {
  processes = [await sandbox.startApi(), await sandbox.startApi()];
  recipient = await addRecipient(sandbox, { EUR: 0n, XAF: 0n });
});
afterAll(() => expectValidEvents(sandbox));

/** A merchant's clients of both processes; `api` is one of `apis`. */
type Fixture = { partner: Partner; api: PartnerApi; apis: [PartnerApi, PartnerApi]; lookup_token: string };

async function createFixture(options: PartnerOptions): Promise<Fixture> {
  const partner = await addPartner(sandbox, options);
  await sandbox.database.prisma.feeSchedule.create({
    data: { merchantId: partner.merchantId, mode: "sandbox", currency: "EUR", fixed: 0n, percent: "0" },
  });
  const apis: Fixture["apis"] = [
    partnerApi(processes[0], partner.token),
    partnerApi(processes[1], partner.token),
  ];
  const [api] = apis;
  return { partner, api, apis, lookup_token: await lookUpRecipient(api, recipient) };
}

const directPayout = ({ lookup_token }: Fixture, changed: Record<string, unknown> = {}) => {
  const id = randomUUID();
  return {
    lookup_token,
    amount: 1,
    sender_currency: "EUR",
    receiver_currency: "EUR",
    reference: id,
    idempotency_key: id,
    ...changed,
  };
};

/** Sends concurrent payouts, alternating between the processes. */
const sendConcurrently = (
  { apis }: Fixture,
  count: number,
  fields: (index: number) => unknown,
): Promise<ApiResponse[]> =>
  callConcurrently(apis, count, (api, index) => api.post("/payout", fields(index)));

describe("concurrent payouts in two processes", () => {
  it(`exactly ${AFFORDED} of ${MANY} are paid from a wallet with enough money for ${AFFORDED}`, async () => {
    const fixture = await createFixture({ wallets: { EUR: BigInt(AFFORDED) * 100n + 99n } });
    const before = await accountBalance(sandbox, recipient.wallets.EUR);
    const responses = await sendConcurrently(fixture, MANY, () => directPayout(fixture));
    expect(countResponses(responses)).toEqual({
      [`200 ${COMPLETED}`]: AFFORDED,
      "400 Insufficient balance.": MANY - AFFORDED,
    });
    expect(await accountBalance(sandbox, fixture.partner.wallets.EUR)).toBe(99n);
    expect(await accountBalance(sandbox, recipient.wallets.EUR)).toBe(before + BigInt(AFFORDED) * 100n);
  });

  it("with one idempotency key are paid once, and all 50 responses contain the payout", async () => {
    const fixture = await createFixture({});
    const fields = directPayout(fixture);
    const responses = await sendConcurrently(fixture, 50, () => fields);
    expect(countResponses(responses)).toEqual({ [`200 ${COMPLETED}`]: 1, [`200 ${REPEATED}`]: 49 });
    const payouts = responses.map((response) =>
      readPayout(response, response.text.includes("duplicate") ? REPEATED : COMPLETED),
    );
    expect(new Set(payouts.map((payout) => JSON.stringify(payout))).size).toBe(1);
    expect(await accountBalance(sandbox, fixture.partner.wallets.EUR)).toBe(99_900n);
  });

  it("with one idempotency key and one quote all return the payout, and none reports a used quote", async () => {
    const fixture = await createFixture({});
    const quoted = readQuote(await fixture.api.post("/quote", directPayout(fixture)));
    const fields = { quote_id: quoted.quote_id, reference: "one", idempotency_key: "one" };
    const responses = await sendConcurrently(fixture, 50, () => fields);
    expect(countResponses(responses)).toEqual({ [`200 ${COMPLETED}`]: 1, [`200 ${REPEATED}`]: 49 });
  });

  it("with one idempotency key and a balance for one payout all return the payout, and none reports an insufficient balance", async () => {
    const fixture = await createFixture({ wallets: { EUR: 100n }, terms: { EUR: { daily: 100n } } });
    const fields = directPayout(fixture);
    expect(countResponses(await sendConcurrently(fixture, 20, () => fields))).toEqual({
      [`200 ${COMPLETED}`]: 1,
      [`200 ${REPEATED}`]: 19,
    });
  });

  it("with different idempotency keys and one new reference are paid once, and the others are rejected as duplicates", async () => {
    const fixture = await createFixture({});
    for (let round = 0; round < 5; round += 1) {
      const responses = await sendConcurrently(fixture, 2, () =>
        directPayout(fixture, { reference: `invoice ${round}` }),
      );
      expect(countResponses(responses)).toEqual({ [`200 ${COMPLETED}`]: 1, "400 Duplicate reference.": 1 });
    }
    const many = await sendConcurrently(fixture, 20, () => directPayout(fixture, { reference: "wanted" }));
    expect(countResponses(many)).toEqual({ [`200 ${COMPLETED}`]: 1, "400 Duplicate reference.": 19 });
    expect(await accountBalance(sandbox, fixture.partner.wallets.EUR)).toBe(99_400n);
  });

  it("with one quote are paid exactly once", async () => {
    const fixture = await createFixture({});
    const quoted = readQuote(
      await fixture.api.post("/quote", directPayout(fixture, { receiver_currency: "XAF" })),
    );
    const responses = await sendConcurrently(fixture, 20, (index) => ({
      quote_id: quoted.quote_id,
      reference: `r${index}`,
      idempotency_key: `k${index}`,
    }));
    expect(countResponses(responses)).toEqual({
      [`200 ${COMPLETED}`]: 1,
      "400 Invalid or expired quote.": 19,
    });
  });

  it.each([
    ["daily", "400 Daily payout limit exceeded"],
    ["monthly", "400 Monthly payout limit exceeded"],
  ])("never exceed a %s limit", async (limit, rejected) => {
    const fixture = await createFixture({ terms: { EUR: { [limit]: 1_050n } } });
    const responses = await sendConcurrently(fixture, 40, () => directPayout(fixture));
    expect(countResponses(responses)).toEqual({ [`200 ${COMPLETED}`]: 10, [rejected]: 30 });
    expect(await accountBalance(sandbox, fixture.partner.wallets.EUR)).toBe(99_000n);
  });

  it("are paid or put on hold from one balance, without exceeding it", async () => {
    const fixture = await createFixture({ wallets: { EUR: 1_000n }, terms: { EUR: { reviewAbove: 150n } } });
    const responses = await sendConcurrently(fixture, 20, (index) =>
      directPayout(fixture, { amount: index % 2 === 0 ? 2 : 1 }),
    );
    const counts = countResponses(responses);
    const paid = (counts[`200 ${COMPLETED}`] ?? 0) * 100;
    const held = (counts[`200 ${PENDING}`] ?? 0) * 200;
    expect(await holdBalanceOf(sandbox, fixture.partner)).toBe(BigInt(held));
    expect(await accountBalance(sandbox, fixture.partner.wallets.EUR)).toBe(1_000n - BigInt(paid + held));
    expect(counts["400 Insufficient balance."]).toBe(20 - paid / 100 - held / 200);
    expect(1_000 - paid - held).toBeLessThan(200);
  });

  it("are decided once when approved and rejected concurrently", async () => {
    const fixture = await createFixture({ terms: { EUR: { reviewAbove: 0n } } });
    for (let round = 0; round < 5; round += 1) {
      const [response] = await sendConcurrently(fixture, 1, () => directPayout(fixture));
      if (!response) throw new Error("a payout got no response");
      const { payout_id } = readPayout(response, PENDING);
      const decisions = await Promise.allSettled(
        Array.from({ length: 6 }, (_, index) => decidePayout(sandbox, payout_id, index % 2 === 0)),
      );
      expect(decisions.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const decision of decisions)
        if (decision.status === "rejected") expect(decision.reason).toMatchObject({ code: "TG044" });
    }
    expect(await holdBalanceOf(sandbox, fixture.partner)).toBe(0n);
  });

  it("do not deadlock with approvals and rejections of pending payouts", async () => {
    const fixture = await createFixture({
      terms: { EUR: { reviewAbove: 150n, daily: 10_000_000n, monthly: 10_000_000n } },
    });
    const waiting = await sendConcurrently(fixture, 20, () => directPayout(fixture, { amount: 2 }));
    const ids = waiting.map((response) => readPayout(response, PENDING).payout_id);
    const [responses] = await Promise.all([
      sendConcurrently(fixture, 20, () => directPayout(fixture)),
      ...ids.map((id, index) => decidePayout(sandbox, id, index % 2 === 0)),
    ]);
    expect(countResponses(responses)).toEqual({ [`200 ${COMPLETED}`]: 20 });
  });

  it("all complete when they convert between two currencies in both directions", async () => {
    const fixture = await createFixture({ wallets: { EUR: 100_000n, XAF: 100_000_000n } });
    const responses = await sendConcurrently(fixture, 40, (index) =>
      index % 2 === 0
        ? directPayout(fixture, { receiver_currency: "XAF" })
        : directPayout(fixture, { sender_currency: "XAF", amount: 1_000 }),
    );
    expect(countResponses(responses)).toEqual({ [`200 ${COMPLETED}`]: 40 });
  });

  it("are paid before the recipient's wallet closes, or rejected because the recipient has no open wallet", async () => {
    for (let round = 0; round < 5; round += 1) {
      const fixture = await createFixture({});
      const leaver = await addRecipient(sandbox);
      const lookup_token = await lookUpRecipient(fixture.api, leaver);
      const [responses] = await Promise.all([
        sendConcurrently(fixture, 4, () => directPayout(fixture, { lookup_token })),
        sandbox.database.pool.query(
          "UPDATE accounts SET closed_at = clock_timestamp() WHERE id = $1 AND balance = 0",
          [leaver.wallets.EUR],
        ),
      ]);
      for (const text of Object.keys(countResponses(responses)))
        expect([`200 ${COMPLETED}`, "400 Recipient wallet not found for currency: EUR"]).toContain(text);
    }
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { REDATE_BOOKS } from "../../../../../scripts/testing/administration.js";
import {
  addPartner,
  addRecipient,
  COMPLETED,
  decidePayout,
  lookUpRecipient,
  type PayoutTerms,
  PENDING,
  partnerApi,
  partnerError,
  type Recipient,
  readPayout,
} from "../../support/partner.js";
import { errorOf } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

const PER_TRANSACTION = partnerError("Amount exceeds per-transaction limit");
const DAILY = partnerError("Daily payout limit exceeded");
const MONTHLY = partnerError("Monthly payout limit exceeded");

let recipient: Recipient;

const { sandbox, server } = await createTestApi();
beforeAll(async () => {
  recipient = await addRecipient(sandbox, { EUR: 0n, USD: 0n });
});

const run = (sql: string, ...values: unknown[]) => sandbox.database.pool.query(sql, values);

async function createMerchant(terms: PayoutTerms) {
  const partner = await addPartner(sandbox, {
    wallets: { EUR: 10_000_000n, USD: 10_000_000n },
    terms: { EUR: terms },
  });
  const api = partnerApi(server, partner.token);
  const lookup_token = await lookUpRecipient(api, recipient);
  let requests = 0;
  const send = (amount: number, changed: Record<string, unknown> = {}) => {
    requests += 1;
    return api.post("/payout", {
      lookup_token,
      amount,
      sender_currency: "EUR",
      receiver_currency: "EUR",
      reference: `r${requests}`,
      idempotency_key: `k${requests}`,
      ...changed,
    });
  };
  return {
    partner,
    expectPaid: async (amount: number, changed?: Record<string, unknown>, message = COMPLETED) =>
      readPayout(await send(amount, changed), message),
    expectRejected: (amount: number) => expectNoWrites(sandbox, () => send(amount)).then(errorOf),
    /** Moves the merchant's payouts and their usage of the limits back in time. */
    async moveBack(interval: string) {
      await sandbox.executeAsSuperuser(`
        SET session_replication_role = replica;
        INSERT INTO count_deltas (merchant_id, mode, kind, starts_at, status, currency, change, amount)
          SELECT merchant_id, mode, 'payout', five_minutes_of(created_at - back), status::text, sender_currency, change, change * amount
          FROM payouts, (VALUES (interval '0', -1), (interval '${interval}', 1)) AS moved (back, change) WHERE merchant_id = '${partner.merchantId}';
        UPDATE payouts SET created_at = created_at - interval '${interval}', processed_at = processed_at - interval '${interval}'
          WHERE merchant_id = '${partner.merchantId}';
        DELETE FROM payout_usage WHERE merchant_id = '${partner.merchantId}';
        INSERT INTO payout_usage (merchant_id, mode, currency, period, starts_on, amount)
          SELECT merchant_id, mode, sender_currency, u.period, date_trunc(u.period::text, created_at AT TIME ZONE 'UTC')::date, sum(amount)
          FROM payouts CROSS JOIN unnest(enum_range(NULL::usage_period)) AS u (period)
          WHERE merchant_id = '${partner.merchantId}' AND status <> 'failed' GROUP BY 1, 2, 3, 4, 5;
        ${REDATE_BOOKS}`);
    },
  };
}

describe("payout limits", () => {
  it("per transaction allow a payout of exactly the limit, ignore the fee, and apply to each payout separately", async () => {
    const { expectPaid, expectRejected } = await createMerchant({ perTransaction: 5_000n });
    expect(await expectRejected(50.01)).toEqual(PER_TRANSACTION);
    await expectPaid(50);
    await expectPaid(50);
    expect((await expectPaid(0.01)).amount).toBe(0.01);
  });

  it.each([
    ["daily", DAILY],
    ["monthly", MONTHLY],
  ])("allow payouts up to exactly the %s limit, and reject one cent more", async (limit, limitError) => {
    const { expectPaid, expectRejected } = await createMerchant({ [limit]: 10_000n });
    expect(await expectRejected(100.01)).toEqual(limitError);
    await expectPaid(60);
    expect(await expectRejected(40.01)).toEqual(limitError);
    await expectPaid(40);
    expect(await expectRejected(0.01)).toEqual(limitError);
  });

  it("reject the smallest amount if they are zero, and do not apply if they are missing", async () => {
    expect(await (await createMerchant({ perTransaction: 0n })).expectRejected(0.01)).toEqual(
      PER_TRANSACTION,
    );
    expect(await (await createMerchant({ daily: 0n })).expectRejected(0.01)).toEqual(DAILY);
    expect(await (await createMerchant({ monthly: 0n })).expectRejected(0.01)).toEqual(MONTHLY);
    await (await createMerchant({})).expectPaid(90_000);
  });

  it("are per sender currency", async () => {
    const { expectPaid, expectRejected } = await createMerchant({ daily: 1_000n });
    await expectPaid(10, { receiver_currency: "USD" });
    expect(await expectRejected(0.01)).toEqual(DAILY);
    await expectPaid(5_000, { sender_currency: "USD" });
  });

  it("are reset each day or each month", async () => {
    const day = await createMerchant({ daily: 1_000n });
    await day.expectPaid(10);
    expect(await day.expectRejected(1)).toEqual(DAILY);
    await day.moveBack("1 day");
    await day.expectPaid(10);
    const month = await createMerchant({ monthly: 1_000n });
    await month.expectPaid(10);
    expect(await month.expectRejected(1)).toEqual(MONTHLY);
    await month.moveBack("1 month");
    await month.expectPaid(10);
  });

  it("take effect immediately when lowered or raised", async () => {
    const { partner, expectPaid, expectRejected } = await createMerchant({ daily: 5_000n });
    await expectPaid(30);
    const daily = (limit: number) =>
      run(
        "UPDATE payout_terms SET daily = $2 WHERE merchant_id = $1 AND currency = 'EUR'",
        partner.merchantId,
        limit,
      );
    await daily(2_000);
    expect(await expectRejected(0.01)).toEqual(DAILY);
    await daily(3_001);
    await expectPaid(0.01);
    expect(await expectRejected(0.01)).toEqual(DAILY);
  });

  it("count a pending payout until it is rejected, in the day and month in which it was created", async () => {
    const { partner, expectPaid, expectRejected, moveBack } = await createMerchant({
      daily: 10_000n,
      monthly: 20_000n,
      reviewAbove: 5_000n,
    });
    const pending = await expectPaid(80, {}, PENDING);
    expect(await expectRejected(20.01)).toEqual(DAILY);
    await expectPaid(20);
    await decidePayout(sandbox, pending.payout_id, false);
    expect(await expectRejected(80.01)).toEqual(DAILY);
    const old = await expectPaid(80, {}, PENDING);
    await moveBack("1 month");
    const fresh = await expectPaid(50);
    await decidePayout(sandbox, old.payout_id, false);
    expect(await expectRejected(50.01)).toEqual(DAILY);
    const { rows } = await run(
      "SELECT period, amount FROM payout_usage WHERE merchant_id = $1 ORDER BY starts_on, period",
      partner.merchantId,
    );
    const amounts = (period: string) =>
      rows.filter((row) => row.period === period).map(({ amount }) => amount);
    expect(amounts("day")).toEqual([2_000n, 5_000n]);
    expect(amounts("month")).toEqual([2_000n, 5_000n]);
    expect(fresh.status).toBe("completed");
  });

  it("count an approved payout once", async () => {
    const { expectPaid, expectRejected } = await createMerchant({ daily: 10_000n, reviewAbove: 5_000n });
    const pending = await expectPaid(80, {}, PENDING);
    await decidePayout(sandbox, pending.payout_id, true);
    expect(await expectRejected(20.01)).toEqual(DAILY);
    await expectPaid(20);
  });
});

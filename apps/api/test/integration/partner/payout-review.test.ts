import { randomUUID } from "node:crypto";
import { balancesResponseSchema } from "@tillgate/contract";
import { describe, expect, it } from "vitest";
import {
  accountBalance,
  COMPLETED,
  decidePayout,
  holdBalanceOf,
  PENDING,
  partnerError,
  REPEATED,
  readPayout,
  readQuote,
} from "../../support/partner.js";
import { setUpPayouts } from "../../support/payout-fixture.js";
import { errorOf } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";

const { direct, run, scene } = setUpPayouts({
  wallets: { EUR: 10_000n },
  terms: { EUR: { reviewAbove: 5_000n } },
});

const fields = (changed: Record<string, unknown> = {}) =>
  direct({ amount: 60, receiver_currency: "XAF", reference: "big", idempotency_key: "big", ...changed });
const createPendingPayout = async (changed: Record<string, unknown> = {}) =>
  readPayout(await scene().api.post("/payout", fields(changed)), PENDING);
const status = async (id: string) => readPayout(await scene().api.get(`/payout/${id}`), "Payout details.");
const deposit = (minor: bigint) =>
  run(
    `SELECT move_between_wallets($1, 'sandbox', 'deposit', 'EUR',
       (SELECT id FROM accounts WHERE mode = 'sandbox' AND currency = 'EUR' AND kind = 'funding'), $2, $3, $4)`,
    randomUUID(),
    scene().partner.wallets.EUR,
    minor,
    randomUUID(),
  );
const events = async () =>
  (await run("SELECT name FROM events WHERE merchant_id = $1", scene().partner.merchantId)).rows.map(
    ({ name }) => name,
  );
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : String(error)),
  );

describe("a payout above the review amount", () => {
  it("is pending: amount and fee are held, nothing is credited, and no event is created", async () => {
    const payout = await createPendingPayout();
    expect(payout).toMatchObject({
      status: "pending",
      amount: 60,
      fee: 0.55,
      total_deducted: 60.55,
      trx_id: null,
      processed_at: null,
    });
    expect(await accountBalance(scene().sandbox, scene().partner.wallets.EUR)).toBe(3_945n);
    expect(await holdBalanceOf(scene().sandbox, scene().partner)).toBe(6_055n);
    expect(await accountBalance(scene().sandbox, scene().recipient.wallets.XAF)).toBe(0n);
    expect(await events()).toEqual([]);
    const { data } = balancesResponseSchema.parse((await scene().api.get("/balance")).body);
    expect(data.balances).toEqual([{ currency_code: "EUR", currency_symbol: "€", balance: 39.45 }]);
  });

  it("is pending from the first cent above the review amount", async () => {
    await deposit(10_000n);
    readPayout(await scene().api.post("/payout", fields({ amount: 50 })), COMPLETED);
    await createPendingPayout({ amount: 50.01, reference: "more", idempotency_key: "more" });
  });

  it("is rejected at creation if amount and fee exceed the balance", async () => {
    const response = await expectNoWrites(scene().sandbox, () =>
      scene().api.post("/payout", fields({ amount: 99.8 })),
    );
    expect(errorOf(response)).toEqual(partnerError("Insufficient balance."));
  });

  it("is completed on the terms in effect at its creation when approved: the recipient is credited, a transaction ID is assigned and one event is created", async () => {
    const payout = await createPendingPayout();
    await run("DELETE FROM payout_terms WHERE merchant_id = $1", scene().partner.merchantId);
    await decidePayout(scene().sandbox, payout.payout_id, true);
    const settled = await status(payout.payout_id);
    expect(settled).toEqual({
      ...payout,
      status: "completed",
      trx_id: expect.stringMatching(/^PP\d{10}$/),
      processed_at: expect.any(String),
    });
    expect(await accountBalance(scene().sandbox, scene().partner.wallets.EUR)).toBe(3_945n);
    expect(await holdBalanceOf(scene().sandbox, scene().partner)).toBe(0n);
    expect(await accountBalance(scene().sandbox, scene().recipient.wallets.XAF)).toBe(38_963n);
    expect(await events()).toEqual(["payout.completed"]);
    expect(readPayout(await scene().api.post("/payout", fields()), REPEATED)).toEqual(settled);
  });

  it("fails when rejected: amount and fee return to the merchant, with one event, and its reference remains used", async () => {
    const payout = await createPendingPayout();
    await decidePayout(scene().sandbox, payout.payout_id, false);
    expect(await status(payout.payout_id)).toEqual({
      ...payout,
      status: "failed",
      trx_id: null,
      processed_at: expect.any(String),
    });
    expect(await accountBalance(scene().sandbox, scene().partner.wallets.EUR)).toBe(10_000n);
    expect(await holdBalanceOf(scene().sandbox, scene().partner)).toBe(0n);
    expect(await events()).toEqual(["payout.failed"]);
    expect(errorOf(await scene().api.post("/payout", fields({ idempotency_key: "new" })))).toEqual(
      partnerError("Duplicate reference."),
    );
    const again = readPayout(
      await expectNoWrites(scene().sandbox, () => scene().api.post("/payout", fields())),
      REPEATED,
    );
    expect(again.status).toBe("failed");
  });

  it("is reported as pending on a retry", async () => {
    const payout = await createPendingPayout();
    expect(readPayout(await scene().api.post("/payout", fields()), REPEATED)).toEqual(payout);
  });

  it.each([true, false])(
    "is decided once: with approve=%s first, every further decision is rejected and moves no money",
    async (first) => {
      const { payout_id } = await createPendingPayout();
      await decidePayout(scene().sandbox, payout_id, first);
      for (const second of [true, false])
        expect(
          await expectNoWrites(scene().sandbox, () =>
            codeOf(decidePayout(scene().sandbox, payout_id, second)),
          ),
        ).toBe("TG044");
      expect(await codeOf(decidePayout(scene().sandbox, "POAAAAAAAA", first))).toBe("TG003");
    },
  );

  it("is the only kind of payout that can be decided: a decision on a smaller, completed payout is rejected", async () => {
    const { payout_id } = readPayout(await scene().api.post("/payout", fields({ amount: 1 })), COMPLETED);
    expect(await codeOf(decidePayout(scene().sandbox, payout_id, false))).toBe("TG044");
  });

  it.each([
    ["the recipient is deactivated", "UPDATE wallet_users SET active = false WHERE id = $1", "TG045"],
    [
      "the recipient's wallet is closed",
      "UPDATE accounts SET closed_at = clock_timestamp() WHERE wallet_user_id = $1 AND currency = 'XAF'",
      "TG022",
    ],
  ])("can be rejected, but not approved, if %s", async (_what, sql, code) => {
    const { payout_id } = await createPendingPayout();
    await run(sql, scene().recipient.id);
    expect(
      await expectNoWrites(scene().sandbox, () => codeOf(decidePayout(scene().sandbox, payout_id, true))),
    ).toBe(code);
    await decidePayout(scene().sandbox, payout_id, false);
    expect((await status(payout_id)).status).toBe("failed");
    expect(await accountBalance(scene().sandbox, scene().partner.wallets.EUR)).toBe(10_000n);
  });

  it("uses up its quote when it is created, even if it is rejected later", async () => {
    const quoted = readQuote(await scene().api.post("/quote", fields()));
    const payout = readPayout(
      await scene().api.post("/payout", { quote_id: quoted.quote_id, reference: "q", idempotency_key: "q" }),
      PENDING,
    );
    expect(payout).toMatchObject({
      exchange_rate: quoted.exchange_rate,
      receiver_amount: quoted.receiver_amount,
    });
    await decidePayout(scene().sandbox, payout.payout_id, false);
    expect(
      errorOf(
        await scene().api.post("/payout", {
          quote_id: quoted.quote_id,
          reference: "q2",
          idempotency_key: "q2",
        }),
      ),
    ).toEqual(partnerError("Invalid or expired quote."));
  });
});

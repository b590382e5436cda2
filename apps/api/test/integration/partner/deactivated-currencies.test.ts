import { afterEach, describe, expect, it } from "vitest";
import { waitForLockContention } from "../../support/lock-contention.js";
import { createOrder, createPaidOrder, REFUND_CREATED, readRefund } from "../../support/orders.js";
import {
  ADMINISTRATOR,
  accountBalance,
  addRecipient,
  lookUpRecipient,
  PENDING,
  partnerError,
  readPayout,
  readQuote,
} from "../../support/partner.js";
import { PAYMENT_FIELDS, paymentApi } from "../../support/payments.js";
import { setUpPayouts } from "../../support/payout-fixture.js";
import { errorOf, fieldError, payApi } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";

const { direct, expectRejectedPayout, run, scene } = setUpPayouts({
  wallets: { EUR: 10_000n, XAF: 1_000_000n },
  terms: { EUR: { reviewAbove: 5_000n } },
});

const setActive = (code: string, active: boolean) =>
  run("UPDATE currencies SET active = $2 WHERE code = $1", code, active);
afterEach(async () => {
  for (const code of ["EUR", "XAF"]) await setActive(code, true);
});

const quote = async (sender: string, receiver: string, amount = 10) => {
  const { api, lookup_token } = scene();
  const fields = { lookup_token, amount, sender_currency: sender, receiver_currency: receiver };
  return readQuote(await api.post("/quote", fields)).quote_id;
};

describe("payouts in a deactivated currency", () => {
  it("are rejected if the sender currency is deactivated, both directly and with an earlier quote", async () => {
    const quote_id = await quote("XAF", "EUR", 10_000);
    await setActive("XAF", false);
    const directly = direct({ sender_currency: "XAF", amount: 10_000 });
    expect(await expectRejectedPayout(directly)).toEqual(
      partnerError("Merchant wallet not found for currency: XAF"),
    );
    const byQuote = { quote_id, reference: "by quote", idempotency_key: "by quote" };
    expect(await expectRejectedPayout(byQuote)).toEqual(
      partnerError("Merchant wallet not found for currency: XAF"),
    );
    // The quote is still unused.
    await setActive("XAF", true);
    readPayout(await scene().api.post("/payout", byQuote), "Payout completed.");
  });

  it("are rejected if the receiver currency is deactivated, even with an earlier quote", async () => {
    const quote_id = await quote("EUR", "XAF");
    await setActive("XAF", false);
    const invalid = partnerError("Invalid receiver currency.");
    expect(await expectRejectedPayout(direct({ receiver_currency: "XAF" }))).toEqual(invalid);
    expect(
      await expectRejectedPayout({ quote_id, reference: "by quote", idempotency_key: "by quote" }),
    ).toEqual(invalid);
  });

  it.each([
    ["EUR", "Merchant wallet not found for currency: EUR"],
    ["XAF", "Invalid receiver currency."],
  ])(
    "are rejected if %s is deactivated while the payout waits for a wallet lock, and write nothing",
    async (code, text) => {
      const { sandbox, partner } = scene();
      const holder = await sandbox.database.pool.connect();
      await holder.query("BEGIN");
      await holder.query("SELECT FROM accounts WHERE id = $1 FOR UPDATE", [partner.wallets.EUR]);
      const waiting = expectRejectedPayout(direct({ receiver_currency: "XAF" }));
      await waitForLockContention(sandbox);
      await setActive(code, false);
      await holder.query("COMMIT");
      holder.release();
      expect(await waiting).toEqual(partnerError(text));
    },
  );
});

describe("a pending payout", () => {
  it.each([["EUR"], ["XAF"]])("can be rejected, but not approved, after %s is deactivated", async (code) => {
    const { api, sandbox, partner } = scene();
    const payout = readPayout(
      await api.post("/payout", direct({ amount: 60, receiver_currency: "XAF" })),
      PENDING,
    );
    await setActive(code, false);
    const decide = (approve: boolean) =>
      run(
        `SELECT decide_payout($1, $2, 'PP0000000001', gen_random_uuid(), ${ADMINISTRATOR}, NULL)`,
        payout.payout_id,
        approve,
      );
    await expectNoWrites(sandbox, () =>
      expect(decide(true)).rejects.toMatchObject({ code: code === "EUR" ? "TG049" : "TG050" }),
    );
    expect((await decide(false)).rowCount).toBe(1);
    expect(await accountBalance(sandbox, partner.wallets.EUR)).toBe(10_000n);
    expect(readPayout(await api.get(`/payout/${payout.payout_id}`), "Payout details.").status).toBe("failed");
  });
});

describe("orders in a deactivated currency", () => {
  it("are rejected by POST /orders and POST /payment/create with the field's name; retries with an earlier idempotency key return the order", async () => {
    const { sandbox, server } = scene();
    const api = payApi(server, sandbox.access.merchant);
    const payments = await paymentApi(server, sandbox.access.merchant);
    const created = await createOrder(api, { idempotency_key: "made before" });
    await setActive("EUR", false);
    const inactive = fieldError("currency", "must be an active currency");
    const fields = { amount: 41.5, currency: "EUR" };
    expect(errorOf(await expectNoWrites(sandbox, () => api.post("/orders", fields)))).toEqual(inactive);
    expect(errorOf(await expectNoWrites(sandbox, () => payments.create(PAYMENT_FIELDS)))).toEqual(inactive);
    const again = await createOrder(api, { idempotency_key: "made before" });
    expect(again.order_id).toBe(created.order_id);
  });

  it("can still be refunded if they were paid earlier", async () => {
    const { sandbox, server } = scene();
    const api = payApi(server, sandbox.access.merchant);
    const { trxId } = await createPaidOrder(server, api);
    await setActive("EUR", false);
    const refund = await api.post("/refunds", { transaction_id: trxId, amount: 1 });
    expect(readRefund(refund, REFUND_CREATED).status).toBe("completed");
  });
});

it("POST /lookup omits a recipient's wallet in a deactivated currency", async () => {
  const { api, sandbox } = scene();
  const recipient = await addRecipient(sandbox, { EUR: 0n, XAF: 0n });
  await setActive("XAF", false);
  expect(JSON.stringify((await api.post("/lookup", { email: recipient.email })).body)).not.toContain("XAF");
  await lookUpRecipient(api, recipient);
});

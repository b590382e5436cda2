import { randomUUID } from "node:crypto";
import { callOne, ledger } from "@tillgate/database";
import { describe, expect, it } from "vitest";
import { waitForLockContention } from "../../support/lock-contention.js";
import { addCredential } from "../../support/parties.js";
import { holdBalanceOf, PENDING, partnerError, readPayout } from "../../support/partner.js";
import { setUpPayouts } from "../../support/payout-fixture.js";
import { type ApiResponse, errorOf, payApi } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";

const { direct, run, scene } = setUpPayouts({ wallets: { EUR: 100_000n } });

/**
 * Blocks a payout at its idempotency key, applies a change, and lets the payout continue.
 * @returns the payout's response
 */
async function changeWhileBlocked(change: () => Promise<unknown>, fields = direct()): Promise<ApiResponse> {
  const { sandbox, partner, api } = scene();
  const holder = await sandbox.database.pool.connect();
  await holder.query("BEGIN");
  // A payout that reuses a key or reference waits for the transaction that holds it.
  await holder.query(
    `INSERT INTO idempotency_keys (merchant_id, mode, operation, key, request_hash, resource_id)
     VALUES ($1, 'sandbox', 'execute_payout', $2, '', 'nothing')`,
    [partner.merchantId, fields.idempotency_key],
  );
  const answered = api.post("/payout", fields);
  await waitForLockContention(sandbox);
  await change().finally(async () => {
    await holder.query("ROLLBACK");
    holder.release();
  });
  return answered;
}

const updateTerms = (sql: string) => () =>
  run(
    `UPDATE payout_terms SET ${sql} WHERE merchant_id = $1 AND mode = 'sandbox' AND currency = 'EUR'`,
    scene().partner.merchantId,
  );

describe("a payout that waits for its locks", () => {
  it.each<[string, () => Promise<unknown>, { status: number; texts: string[] }]>([
    [
      "the currency lost its authorisation",
      updateTerms("authorized = false"),
      partnerError("Currency EUR is not authorized for payouts."),
    ],
    [
      "the currency lost its payout terms",
      () => run("DELETE FROM payout_terms WHERE merchant_id = $1", scene().partner.merchantId),
      partnerError("Currency EUR is not authorized for payouts."),
    ],
    [
      "the per-transaction limit was lowered",
      updateTerms("per_transaction = 999"),
      partnerError("Amount exceeds per-transaction limit"),
    ],
    ["the daily limit was lowered", updateTerms("daily = 999"), partnerError("Daily payout limit exceeded")],
    [
      "the recipient was deactivated",
      () => run("UPDATE wallet_users SET active = false WHERE id = $1", scene().recipient.id),
      partnerError("Recipient not found or inactive."),
    ],
    [
      "the merchant was suspended",
      () => run("UPDATE merchants SET suspended_at = now() WHERE id = $1", scene().partner.merchantId),
      { status: 403, texts: ["This account is suspended."] },
    ],
    [
      "the recipient's wallet was closed",
      () => run("UPDATE accounts SET closed_at = now() WHERE id = $1", scene().recipient.wallets.EUR),
      partnerError("Recipient wallet not found for currency: EUR"),
    ],
  ])("is rejected if %s in the meantime", async (_, change, rejected) => {
    const response = await expectNoWrites(scene().sandbox, () => changeWhileBlocked(change));
    expect(errorOf(response)).toEqual(rejected);
  });

  it("becomes pending if it exceeds a review amount set while it waits", async () => {
    const payout = readPayout(await changeWhileBlocked(updateTerms("review_above = 999")), PENDING);
    expect(payout).toMatchObject({ status: "pending", trx_id: null });
    expect(await holdBalanceOf(scene().sandbox, scene().partner)).toBeGreaterThan(1_000n);
  });

  it("is paid if it equals limits set while it waits", async () => {
    readPayout(
      await changeWhileBlocked(updateTerms("per_transaction = 1000, review_above = 1000, daily = 1000")),
      "Payout completed.",
    );
  });
});

describe("a refund that waits for its order's lock", () => {
  async function refundWhileBlocked(change: (merchantId: string) => Promise<unknown>): Promise<ApiResponse> {
    const { sandbox, server, partner } = scene();
    const { pool } = sandbox.database;
    const { merchantId } = partner;
    const api = payApi(server, await addCredential(sandbox, merchantId, "sandbox"));
    const { rows } = await pool.query("SELECT id FROM wallet_users WHERE test_of_merchant_id = $1", [
      merchantId,
    ]);
    const payer =
      rows[0]?.id ??
      (
        await sandbox.database.prisma.walletUser.create({
          data: { mode: "sandbox", name: "Test shopper", testOfMerchantId: merchantId },
        })
      ).id;
    const { id: account } = await sandbox.database.prisma.account.create({
      data: { mode: "sandbox", currency: "EUR", kind: "shopper", walletUserId: payer, balance: 0n },
    });
    const order = await api.post("/orders", { amount: 10, currency: "EUR" });
    const orderId = JSON.parse(order.text).data.order_id;
    const trxId = `TRX-${Math.floor(Math.random() * 1e12)
      .toString()
      .padStart(12, "0")}`;
    await callOne(pool, ledger.payOrders, {
      orderId,
      mode: "sandbox",
      payerAccountId: account,
      quoteId: null,
      walletUserId: null,
      trxId,
      transferId: randomUUID(),
      topUpTransferId: randomUUID(),
      confirmation: null,
      requestId: null,
    });
    const holder = await pool.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT FROM orders WHERE id = $1 FOR UPDATE", [orderId]);
    const answered = api.post("/refunds", { transaction_id: trxId });
    await waitForLockContention(sandbox);
    await change(merchantId);
    await holder.query("COMMIT");
    holder.release();
    return answered;
  }

  it("requires approval if refund approval is turned on for the merchant in the meantime", async () => {
    const response = await refundWhileBlocked((id) =>
      run("UPDATE merchants SET refunds_need_approval = true WHERE id = $1", id),
    );
    expect(JSON.parse(response.text).data.status).toBe("pending");
  });

  it("is rejected if the merchant is suspended in the meantime", async () => {
    const response = await refundWhileBlocked((id) =>
      run("UPDATE merchants SET suspended_at = now() WHERE id = $1", id),
    );
    expect(errorOf(response)).toEqual({ status: 403, texts: ["This account is suspended."] });
  });
});

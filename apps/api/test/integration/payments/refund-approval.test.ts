import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { openPage } from "../../support/checkout.js";
import { createOrder, getOrder, paymentTokenOf, readRefund } from "../../support/orders.js";
import { addShopper, type TestShopper } from "../../support/parties.js";
import { decideRefund } from "../../support/partner.js";
import { errorOf } from "../../support/requests.js";
import { balanceOf, eventNamesOf, expectNoWrites, expectValidEvents } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

const CREATED = "Refund created successfully";

let payer: TestShopper;

const { sandbox, server, api, merchantId } = await createTestApi();
beforeEach(async () => {
  payer = await addShopper(sandbox, "sandbox", 4_150n);
  await setApprovalRequired(true);
});
afterAll(() => expectValidEvents(sandbox));

const setApprovalRequired = (value: boolean) =>
  sandbox.database.prisma.merchant.update({
    where: { id: merchantId },
    data: { refundsNeedApproval: value },
  });
const merchantBalance = () => balanceOf(sandbox, sandbox.access.merchant.client_id);

async function createPayment(): Promise<{ orderId: string; trxId: string }> {
  const order = await createOrder(api);
  const page = openPage(server, paymentTokenOf(order));
  await page.signIn(payer.email, payer.pin);
  await page.act("pay");
  const { trx_id } = await getOrder(api, order.order_id);
  if (!trx_id) throw new Error("the order was not paid");
  return { orderId: order.order_id, trxId: trx_id };
}

const refund = async (trxId: string, fields: Record<string, unknown> = {}) =>
  readRefund(await api.post("/refunds", { transaction_id: trxId, ...fields }), CREATED);
const read = async (id: string) => readRefund(await api.get(`/refunds/${id}`), "Refund details retrieved");

async function holdBalance(): Promise<bigint | null> {
  const { balance } = await sandbox.database.prisma.account.findFirstOrThrow({
    where: { merchantId, mode: "sandbox", currency: "EUR", kind: "hold" },
  });
  return balance;
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : String(error)),
  );

describe("a refund that needs approval", () => {
  it("is pending: its amount is on hold, the order is REFUND_PENDING, there is no event, and the payer has received nothing", async () => {
    const { orderId, trxId } = await createPayment();
    const before = await merchantBalance();
    const waiting = await refund(trxId, { amount: 10, reason: "broken" });
    expect(waiting).toMatchObject({ status: "pending", raw_amount: 10 });
    expect(await getOrder(api, orderId)).toMatchObject({ status: "REFUND_PENDING", refunded_amount: 0 });
    expect(await merchantBalance()).toBe(before - 1_000n);
    expect(await holdBalance()).toBe(1_000n);
    expect(await balanceOf(sandbox, payer.email)).toBe(0n);
    expect(await eventNamesOf(sandbox, orderId)).toEqual(["pos.order.paid"]);
    await decideRefund(sandbox, waiting.refund_id, false);
  });

  it("is completed when approved: paid to the payer, with its event; the order is REFUNDED once fully refunded", async () => {
    const { orderId, trxId } = await createPayment();
    const part = await refund(trxId, { amount: 10 });
    const rest = await refund(trxId);
    expect(rest.raw_amount).toBe(31.5);
    await decideRefund(sandbox, part.refund_id, true);
    expect(await read(part.refund_id)).toEqual({ ...part, status: "completed" });
    expect(await getOrder(api, orderId)).toMatchObject({ status: "REFUND_PENDING", refunded_amount: 10 });
    await decideRefund(sandbox, rest.refund_id, true);
    expect(await getOrder(api, orderId)).toMatchObject({ status: "REFUNDED", refunded_amount: 41.5 });
    expect(await balanceOf(sandbox, payer.email)).toBe(4_150n);
    expect(await holdBalance()).toBe(0n);
    expect(await eventNamesOf(sandbox, orderId)).toEqual([
      "pos.order.paid",
      "refund.completed",
      "refund.completed",
      "pos.order.refunded",
    ]);
  });

  it("fails when rejected: its amount returns to the merchant's wallet, with an event, and the order is PAID and refundable again", async () => {
    const { orderId, trxId } = await createPayment();
    const before = await merchantBalance();
    const { refund_id } = await refund(trxId);
    await decideRefund(sandbox, refund_id, false);
    expect((await read(refund_id)).status).toBe("failed");
    expect(await getOrder(api, orderId)).toMatchObject({ status: "PAID", refunded_amount: 0 });
    expect(await merchantBalance()).toBe(before);
    expect(await holdBalance()).toBe(0n);
    expect(await eventNamesOf(sandbox, orderId)).toEqual(["pos.order.paid", "refund.failed"]);
    await setApprovalRequired(false);
    expect((await refund(trxId)).status).toBe("completed");
  });

  it("requires a sufficient merchant balance at creation, not at approval", async () => {
    const { trxId } = await createPayment();
    const rest = (await merchantBalance()) - 4_150n;
    const move = (kind: "deposit" | "withdrawal", sql: string, minor: bigint) =>
      sandbox.database.pool.query(
        `SELECT move_between_wallets(gen_random_uuid(), 'sandbox', '${kind}', 'EUR', ${sql}, $3, gen_random_uuid()::text)
         FROM accounts w, accounts f WHERE w.merchant_id = $1 AND w.mode = $2 AND w.currency = 'EUR' AND w.kind = 'merchant'
           AND f.kind = 'funding' AND f.mode = $2 AND f.currency = 'EUR'`,
        [merchantId, "sandbox", minor],
      );
    await move("withdrawal", "w.id, f.id", rest + 1n);
    const response = await expectNoWrites(sandbox, () => api.post("/refunds", { transaction_id: trxId }));
    expect(errorOf(response)).toEqual({ status: 422, texts: ["Insufficient balance."] });
    const { refund_id } = await refund(trxId, { amount: 41.49 });
    expect(await merchantBalance()).toBe(0n);
    await decideRefund(sandbox, refund_id, true);
    expect((await read(refund_id)).status).toBe("completed");
    await move("deposit", "f.id, w.id", 1_000_000n);
  });

  it("reduces the refundable amount while pending: a further refund above it is rejected", async () => {
    const { trxId } = await createPayment();
    const { refund_id } = await refund(trxId, { amount: 41 });
    const exceeds = { status: 422, texts: ["Refund exceeds original amount"] };
    expect(errorOf(await api.post("/refunds", { transaction_id: trxId, amount: 0.51 }))).toEqual(exceeds);
    const rest = await refund(trxId);
    expect(rest.raw_amount).toBe(0.5);
    expect(errorOf(await api.post("/refunds", { transaction_id: trxId }))).toEqual(exceeds);
    await decideRefund(sandbox, refund_id, false);
    expect((await refund(trxId)).raw_amount).toBe(41);
  });

  it("is reported in its current state on a retry", async () => {
    const { trxId } = await createPayment();
    const fields = { amount: 5, idempotency_key: `approval ${trxId}` };
    const first = await refund(trxId, fields);
    expect(await refund(trxId, fields)).toEqual(first);
    await decideRefund(sandbox, first.refund_id, true);
    expect(await refund(trxId, fields)).toEqual({ ...first, status: "completed" });
  });

  it.each([true, false])(
    "is decided once: with approve=%s first, every further decision is rejected and moves no money",
    async (first) => {
      const { trxId } = await createPayment();
      const { refund_id } = await refund(trxId, { amount: 1 });
      await decideRefund(sandbox, refund_id, first);
      for (const second of [true, false])
        expect(await expectNoWrites(sandbox, () => codeOf(decideRefund(sandbox, refund_id, second)))).toBe(
          "TG044",
        );
      expect(await codeOf(decideRefund(sandbox, "RF-20261121-AAAAAA", first))).toBe("TG004");
    },
  );

  const payerWallet = (sql: string) =>
    sandbox.database.pool.query(`UPDATE accounts SET closed_at = ${sql} WHERE wallet_user_id = $1`, [
      payer.id,
    ]);

  it("is rejected at creation if the payer's wallet is closed, and can be rejected but not approved if the wallet closes later", async () => {
    const { orderId, trxId } = await createPayment();
    const { refund_id } = await refund(trxId, { amount: 1 });
    await payerWallet("clock_timestamp()");
    const response = await expectNoWrites(sandbox, () => api.post("/refunds", { transaction_id: trxId }));
    expect(errorOf(response)).toEqual({ status: 422, texts: ["Transaction not refundable"] });
    expect(await expectNoWrites(sandbox, () => codeOf(decideRefund(sandbox, refund_id, true)))).toBe("TG022");
    await decideRefund(sandbox, refund_id, false);
    expect((await getOrder(api, orderId)).status).toBe("PAID");
  });

  it("is paid to a deactivated payer", async () => {
    const { trxId } = await createPayment();
    const { refund_id } = await refund(trxId);
    await sandbox.database.prisma.walletUser.update({ where: { id: payer.id }, data: { active: false } });
    await decideRefund(sandbox, refund_id, true);
    expect(await balanceOf(sandbox, payer.email)).toBe(4_150n);
  });

  it("is listed under its status", async () => {
    const { trxId } = await createPayment();
    const { refund_id } = await refund(trxId, { amount: 1 });
    const ids = async (status: string) =>
      JSON.stringify((await api.get("/refunds", { status, transaction_id: trxId })).body).includes(refund_id);
    expect([await ids("pending"), await ids("completed"), await ids("failed")]).toEqual([true, false, false]);
    await decideRefund(sandbox, refund_id, false);
    expect([await ids("pending"), await ids("completed"), await ids("failed")]).toEqual([false, false, true]);
  });
});

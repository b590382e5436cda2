import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { openPage } from "../../support/checkout.js";
import { createOrder, getOrder, readRefund, tokenOf } from "../../support/orders.js";
import { addShopper, type TestShopper } from "../../support/parties.js";
import { settleRefund } from "../../support/partner.js";
import { told } from "../../support/requests.js";
import { balanceOf, eventsOf, expectEventsOfTheContract, writesNothing } from "../../support/rows.js";
import { sceneOfFile } from "../../support/scene.js";

const CREATED = "Refund created successfully";

let payer: TestShopper;

const { sandbox, server, api, merchantId } = await sceneOfFile();
beforeEach(async () => {
  payer = await addShopper(sandbox, "sandbox", 4_150n);
  await needApproval(true);
});
afterAll(() => expectEventsOfTheContract(sandbox));

const needApproval = (value: boolean) =>
  sandbox.database.prisma.merchant.update({
    where: { id: merchantId },
    data: { refundsNeedApproval: value },
  });
const merchantBalance = () => balanceOf(sandbox, sandbox.access.merchant.client_id);

async function payment(): Promise<{ orderId: string; trxId: string }> {
  const order = await createOrder(api);
  const page = openPage(server, tokenOf(order));
  await page.signIn(payer.email, payer.pin);
  await page.act("pay");
  const { trx_id } = await getOrder(api, order.order_id);
  if (!trx_id) throw new Error("the order was not paid");
  return { orderId: order.order_id, trxId: trx_id };
}

const refund = async (trxId: string, fields: Record<string, unknown> = {}) =>
  readRefund(await api.post("/refunds", { transaction_id: trxId, ...fields }), CREATED);
const read = async (id: string) => readRefund(await api.get(`/refunds/${id}`), "Refund details retrieved");

async function holds(): Promise<bigint | null> {
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
  it("is pending: held at creation, the order REFUND_PENDING, no event, nothing paid yet", async () => {
    const { orderId, trxId } = await payment();
    const before = await merchantBalance();
    const waiting = await refund(trxId, { amount: 10, reason: "broken" });
    expect(waiting).toMatchObject({ status: "pending", raw_amount: 10 });
    expect(await getOrder(api, orderId)).toMatchObject({ status: "REFUND_PENDING", refunded_amount: 0 });
    expect(await merchantBalance()).toBe(before - 1_000n);
    expect(await holds()).toBe(1_000n);
    expect(await balanceOf(sandbox, payer.email)).toBe(0n);
    expect(await eventsOf(sandbox, orderId)).toEqual(["pos.order.paid"]);
    await settleRefund(sandbox, waiting.refund_id, false);
  });

  it("is completed when approved: paid to the payer, with its event; the order is REFUNDED once fully refunded", async () => {
    const { orderId, trxId } = await payment();
    const part = await refund(trxId, { amount: 10 });
    const rest = await refund(trxId);
    expect(rest.raw_amount).toBe(31.5);
    await settleRefund(sandbox, part.refund_id, true);
    expect(await read(part.refund_id)).toEqual({ ...part, status: "completed" });
    expect(await getOrder(api, orderId)).toMatchObject({ status: "REFUND_PENDING", refunded_amount: 10 });
    await settleRefund(sandbox, rest.refund_id, true);
    expect(await getOrder(api, orderId)).toMatchObject({ status: "REFUNDED", refunded_amount: 41.5 });
    expect(await balanceOf(sandbox, payer.email)).toBe(4_150n);
    expect(await holds()).toBe(0n);
    expect(await eventsOf(sandbox, orderId)).toEqual([
      "pos.order.paid",
      "refund.completed",
      "refund.completed",
      "pos.order.refunded",
    ]);
  });

  it("fails when rejected: its hold is returned, with its event, and the order is PAID and refundable again", async () => {
    const { orderId, trxId } = await payment();
    const before = await merchantBalance();
    const { refund_id } = await refund(trxId);
    await settleRefund(sandbox, refund_id, false);
    expect((await read(refund_id)).status).toBe("failed");
    expect(await getOrder(api, orderId)).toMatchObject({ status: "PAID", refunded_amount: 0 });
    expect(await merchantBalance()).toBe(before);
    expect(await holds()).toBe(0n);
    expect(await eventsOf(sandbox, orderId)).toEqual(["pos.order.paid", "refund.failed"]);
    await needApproval(false);
    expect((await refund(trxId)).status).toBe("completed");
  });

  it("requires the balance at creation, not at approval", async () => {
    const { trxId } = await payment();
    const rest = (await merchantBalance()) - 4_150n;
    const move = (kind: "deposit" | "withdrawal", sql: string, minor: bigint) =>
      sandbox.database.pool.query(
        `SELECT move_between_wallets(gen_random_uuid(), 'sandbox', '${kind}', 'EUR', ${sql}, $3, gen_random_uuid()::text)
         FROM accounts w, accounts f WHERE w.merchant_id = $1 AND w.mode = $2 AND w.currency = 'EUR' AND w.kind = 'merchant'
           AND f.kind = 'funding' AND f.mode = $2 AND f.currency = 'EUR'`,
        [merchantId, "sandbox", minor],
      );
    await move("withdrawal", "w.id, f.id", rest + 1n);
    const answer = await writesNothing(sandbox, () => api.post("/refunds", { transaction_id: trxId }));
    expect(told(answer)).toEqual({ status: 422, texts: ["Insufficient balance."] });
    const { refund_id } = await refund(trxId, { amount: 41.49 });
    expect(await merchantBalance()).toBe(0n);
    await settleRefund(sandbox, refund_id, true);
    expect((await read(refund_id)).status).toBe("completed");
    await move("deposit", "f.id, w.id", 1_000_000n);
  });

  it("counts while pending: a further refund above the rest is rejected", async () => {
    const { trxId } = await payment();
    const { refund_id } = await refund(trxId, { amount: 41 });
    const exceeds = { status: 422, texts: ["Refund exceeds original amount"] };
    expect(told(await api.post("/refunds", { transaction_id: trxId, amount: 0.51 }))).toEqual(exceeds);
    const rest = await refund(trxId);
    expect(rest.raw_amount).toBe(0.5);
    expect(told(await api.post("/refunds", { transaction_id: trxId }))).toEqual(exceeds);
    await settleRefund(sandbox, refund_id, false);
    expect((await refund(trxId)).raw_amount).toBe(41);
  });

  it("is returned as it is now on a retry", async () => {
    const { trxId } = await payment();
    const fields = { amount: 5, idempotency_key: `approval ${trxId}` };
    const first = await refund(trxId, fields);
    expect(await refund(trxId, fields)).toEqual(first);
    await settleRefund(sandbox, first.refund_id, true);
    expect(await refund(trxId, fields)).toEqual({ ...first, status: "completed" });
  });

  it.each([true, false])(
    "is decided once: after %s every other decision is rejected and moves nothing",
    async (first) => {
      const { trxId } = await payment();
      const { refund_id } = await refund(trxId, { amount: 1 });
      await settleRefund(sandbox, refund_id, first);
      for (const second of [true, false])
        expect(await writesNothing(sandbox, () => codeOf(settleRefund(sandbox, refund_id, second)))).toBe(
          "TG044",
        );
      expect(await codeOf(settleRefund(sandbox, "RF-20261121-AAAAAA", first))).toBe("TG004");
    },
  );

  const payerWallet = (sql: string) =>
    sandbox.database.pool.query(`UPDATE accounts SET closed_at = ${sql} WHERE wallet_user_id = $1`, [
      payer.id,
    ]);

  it("is rejected at creation for a closed payer wallet, and can only be rejected later", async () => {
    const { orderId, trxId } = await payment();
    const { refund_id } = await refund(trxId, { amount: 1 });
    await payerWallet("clock_timestamp()");
    const answer = await writesNothing(sandbox, () => api.post("/refunds", { transaction_id: trxId }));
    expect(told(answer)).toEqual({ status: 422, texts: ["Transaction not refundable"] });
    expect(await writesNothing(sandbox, () => codeOf(settleRefund(sandbox, refund_id, true)))).toBe("TG022");
    await settleRefund(sandbox, refund_id, false);
    expect((await getOrder(api, orderId)).status).toBe("PAID");
  });

  it("is paid to a deactivated payer", async () => {
    const { trxId } = await payment();
    const { refund_id } = await refund(trxId);
    await sandbox.database.prisma.walletUser.update({ where: { id: payer.id }, data: { active: false } });
    await settleRefund(sandbox, refund_id, true);
    expect(await balanceOf(sandbox, payer.email)).toBe(4_150n);
  });

  it("is listed under its status", async () => {
    const { trxId } = await payment();
    const { refund_id } = await refund(trxId, { amount: 1 });
    const ids = async (status: string) =>
      JSON.stringify((await api.get("/refunds", { status, transaction_id: trxId })).body).includes(refund_id);
    expect([await ids("pending"), await ids("completed"), await ids("failed")]).toEqual([true, false, false]);
    await settleRefund(sandbox, refund_id, false);
    expect([await ids("pending"), await ids("completed"), await ids("failed")]).toEqual([false, false, true]);
  });
});

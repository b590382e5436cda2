import { randomUUID } from "node:crypto";
import { callOne, ledger } from "@tillgate/database";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOrder } from "../../../src/money/orders/create.js";
import { refundPayment } from "../../../src/money/refunds/create.js";
import { addShopper, merchantIdOf } from "../../support/parties.js";
import { balanceOf, eventNamesOf } from "../../support/rows.js";
import { type AdminCli, expectNoChanges, openAdminCli } from "./admin-cli.js";

let admin: AdminCli;
let client: { merchantId: string; credentialId: string; mode: "sandbox" };

beforeAll(async () => {
  admin = await openAdminCli();
  const { client_id: clientId } = admin.sandbox.access.merchant;
  const { id } = await admin.sandbox.database.prisma.credential.findFirstOrThrow({ where: { clientId } });
  client = { merchantId: await merchantIdOf(admin.sandbox, clientId), credentialId: id, mode: "sandbox" };
  await admin.runJson("merchants", "refund-approval", client.merchantId, "on", "--by", admin.first);
});
afterAll(() => admin.close());

async function createPendingRefund() {
  const payer = await addShopper(admin.sandbox, "sandbox", 4_150n);
  const { order } = await createOrder(
    admin.context,
    client,
    {
      amount: 41.5,
      currency: "EUR",
      payment_method: "both",
      expires_in: 300,
    },
    "req_test",
  );
  const wallet = await admin.sandbox.database.prisma.account.findFirstOrThrow({
    where: { walletUserId: payer.id },
  });
  const trxId = `TRX-${String(Math.floor(Math.random() * 1e12)).padStart(12, "0")}`;
  await callOne(admin.sandbox.database.pool, ledger.payOrders, {
    orderId: order.id,
    mode: "sandbox",
    payerAccountId: wallet.id,
    quoteId: null,
    walletUserId: null,
    trxId,
    transferId: randomUUID(),
    topUpTransferId: null,
    confirmation: null,
    requestId: null,
  });
  const { refund } = await refundPayment(admin.context, client, { transaction_id: trxId, amount: 10 });
  expect(refund.status).toBe("pending");
  return { id: refund.id, orderId: order.id, payer: payer.email, wallet: wallet.id };
}

const merchantBalance = () => balanceOf(admin.sandbox, admin.sandbox.access.merchant.client_id);

describe("admin refunds", () => {
  it("credits the payer on approval, creates refund.completed, audits the approval and notifies subscribers to the order", async () => {
    const { id, orderId, payer } = await createPendingRefund();
    expect((await admin.runList("refunds", "list")).find(({ refund }) => refund === id)).toMatchObject({
      order: orderId,
      amount: "10.00",
      currency: "EUR",
    });
    admin.notified.length = 0;
    expect(await admin.runJson("refunds", "approve", id, "--by", admin.first)).toMatchObject({
      status: "completed",
    });
    expect(await balanceOf(admin.sandbox, payer)).toBe(1_000n);
    expect(await eventNamesOf(admin.sandbox, orderId)).toEqual(["pos.order.paid", "refund.completed"]);
    expect(admin.notified).toEqual([orderId]);
    expect((await admin.auditRecords()).at(-1)).toMatchObject({ action: "refund.approve", subject: id });
  });

  it("returns the whole amount to the merchant's wallet on rejection", async () => {
    const { id, orderId, payer } = await createPendingRefund();
    const before = await merchantBalance();
    expect(await admin.runJson("refunds", "reject", id, "--by", admin.second)).toMatchObject({
      status: "failed",
    });
    expect((await merchantBalance()) - before).toBe(1_000n);
    expect(await balanceOf(admin.sandbox, payer)).toBe(0n);
    expect(await eventNamesOf(admin.sandbox, orderId)).toEqual(["pos.order.paid", "refund.failed"]);
  });

  it("applies one of two concurrent decisions, and rejects the other as already decided", async () => {
    const { id } = await createPendingRefund();
    const ended = await Promise.all([
      admin.run("--json", "refunds", "reject", id, "--by", admin.first),
      admin.run("--json", "refunds", "approve", id, "--by", admin.second),
    ]);
    expect(ended.map(({ exit }) => exit).sort()).toEqual([0, 1]);
    expect(ended.map(({ error }) => error).join("")).toContain('"code":"already_decided"');
    expect(await admin.sandbox.database.prisma.auditRecord.count({ where: { subject: id } })).toBe(1);
  });

  it("allows only rejection if the payer's wallet is closed", async () => {
    const { id, wallet } = await createPendingRefund();
    await admin.sandbox.database.prisma.account.update({
      where: { id: wallet },
      data: { closedAt: new Date() },
    });
    const rejection = await expectNoChanges(admin, () =>
      admin.runRejected("refunds", "approve", id, "--by", admin.first),
    );
    expect(rejection.code).toBe("only_rejection_remains");
    await admin.runJson("refunds", "reject", id, "--by", admin.first);
  });

  it("credits even a deactivated payer on approval", async () => {
    const { id, payer } = await createPendingRefund();
    await admin.sandbox.database.prisma.walletUser.updateMany({
      where: { email: payer },
      data: { active: false },
    });
    await admin.runJson("refunds", "approve", id, "--by", admin.first);
    expect(await balanceOf(admin.sandbox, payer)).toBe(1_000n);
  });

  it("writes nothing with --dry-run, and rejects an unknown refund", async () => {
    const { id } = await createPendingRefund();
    const response = await expectNoChanges(admin, () =>
      admin.runJson("refunds", "approve", id, "--by", admin.first, "--dry-run"),
    );
    expect(response).toMatchObject({ status: "completed", dry_run: true });
    expect((await admin.runRejected("refunds", "reject", "RF-1", "--by", admin.first)).code).toBe(
      "not_found",
    );
    await admin.runJson("refunds", "reject", id, "--by", admin.first);
  });
});

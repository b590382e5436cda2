import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { REDATE_BOOKS } from "../../../../../scripts/testing/administration.js";
import { executePayout } from "../../../src/money/payouts/create.js";
import {
  accountBalance,
  addPartner,
  addRecipient,
  holdBalanceOf,
  type Partner,
  type Recipient,
} from "../../support/partner.js";
import { type AdminCli, expectNoChanges, openAdminCli } from "./admin-cli.js";

let admin: AdminCli;
let partner: Partner;
let recipient: Recipient;

beforeAll(async () => {
  admin = await openAdminCli();
});
afterAll(() => admin.close());

beforeEach(async () => {
  partner = await addPartner(admin.sandbox, { terms: { EUR: { reviewAbove: 10_000n } } });
  recipient = await addRecipient(admin.sandbox);
});

async function createPendingPayout(): Promise<string> {
  const { id: lookupToken } = await admin.sandbox.database.prisma.lookupToken.create({
    data: { merchantId: partner.merchantId, mode: "sandbox", walletUserId: recipient.id },
  });
  const { payout } = await executePayout(
    admin.context,
    { merchantId: partner.merchantId, mode: "sandbox" },
    {
      idempotency_key: randomUUID(),
      reference: randomUUID(),
      lookup_token: lookupToken,
      amount: 200,
      sender_currency: "EUR",
      receiver_currency: "EUR",
    },
  );
  expect(payout.status).toBe("pending");
  return payout.id;
}

/** Reads how much of the payout limits is used, in minor units, oldest day and month first. */
async function usage(): Promise<{ day: bigint[]; month: bigint[] }> {
  const rows = await admin.sandbox.database.prisma.payoutUsage.findMany({
    where: { merchantId: partner.merchantId },
    orderBy: { startsOn: "asc" },
  });
  const of = (period: string) => rows.filter((row) => row.period === period).map(({ amount }) => amount);
  return { day: of("day"), month: of("month") };
}

describe("admin payouts", () => {
  it("lists pending payouts with merchant, recipient and amounts", async () => {
    const id = await createPendingPayout();
    const rows = await admin.runList("payouts", "list");
    expect(rows.find(({ payout }) => payout === id)).toMatchObject({
      mode: "sandbox",
      merchant: "Remit & Co",
      amount: "200.00",
      fee: "1.25",
      currency: "EUR",
      recipient: "Noé Ŝ",
      recipient_active: true,
    });
  });

  it("pays the recipient from the hold account on approval, with an audit record in the merchant's chain", async () => {
    const id = await createPendingPayout();
    const response = await admin.runJson(
      "payouts",
      "approve",
      id,
      "--by",
      admin.first,
      "--reason",
      "called them",
    );
    expect(response).toMatchObject({
      payout: id,
      status: "completed",
      trx_id: expect.stringMatching(/^PP\d{10}$/),
    });
    expect(await accountBalance(admin.sandbox, recipient.wallets.EUR)).toBe(20_000n);
    expect(await holdBalanceOf(admin.sandbox, partner)).toBe(0n);
    const record = await admin.sandbox.database.prisma.auditRecord.findFirstOrThrow({
      where: { subject: id },
    });
    expect(record).toMatchObject({
      merchantId: partner.merchantId,
      number: 1,
      action: "payout.approve",
      administrator: admin.first,
    });
    expect(JSON.parse(record.details)).toMatchObject({
      amount_minor: "20000",
      fee_minor: "125",
      currency: "EUR",
      reason: "called them",
    });
    expect(admin.notified).toContain(id);
  });

  it("returns the amount and the fee to the merchant's wallet on rejection, and no longer counts the amount toward the limits of the day and month in which the payout was created", async () => {
    const earlier = await createPendingPayout();
    await admin.sandbox.executeAsSuperuser(`SET session_replication_role = replica;
      INSERT INTO count_deltas (merchant_id, mode, kind, starts_at, status, currency, change, amount)
        SELECT merchant_id, mode, 'payout', five_minutes_of(created_at - days * interval '1 day'), status::text, sender_currency, change, change * amount
        FROM payouts, (VALUES (0, -1), (40, 1)) AS moved (days, change) WHERE id = '${earlier}';
      UPDATE payouts SET created_at = created_at - interval '40 days' WHERE id = '${earlier}';
      UPDATE payout_usage SET starts_on = date_trunc(period::text, (clock_timestamp() AT TIME ZONE 'UTC') - interval '40 days')::date
        WHERE merchant_id = '${partner.merchantId}';
      ${REDATE_BOOKS}`);
    const today = await createPendingPayout();
    const response = await admin.runJson("payouts", "reject", earlier, "--by", admin.first);
    expect(response).toMatchObject({ status: "failed", trx_id: null });
    expect(await usage()).toEqual({ day: [0n, 20_000n], month: [0n, 20_000n] });
    expect(await holdBalanceOf(admin.sandbox, partner)).toBe(20_125n);
    await admin.runJson("payouts", "reject", today, "--by", admin.first);
    expect(await usage()).toEqual({ day: [0n, 0n], month: [0n, 0n] });
    expect(await accountBalance(admin.sandbox, partner.wallets.EUR)).toBe(100_000n);
    expect(await holdBalanceOf(admin.sandbox, partner)).toBe(0n);
    const events = await admin.sandbox.database.prisma.event.findMany({
      where: { merchantId: partner.merchantId },
    });
    expect(events.map(({ name }) => name)).toEqual(["payout.failed", "payout.failed"]);
  });

  it("applies one of two concurrent decisions, and rejects the other as already decided", async () => {
    const id = await createPendingPayout();
    const ended = await Promise.all([
      admin.run("--json", "payouts", "approve", id, "--by", admin.first),
      admin.run("--json", "payouts", "reject", id, "--by", admin.second),
    ]);
    expect(ended.map(({ exit }) => exit).sort()).toEqual([0, 1]);
    expect(ended.map(({ error }) => error).join("")).toContain('"code":"already_decided"');
    expect(await admin.sandbox.database.prisma.auditRecord.count({ where: { subject: id } })).toBe(1);
    expect(await admin.runRejected("payouts", "approve", id, "--by", admin.second)).toEqual({
      code: "already_decided",
      message: "This has already been decided.",
    });
  });

  it("allows only rejection if the recipient is deactivated", async () => {
    const id = await createPendingPayout();
    await admin.sandbox.database.prisma.walletUser.update({
      where: { id: recipient.id },
      data: { active: false },
    });
    const rejection = await expectNoChanges(admin, () =>
      admin.runRejected("payouts", "approve", id, "--by", admin.first),
    );
    expect(rejection.code).toBe("only_rejection_remains");
    await admin.runJson("payouts", "reject", id, "--by", admin.first);
    expect(await accountBalance(admin.sandbox, partner.wallets.EUR)).toBe(100_000n);
  });

  it("allows only rejection if the recipient's wallet is closed", async () => {
    const id = await createPendingPayout();
    await admin.sandbox.database.prisma.account.update({
      where: { id: recipient.wallets.EUR ?? "" },
      data: { closedAt: new Date() },
    });
    const rejection = await expectNoChanges(admin, () =>
      admin.runRejected("payouts", "approve", id, "--by", admin.first),
    );
    expect(rejection).toEqual({
      code: "only_rejection_remains",
      message: "The recipient's wallet was closed. This payout can only be rejected.",
    });
    await admin.runJson("payouts", "reject", id, "--by", admin.first);
  });

  it("prints the outcome with --dry-run and writes nothing", async () => {
    const id = await createPendingPayout();
    admin.notified.length = 0;
    const response = await expectNoChanges(admin, () =>
      admin.runJson("payouts", "approve", id, "--by", admin.first, "--dry-run"),
    );
    expect(response).toMatchObject({ status: "completed", dry_run: true });
    expect(admin.notified).toEqual([]);
    expect((await admin.runJson("payouts", "reject", id, "--by", admin.first)).status).toBe("failed");
  });

  it("rejects a user who is not an administrator, and an unknown payout", async () => {
    const id = await createPendingPayout();
    for (const stranger of ["nobody@example.com", admin.sandbox.access.merchant_user.email])
      expect(
        (await expectNoChanges(admin, () => admin.runRejected("payouts", "approve", id, "--by", stranger)))
          .code,
      ).toBe("not_an_administrator");
    expect((await admin.runRejected("payouts", "approve", "PO00000000", "--by", admin.first)).code).toBe(
      "not_found",
    );
    await admin.runJson("payouts", "reject", id, "--by", admin.first.toUpperCase());
  });

  it("exits with status 2 and reports the error if --by is missing, or an option or command is unknown", async () => {
    const ended = await admin.run("payouts", "approve", "PO00000000");
    expect(ended).toMatchObject({ exit: 2, out: "", error: expect.stringContaining("--by is required") });
    expect(await admin.run("payouts", "approve", "PO1", "--by", admin.first, "--sure")).toMatchObject({
      exit: 2,
      error: expect.stringContaining("--sure"),
    });
    expect(await admin.run("payouts", "aprove", "PO1")).toMatchObject({
      exit: 2,
      error: expect.stringContaining("Did you mean approve?"),
    });
  });
});

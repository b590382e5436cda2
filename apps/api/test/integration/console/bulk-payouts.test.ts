import { randomUUID } from "node:crypto";
import {
  batchChangedResponseSchema,
  batchLinesResponseSchema,
  batchListResponseSchema,
  batchResponseSchema,
  createdBatchResponseSchema,
  MAX_BATCH_BODY_BYTES,
} from "@tillgate/contract";
import { beforeEach, describe, expect, it } from "vitest";
import { consumeBulkLineLimit } from "../../../src/identity/credentials/limits.js";
import { MAX_OPEN_BULK_PAYOUTS } from "../../../src/money/bulk-payouts/create.js";
import {
  type ClaimedLine,
  claimLines,
  processLines,
  toIdempotencyKey,
} from "../../../src/money/bulk-payouts/work.js";
import {
  accountBalance,
  addPartner,
  addRecipient,
  decidePayout,
  lookUpRecipient,
  type Partner,
  partnerApi,
  type Recipient,
} from "../../support/partner.js";
import { errorOf } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";
import { spawnApi } from "../../support/spawned-api.js";
import { createTestApi } from "../../support/test-api.js";
import { waitUntil } from "../../support/wait-until.js";
import {
  addConsoleUser,
  addSecondFactor,
  type ConsoleClient,
  dataOf,
  merchantConsole,
} from "./console-client.js";

const { sandbox, server } = await createTestApi();
const { pool, prisma } = sandbox.database;
const { context } = server;
let partner: Partner;
let recipient: Recipient;
let finance: string;
let financeConsole: ConsoleClient;

beforeEach(async () => {
  partner = await addPartner(sandbox, { terms: { EUR: { reviewAbove: 50_000n } } });
  recipient = await addRecipient(sandbox);
  finance = await addFinanceUser();
  financeConsole = merchantConsole(server, { user: finance, merchantId: partner.merchantId });
});

/** Adds a signed-in finance user of the merchant. @returns the user's ID. */
async function addFinanceUser(): Promise<string> {
  const user = await addConsoleUser(sandbox, `${randomUUID()}@example.com`, partner.merchantId, "finance");
  await addSecondFactor(sandbox, user);
  return user;
}

type Line = { id: string; amount?: string; to?: string; description?: string };
const csvOf = (lines: Line[]) =>
  [
    "id,recipient,amount,currency,description",
    ...lines.map(({ id, amount = "1", to = recipient.email, description = "" }) =>
      [id, to, amount, "EUR", description].join(","),
    ),
  ].join("\n");
const postBatch = (csv: string, name = "wages.csv") => financeConsole.post("/payouts/batches", { name, csv });
/** Uploads a bulk payout. @returns its ID. */
async function upload(lines: Line[], name?: string): Promise<string> {
  const { batch_id, problems } = dataOf(createdBatchResponseSchema, await postBatch(csvOf(lines), name));
  expect(problems).toEqual([]);
  return batch_id ?? "";
}
const LIMIT = 32;
/** Claims and processes lines until none is left. */
async function runWorker(): Promise<void> {
  const claim = () => claimLines(context, { limit: LIMIT });
  for (let claimed = await claim(); claimed.length > 0; claimed = await claim())
    await processLines(context, claimed);
}
const view = async (id: string) =>
  dataOf(batchResponseSchema, await financeConsole.get(`/payouts/batches/${id}`));
const linesOf = async (id: string, query: Record<string, string> = {}) =>
  dataOf(batchLinesResponseSchema, await financeConsole.get(`/payouts/batches/${id}/lines`, query)).lines;
const confirm = async (id: string, round?: number) =>
  financeConsole.post(`/payouts/batches/${id}/confirm`, { round: round ?? (await view(id)).round });
const rerun = (id: string) => financeConsole.post(`/payouts/batches/${id}/again`);
const lines = (count: number): Line[] => Array.from({ length: count }, (_, at) => ({ id: `W-${at}` }));
const countPayouts = async () => prisma.payout.count({ where: { merchantId: partner.merchantId } });
const recipientBalance = () => accountBalance(sandbox, recipient.wallets.EUR);
/** Locks lines in the order in which workers do, because statements of a killed worker may still be running. */
const endLeases = () =>
  pool.query(
    `WITH leased AS MATERIALIZED (
       SELECT batch_id, number FROM payout_batch_lines WHERE leased_until IS NOT NULL ORDER BY batch_id, number FOR NO KEY UPDATE)
     UPDATE payout_batch_lines SET leased_until = clock_timestamp() - interval '1 second'
     WHERE (batch_id, number) IN (SELECT batch_id, number FROM leased)`,
  );
async function confirmAndClaim(line: Line): Promise<{ id: string; line: ClaimedLine }> {
  const id = await upload([line]);
  await runWorker();
  await confirm(id);
  return { id, line: await claimNext() };
}
async function claimNext(): Promise<ClaimedLine> {
  const [line] = await claimLines(context, { limit: 1 });
  if (!line) throw new Error("no line can be claimed");
  return line;
}

describe("bulk payout", () => {
  it("is priced, shown, confirmed and paid, and the audit log attributes its payouts to the user who confirmed the bulk payout", async () => {
    const id = await upload([
      { id: "W-1", amount: "12", description: "=HYPERLINK(1)" },
      { id: "W-2", amount: "600" },
      { id: "W-3", amount: "3", to: "nobody@example.com" },
    ]);
    expect((await view(id)).state).toBe("checking");
    expect(errorOf(await confirm(id)).status).toBe(409);
    await expectNoWrites({ ...sandbox }, async () => expect(await countPayouts()).toBe(0));
    await runWorker();
    const ready = await view(id);
    expect(ready).toMatchObject({ state: "ready", counts: { ready: 2, failed: 1 }, lines: 3 });
    expect(ready.totals).toMatchObject([
      { lines: 2, money: { amount: "612.00", currency: "EUR" }, wallet: { amount: "1000.00" }, enough: true },
    ]);
    const [first, , third] = await linesOf(id);
    expect(first).toMatchObject({ recipient: expect.stringMatching(/^r•••@/), recipient_name: "Noé Ŝ" });
    expect(third).toMatchObject({ state: "failed", failure: "recipient_not_found", line: 4 });
    const secondUser = await addFinanceUser();
    const confirmed = await merchantConsole(server, {
      user: secondUser,
      merchantId: partner.merchantId,
    }).post(`/payouts/batches/${id}/confirm`, { round: ready.round });
    expect(dataOf(batchChangedResponseSchema, confirmed).lines).toBe(2);
    expect(dataOf(batchChangedResponseSchema, await confirm(id)).lines).toBe(0);
    await runWorker();
    expect((await view(id)).counts).toEqual({ completed: 1, pending: 1, failed: 1 });
    expect(await recipientBalance()).toBe(1_200n);
    const payout = (await linesOf(id))[0]?.payout_id ?? "";
    const records = await prisma.auditRecord.findMany({
      where: { merchantId: partner.merchantId },
      orderBy: { number: "asc" },
    });
    expect(records.map(({ action, administratorId }) => [action, administratorId])).toEqual([
      ["payout_batch.create", finance],
      ["payout_batch.confirm", secondUser],
      ["payout.create", secondUser],
      ["payout.create", secondUser],
    ]);
    expect(records[2]?.subject).toBe(payout);
    const { text } = await financeConsole.get(`/payouts/batches/${id}/result.csv`);
    expect(text.split("\r\n")).toHaveLength(5);
    expect(text).toContain("'=HYPERLINK(1)");
    expect(text).toContain("completed");
    expect(text).not.toContain(recipient.email);
    const held = (await linesOf(id))[1]?.payout_id ?? "";
    await decidePayout(sandbox, held, false);
    expect((await view(id)).counts).toEqual({ completed: 1, rejected: 1, failed: 1 });
  });

  it("reports duplicate lines and IDs that were already used, and is not stored if an ID was already used", async () => {
    const first = await upload([{ id: "W-1" }], "may.csv");
    const rejected = dataOf(
      createdBatchResponseSchema,
      await postBatch(csvOf([{ id: "W-1" }, { id: "W-2" }])),
    );
    expect(rejected).toMatchObject({
      batch_id: null,
      problems: [{ line: 2, column: "id", fault: "id_used", value: "may.csv" }],
    });
    await runWorker();
    await confirm(first);
    await runWorker();
    const paidAlready = dataOf(createdBatchResponseSchema, await postBatch(csvOf([{ id: "W-1" }])));
    expect(paidAlready.problems[0]?.value).toMatch(/^PO/);
    const second = await upload([{ id: "W-2" }, { id: "W-3" }]);
    expect((await linesOf(second)).map(({ same_as }) => same_as?.line)).toEqual([2, 2]);
    expect((await view(second)).repeats).toBe(2);
    const { batches } = dataOf(batchListResponseSchema, await financeConsole.get("/payouts/batches"));
    expect(batches.map(({ batch_id }) => batch_id)).toEqual([second, first]);
  });

  it("can be discarded before confirmation, which releases its IDs", async () => {
    const id = await upload(lines(2));
    const discard = () => financeConsole.post(`/payouts/batches/${id}/discard`);
    expect(dataOf(batchChangedResponseSchema, await discard()).lines).toBe(2);
    expect(dataOf(batchChangedResponseSchema, await discard()).lines).toBe(0);
    await runWorker();
    expect(await view(id)).toMatchObject({ state: "discarded", counts: { checking: 2 } });
    expect(errorOf(await confirm(id)).status).toBe(409);
    const next = await upload(lines(2));
    await runWorker();
    await confirm(next);
    expect(errorOf(await financeConsole.post(`/payouts/batches/${next}/discard`)).status).toBe(409);
    await runWorker();
  });

  it("fails the lines that exceed the balance, and a retry processes only those lines", async () => {
    const id = await upload([
      { id: "W-1", amount: "400" },
      { id: "W-2", amount: "400" },
      { id: "W-3", amount: "400" },
    ]);
    await runWorker();
    expect((await view(id)).totals[0]?.enough).toBe(false);
    await confirm(id);
    await runWorker();
    expect((await linesOf(id)).map(({ state, failure }) => failure ?? state).toSorted()).toEqual([
      "completed",
      "completed",
      "insufficient_balance",
    ]);
    const { round } = await view(id);
    expect(dataOf(batchChangedResponseSchema, await rerun(id)).lines).toBe(1);
    await runWorker();
    expect(errorOf(await confirm(id, round)).status).toBe(409);
    await confirm(id);
    await runWorker();
    expect((await view(id)).counts).toEqual({ completed: 2, failed: 1 });
    expect(await countPayouts()).toBe(2);
    expect(errorOf(await rerun((await upload(lines(1))) ?? "")).status).toBe(409);
    await runWorker();
  });

  it("is not paid if its price differs from the confirmed price", async () => {
    const { id, line } = await confirmAndClaim({ id: "W-1" });
    await processLines(context, [{ ...line, fee: (line.fee ?? 0n) - 1n }]);
    expect((await linesOf(id))[0]).toMatchObject({ state: "failed", failure: "price_changed" });
    expect(await countPayouts()).toBe(0);
  });

  it("is not paid if the user who confirmed it has lost the right to pay, or if the merchant is suspended", async () => {
    const first = await confirmAndClaim({ id: "W-1" });
    await prisma.consoleMember.updateMany({ where: { userId: finance }, data: { role: "viewer" } });
    await processLines(context, [first.line]);
    await prisma.consoleMember.updateMany({ where: { userId: finance }, data: { role: "finance" } });
    expect((await linesOf(first.id))[0]?.failure).toBe("not_an_administrator");
    const second = await confirmAndClaim({ id: "W-2" });
    const suspend = (suspendedAt: Date | null) =>
      prisma.merchant.update({ where: { id: partner.merchantId }, data: { suspendedAt } });
    await suspend(new Date());
    await processLines(context, [second.line]);
    await suspend(null);
    expect((await linesOf(second.id))[0]?.failure).toBe("merchant_suspended");
    expect(await countPayouts()).toBe(0);
  });
});

describe("bulk payout limits", () => {
  it("cap the number of open bulk payouts, even for concurrent uploads", async () => {
    const each = Array.from({ length: MAX_OPEN_BULK_PAYOUTS + 2 }, (_, at) => csvOf([{ id: `F-${at}` }]));
    const statuses = (await Promise.all(each.map((csv) => postBatch(csv)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(MAX_OPEN_BULK_PAYOUTS);
    expect(statuses.filter((status) => status === 409)).toHaveLength(2);
    await runWorker();
  });

  it("allow a larger body than a single payout may have, up to a maximum", async () => {
    const filled = (bytes: number) => ({ name: "x", csv: "x".repeat(bytes) });
    const large = await financeConsole.post("/payouts/batches", filled(200_000));
    expect(dataOf(createdBatchResponseSchema, large).problems[0]?.fault).toBe("empty");
    expect((await financeConsole.post("/payouts/batches", filled(MAX_BATCH_BODY_BYTES))).status).toBe(413);
    expect((await financeConsole.post("/payouts/quote", filled(200_000))).status).toBe(413);
  });
});

describe("bulk payout line", () => {
  it("is not checked if 600 lines of its merchant were already checked in the same minute", async () => {
    let left = 600;
    while (left > 1) left = (await consumeBulkLineLimit(context, partner)).remaining;
    const id = await upload(lines(2));
    await runWorker();
    expect((await view(id)).counts).toEqual({ ready: 1, checking: 1 });
    await endLeases();
    await runWorker();
    expect((await view(id)).counts).toEqual({ ready: 1, checking: 1 });
  });

  it("is paid once even if two workers have claimed it", async () => {
    const { id, line } = await confirmAndClaim({ id: "W-1" });
    await endLeases();
    const other = await claimNext();
    expect([other.batchId, other.number]).toEqual([line.batchId, line.number]);
    await Promise.all([processLines(context, [line]), processLines(context, [other])]);
    expect((await view(id)).counts).toEqual({ completed: 1 });
    expect([await countPayouts(), await recipientBalance()]).toEqual([1, 100n]);
  });

  it("is paid once even if its worker dies after paying and before recording the payment", async () => {
    const id = await upload(lines(3));
    await runWorker();
    await confirm(id);
    await runWorker();
    await sandbox.executeAsSuperuser(`SET session_replication_role = replica;
      UPDATE payout_batch_lines SET status = 'paying', payout_id = NULL WHERE batch_id = '${id}' AND number > 2`);
    await runWorker();
    expect((await view(id)).counts).toEqual({ completed: 3 });
    expect([await countPayouts(), await recipientBalance()]).toEqual([3, 300n]);
  });

  it("keeps its status if a worker whose lease has expired fails to pay it", async () => {
    const { id, line } = await confirmAndClaim({ id: "W-1" });
    await endLeases();
    const other = await claimNext();
    const late = { ...line, fee: (line.fee ?? 0n) - 1n };
    await processLines(context, [late]);
    expect((await view(id)).counts).toEqual({ paying: 1 });
    await processLines(context, [other]);
    await processLines(context, [late]);
    expect((await view(id)).counts).toEqual({ completed: 1 });
    const createdCount = await prisma.idempotencyKey.count({ where: { key: toIdempotencyKey(line) } });
    expect([createdCount, await countPayouts()]).toEqual([1, 1]);
  });

  it("is not paid if its recipient's address now belongs to somebody else, or if its recipient was deactivated after the line was claimed", async () => {
    const moved = await confirmAndClaim({ id: "W-1" });
    const other = await addRecipient(sandbox);
    const rename = (id: string, email: string) =>
      prisma.walletUser.update({ where: { id }, data: { email } });
    await rename(recipient.id, `${randomUUID()}@example.com`);
    await rename(other.id, recipient.email);
    await endLeases();
    await processLines(context, [await claimNext()]);
    expect((await linesOf(moved.id))[0]).toMatchObject({ state: "failed", failure: "price_changed" });
    const { id, line } = await confirmAndClaim({ id: "W-2" });
    await prisma.walletUser.update({ where: { id: other.id }, data: { active: false } });
    await processLines(context, [line]);
    expect((await linesOf(id))[0]).toMatchObject({ state: "failed", failure: "recipient_inactive" });
    expect(await countPayouts()).toBe(0);
  });

  it("fails alone if the merchant used the line's idempotency key for another payout, before or after the line was checked", async () => {
    const other = await addPartner(sandbox);
    const user = await addConsoleUser(sandbox, `${randomUUID()}@example.com`, other.merchantId, "finance");
    await addSecondFactor(sandbox, user);
    const otherConsole = merchantConsole(server, { user, merchantId: other.merchantId });
    const useKey = async (id: string) => {
      const api = partnerApi(server, partner.token);
      const used = await api.post("/payout", {
        lookup_token: await lookUpRecipient(api, recipient),
        amount: 2,
        sender_currency: "EUR",
        receiver_currency: "EUR",
        reference: randomUUID(),
        idempotency_key: toIdempotencyKey({ batchId: id, number: 2 }),
      });
      expect(used.status).toBe(200);
    };
    const uploadOther = async () => {
      const csv = csvOf(lines(2).map(({ id }) => ({ id: `${id}-${randomUUID()}` })));
      const created = await otherConsole.post("/payouts/batches", { name: "other.csv", csv });
      return dataOf(createdBatchResponseSchema, created).batch_id ?? "";
    };
    const viewOther = async (id: string) =>
      dataOf(batchResponseSchema, await otherConsole.get(`/payouts/batches/${id}`));
    const [id, otherId] = [await upload([{ id: "W-1" }]), await uploadOther()];
    await runWorker();
    await confirm(id);
    await otherConsole.post(`/payouts/batches/${otherId}/confirm`, { round: 1 });
    await useKey(id);
    await runWorker();
    expect((await linesOf(id))[0]?.failure).toBe("idempotency_key_reused");
    expect((await viewOther(otherId)).counts).toEqual({ completed: 2 });
    const [unchecked, otherUnchecked] = [await upload([{ id: "W-2" }]), await uploadOther()];
    await useKey(unchecked);
    await runWorker();
    expect((await linesOf(unchecked))[0]?.failure).toBe("idempotency_key_reused");
    expect((await viewOther(otherUnchecked)).counts).toEqual({ ready: 2 });
    const gone = await confirmAndClaim({ id: "W-3" });
    await useKey(gone.id);
    await processLines(context, [{ ...gone.line, recipientId: null }]);
    expect((await linesOf(gone.id))[0]?.failure).toBe("recipient_not_found");
  });

  it("is claimed and paid once despite concurrent confirmations", async () => {
    const id = await upload(lines(6));
    await runWorker();
    const counts = await Promise.all([confirm(id, 1), confirm(id, 1), confirm(id, 1)]);
    const reported = counts.map((response) => dataOf(batchChangedResponseSchema, response).lines);
    expect(reported.sort()).toEqual([0, 0, 6]);
    const received = await Promise.all(Array.from({ length: 10 }, () => claimLines(context, { limit: 1 })));
    const numbers = received.flat().map(({ number }) => number);
    expect(numbers.sort()).toEqual([2, 3, 4, 5, 6, 7]);
    await endLeases();
    await Promise.all([runWorker(), runWorker(), runWorker()]);
    expect((await view(id)).counts).toEqual({ completed: 6 });
    expect([await countPayouts(), await recipientBalance()]).toEqual([6, 600n]);
  });

  it("is paid once even if a worker is killed in the middle of a payment", async () => {
    const last = await addRecipient(sandbox);
    // The worker runs two loops concurrently, each of which pays 64 lines at a time.
    const id = await upload(lines(136).map((line, at) => (at < 128 ? line : { ...line, to: last.email })));
    await runWorker();
    await confirm(id);
    const holder = await pool.connect();
    try {
      await holder.query("BEGIN");
      await holder.query("SELECT FROM accounts WHERE id = $1 FOR UPDATE", [last.wallets.EUR]);
      const worker = await spawnApi(sandbox, { TILLGATE_ROLE: "worker" });
      const waits = "SELECT FROM pg_locks WHERE NOT granted";
      await waitUntil(
        "some lines are paid and one waits for the lock",
        async () =>
          ((await view(id)).counts.completed ?? 0) >= 64 && ((await pool.query(waits)).rowCount ?? 0) > 0,
        20_000,
      );
      worker.child.kill("SIGKILL");
      await holder.query("COMMIT");
    } finally {
      holder.release(true);
    }
    await endLeases();
    await runWorker();
    expect((await view(id)).counts).toEqual({ completed: 136 });
    expect([await countPayouts(), await recipientBalance()]).toEqual([136, 12_800n]);
  });
});

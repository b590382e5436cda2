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
import { MAX_OPEN_BULK_PAYOUTS } from "../../../src/money/bulk-payouts/create.js";
import { type ClaimedLine, claimLine, keyOfLine, workOnLine } from "../../../src/money/bulk-payouts/work.js";
import { spawnApi } from "../../support/api-program.js";
import {
  addPartner,
  addRecipient,
  balanceOfAccount,
  type Partner,
  type Recipient,
  settlePayout,
} from "../../support/partner.js";
import { told } from "../../support/requests.js";
import { writesNothing } from "../../support/rows.js";
import { sceneOfFile } from "../../support/scene.js";
import { until } from "../../support/until.js";
import { addConsoleUser, type ConsoleApi, consoleApi, dataOf, showFactor } from "./console-api.js";

const { sandbox, server } = await sceneOfFile();
const { pool, prisma } = sandbox.database;
const { context } = server;
let partner: Partner;
let recipient: Recipient;
let finance: string;
let desk: ConsoleApi;

beforeEach(async () => {
  partner = await addPartner(sandbox, { terms: { EUR: { reviewAbove: 50_000n } } });
  recipient = await addRecipient(sandbox);
  finance = await addConsoleUser(sandbox, `${randomUUID()}@example.com`, partner.merchantId, "finance");
  await showFactor(sandbox, finance);
  desk = consoleApi(server, { user: finance, merchantId: partner.merchantId });
});

type Line = { id: string; amount?: string; to?: string; description?: string };
const csvOf = (lines: Line[]) =>
  [
    "id,recipient,amount,currency,description",
    ...lines.map(({ id, amount = "1", to = recipient.email, description = "" }) =>
      [id, to, amount, "EUR", description].join(","),
    ),
  ].join("\n");
const send = (csv: string, name = "wages.csv") => desk.post("/payouts/batches", { name, csv });
/** Brings a file. @returns its id. */
async function bring(lines: Line[], name?: string): Promise<string> {
  const { batch_id, problems } = dataOf(createdBatchResponseSchema, await send(csvOf(lines), name));
  expect(problems).toEqual([]);
  return batch_id ?? "";
}
/** What a worker does until nothing waits. */
async function work(): Promise<void> {
  for (let line = await claimLine(context); line; line = await claimLine(context))
    await workOnLine(context, line);
}
const view = async (id: string) => dataOf(batchResponseSchema, await desk.get(`/payouts/batches/${id}`));
const linesOf = async (id: string, query: Record<string, string> = {}) =>
  dataOf(batchLinesResponseSchema, await desk.get(`/payouts/batches/${id}/lines`, query)).lines;
const confirm = async (id: string, round?: number) =>
  desk.post(`/payouts/batches/${id}/confirm`, { round: round ?? (await view(id)).round });
const again = (id: string) => desk.post(`/payouts/batches/${id}/again`);
const lines = (count: number): Line[] => Array.from({ length: count }, (_, at) => ({ id: `W-${at}` }));
const paid = async () => prisma.payout.count({ where: { merchantId: partner.merchantId } });
const received = () => balanceOfAccount(sandbox, recipient.wallets.EUR);
/** Lets the lease of every line be over, as if its worker had been away for long. */
const endLeases = () =>
  pool.query(
    "UPDATE payout_batch_lines SET leased_until = clock_timestamp() - interval '1 second' WHERE leased_until IS NOT NULL",
  );
/** A confirmed batch, and its first line as a worker has it. */
async function claimed(line: Line): Promise<{ id: string; line: ClaimedLine }> {
  const id = await bring([line]);
  await work();
  await confirm(id);
  return { id, line: await claimedNow() };
}
async function claimedNow(): Promise<ClaimedLine> {
  const line = await claimLine(context);
  if (!line) throw new Error("no line waits");
  return line;
}

describe("bulk payout", () => {
  it("is priced, shown, confirmed and paid under the name of the confirming user", async () => {
    const id = await bring([
      { id: "W-1", amount: "12", description: "=HYPERLINK(1)" },
      { id: "W-2", amount: "600" },
      { id: "W-3", amount: "3", to: "nobody@example.com" },
    ]);
    expect((await view(id)).state).toBe("checking");
    expect(told(await confirm(id)).status).toBe(409);
    await writesNothing({ ...sandbox }, async () => expect(await paid()).toBe(0));
    await work();
    const ready = await view(id);
    expect(ready).toMatchObject({ state: "ready", counts: { ready: 2, failed: 1 }, lines: 3 });
    expect(ready.totals).toMatchObject([
      { lines: 2, money: { amount: "612.00", currency: "EUR" }, wallet: { amount: "1000.00" }, enough: true },
    ]);
    const [first, , third] = await linesOf(id);
    expect(first).toMatchObject({ recipient: expect.stringMatching(/^r•••@/), recipient_name: "Noé Ŝ" });
    expect(third).toMatchObject({ state: "failed", failure: "recipient_not_found", line: 4 });
    expect(dataOf(batchChangedResponseSchema, await confirm(id)).lines).toBe(2);
    expect(dataOf(batchChangedResponseSchema, await confirm(id)).lines).toBe(0);
    await work();
    expect((await view(id)).counts).toEqual({ completed: 1, pending: 1, failed: 1 });
    expect(await received()).toBe(1_200n);
    const payout = (await linesOf(id))[0]?.payout_id ?? "";
    const records = await prisma.auditRecord.findMany({
      where: { merchantId: partner.merchantId },
      orderBy: { number: "asc" },
    });
    expect(records.map(({ action, administratorId }) => [action, administratorId])).toEqual([
      ["payout_batch.create", finance],
      ["payout_batch.confirm", finance],
      ["payout.create", finance],
      ["payout.create", finance],
    ]);
    expect(records[2]?.subject).toBe(payout);
    const { text } = await desk.get(`/payouts/batches/${id}/result.csv`);
    expect(text.split("\r\n")).toHaveLength(5);
    expect(text).toContain("'=HYPERLINK(1)");
    expect(text).toContain("completed");
    expect(text).not.toContain(recipient.email);
    const held = (await linesOf(id))[1]?.payout_id ?? "";
    await settlePayout(sandbox, held, false);
    expect((await view(id)).counts).toEqual({ completed: 1, rejected: 1, failed: 1 });
  });

  it("reports every error, used IDs and duplicate lines, and stores nothing invalid", async () => {
    const first = await bring([{ id: "W-1" }], "may.csv");
    const refused = dataOf(createdBatchResponseSchema, await send(csvOf([{ id: "W-1" }, { id: "W-2" }])));
    expect(refused).toMatchObject({
      batch_id: null,
      problems: [{ line: 2, column: "id", fault: "id_used", value: "may.csv" }],
    });
    await work();
    await confirm(first);
    await work();
    const paidAlready = dataOf(createdBatchResponseSchema, await send(csvOf([{ id: "W-1" }])));
    expect(paidAlready.problems[0]?.value).toMatch(/^PO/);
    const second = await bring([{ id: "W-2" }, { id: "W-3" }]);
    expect((await linesOf(second)).map(({ same_as }) => same_as?.line)).toEqual([2, 2]);
    expect((await view(second)).repeats).toBe(2);
    const { batches } = dataOf(batchListResponseSchema, await desk.get("/payouts/batches"));
    expect(batches.map(({ batch_id }) => batch_id)).toEqual([second, first]);
  });

  it("can be discarded before confirmation, which frees its IDs", async () => {
    const id = await bring(lines(2));
    const discard = () => desk.post(`/payouts/batches/${id}/discard`);
    expect(dataOf(batchChangedResponseSchema, await discard()).lines).toBe(2);
    expect(dataOf(batchChangedResponseSchema, await discard()).lines).toBe(0);
    await work();
    expect(await view(id)).toMatchObject({ state: "discarded", counts: { checking: 2 } });
    expect(told(await confirm(id)).status).toBe(409);
    const next = await bring(lines(2));
    await work();
    await confirm(next);
    expect(told(await desk.post(`/payouts/batches/${next}/discard`)).status).toBe(409);
    await work();
  });

  it("fails the lines that exceed the balance, and a rerun pays only those", async () => {
    const id = await bring([
      { id: "W-1", amount: "400" },
      { id: "W-2", amount: "400" },
      { id: "W-3", amount: "400" },
    ]);
    await work();
    expect((await view(id)).totals[0]?.enough).toBe(false);
    await confirm(id);
    await work();
    expect((await linesOf(id)).map(({ state, failure }) => failure ?? state)).toEqual([
      "completed",
      "completed",
      "insufficient_balance",
    ]);
    const { round } = await view(id);
    expect(dataOf(batchChangedResponseSchema, await again(id)).lines).toBe(1);
    await work();
    expect(told(await confirm(id, round)).status).toBe(409);
    await confirm(id);
    await work();
    expect((await view(id)).counts).toEqual({ completed: 2, failed: 1 });
    expect(await paid()).toBe(2);
    expect(told(await again((await bring(lines(1))) ?? "")).status).toBe(409);
    await work();
  });

  it("is not paid at another price than the confirmed one", async () => {
    const { id, line } = await claimed({ id: "W-1" });
    await workOnLine(context, { ...line, fee: (line.fee ?? 0n) - 1n });
    expect((await linesOf(id))[0]).toMatchObject({ state: "failed", failure: "price_changed" });
    expect(await paid()).toBe(0);
  });

  it("is not paid for a user who lost the right to pay, nor for a suspended merchant", async () => {
    const first = await claimed({ id: "W-1" });
    await prisma.consoleMember.updateMany({ where: { userId: finance }, data: { role: "viewer" } });
    await workOnLine(context, first.line);
    await prisma.consoleMember.updateMany({ where: { userId: finance }, data: { role: "finance" } });
    expect((await linesOf(first.id))[0]?.failure).toBe("not_an_administrator");
    const second = await claimed({ id: "W-2" });
    const suspend = (suspendedAt: Date | null) =>
      prisma.merchant.update({ where: { id: partner.merchantId }, data: { suspendedAt } });
    await suspend(new Date());
    await workOnLine(context, second.line);
    await suspend(null);
    expect((await linesOf(second.id))[0]?.failure).toBe("merchant_suspended");
    expect(await paid()).toBe(0);
  });
});

describe("bulk payout limits", () => {
  it("cap the open bulk payouts, also for concurrent uploads", async () => {
    const each = Array.from({ length: MAX_OPEN_BULK_PAYOUTS + 2 }, (_, at) => csvOf([{ id: `F-${at}` }]));
    const statuses = (await Promise.all(each.map((csv) => send(csv)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(MAX_OPEN_BULK_PAYOUTS);
    expect(statuses.filter((status) => status === 409)).toHaveLength(2);
    await work();
  });

  it("allow a larger body than other routes, up to a maximum", async () => {
    const filled = (bytes: number) => ({ name: "x", csv: "x".repeat(bytes) });
    const large = await desk.post("/payouts/batches", filled(200_000));
    expect(dataOf(createdBatchResponseSchema, large).problems[0]?.fault).toBe("empty");
    expect((await desk.post("/payouts/batches", filled(MAX_BATCH_BODY_BYTES))).status).toBe(413);
    expect((await desk.post("/payouts/quote", filled(200_000))).status).toBe(413);
  });
});

describe("bulk payout line", () => {
  it("is paid once when two workers hold it", async () => {
    const { id, line } = await claimed({ id: "W-1" });
    await endLeases();
    const other = await claimedNow();
    expect([other.batchId, other.number]).toEqual([line.batchId, line.number]);
    await Promise.all([workOnLine(context, line), workOnLine(context, other)]);
    expect((await view(id)).counts).toEqual({ completed: 1 });
    expect([await paid(), await received()]).toEqual([1, 100n]);
  });

  it("is paid once when its worker dies after the payment and before recording it", async () => {
    const { id, line } = await claimed({ id: "W-1" });
    await workOnLine(context, line);
    await sandbox.administer(`SET session_replication_role = replica;
      UPDATE payout_batch_lines SET status = 'paying', payout_id = NULL WHERE batch_id = '${id}'`);
    await work();
    expect((await view(id)).counts).toEqual({ completed: 1 });
    expect([await paid(), await received()]).toEqual([1, 100n]);
  });

  it("keeps its result when a late worker fails", async () => {
    const { id, line } = await claimed({ id: "W-1" });
    await endLeases();
    const other = await claimedNow();
    const late = { ...line, fee: (line.fee ?? 0n) - 1n };
    await workOnLine(context, late);
    expect((await view(id)).counts).toEqual({ paying: 1 });
    await workOnLine(context, other);
    await workOnLine(context, late);
    expect((await view(id)).counts).toEqual({ completed: 1 });
    const made = await prisma.idempotencyKey.count({ where: { key: keyOfLine(line) } });
    expect([made, await paid()]).toEqual([1, 1]);
  });

  it("is paid and claimed once for concurrent confirmations", async () => {
    const id = await bring(lines(6));
    await work();
    const counts = await Promise.all([confirm(id, 1), confirm(id, 1), confirm(id, 1)]);
    const told = counts.map((answer) => dataOf(batchChangedResponseSchema, answer).lines);
    expect(told.sort()).toEqual([0, 0, 6]);
    const got = await Promise.all(Array.from({ length: 10 }, () => claimLine(context)));
    const numbers = got.flatMap((line) => line?.number ?? []);
    expect(numbers.sort()).toEqual([2, 3, 4, 5, 6, 7]);
    await endLeases();
    await Promise.all([work(), work(), work()]);
    expect((await view(id)).counts).toEqual({ completed: 6 });
    expect([await paid(), await received()]).toEqual([6, 600n]);
  });

  it("is paid once when workers are killed in the middle of a payment", async () => {
    const id = await bring(lines(20));
    await work();
    await confirm(id);
    const holder = await pool.connect();
    try {
      const worker = await spawnApi(sandbox, { TILLGATE_ROLE: "worker" });
      await until("some lines are paid", async () => ((await view(id)).counts.completed ?? 0) > 2, 20_000);
      await holder.query("BEGIN");
      await holder.query("SELECT FROM accounts WHERE id = $1 FOR UPDATE", [recipient.wallets.EUR]);
      const waits = "SELECT FROM pg_locks WHERE NOT granted";
      await until("one is in the middle", async () => ((await pool.query(waits)).rowCount ?? 0) > 0);
      worker.child.kill("SIGKILL");
      await holder.query("COMMIT");
    } finally {
      holder.release(true);
    }
    await endLeases();
    await work();
    expect((await view(id)).counts).toEqual({ completed: 20 });
    expect([await paid(), await received()]).toEqual([20, 2_000n]);
  });
});

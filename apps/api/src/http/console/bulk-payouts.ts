import {
  BATCH_RESULT_COLUMNS,
  batchLinesQuerySchema,
  type ConsoleBatch,
  type ConsoleBatchLine,
  confirmBatchRequestSchema,
  createBatchRequestSchema,
  csvFileQuerySchema,
  MAX_BATCH_LINES,
} from "@tillgate/contract";
import { formatDecimal } from "@tillgate/money";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { confirmBulkPayout, discardBulkPayout, recheckBulkPayout } from "../../money/bulk-payouts/change.js";
import { createBulkPayout } from "../../money/bulk-payouts/create.js";
import {
  type BulkPayout,
  type BulkPayoutLine,
  type BulkPayoutTotal,
  findBulkPayout,
  LINES_PER_PAGE,
  listBulkPayouts,
  listLines,
  viewBulkPayout,
} from "../../money/bulk-payouts/read.js";
import { getCurrency } from "../../money/currencies.js";
import { requirePayouts } from "../../money/payouts/rules.js";
import { type Cell, createCsvWriter } from "../../platform/csv.js";
import { applyAllowance } from "../shared/admit.js";
import { parse, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { wireTime } from "../shared/shapes.js";
import { getRequestId } from "../shared/trace.js";
import { withRightInMode } from "./caller.js";
import { maskContact, toMoney } from "./shapes.js";

const toBulkPayout = (batch: BulkPayout): ConsoleBatch => ({
  batch_id: batch.id,
  name: batch.name,
  state: batch.state,
  created_by: batch.createdBy,
  created_at: wireTime(batch.createdAt),
  confirmed_by: batch.confirmedBy,
  confirmed_at: batch.confirmedAt && wireTime(batch.confirmedAt),
  lines: batch.lines,
});

const toTotal = async (context: Context, { currency, lines, amount, fee, wallet }: BulkPayoutTotal) => ({
  lines,
  money: await toMoney(context, amount, currency),
  fee: await toMoney(context, fee, currency),
  total: await toMoney(context, amount + fee, currency),
  wallet: wallet === null ? null : await toMoney(context, wallet, currency),
  enough: wallet !== null && wallet >= amount + fee,
});

const BASE = "/merchants/:merchant/:mode/payouts/batches";

export function serveBulkPayouts(router: Router, context: Context): void {
  const allowed = withRightInMode(context);

  serve(router, BASE, {
    get: allowed("payments.view", async (access, _request, response) => {
      const batches = await listBulkPayouts(context, access);
      succeed(response, "Bulk payouts retrieved", { batches: batches.map(toBulkPayout) });
    }),
    post: allowed("payouts.create", async (access, request, response) => {
      applyAllowance(response, await requirePayouts(context, access));
      const file = parse(createBatchRequestSchema, request.body);
      const created = await createBulkPayout(context, access, {
        ...file,
        requestId: getRequestId(response),
      });
      succeed(response, created.batchId === null ? "Bulk payout rejected" : "Bulk payout created", {
        batch_id: created.batchId,
        problems: created.problems,
        problem_count: created.problemCount,
      });
    }),
  });

  serve(router, `${BASE}/:batch`, {
    get: allowed("payments.view", async (access, request, response) => {
      const view = await viewBulkPayout(context, access, pathParameter(request, "batch"));
      const { batch, repeats, counts, totals } = view;
      succeed(response, "Bulk payout retrieved", {
        ...toBulkPayout(batch),
        round: batch.round,
        repeats,
        counts,
        totals: await Promise.all(totals.map((total) => toTotal(context, total))),
      });
    }),
  });

  serve(router, `${BASE}/:batch/lines`, {
    get: allowed("payments.view", async (access, request, response) => {
      const { state, after } = parse(batchLinesQuerySchema, request.query);
      const { id } = await findBulkPayout(context, access, pathParameter(request, "batch"));
      const lineQuery = { state, after: Number(after ?? 0), limit: LINES_PER_PAGE + 1 };
      const lines = await listLines(context, id, lineQuery);
      const page = lines.slice(0, LINES_PER_PAGE);
      const last = lines.length > LINES_PER_PAGE ? page.at(-1) : undefined;
      succeed(response, "Lines retrieved", {
        lines: await Promise.all(page.map((line) => toLine(context, line))),
        next: last ? String(last.number) : null,
      });
    }),
  });

  serve(router, `${BASE}/:batch/result.csv`, {
    get: allowed("payments.view", async (access, request, response) => {
      const { id } = await findBulkPayout(context, access, pathParameter(request, "batch"));
      const lines = await listLines(context, id, { limit: MAX_BATCH_LINES });
      const rows = await Promise.all(lines.map((line) => toResultRow(context, line)));
      const { dialect } = parse(csvFileQuerySchema, request.query);
      const file = createCsvWriter(BATCH_RESULT_COLUMNS, dialect, access.timeZone);
      response.type("text/csv; charset=utf-8; header=present");
      response.set("cache-control", "no-store");
      response.attachment(`payouts-${id}.csv`);
      response.send(file.start + rows.map(file.row).join(""));
    }),
  });

  serve(router, `${BASE}/:batch/confirm`, {
    post: allowed("payouts.create", async (access, request, response) => {
      const { round } = parse(confirmBatchRequestSchema, request.body);
      const input = { batchId: pathParameter(request, "batch"), requestId: getRequestId(response), round };
      succeed(response, "Bulk payout confirmed", {
        lines: await confirmBulkPayout(context, access, input),
      });
    }),
  });

  const changes = [
    ["again", "Bulk payout rechecked", recheckBulkPayout],
    ["discard", "Bulk payout discarded", discardBulkPayout],
  ] as const;
  for (const [name, done, change] of changes)
    serve(router, `${BASE}/:batch/${name}`, {
      post: allowed("payouts.create", async (access, request, response) => {
        const input = { batchId: pathParameter(request, "batch"), requestId: getRequestId(response) };
        succeed(response, done, { lines: await change(context, access, input) });
      }),
    });
}

function maskRecipient(recipient: string): string {
  const isEmail = recipient.includes("@");
  const contact = { email: isEmail ? recipient : null, phone: isEmail ? null : recipient };
  const { email, phone } = maskContact({ name: "", ...contact });
  return email ?? phone ?? "";
}

async function toLine(context: Context, line: BulkPayoutLine): Promise<ConsoleBatchLine> {
  const toNullableMoney = (minor: bigint | null, code: string) =>
    minor === null ? null : toMoney(context, minor, code);
  return {
    line: line.number,
    id: line.reference,
    state: line.state,
    recipient: maskRecipient(line.recipient),
    recipient_name: line.recipientName,
    money: await toMoney(context, line.amount, line.senderCurrency),
    fee: await toNullableMoney(line.fee, line.senderCurrency),
    received: await toNullableMoney(line.receiverAmount, line.receiverCurrency),
    description: line.description,
    failure: line.failure,
    payout_id: line.payoutId,
    same_as:
      line.sameBatch === null || line.sameName === null || line.sameLine === null
        ? null
        : { batch_id: line.sameBatch, name: line.sameName, line: line.sameLine },
  };
}

async function toResultRow(
  context: Context,
  line: BulkPayoutLine,
): Promise<Record<(typeof BATCH_RESULT_COLUMNS)[number], Cell>> {
  const formatMinor = async (minor: bigint | null, code: string): Promise<Cell> =>
    minor === null ? null : formatDecimal(minor, (await getCurrency(context, code)).digits);
  return {
    line: String(line.number),
    id: line.reference,
    recipient: maskRecipient(line.recipient),
    amount: await formatMinor(line.amount, line.senderCurrency),
    currency: line.senderCurrency,
    receiver_currency: line.receiverCurrency,
    description: line.description,
    status: line.state,
    reason: line.failure,
    fee: await formatMinor(line.fee, line.senderCurrency),
    received_amount: await formatMinor(line.receiverAmount, line.receiverCurrency),
    payout_id: line.payoutId,
    trx_id: line.trxId,
  };
}

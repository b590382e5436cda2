import { randomUUID } from "node:crypto";
import { type BatchProblem, ErrorCode, type Mode } from "@tillgate/contract";
import type { AmountNotation } from "@tillgate/money";
import { queryOneRow, queryRows } from "@tillgate/service";
import { z } from "zod";
import { toActAuditRecord } from "../../audit/acts.js";
import { changeWithAuditOnConnection, recordOnConnection } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { ConsoleAccess } from "../../identity/console/access.js";
import type { MerchantScope } from "../../identity/credentials/authenticate.js";
import { type ParsedLine, parseBulkPayout } from "./parse.js";

/** Maximum bulk payouts per merchant and mode that are neither finished nor discarded. Each of their lines costs a lookup. */
export const MAX_OPEN_BULK_PAYOUTS = 20;
const MAX_PROBLEMS = 200;

// Serializes the uploads of one merchant and mode, so that the limit is enforced.
const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('payout batches ' || $1 || ' ' || $2, 0))";
const OPEN = `
  SELECT count(*)::int AS open FROM payout_batches b WHERE merchant_id = $1 AND mode = $2 AND discarded_at IS NULL
    AND EXISTS (SELECT FROM payout_batch_lines l WHERE l.batch_id = b.id AND l.status IN ('checking', 'ready', 'paying'))`;
const ADD_BATCH = `
  INSERT INTO payout_batches (id, merchant_id, mode, name, created_by_id) VALUES ($1, $2, $3, $4, $5)`;
const ADD_LINES = `
  INSERT INTO payout_batch_lines (batch_id, merchant_id, mode, number, recipient, amount, sender_currency, receiver_currency, reference, description)
  SELECT $1, $2, $3, a.* FROM unnest($4::int[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::text[], $10::text[]) AS a`;
// The ID of a failed line may be reused in a corrected file.
const USED = `
  SELECT reference, id AS by FROM payouts WHERE merchant_id = $1 AND mode = $2 AND reference = ANY ($3)
  UNION ALL
  SELECT l.reference, b.name FROM payout_batches b JOIN payout_batch_lines l ON l.batch_id = b.id
  WHERE b.merchant_id = $1 AND b.mode = $2 AND b.discarded_at IS NULL AND l.status IN ('checking', 'ready', 'paying')
    AND l.reference = ANY ($3)`;

const openSchema = z.object({ open: z.int() });
const usedSchema = z.object({ reference: z.string(), by: z.string() });

/** The ID or, if the file was rejected, its first problems and the number of all problems. */
export type CreatedBulkPayout = { batchId: string | null; problems: BatchProblem[]; problemCount: number };

/** Stores the lines for workers to look up and price. Nothing is stored if the file has problems. @throws OperationError TooManyBatches. */
export async function createBulkPayout(
  context: Context,
  { merchantId, mode, by }: ConsoleAccess & { mode: Mode },
  {
    name,
    csv,
    amounts,
    requestId,
  }: { name: string; csv: string; amounts: AmountNotation; requestId: string },
): Promise<CreatedBulkPayout> {
  const { lines, problems } = parseBulkPayout(csv, await findActiveCurrencies(context), amounts);
  problems.push(...(await findReferencesInUse(context, { merchantId, mode }, lines)));
  if (problems.length > 0)
    return { batchId: null, problems: problems.slice(0, MAX_PROBLEMS), problemCount: problems.length };
  const batchId = randomUUID();
  await changeWithAuditOnConnection(context, {}, async (connection) => {
    await connection.query(LOCK, [merchantId, mode]);
    const { open } = await queryOneRow(connection, openSchema, OPEN, [merchantId, mode]);
    if (open >= MAX_OPEN_BULK_PAYOUTS) throw new OperationError(ErrorCode.TooManyBatches);
    await connection.query(ADD_BATCH, [batchId, merchantId, mode, name, by.id]);
    await connection.query(ADD_LINES, [
      ...[batchId, merchantId, mode],
      lines.map(({ number }) => number),
      lines.map(({ recipient }) => recipient),
      lines.map(({ amount }) => String(amount)),
      lines.map(({ senderCurrency }) => senderCurrency),
      lines.map(({ receiverCurrency }) => receiverCurrency),
      lines.map(({ reference }) => reference),
      lines.map(({ description }) => description),
    ]);
    const act = toActAuditRecord(
      { by, reason: null, requestId },
      {
        merchantId,
        mode,
        action: "payout_batch.create",
        subject: batchId,
        details: { name, lines: lines.length },
      },
    );
    await recordOnConnection(connection, act);
  });
  return { batchId, problems: [], problemCount: 0 };
}

async function findActiveCurrencies({ database: { prisma } }: Context) {
  const rows = await prisma.currency.findMany({
    where: { active: true },
    select: { code: true, digits: true },
  });
  return new Map(rows.map((row) => [row.code, row]));
}

async function findReferencesInUse(
  { database: { pool } }: Context,
  { merchantId, mode }: MerchantScope,
  lines: readonly ParsedLine[],
): Promise<BatchProblem[]> {
  const parameters = [merchantId, mode, lines.map(({ reference }) => reference)];
  const used = new Map(
    (await queryRows(pool, usedSchema, USED, parameters)).map((row) => [row.reference, row.by]),
  );
  return lines.flatMap(({ number: line, reference }) => {
    const value = used.get(reference);
    return value === undefined ? [] : [{ line, column: "id" as const, fault: "id_used" as const, value }];
  });
}

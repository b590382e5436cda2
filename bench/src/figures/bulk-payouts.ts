import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createReference, cycle, getOrigin } from "../calls.js";
import type { Figure } from "../figure.js";
import { type Load, overHttp, runInTurns } from "../load.js";
import type { BenchMerchant } from "../parties.js";
import { speedRow } from "../rows.js";
import { pickSize } from "../sized.js";
import type { System } from "../system.js";
import { createPayoutCalls, MANY_CONNECTIONS } from "./payouts.js";

const FILES = pickSize(10, 1);
/** Lines per file. 1,000 is the maximum of a file. */
const LINES = pickSize(1_000, 100);
const POLL_MS = 250;

const ADD_FILE = `
  INSERT INTO payout_batches (id, merchant_id, mode, name, created_by_id, confirmed_at, confirmed_by_id, request_id)
  SELECT $1, $2, 'sandbox', 'bench', u.id, clock_timestamp(), u.id, 'bench' FROM console_users u WHERE u.email = $3`;
const ADD_LINES = `
  INSERT INTO payout_batch_lines (batch_id, merchant_id, mode, number, recipient, amount, sender_currency, receiver_currency, reference, status,
    wallet_user_id, fee, rate, receiver_amount)
  SELECT $1, $2, 'sandbox', line.number, u.email, 100, 'EUR', 'EUR', line.reference, 'paying', u.id,
    (SELECT fixed + round(100 * percent / 100) FROM fee_schedules WHERE mode = 'sandbox' AND currency = 'EUR' AND merchant_id IS NULL), 1, 100
  FROM unnest($3::uuid[], $4::text[]) WITH ORDINALITY AS line (recipient, reference, number) JOIN wallet_users u ON u.id = line.recipient`;
const COUNT_LINES = `
  SELECT count(*) FILTER (WHERE status = 'paying')::int AS open, max(failure) AS failure
  FROM payout_batch_lines WHERE batch_id = ANY ($1)`;

/**
 * Compares the payment of one merchant's files with payouts over 256 connections. The files are inserted as confirmed, because at most ten lines per
 * second are checked.
 */
export const bulkPayouts: Figure = {
  name: "bulk-payouts",
  async measure(system) {
    const merchant = cycle(system.merchants);
    const next = await createPayoutCalls(system, system.merchants);
    const load = await runInTurns({
      files: () => payFiles(system, merchant()),
      payouts: overHttp({ origin: getOrigin(system), next, connections: MANY_CONNECTIONS }),
    });
    const title = `paying ${FILES} files of ${LINES} lines`;
    return [
      speedRow(title, load.files, load.payouts, `POST /payout, ${MANY_CONNECTIONS} connections`, {
        atLeast: 0.8,
      }),
    ];
  },
};

/** Inserts files as if a user had just confirmed them, and waits until the worker has paid them. @throws Error if a line fails. */
async function payFiles({ pool, shoppers, sandbox }: System, { id }: BenchMerchant): Promise<Load> {
  const recipient = cycle(shoppers);
  const lines = Array.from({ length: LINES }, () => recipient().id);
  const files = Array.from({ length: FILES }, () => randomUUID());
  const startedAt = performance.now();
  for (const file of files) {
    await pool.query(ADD_FILE, [file, id, sandbox.administrator.email]);
    await pool.query(ADD_LINES, [file, id, lines, lines.map(createReference)]);
  }
  for (;;) {
    const { rows } = await pool.query<{ open: number; failure: string | null }>(COUNT_LINES, [files]);
    const [{ open, failure } = { open: 0, failure: "no lines" }] = rows;
    if (failure !== null) throw new Error(`A line failed: ${failure}`);
    if (open === 0) break;
    await delay(POLL_MS);
  }
  return { perSecond: (FILES * LINES * 1_000) / (performance.now() - startedAt), p99: Number.NaN };
}

import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { call, createReference, cycle, getOrigin, readText } from "../calls.js";
import type { Figure } from "../figure.js";
import { type Load, overHttp, runInTurns } from "../load.js";
import { signInToConsole } from "../long-lists.js";
import type { BenchMerchant } from "../parties.js";
import { speedRow } from "../rows.js";
import { startSecondApi } from "../second-api.js";
import { pickSize } from "../sized.js";
import type { System } from "../system.js";
import { createPayoutCalls, MANY_CONNECTIONS } from "./payouts.js";

const LINES = pickSize(10_000, 100);
const POLL_MS = 50;
const CONSOLE_KEY = randomBytes(32).toString("base64url");

/** Checking is limited to 600 lines per minute, because it reveals names, so the benchmark prices the lines itself. */
const PRICE_LINES = `
  UPDATE payout_batch_lines l SET status = 'ready', wallet_user_id = u.id, fee = 0, rate = 1, receiver_amount = l.amount, leased_by = NULL,
    leased_until = NULL
  FROM wallet_users u WHERE l.batch_id = $1 AND l.status = 'checking' AND u.mode = l.mode AND u.email = l.recipient`;
const COUNT_LINES = `
  SELECT count(*) FILTER (WHERE status IN ('checking', 'paying'))::int AS open, count(*) FILTER (WHERE status = 'failed')::int AS failed
  FROM payout_batch_lines WHERE batch_id = $1`;

/** Pays the confirmed lines of a file, compared with as many callers of POST /payout. */
export const bulkPayouts: Figure = {
  name: "bulk-payouts",
  async measure(system) {
    const session = await signInToConsole(system);
    const api = await startSecondApi(system, { TILLGATE_CONSOLE_KEY: CONSOLE_KEY });
    try {
      const merchant = cycle(system.merchants);
      const next = await createPayoutCalls(system, system.merchants);
      const load = await runInTurns({
        file: () => payFile(system, merchant(), { origin: api.origin, session }),
        payouts: overHttp({ origin: getOrigin(system), next, connections: MANY_CONNECTIONS }),
      });
      const title = `paying a file of ${LINES} lines`;
      return [
        speedRow(title, load.file, load.payouts, `POST /payout, ${MANY_CONNECTIONS} connections`, {
          atLeast: 0.8,
        }),
      ];
    } finally {
      await api.stop();
    }
  },
};

async function payFile(
  { pool, shoppers }: System,
  { id }: BenchMerchant,
  { origin, session }: { origin: string; session: string },
): Promise<Load> {
  const post = (path: string, body: unknown) =>
    call(origin, {
      method: "POST",
      path: `/console/v1/merchants/${id}/sandbox/payouts/batches${path}`,
      headers: { "x-tillgate-internal-key": CONSOLE_KEY, "x-tillgate-console-session": session },
      body,
    });
  const recipient = cycle(shoppers);
  const lines = Array.from({ length: LINES }, () => `${createReference()},${recipient().email},1.00,EUR`);
  const name = createReference();
  const csv = ["id,recipient,amount,currency", ...lines].join("\n");
  const batchId = readText(await post("", { name, csv }), "batch_id");
  const waitForWorker = async (): Promise<void> => {
    for (;;) {
      const { rows } = await pool.query<{ open: number; failed: number }>(COUNT_LINES, [batchId]);
      const [counts] = rows;
      if (!counts || counts.failed > 0) throw new Error(`${counts?.failed} lines of a file failed.`);
      if (counts.open === 0) return;
      await delay(POLL_MS);
    }
  };
  await pool.query(PRICE_LINES, [batchId]);
  // The worker may have claimed lines before.
  await waitForWorker();
  const startedAt = performance.now();
  await post(`/${batchId}/confirm`, { round: 1 });
  await waitForWorker();
  return { perSecond: (LINES * 1_000) / (performance.now() - startedAt), p99: Number.NaN };
}

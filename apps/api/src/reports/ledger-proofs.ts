import { randomUUID } from "node:crypto";
import { proveLedger } from "@tillgate/database";
import { queryFirstRow, queryOneRow, queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Administrator } from "../audit/administrator.js";
import { changeWithAuditOnConnection, recordOnConnection } from "../audit/change.js";
import type { Context } from "../context.js";

const MAX_PROOFS = 10;
/** Long, because a proof reads the whole database. */
const LEASE_MS = 3_600_000;
/** The nightly proof is requested between these hours (UTC), unless one was requested within the last `apartHours`. */
const NIGHT = { from: 2, until: 5, apartHours: 20 };

const idSchema = z.object({ id: z.string() });
const proofSchema = z.object({
  id: z.string(),
  requestedBy: z.string().nullable(),
  requestedAt: z.date(),
  startedAt: z.date().nullable(),
  finishedAt: z.date().nullable(),
  sound: z.boolean().nullable(),
  faults: z.array(z.string()).nullable(),
  error: z.string().nullable(),
});
export type StoredProof = z.output<typeof proofSchema>;

const PROOFS = `
  SELECT p.id, u.email AS "requestedBy", p.requested_at AS "requestedAt", p.started_at AS "startedAt", p.finished_at AS "finishedAt",
    p.sound, p.faults, p.error
  FROM ledger_proofs p LEFT JOIN console_users u ON u.id = p.requested_by_id ORDER BY p.requested_at DESC LIMIT ${MAX_PROOFS}`;

export const listProofs = ({ database: { pool } }: Context): Promise<StoredProof[]> =>
  queryRows(pool, proofSchema, PROOFS);

// A unique index allows only one open proof.
const REQUEST_PROOF =
  "INSERT INTO ledger_proofs (id, requested_by_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id";
const OPEN = "SELECT id FROM ledger_proofs WHERE finished_at IS NULL";
const REQUEST_NIGHTLY = `
  INSERT INTO ledger_proofs (id) SELECT gen_random_uuid()
  WHERE extract(hour FROM clock_timestamp() AT TIME ZONE 'UTC') >= ${NIGHT.from} AND extract(hour FROM clock_timestamp() AT TIME ZONE 'UTC') < ${NIGHT.until}
    AND NOT EXISTS (SELECT FROM ledger_proofs WHERE requested_at > clock_timestamp() - interval '${NIGHT.apartHours} hours')
  ON CONFLICT DO NOTHING`;

/** Requests a proof and writes an audit record, unless a proof is already open. @returns the proof's ID, and whether it was already open. */
export const requestProof = (
  context: Context,
  administrator: Administrator,
): Promise<{ id: string; alreadyOpen: boolean }> =>
  changeWithAuditOnConnection(context, {}, async (connection) => {
    const requested = await queryFirstRow(connection, idSchema, REQUEST_PROOF, [
      randomUUID(),
      administrator.id,
    ]);
    if (!requested) return { ...(await queryOneRow(connection, idSchema, OPEN)), alreadyOpen: true };
    const subject = requested.id;
    await recordOnConnection(connection, {
      administrator,
      merchantId: null,
      action: "ledger.prove",
      subject,
    });
    return { id: requested.id, alreadyOpen: false };
  });

/** Requests the nightly proof when it is due. */
export const requestNightlyProof = async ({ database: { pool } }: Context): Promise<void> => {
  await pool.query(REQUEST_NIGHTLY);
};

// Only one worker's conditional update claims a proof.
const CLAIM = `
  UPDATE ledger_proofs SET leased_by = $1, leased_until = clock_timestamp() + $2 * interval '1 millisecond', started_at = clock_timestamp()
  WHERE id = (SELECT id FROM ledger_proofs WHERE finished_at IS NULL AND (leased_until IS NULL OR leased_until < clock_timestamp())
    FOR NO KEY UPDATE SKIP LOCKED)
  RETURNING id`;
const FINISH = `
  UPDATE ledger_proofs SET finished_at = clock_timestamp(), leased_by = NULL, leased_until = NULL, sound = $3, faults = $4, error = $5
  WHERE id = $1 AND leased_by = $2 AND finished_at IS NULL`;

/** Runs the pending proof, if any, and stores the result. */
export async function runProof({ config, database: { pool }, log }: Context): Promise<void> {
  const lease = randomUUID();
  const claimed = await queryFirstRow(pool, idSchema, CLAIM, [lease, LEASE_MS]);
  if (!claimed) return;
  const finish = (isSound: boolean | null, faults: string[], error: string | null) =>
    pool.query(FINISH, [claimed.id, lease, isSound, faults, error]);
  try {
    const { sound, rules } = await proveLedger(config.databaseDirectUrl);
    const faults = rules.flatMap(({ rule, violations }) => violations.map((row) => `${rule}: ${row}`));
    if (!sound) log.error({ event: "ledger_inconsistent", faults }, "the ledger is inconsistent");
    await finish(sound, faults, null);
  } catch (error) {
    log.error({ event: "ledger_proof_failed", err: error }, "could not run the ledger proof");
    await finish(null, [], error instanceof Error ? error.message : String(error));
  }
}

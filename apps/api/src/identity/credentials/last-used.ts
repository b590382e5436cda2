import type { Context, ResolvedCredential } from "../../context.js";

/** Interval between two flushes, in milliseconds. */
export const LAST_USED_FLUSH_MS = 60_000;

// Locks rows in id order, so that two processes cannot deadlock.
const WRITE = `
  WITH locked AS (SELECT id FROM credentials WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE)
  UPDATE credentials c SET last_used_at = greatest(c.last_used_at, u.used_at),
    last_used_address = CASE WHEN c.last_used_at > u.used_at THEN c.last_used_address ELSE u.address END
  FROM unnest($1::uuid[], $2::timestamptz[], $3::text[]) AS u(id, used_at, address) JOIN locked USING (id)
  WHERE c.id = u.id`;

/**
 * Records time and address of a credential's use for the next flush. The very first use is written immediately: from then
 * on webhooks of a rotated client are signed with the new secret.
 */
export async function recordUse(
  context: Context,
  credential: ResolvedCredential,
  address: string,
): Promise<void> {
  context.memory.lastUsed.pending.set(credential.id, { at: new Date(), address });
  if (credential.used) return;
  credential.used = true;
  try {
    await flushLastUsed(context);
  } catch (error) {
    context.log.warn({ err: error }, "a credential's first use could not be written yet");
  }
}

/** Writes pending uses in one statement. Uses that could not be written stay pending. */
export async function flushLastUsed(context: Pick<Context, "database" | "memory">): Promise<void> {
  const state = context.memory.lastUsed;
  const { pending } = state;
  if (pending.size === 0) return;
  state.pending = new Map();
  try {
    const uses = [...pending.values()];
    await context.database.pool.query(WRITE, [
      [...pending.keys()],
      uses.map(({ at }) => at),
      uses.map(({ address }) => address),
    ]);
  } catch (error) {
    for (const [id, use] of pending) if (!state.pending.has(id)) state.pending.set(id, use);
    throw error;
  }
}

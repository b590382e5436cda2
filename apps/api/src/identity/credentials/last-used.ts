import type { Context, ResolvedCredential } from "../../context.js";

/** How often the times are written, in milliseconds. */
export const WRITE_LAST_USED_EVERY_MS = 60_000;

// Locked in the order of their ids, so that two processes never wait for each other.
const WRITE = `
  WITH locked AS (SELECT id FROM credentials WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE)
  UPDATE credentials c SET last_used_at = greatest(c.last_used_at, u.used_at),
    last_used_address = CASE WHEN c.last_used_at > u.used_at THEN c.last_used_address ELSE u.address END
  FROM unnest($1::uuid[], $2::timestamptz[], $3::text[]) AS u(id, used_at, address) JOIN locked USING (id)
  WHERE c.id = u.id`;

/**
 * Remembers that a credential authenticated a call, and whence it came. The next batch writes the time. The very first use is written at once:
 * from then on webhooks of a rotated client are signed with the new secret.
 */
export async function noteUse(
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

/** Writes the last uses since the last time, in one statement. Uses that cannot be written stay for the next time. */
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

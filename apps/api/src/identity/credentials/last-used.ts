import { inTransaction } from "@tillgate/service";
import type { Context, ResolvedCredential } from "../../context.js";

export const LAST_USED_FLUSH_MS = 60_000;
/** Maximum sites stored for a credential; new sites replace the oldest. */
export const MAX_SITES = 20;
/** Format of `Tillgate-Site`: `shop.example/path; id=…`. It starts like a host name, so it is never `__proto__`. */
const SITE = /^[A-Za-z0-9%[][!-~]{0,149}(; id=[0-9a-f-]{1,40})?$/;

/** Returns the site named in `Tillgate-Site`; undefined for a missing or invalid header. */
export const parseSite = (header: string | undefined): string | undefined =>
  header !== undefined && SITE.test(header) ? header : undefined;

/** Locks rows in ID order, so that two processes cannot deadlock. */
const LOCK = "SELECT FROM credentials WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE";
// Runs as a separate statement after LOCK, so that its snapshot includes the locked row versions. Updating an older version of a row that a foreign
// key check has also locked would lock the row again, behind transactions that wait for this transaction.
const WRITE = `
  UPDATE credentials c SET last_used_at = greatest(c.last_used_at, u.used_at),
    last_used_address = CASE WHEN c.last_used_at > u.used_at THEN c.last_used_address ELSE u.address END,
    sites = CASE WHEN u.sites = '{}' THEN c.sites ELSE (
      SELECT jsonb_object_agg(newest.site, newest.at)
      FROM (SELECT * FROM jsonb_each_text(c.sites || u.sites) AS s(site, at) ORDER BY at DESC LIMIT ${MAX_SITES}) newest
    ) END
  FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::jsonb[]) AS u(id, used_at, address, sites)
  WHERE c.id = u.id`;

/** `site` is the value of the header `Tillgate-Site`. */
export type CallOrigin = { clientAddress: string; site?: string | undefined };

/** Records a use for the next flush. The first use is written immediately: from then on, webhooks of a rotated client use the new secret. */
export async function recordUse(
  context: Context,
  credential: ResolvedCredential,
  { clientAddress: address, site: header }: CallOrigin,
): Promise<void> {
  const { pending } = context.memory.lastUsed;
  const at = new Date();
  const sites = pending.get(credential.id)?.sites ?? {};
  const site = parseSite(header);
  if (site !== undefined && (Object.hasOwn(sites, site) || Object.keys(sites).length < MAX_SITES))
    sites[site] = at;
  pending.set(credential.id, { at, address, sites });
  if (credential.used) return;
  credential.used = true;
  try {
    await flushLastUsed(context);
  } catch (error) {
    context.log.warn(
      { err: error },
      "could not record a credential's first use; retrying with the next flush",
    );
  }
}

/** Writes recorded uses in one transaction. Uses that could not be written stay pending. */
export async function flushLastUsed(context: Pick<Context, "database" | "memory">): Promise<void> {
  const state = context.memory.lastUsed;
  const { pending } = state;
  if (pending.size === 0) return;
  state.pending = new Map();
  try {
    const uses = [...pending.values()];
    const ids = [...pending.keys()];
    await inTransaction(context.database.pool, async (client) => {
      await client.query(LOCK, [ids]);
      await client.query(WRITE, [
        ids,
        uses.map(({ at }) => at),
        uses.map(({ address }) => address),
        uses.map(({ sites }) => JSON.stringify(sites)),
      ]);
    });
  } catch (error) {
    for (const [id, use] of pending) {
      const newer = state.pending.get(id);
      state.pending.set(
        id,
        newer === undefined ? use : { ...newer, sites: pickNewestSites({ ...use.sites, ...newer.sites }) },
      );
    }
    throw error;
  }
}

const pickNewestSites = (sites: Record<string, Date>): Record<string, Date> =>
  Object.fromEntries(
    Object.entries(sites)
      .sort(([, firstUse], [, secondUse]) => secondUse.getTime() - firstUse.getTime())
      .slice(0, MAX_SITES),
  );

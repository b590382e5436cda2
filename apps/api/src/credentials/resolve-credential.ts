import { modeSchema } from "@tillgate/contract";
import { rowsOf } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import type { ResolvedCredential } from "../memory.js";

const SELECT = `
  SELECT c.id, c.merchant_id AS "merchantId", c.mode, c.secret_hash AS "secretHash", c.last_used_at IS NOT NULL AS used, c.read_only AS "readOnly", c.order_only AS "orderOnly",
         (extract(epoch FROM c.expires_at - clock_timestamp()) * 1000)::float8 AS "endsInMs",
         m.suspended_at IS NOT NULL AS suspended, m.partner_api_enabled AS "partnerApiEnabled",
         m.pay_requests_a_minute AS "payRequestsAMinute", m.partner_requests_a_minute AS "partnerRequestsAMinute",
         c.mode = 'sandbox' AND EXISTS (SELECT FROM test_controls t WHERE t.merchant_id = c.merchant_id AND t.remaining > 0) AS controlled
  FROM credentials c JOIN merchants m ON m.id = c.merchant_id
  WHERE c.revoked_at IS NULL AND `;

/** One query on one index per kind of key. During a rotation a client id has two credentials. */
export const LOOKUPS = {
  clientId: `${SELECT} c.kind = 'client' AND c.client_id = $1`,
  id: `${SELECT} c.kind = 'client' AND c.id = $1`,
  tokenHash: `${SELECT} c.kind = 'api_token' AND c.secret_hash = decode($1, 'base64')`,
} as const;

const rowSchema = z.object({
  id: z.uuid(),
  merchantId: z.uuid(),
  mode: modeSchema,
  secretHash: z.instanceof(Uint8Array),
  used: z.boolean(),
  readOnly: z.boolean(),
  orderOnly: z.boolean(),
  endsInMs: z.number().nullable(),
  suspended: z.boolean(),
  partnerApiEnabled: z.boolean(),
  payRequestsAMinute: z.int().nullable(),
  partnerRequestsAMinute: z.int().nullable(),
  controlled: z.boolean(),
});

/**
 * The credentials that work, by client id, by id, or by the base64 of an API token's hash. They come from memory if read in
 * the last 2 seconds, so a revocation reaches every process within that time.
 * @param fresh asks the database in any case: a new secret from a rotation is not in memory yet.
 */
export async function resolveCredentials(
  context: Context,
  by: keyof typeof LOOKUPS,
  value: string,
  { fresh = false }: { fresh?: boolean } = {},
): Promise<ResolvedCredential[]> {
  const cache = context.memory.credentials;
  const key = keyOf(by, value);
  const now = performance.now();
  let cached = cache.get(key);
  if (fresh || !cached || now >= cached.until) {
    const made = { until: now + context.config.credentialCacheMs, found: read(context, by, value) };
    made.found.catch(() => {
      if (cache.get(key) === made) cache.delete(key);
    });
    cache.set(key, made);
    cached = made;
  }
  const found = await cached.found;
  return found.filter(({ endsAt }) => performance.now() < endsAt);
}

/** Lets the next call of a client ask the database, in this process. */
export function forgetClient({ memory }: Pick<Context, "memory">, clientId: string): void {
  memory.credentials.delete(keyOf("clientId", clientId));
}

const keyOf = (by: keyof typeof LOOKUPS, value: string): string => `${by} ${value}`;

async function read(
  { database }: Context,
  by: keyof typeof LOOKUPS,
  value: string,
): Promise<ResolvedCredential[]> {
  const now = performance.now();
  const rows = await rowsOf(database.pool, rowSchema, {
    name: `credential by ${by}`,
    text: LOOKUPS[by],
    values: [value],
  });
  return rows.map(({ endsInMs, ...row }) => ({
    ...row,
    endsAt: endsInMs === null ? Number.POSITIVE_INFINITY : now + endsInMs,
  }));
}

import { createHash, timingSafeEqual } from "node:crypto";
import { ErrorCode, type Mode, modeSchema } from "@tillgate/contract";
import { hashSecret } from "@tillgate/database";
import { queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context, ResolvedCredential } from "../../context.js";
import { OperationError } from "../../errors.js";
import { getClientNetwork } from "../../platform/client-network.js";
import { countFailure, getLockoutMs } from "../../platform/rate-limits.js";
import { type CallOrigin, recordUse } from "./last-used.js";

/**
 * Counts a wrong secret. After some failures, further wrong secrets are rejected for ever longer periods. Must not be called for a correct secret,
 * so that outsiders cannot lock a merchant out.
 * @throws OperationError TooManyRequests while the address, or client ID and address together, are locked out.
 */
async function countFailedSecret(
  { config, memory }: Context,
  { clientAddress, clientId }: { clientAddress: string; clientId?: string },
): Promise<void> {
  const { wrongSecretsPerIpAddress, wrongSecretsPerClient } = config;
  const network = getClientNetwork(clientAddress);
  const keys = [{ key: network, free: wrongSecretsPerIpAddress }];
  if (clientId !== undefined) {
    // Hashed, so that the text is not stored in plain form and may have any length.
    const key = createHash("sha256").update(`${network} ${clientId}`).digest("base64url");
    keys.push({ key, free: wrongSecretsPerClient });
  }
  const waits = await Promise.all(keys.map(({ key }) => getLockoutMs(memory.failedSecrets, key)));
  const longest = Math.max(...waits);
  if (longest > 0)
    throw new OperationError(ErrorCode.TooManyRequests, { retryAfterSeconds: Math.ceil(longest / 1000) });
  await Promise.all(keys.map(({ key, free }) => countFailure(memory.failedSecrets, key, free)));
}

const SELECT = `
  SELECT c.id, c.merchant_id AS "merchantId", c.mode, c.secret_hash AS "secretHash", c.last_used_at IS NOT NULL AS used, c.read_only AS "readOnly", c.order_only AS "orderOnly", c.reports_only AS "reportsOnly",
         (extract(epoch FROM c.expires_at - clock_timestamp()) * 1000)::float8 AS "endsInMs",
         m.suspended_at IS NOT NULL AS suspended, m.partner_api_enabled AS "partnerApiEnabled",
         m.pay_requests_a_minute AS "payRequestsPerMinute", m.partner_requests_a_minute AS "partnerRequestsPerMinute",
         c.mode = 'sandbox' AND EXISTS (SELECT FROM test_controls t WHERE t.merchant_id = c.merchant_id AND t.remaining > 0) AS controlled
  FROM credentials c JOIN merchants m ON m.id = c.merchant_id
  WHERE c.revoked_at IS NULL AND `;

/** One query per kind of lookup, so that each query uses an index. */
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
  reportsOnly: z.boolean(),
  endsInMs: z.number().nullable(),
  suspended: z.boolean(),
  partnerApiEnabled: z.boolean(),
  payRequestsPerMinute: z.int().nullable(),
  partnerRequestsPerMinute: z.int().nullable(),
  controlled: z.boolean(),
});

/**
 * Returns active credentials, cached for at most 2 seconds, so that a revocation reaches every process within that time.
 * @param value client ID, credential ID, or an API token's hash in base64.
 * @param options.fresh bypasses the cache, which may still lack the new secret of a rotation.
 */
export async function resolveCredentials(
  context: Context,
  by: keyof typeof LOOKUPS,
  value: string,
  { fresh: bypassCache = false }: { fresh?: boolean } = {},
): Promise<ResolvedCredential[]> {
  const cache = context.memory.credentials;
  const key = cacheKey(by, value);
  const now = performance.now();
  let cached = cache.get(key);
  if (bypassCache || !cached || now >= cached.until) {
    const entry = {
      until: now + context.config.credentialCacheMs,
      found: readCredentials(context, by, value),
    };
    entry.found.catch(() => {
      if (cache.get(key) === entry) cache.delete(key);
    });
    cache.set(key, entry);
    cached = entry;
  }
  const credentials = await cached.found;
  return credentials.filter(({ endsAt }) => performance.now() < endsAt);
}

/** Removes a client from the cache of this process only. */
export function forgetClient({ memory }: Pick<Context, "memory">, clientId: string): void {
  memory.credentials.delete(cacheKey("clientId", clientId));
}

const cacheKey = (by: keyof typeof LOOKUPS, value: string): string => `${by} ${value}`;

async function readCredentials(
  { database }: Context,
  by: keyof typeof LOOKUPS,
  value: string,
): Promise<ResolvedCredential[]> {
  const now = performance.now();
  const rows = await queryRows(database.pool, rowSchema, {
    name: `credential by ${by}`,
    text: LOOKUPS[by],
    values: [value],
  });
  return rows.map(({ endsInMs, ...row }) => ({
    ...row,
    endsAt: endsInMs === null ? Number.POSITIVE_INFINITY : now + endsInMs,
  }));
}

export type Client = { merchantId: string; credentialId: string; mode: Mode };

/** The owner of orders, refunds and payouts. Queries are always limited to the merchant and the mode. */
export type MerchantScope = Pick<Client, "merchantId" | "mode">;

export type CallerTerms = {
  /** The merchant's custom limit; null for the API's default. */
  requestsPerMinute: number | null;
  readOnly: boolean;
  orderOnly: boolean;
  reportsOnly: boolean;
  /** Whether the merchant has unused sandbox test controls. */
  controlled: boolean;
};

export type LimitedClient = Client & CallerTerms;

/** Issued client IDs are never longer, so longer IDs are not looked up. */
const MAX_CLIENT_ID_LENGTH = 255;

/** Compared when there is no secret, so that an unknown client ID takes as long as a wrong secret. */
const NO_SECRET = Buffer.alloc(32);
/** A client ID has one secret, or two during a rotation. */
const MAX_SECRETS = 2;

/** Finds the candidate whose secret matches, in constant time; undefined if none matches. */
function matchCredential(
  candidates: ResolvedCredential[],
  secretHash: Uint8Array,
): ResolvedCredential | undefined {
  let match: ResolvedCredential | undefined;
  for (let i = 0; i < MAX_SECRETS; i++) {
    const candidate = candidates[i];
    if (timingSafeEqual(secretHash, candidate?.secretHash ?? NO_SECRET)) match = candidate;
  }
  return match;
}

async function findCredential(
  context: Context,
  clientId: string,
  secretHash: Uint8Array,
  bypassCache: boolean,
): Promise<ResolvedCredential | undefined> {
  const canExist = clientId.length <= MAX_CLIENT_ID_LENGTH;
  const candidates = canExist
    ? await resolveCredentials(context, "clientId", clientId, { fresh: bypassCache })
    : [];
  return matchCredential(candidates, secretHash);
}

export const asClient = ({
  merchantId,
  id,
  mode,
  payRequestsPerMinute,
  readOnly,
  orderOnly,
  reportsOnly,
  controlled,
}: ResolvedCredential): LimitedClient => ({
  merchantId,
  credentialId: id,
  mode,
  requestsPerMinute: payRequestsPerMinute,
  readOnly,
  orderOnly,
  reportsOnly,
  controlled,
});

/** @throws OperationError InvalidCredentials (also for an unknown ID), TooManyRequests; after a correct secret, WrongMode, MerchantSuspended. */
export async function authenticateClient(
  context: Context,
  input: { clientId: string; clientSecret: string; mode: Mode } & CallOrigin,
): Promise<LimitedClient> {
  const { clientId, clientAddress } = input;
  const secretHash = hashSecret(input.clientSecret);
  const credential =
    (await findCredential(context, clientId, secretHash, false)) ??
    (await findCredential(context, clientId, secretHash, true));
  if (!credential) {
    await countFailedSecret(context, { clientAddress, clientId });
    throw new OperationError(ErrorCode.InvalidCredentials);
  }
  if (credential.mode !== input.mode)
    throw new OperationError(ErrorCode.WrongMode, { mode: credential.mode });
  if (credential.suspended) throw new OperationError(ErrorCode.MerchantSuspended);
  await recordUse(context, credential, input);
  return asClient(credential);
}

export type Partner = { merchantId: string; credentialId: string; mode: Mode };

export type LimitedPartner = Partner & CallerTerms;

/** @throws OperationError InvalidCredentials, or TooManyRequests after repeated failures; MerchantSuspended, PartnerApiDisabled. */
export async function authenticatePartner(
  context: Context,
  { token, clientAddress }: { token: string; clientAddress: string },
): Promise<LimitedPartner> {
  const hash = Buffer.from(hashSecret(token)).toString("base64");
  const [credential] = await resolveCredentials(context, "tokenHash", hash);
  if (!credential) {
    await countFailedSecret(context, { clientAddress });
    throw new OperationError(ErrorCode.InvalidCredentials);
  }
  if (credential.suspended) throw new OperationError(ErrorCode.MerchantSuspended);
  if (!credential.partnerApiEnabled) throw new OperationError(ErrorCode.PartnerApiDisabled);
  await recordUse(context, credential, { clientAddress });
  const { merchantId, id, mode, partnerRequestsPerMinute, readOnly, orderOnly, reportsOnly, controlled } =
    credential;
  return {
    merchantId,
    credentialId: id,
    mode,
    requestsPerMinute: partnerRequestsPerMinute,
    readOnly,
    orderOnly,
    reportsOnly,
    controlled,
  };
}

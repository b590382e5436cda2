import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import {
  type AuditAction,
  buildReturnUrl,
  type ConnectRequest,
  type ConnectTokenRequest,
  ErrorCode,
  isLoopbackHost,
  type Mode,
} from "@tillgate/contract";
import { generateSecret, hashSecret } from "@tillgate/database";
import { queryFirstRow } from "@tillgate/service";
import type pg from "pg";
import { z } from "zod";
import {
  changeWithAudit,
  changeWithAuditOnConnection,
  recordChange,
  recordOnConnection,
} from "../audit/change.js";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import { getCode } from "../ledger/errors.js";
import type { ConsoleAccess } from "./console/access.js";
import type { MerchantScope } from "./credentials/authenticate.js";
import {
  createCredential,
  type IssuedCredential,
  ROTATION_OVERLAP_SECONDS,
  revokeCredential,
} from "./credentials/manage.js";

/** `live` is null for a shop with a loopback address. */
export type ConnectedShop = {
  merchantId: string;
  merchantName: string;
  sandbox: IssuedCredential;
  live: IssuedCredential | null;
};

const connectionSchema = z.object({
  id: z.string(),
  merchant_id: z.string(),
  merchant_name: z.string(),
  created_by_id: z.string(),
  email: z.string(),
  platform: z.string(),
  shop_origin: z.string(),
  return_url: z.string(),
  code_challenge: z.string(),
  exchanged: z.boolean(),
  credential_ids: z.array(z.string()),
});
type Connection = z.output<typeof connectionSchema>;
type Queryable = Pick<pg.ClientBase, "query">;

/** Locks the row, so that the second of two concurrent exchanges finds that the code was used. */
const FIND_CONNECTION = `
  SELECT c.id, c.merchant_id, m.name AS merchant_name, c.created_by_id, u.email, c.platform, c.shop_origin, c.return_url, c.code_challenge,
    c.exchanged_at IS NOT NULL AS exchanged, c.credential_ids
  FROM shop_connections c JOIN merchants m ON m.id = c.merchant_id JOIN console_users u ON u.id = c.created_by_id
  WHERE c.code_hash = $1 AND c.expires_at > clock_timestamp() AND m.suspended_at IS NULL
  FOR UPDATE OF c`;

/** Credentials from earlier connections of the same shop keep working for a day, for payments in progress. */
const RETIRE_CREDENTIALS = `
  UPDATE credentials SET expires_at = clock_timestamp() + make_interval(secs => $4)
  WHERE revoked_at IS NULL AND expires_at IS NULL AND id IN (
    SELECT unnest(credential_ids) FROM shop_connections WHERE merchant_id = $1 AND shop_origin = $2 AND platform = $3)`;

/** SQLSTATE of a rejected audit record: its author lacks (or has lost) the right. */
const NOT_ALLOWED = "TG063";

/**
 * Exchanges a connection's code for credentials. The credentials of the shop's earlier connections expire after a day. A second valid exchange
 * within the code's lifetime means that the code has leaked, so the credentials of the first exchange are revoked (RFC 6749, 4.1.2).
 * @throws OperationError InvalidGrant, including if the merchant is suspended or the person who authorized the shop has lost that right.
 */
export async function exchangeCode(context: Context, request: ConnectTokenRequest): Promise<ConnectedShop> {
  const outcome = await changeWithAuditOnConnection(context, {}, async (connection) => {
    const shopConnection = await queryFirstRow(connection, connectionSchema, FIND_CONNECTION, [
      hashSecret(request.code),
    ]);
    if (shopConnection === undefined || !isVerified(shopConnection, request)) return "rejected" as const;
    if (!shopConnection.exchanged) return connect(context, connection, shopConnection);
    await revokeAll(connection, shopConnection);
    return "replayed" as const;
  }).catch((error: unknown) => {
    if (getCode(error) === NOT_ALLOWED) return "rejected" as const;
    throw error;
  });
  if (outcome === "replayed")
    context.log.warn(
      "a shop connection code was reused after its exchange; the credentials issued for it were revoked",
    );
  if (typeof outcome === "string") throw new OperationError(ErrorCode.InvalidGrant);
  return outcome;
}

function isVerified(connection: Connection, request: ConnectTokenRequest): boolean {
  const challenge = createHash("sha256").update(request.code_verifier).digest();
  const expected = Buffer.from(connection.code_challenge, "base64url");
  const same = challenge.length === expected.length && timingSafeEqual(challenge, expected);
  return same && connection.return_url === request.redirect_uri;
}

async function connect(
  context: Context,
  connection: Queryable,
  shopConnection: Connection,
): Promise<ConnectedShop> {
  const { id, merchant_id: merchantId, shop_origin: shop, platform } = shopConnection;
  await connection.query(RETIRE_CREDENTIALS, [merchantId, shop, platform, ROTATION_OVERLAP_SECONDS]);
  const issue = (mode: Mode) => issueCredentialIn(context, connection, shopConnection, mode);
  const sandbox = await issue("sandbox");
  const live = isLoopbackHost(new URL(shop).hostname) ? null : await issue("live");
  const ids = [sandbox.id, ...(live === null ? [] : [live.id])];
  await connection.query(
    "UPDATE shop_connections SET exchanged_at = clock_timestamp(), credential_ids = $2 WHERE id = $1",
    [id, ids],
  );
  return { merchantId, merchantName: shopConnection.merchant_name, sandbox, live };
}

async function issueCredentialIn(
  context: Context,
  connection: Queryable,
  shopConnection: Connection,
  mode: Mode,
): Promise<IssuedCredential> {
  const { merchant_id: merchantId } = shopConnection;
  const credential = await createCredential(
    { database: { pool: connection }, keyring: context.keyring },
    {
      merchantId,
      mode,
      kind: "client",
      name: new URL(shopConnection.shop_origin).host,
      createdById: shopConnection.created_by_id,
    },
  );
  await record(connection, shopConnection, "credential.create", credential.id, {
    mode,
    kind: "client",
    client_id: credential.clientId,
    shop: shopConnection.shop_origin,
  });
  return credential;
}

async function revokeAll(connection: Queryable, shopConnection: Connection): Promise<void> {
  for (const credentialId of shopConnection.credential_ids) {
    const { revoked } = await revokeCredential({ database: { pool: connection } }, { credentialId });
    if (revoked)
      await record(connection, shopConnection, "credential.revoke", credentialId, {
        reason: "code exchanged twice",
      });
  }
}

const record = (
  connection: Queryable,
  { created_by_id: id, email, merchant_id: merchantId }: Connection,
  action: AuditAction,
  subject: string,
  details: Record<string, string | null>,
): Promise<void> =>
  recordOnConnection(connection, { administrator: { id, email }, merchantId, action, subject, details });

const CODE_SECONDS = 300;

/** Authorizes a shop. The code in the returned URL is bound to the shop's return URL and PKCE challenge. @throws OperationError MerchantSuspended. */
export async function approveConnection(
  context: Context,
  { merchantId, by }: Pick<ConsoleAccess, "merchantId" | "by">,
  request: ConnectRequest,
): Promise<string> {
  const id = randomUUID();
  const code = generateSecret("tgo_");
  const { origin } = new URL(request.shop_url);
  await changeWithAudit(context, {}, async (tx) => {
    const merchant = await tx.merchant.findUniqueOrThrow({
      where: { id: merchantId },
      select: { suspendedAt: true },
    });
    if (merchant.suspendedAt !== null) throw new OperationError(ErrorCode.MerchantSuspended);
    await tx.$executeRaw`
      INSERT INTO shop_connections (id, merchant_id, created_by_id, platform, shop_name, shop_origin, return_url, code_hash, code_challenge, expires_at, credential_ids)
      VALUES (${id}::uuid, ${merchantId}::uuid, ${by.id}::uuid, ${request.platform}, ${request.shop_name}, ${origin}, ${request.return_url},
        ${hashSecret(code)}, ${request.code_challenge}, clock_timestamp() + make_interval(secs => ${CODE_SECONDS}), '{}')`;
    await recordChange(tx, {
      administrator: by,
      merchantId,
      action: "credential.connect",
      subject: id,
      details: { platform: request.platform, shop: origin, name: request.shop_name },
    });
  });
  return buildReturnUrl(request, { code });
}

const MAX_LISTED = 100;

export type ListedConnection = {
  id: string;
  platform: string;
  shopName: string;
  shopOrigin: string;
  exchangedAt: Date;
};

export async function listConnections(
  { database: { prisma } }: Context,
  merchantId: string,
): Promise<ListedConnection[]> {
  const rows = await prisma.shopConnection.findMany({
    where: { merchantId, exchangedAt: { not: null } },
    orderBy: { createdAt: "desc" },
    take: MAX_LISTED,
    select: { id: true, platform: true, shopName: true, shopOrigin: true, exchangedAt: true },
  });
  return rows.flatMap(({ exchangedAt, ...rest }) => (exchangedAt === null ? [] : [{ ...rest, exchangedAt }]));
}

const nameSchema = z.object({ name: z.string() });

export async function readMerchantName(
  { database: { pool } }: Context,
  { merchantId }: MerchantScope,
): Promise<string> {
  const merchant = await queryFirstRow(pool, nameSchema, "SELECT name FROM merchants WHERE id = $1", [
    merchantId,
  ]);
  if (merchant === undefined) throw new Error(`merchant ${merchantId} does not exist`);
  return merchant.name;
}

import { randomBytes, randomUUID } from "node:crypto";
import { ErrorCode, type Mode, modeSchema } from "@tillgate/contract";
import { generateSecret, hashSecret, type Keyring, seal } from "@tillgate/database";
import { queryFirstRow, queryRows } from "@tillgate/service";
import type pg from "pg";
import { z } from "zod";
import { OperationError } from "../../errors.js";

/** The pool may be a single connection inside a transaction. */
export type CredentialContext = { database: { pool: Pick<pg.ClientBase, "query"> }; keyring: Keyring };

export const CREDENTIAL_KINDS = ["client", "api_token"] as const;
/** `client`: client ID and secret of the Pay API. `api_token`: Bearer token of the Partner API. */
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** A new credential, whose secret cannot be retrieved later. */
export type IssuedCredential = {
  id: string;
  merchantId: string;
  mode: Mode;
  kind: CredentialKind;
  /** Null for an API token. */
  clientId: string | null;
  secret: string;
};

const CLIENT_ID_BYTES = 12;
const MODE_IN_PREFIX = { sandbox: "test", live: "live" } as const satisfies Record<Mode, string>;

export type NewSecret = {
  id: string;
  secret: string;
  secretHash: Uint8Array;
  secretCiphertext: Uint8Array | null;
  encryptionKeyId: string | null;
};

export const createClientId = (mode: Mode): string =>
  `tg_${MODE_IN_PREFIX[mode]}_${randomBytes(CLIENT_ID_BYTES).toString("hex")}`;

/** Creates a secret. A client secret is also stored in encrypted form, because it signs webhooks. */
export function createSecret(keyring: Keyring, kind: CredentialKind, mode: Mode): NewSecret {
  const id = randomUUID();
  const secret = generateSecret(`${kind === "client" ? "tgs" : "tgt"}_${MODE_IN_PREFIX[mode]}_`);
  const sealed = kind === "client" ? seal(keyring, id, secret) : null;
  return {
    id,
    secret,
    secretHash: hashSecret(secret),
    secretCiphertext: sealed?.ciphertext ?? null,
    encryptionKeyId: sealed?.keyId ?? null,
  };
}

const CREATE = `
  INSERT INTO credentials (id, merchant_id, mode, kind, client_id, secret_hash, secret_ciphertext, encryption_key_id, read_only, order_only, reports_only, created_by_id, name)
  SELECT $1, m.id, $3::mode, $4::credential_kind, $5, $6, $7, $8, $9, $10, $11, $12, $13 FROM merchants m WHERE m.id = $2`;

/** Restrictions of a key. A key without restrictions may do everything that its API offers. */
export type KeyPermissions = {
  readOnly?: boolean | undefined;
  orderOnly?: boolean | undefined;
  reportsOnly?: boolean | undefined;
};

type NewCredential = KeyPermissions & {
  merchantId: string;
  mode: Mode;
  kind: CredentialKind;
  name?: string | undefined;
  /** ID of the console user who creates the credential. */
  createdById?: string;
};

/**
 * @param input.reportsOnly the credential can only read reports; implies `readOnly`.
 * @param input.orderOnly the credential can create and cancel orders, simulate their outcome in the sandbox, and send comparisons, but make no
 * other change.
 * @throws OperationError MerchantNotFound.
 */
export async function createCredential(
  { database, keyring }: CredentialContext,
  input: NewCredential,
): Promise<IssuedCredential> {
  const { merchantId, mode, kind, name, readOnly = false, orderOnly = false, reportsOnly = false } = input;
  const { secret, ...created } = createSecret(keyring, kind, mode);
  const clientId = kind === "client" ? createClientId(mode) : null;
  const { rowCount } = await database.pool.query(CREATE, [
    created.id,
    merchantId,
    mode,
    kind,
    clientId,
    created.secretHash,
    created.secretCiphertext,
    created.encryptionKeyId,
    readOnly || reportsOnly,
    orderOnly,
    reportsOnly,
    input.createdById ?? null,
    name ?? null,
  ]);
  if (rowCount !== 1) throw new OperationError(ErrorCode.MerchantNotFound);
  return { id: created.id, merchantId, mode, kind, clientId, secret };
}

// Revoking the new credential of a rotation also revokes the old secret; revoking the old credential does not revoke the new credential.
const REVOKE = `
  UPDATE credentials SET revoked_at = clock_timestamp()
  WHERE revoked_at IS NULL AND kind <> 'console' AND (id = $1 OR id = (SELECT replaces_id FROM credentials WHERE id = $1))
  RETURNING id`;
const idSchema = z.object({ id: z.uuid() });
const EXISTS = "SELECT FROM credentials WHERE id = $1 AND kind <> 'console'";

/**
 * Revokes a credential, the credential that it replaced by rotation, and the access tokens of both, in every process within 2 seconds.
 * @returns `revoked`: false if the credential was already revoked.
 * @throws OperationError CredentialNotFound.
 */
export async function revokeCredential(
  { database }: Pick<CredentialContext, "database">,
  { credentialId }: { credentialId: string },
): Promise<{ revoked: boolean }> {
  const revoked = await queryRows(database.pool, idSchema, REVOKE, [credentialId]);
  if (revoked.some(({ id }) => id === credentialId)) return { revoked: true };
  const { rowCount } = await database.pool.query(EXISTS, [credentialId]);
  if (rowCount !== 1) throw new OperationError(ErrorCode.CredentialNotFound);
  return { revoked: false };
}

export const ROTATION_OVERLAP_SECONDS = 86_400;

export type RotatedCredential = IssuedCredential & { replacedId: string; oldSecretExpiresAt: Date };

const READ = `
  SELECT merchant_id AS "merchantId", mode, kind, client_id AS "clientId", revoked_at IS NOT NULL AS revoked
  FROM credentials WHERE id = $1 AND kind <> 'console'`;

const rowSchema = z.object({
  merchantId: z.uuid(),
  mode: modeSchema,
  kind: z.enum(CREDENTIAL_KINDS),
  clientId: z.string().nullable(),
  revoked: z.boolean(),
});

const rotatedSchema = z.object({ expiresAt: z.date() });

// Only one of two concurrent rotations updates the row; the other finds expires_at set.
const ROTATE = `
  WITH old AS (
    UPDATE credentials c SET expires_at = clock_timestamp() + $2 * interval '1 second'
    WHERE id = $1 AND revoked_at IS NULL AND expires_at IS NULL AND NOT EXISTS (
      SELECT FROM credentials p WHERE p.id = c.replaces_id AND p.revoked_at IS NULL AND p.expires_at > clock_timestamp())
    RETURNING id, merchant_id, mode, kind, client_id, name, read_only, order_only, reports_only, expires_at)
  INSERT INTO credentials (id, merchant_id, mode, kind, client_id, name, secret_hash, secret_ciphertext, encryption_key_id, read_only, order_only, reports_only, created_by_id, replaces_id)
  SELECT $3, merchant_id, mode, kind, client_id, name, $4, $5, $6, read_only, order_only, reports_only, $7, id FROM old
  RETURNING (SELECT expires_at FROM old) AS "expiresAt"`;

/**
 * Rotates a credential's secret. Client ID, name and permissions remain the same. The old secret works for another `overlapSeconds`.
 * @throws OperationError CredentialNotFound, CredentialRevoked, RotationUnderWay (also for the credential that an earlier rotation replaced);
 * RangeError unless the overlap is a non-negative integer.
 */
export async function rotateCredential(
  { database, keyring }: CredentialContext,
  {
    credentialId,
    createdById,
    overlapSeconds = ROTATION_OVERLAP_SECONDS,
  }: {
    credentialId: string;
    /** ID of the console user who rotates the credential. */
    createdById?: string;
    overlapSeconds?: number;
  },
): Promise<RotatedCredential> {
  if (!Number.isSafeInteger(overlapSeconds) || overlapSeconds < 0)
    throw new RangeError("The overlap must be a whole number of seconds, 0 or more.");
  const credential = await queryFirstRow(database.pool, rowSchema, READ, [credentialId]);
  if (!credential) throw new OperationError(ErrorCode.CredentialNotFound);
  const { revoked, ...old } = credential;
  if (revoked) throw new OperationError(ErrorCode.CredentialRevoked);

  const { secret, ...created } = createSecret(keyring, old.kind, old.mode);
  const rotated = await queryFirstRow(database.pool, rotatedSchema, ROTATE, [
    credentialId,
    overlapSeconds,
    created.id,
    created.secretHash,
    created.secretCiphertext,
    created.encryptionKeyId,
    createdById ?? null,
  ]);
  if (!rotated) throw new OperationError(ErrorCode.RotationUnderWay);
  return { ...old, id: created.id, secret, replacedId: credentialId, oldSecretExpiresAt: rotated.expiresAt };
}

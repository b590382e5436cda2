import { modeSchema, Refusal } from "@tillgate/contract";
import { firstRowOf } from "@tillgate/service";
import { z } from "zod";
import { OperationError } from "../operation-error.js";
import {
  CREDENTIAL_KINDS,
  type CredentialContext,
  type IssuedCredential,
  makeSecret,
} from "./issued-credential.js";

/** How long the old secret works beside the new one, in seconds. */
export const ROTATION_OVERLAP_SECONDS = 86_400;

/** A rotated credential: the new one, and until when the old one works. */
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

// The update decides: of two rotations at once the second finds an end in expires_at, and does nothing.
const ROTATE = `
  WITH old AS (
    UPDATE credentials c SET expires_at = clock_timestamp() + $2 * interval '1 second'
    WHERE id = $1 AND revoked_at IS NULL AND expires_at IS NULL AND NOT EXISTS (
      SELECT FROM credentials p WHERE p.id = c.replaces_id AND p.revoked_at IS NULL AND p.expires_at > clock_timestamp())
    RETURNING id, merchant_id, mode, kind, client_id, name, read_only, order_only, expires_at)
  INSERT INTO credentials (id, merchant_id, mode, kind, client_id, name, secret_hash, secret_ciphertext, encryption_key_id, read_only, order_only, created_by_id, replaces_id)
  SELECT $3, merchant_id, mode, kind, client_id, name, $4, $5, $6, read_only, order_only, $7, id FROM old
  RETURNING (SELECT expires_at FROM old) AS "expiresAt"`;

/**
 * Gives a credential a new secret. Client id, name and permissions stay; the old secret works for `overlapSeconds` more (0: a
 * leaked secret ends now), and while it does a second rotation is refused.
 * @throws OperationError CredentialNotFound, CredentialRevoked, RotationUnderWay.
 */
export async function rotateCredential(
  { database, keyring }: CredentialContext,
  {
    credentialId,
    createdById,
    overlapSeconds = ROTATION_OVERLAP_SECONDS,
  }: {
    credentialId: string;
    /** The console user who rotates it. */
    createdById?: string;
    overlapSeconds?: number;
  },
): Promise<RotatedCredential> {
  if (!Number.isSafeInteger(overlapSeconds) || overlapSeconds < 0)
    throw new RangeError("An overlap is whole seconds, 0 or more.");
  const found = await firstRowOf(database.pool, rowSchema, READ, [credentialId]);
  if (!found) throw new OperationError(Refusal.CredentialNotFound);
  const { revoked, ...old } = found;
  if (revoked) throw new OperationError(Refusal.CredentialRevoked);

  const { secret, ...made } = makeSecret(keyring, old.kind, old.mode);
  const rotated = await firstRowOf(database.pool, rotatedSchema, ROTATE, [
    credentialId,
    overlapSeconds,
    made.id,
    made.secretHash,
    made.secretCiphertext,
    made.encryptionKeyId,
    createdById ?? null,
  ]);
  if (!rotated) throw new OperationError(Refusal.RotationUnderWay);
  return { ...old, id: made.id, secret, replacedId: credentialId, oldSecretExpiresAt: rotated.expiresAt };
}

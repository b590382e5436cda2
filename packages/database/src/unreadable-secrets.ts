import { firstRowOf, type Queryable } from "@tillgate/service";
import { z } from "zod";
import { type Keyring, unseal } from "./secrets.js";

/** Older ones may be sealed with a key that was retired since. */
const NEWEST_SECRET = `
  SELECT "rowId", ciphertext, "keyId" FROM (
    SELECT id::text AS "rowId", secret_ciphertext AS ciphertext, encryption_key_id AS "keyId", created_at
    FROM credentials WHERE secret_ciphertext IS NOT NULL AND revoked_at IS NULL
    UNION ALL
    SELECT user_id::text, secret_ciphertext, encryption_key_id, created_at FROM console_totps) AS sealed
  ORDER BY created_at DESC LIMIT 1`;

const sealedSchema = z.object({ rowId: z.string(), ciphertext: z.instanceof(Uint8Array), keyId: z.string() });

/**
 * Checks that the keys decrypt the newest secret of the database: with those of another system every signature, webhook
 * and second factor would fail.
 * @returns why they do not, in one sentence; undefined if they do, or nothing is stored yet.
 */
export async function describeUnreadableSecrets(
  pool: Queryable,
  keyring: Keyring,
): Promise<string | undefined> {
  const sealed = await firstRowOf(pool, sealedSchema, NEWEST_SECRET);
  if (sealed === undefined) return undefined;
  try {
    unseal(keyring, sealed.rowId, sealed);
    return undefined;
  } catch {
    const problem = keyring.keys.has(sealed.keyId) ? "has another value" : "is missing";
    return (
      `The encryption keys are not those of this database: its key ${sealed.keyId} ${problem}. ` +
      "Use the keys that it was filled with (TILLGATE_ENCRYPTION_KEYS, or secrets.json of npm run up)."
    );
  }
}

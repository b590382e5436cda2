import { type Queryable, queryRows } from "@tillgate/service";
import { z } from "zod";
import { type Keyring, unseal } from "./secrets.js";

/** Reads enough secrets that a few damaged rows do not prevent the start. Older secrets may be encrypted with a key that has since been retired. */
const NEWEST_SECRETS = `
  SELECT "rowId", ciphertext, "keyId" FROM (
    SELECT id::text AS "rowId", secret_ciphertext AS ciphertext, encryption_key_id AS "keyId", created_at
    FROM credentials WHERE secret_ciphertext IS NOT NULL AND revoked_at IS NULL
    UNION ALL
    SELECT user_id::text, secret_ciphertext, encryption_key_id, created_at FROM console_totps
    UNION ALL
    SELECT id::text, secret_ciphertext, encryption_key_id, created_at FROM receivers WHERE removed_at IS NULL) AS sealed
  ORDER BY created_at DESC LIMIT 20`;

const sealedSchema = z.object({ rowId: z.string(), ciphertext: z.instanceof(Uint8Array), keyId: z.string() });

/**
 * Checks the keys against the newest secrets. Only the key of the newest secret must be configured. A configured key is wrong if it decrypts none of
 * its secrets.
 * @returns a description of the missing or wrong key; undefined if the keys are correct, or no secret is stored yet.
 */
export async function describeUnreadableSecrets(
  pool: Queryable,
  keyring: Keyring,
): Promise<string | undefined> {
  const newest = await queryRows(pool, sealedSchema, NEWEST_SECRETS);
  const [first] = newest;
  if (first === undefined) return undefined;
  if (!keyring.keys.has(first.keyId)) return describeKey(first.keyId, "is missing");
  const readable = new Set(newest.filter((sealed) => isReadable(keyring, sealed)).map(({ keyId }) => keyId));
  const wrong = newest.find(({ keyId }) => keyring.keys.has(keyId) && !readable.has(keyId));
  return wrong && describeKey(wrong.keyId, "has another value");
}

const describeKey = (keyId: string, problem: string): string =>
  `The encryption keys do not match this database: key ${keyId} ${problem}. ` +
  "Use the keys that its data was encrypted with (TILLGATE_ENCRYPTION_KEYS, or secrets.json of npm run up).";

function isReadable(keyring: Keyring, sealed: z.infer<typeof sealedSchema>): boolean {
  try {
    unseal(keyring, sealed.rowId, sealed);
    return true;
  } catch {
    return false;
  }
}

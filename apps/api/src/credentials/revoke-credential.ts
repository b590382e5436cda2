import { Refusal } from "@tillgate/contract";
import { rowsOf } from "@tillgate/service";
import { z } from "zod";
import { OperationError } from "../operation-error.js";
import type { CredentialContext } from "./issued-credential.js";

// During a rotation the old secret goes with the new one; revoking the old row ends only the old secret.
const REVOKE = `
  UPDATE credentials SET revoked_at = clock_timestamp()
  WHERE revoked_at IS NULL AND kind <> 'console' AND (id = $1 OR id = (SELECT replaces_id FROM credentials WHERE id = $1))
  RETURNING id`;
const idSchema = z.object({ id: z.uuid() });
const EXISTS = "SELECT FROM credentials WHERE id = $1 AND kind <> 'console'";

/**
 * Ends a credential for good, with the secret that a rotation keeps alive, and all access tokens. Every process knows it
 * within 2 seconds. Revoking a revoked one changes nothing.
 * @returns whether it still worked until now.
 * @throws OperationError CredentialNotFound.
 */
export async function revokeCredential(
  { database }: Pick<CredentialContext, "database">,
  { credentialId }: { credentialId: string },
): Promise<{ revoked: boolean }> {
  const revoked = await rowsOf(database.pool, idSchema, REVOKE, [credentialId]);
  if (revoked.some(({ id }) => id === credentialId)) return { revoked: true };
  const { rowCount } = await database.pool.query(EXISTS, [credentialId]);
  if (rowCount !== 1) throw new OperationError(Refusal.CredentialNotFound);
  return { revoked: false };
}

import { type Mode, Refusal } from "@tillgate/contract";
import { OperationError } from "../operation-error.js";
import {
  type CredentialContext,
  type CredentialKind,
  type IssuedCredential,
  makeSecret,
  newClientId,
} from "./issued-credential.js";

const CREATE = `
  INSERT INTO credentials (id, merchant_id, mode, kind, client_id, secret_hash, secret_ciphertext, encryption_key_id, read_only)
  SELECT $1, m.id, $3::mode, $4::credential_kind, $5, $6, $7, $8, $9 FROM merchants m WHERE m.id = $2`;

/**
 * Makes one more credential of a merchant in one mode, one that only reads where `readOnly` is true; those it has keep working.
 * @returns the credential with its secret, which is stored only as a hash (a client secret also encrypted, to sign).
 * @throws OperationError MerchantNotFound.
 */
export async function createCredential(
  { database, keyring }: CredentialContext,
  {
    merchantId,
    mode,
    kind,
    readOnly = false,
  }: { merchantId: string; mode: Mode; kind: CredentialKind; readOnly?: boolean | undefined },
): Promise<IssuedCredential> {
  const { secret, ...made } = makeSecret(keyring, kind, mode);
  const clientId = kind === "client" ? newClientId(mode) : null;
  const { rowCount } = await database.pool.query(CREATE, [
    made.id,
    merchantId,
    mode,
    kind,
    clientId,
    made.secretHash,
    made.secretCiphertext,
    made.encryptionKeyId,
    readOnly,
  ]);
  if (rowCount !== 1) throw new OperationError(Refusal.MerchantNotFound);
  return { id: made.id, merchantId, mode, kind, clientId, secret };
}

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
  INSERT INTO credentials (id, merchant_id, mode, kind, client_id, secret_hash, secret_ciphertext, encryption_key_id, read_only, order_only, created_by_id, name)
  SELECT $1, m.id, $3::mode, $4::credential_kind, $5, $6, $7, $8, $9, $10, $11, $12 FROM merchants m WHERE m.id = $2`;

/** What a key may do: everything its API offers, or less. */
export type KeyPermissions = { readOnly?: boolean | undefined; orderOnly?: boolean | undefined };

type NewCredential = KeyPermissions & {
  merchantId: string;
  mode: Mode;
  kind: CredentialKind;
  name?: string | undefined;
  /** The console user who creates it. */
  createdById?: string;
};

/**
 * Creates one more credential of a merchant in one mode; those it has keep working.
 * @param input.readOnly its calls change nothing.
 * @param input.orderOnly its calls create and cancel orders, and change nothing else.
 * @returns the credential with its secret, which is stored only as a hash (a client secret also encrypted, to sign).
 * @throws OperationError MerchantNotFound.
 */
export async function createCredential(
  { database, keyring }: CredentialContext,
  { merchantId, mode, kind, name, readOnly = false, orderOnly = false, createdById }: NewCredential,
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
    orderOnly,
    createdById ?? null,
    name ?? null,
  ]);
  if (rowCount !== 1) throw new OperationError(Refusal.MerchantNotFound);
  return { id: made.id, merchantId, mode, kind, clientId, secret };
}

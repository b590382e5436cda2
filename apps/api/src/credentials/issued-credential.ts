import { randomBytes, randomUUID } from "node:crypto";
import type { Mode } from "@tillgate/contract";
import { hashSecret, type Keyring, newSecret, seal } from "@tillgate/database";
import type pg from "pg";

/** What the operations on credentials work with: the process's own context, or one connection inside a transaction. */
export type CredentialContext = { database: { pool: Pick<pg.ClientBase, "query"> }; keyring: Keyring };

export const CREDENTIAL_KINDS = ["client", "api_token"] as const;
/** `client`: client id and secret of the Pay API. `api_token`: Bearer token of the Partner API. */
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** A new credential. The secret is shown only here. */
export type IssuedCredential = {
  id: string;
  merchantId: string;
  mode: Mode;
  kind: CredentialKind;
  /** Null for an API token, which has no name. */
  clientId: string | null;
  secret: string;
};

const CLIENT_ID_BYTES = 12;
const MODE_IN_PREFIX = { sandbox: "test", live: "live" } as const satisfies Record<Mode, string>;

/** The columns of a new secret, and the secret itself. */
export type NewSecret = {
  id: string;
  secret: string;
  secretHash: Uint8Array;
  secretCiphertext: Uint8Array | null;
  encryptionKeyId: string | null;
};

export const newClientId = (mode: Mode): string =>
  `tg_${MODE_IN_PREFIX[mode]}_${randomBytes(CLIENT_ID_BYTES).toString("hex")}`;

/** Makes a secret. A client secret also signs webhooks, so it is kept encrypted. Of a token only the hash is kept. */
export function makeSecret(keyring: Keyring, kind: CredentialKind, mode: Mode): NewSecret {
  const id = randomUUID();
  const secret = newSecret(`${kind === "client" ? "tgs" : "tgt"}_${MODE_IN_PREFIX[mode]}_`);
  const sealed = kind === "client" ? seal(keyring, id, secret) : null;
  return {
    id,
    secret,
    secretHash: hashSecret(secret),
    secretCiphertext: sealed?.ciphertext ?? null,
    encryptionKeyId: sealed?.keyId ?? null,
  };
}

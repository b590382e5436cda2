import { randomBytes } from "node:crypto";
import { type Keyring, type Sealed, seal } from "@tillgate/database";

const SECRET_BYTES = 32;

/** A new secret of an endpoint, as Standard Webhooks writes it, and the same as it is stored in the endpoint's row. */
export function newReceiverSecret(keyring: Keyring, receiverId: string): { secret: string; sealed: Sealed } {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
  return { secret, sealed: seal(keyring, receiverId, secret) };
}

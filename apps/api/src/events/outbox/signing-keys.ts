import { type Keyring, unseal } from "@tillgate/database";
import { parseWhsecKey, rawKey, type WebhookKey } from "@tillgate/webhooks";
import type { LeasedDelivery } from "./queries.js";

/** The keys of a delivery: each signs `webhook-signature`, and `simpleKey` signs `X-Tillgate-Signature`. */
export type SigningKeys = { keys: WebhookKey[]; simpleKey: WebhookKey };

type SigningSecrets = Pick<
  LeasedDelivery,
  "receiverId" | "receiverCiphertext" | "receiverKeyId" | "clientSecrets"
> &
  Partial<Pick<LeasedDelivery, "previousCiphertext" | "previousKeyId">>;

/**
 * Decrypts a delivery's signing keys. During a rotation, both secrets sign `webhook-signature`. `X-Tillgate-Signature` uses the old client secret
 * until the new client secret has authenticated a call, and the old endpoint secret until the overlap ends.
 * @returns null if the merchant has no active client secret left in this mode.
 * @throws Error if an endpoint has no secret, or a secret cannot be decrypted with the configured keys.
 */
export function unsealSigningKeys(delivery: SigningSecrets, keyring: Keyring): SigningKeys | null {
  const { receiverId, clientSecrets } = delivery;
  if (receiverId !== null) {
    const unsealKey = (ciphertext?: Uint8Array | null, keyId?: string | null): WebhookKey | undefined =>
      !ciphertext || !keyId ? undefined : parseWhsecKey(unseal(keyring, receiverId, { ciphertext, keyId }));
    const current = unsealKey(delivery.receiverCiphertext, delivery.receiverKeyId);
    if (!current) throw new Error("the endpoint has no stored secret");
    const previous = unsealKey(delivery.previousCiphertext, delivery.previousKeyId);
    return previous
      ? { keys: [previous, current], simpleKey: previous }
      : { keys: [current], simpleKey: current };
  }
  const secrets = (clientSecrets ?? []).map(({ credentialId, ...secret }) => ({
    ...secret,
    key: rawKey(unseal(keyring, credentialId, secret)),
  }));
  const [oldest] = secrets;
  if (!oldest) return null;
  const lasting = secrets.find(({ ends }) => !ends) ?? oldest;
  const simple = lasting.used ? lasting : (secrets.find(({ ends }) => ends) ?? lasting);
  return { keys: secrets.map(({ key }) => key), simpleKey: simple.key };
}

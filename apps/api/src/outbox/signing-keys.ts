import { type Keyring, unseal } from "@tillgate/database";
import { rawKey, type WebhookKey, whsecKey } from "@tillgate/webhooks";
import type { QueuedDelivery } from "./queries.js";

/**
 * The keys that sign a delivery: the endpoint's own secret, or the client secret that signs for the order's
 * `callback_url`. Empty when the merchant has no active client secret left in this mode.
 * @throws Error when a secret cannot be decrypted with the configured keys.
 */
export function signingKeys(delivery: QueuedDelivery, keyring: Keyring): WebhookKey[] {
  const { receiverId, receiverCiphertext, receiverKeyId } = delivery;
  if (receiverId !== null) {
    if (receiverCiphertext === null || receiverKeyId === null)
      throw new Error("the receiver has no stored secret");
    return [whsecKey(unseal(keyring, receiverId, { ciphertext: receiverCiphertext, keyId: receiverKeyId }))];
  }
  const { credentialId, credentialCiphertext, credentialKeyId } = delivery;
  if (credentialId === null || credentialCiphertext === null || credentialKeyId === null) return [];
  return [
    rawKey(unseal(keyring, credentialId, { ciphertext: credentialCiphertext, keyId: credentialKeyId })),
  ];
}

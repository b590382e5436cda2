import type { Keyring, ReceiverModel } from "@tillgate/database";
import { type SigningKeys, signingKeys } from "../../outbox/signing-keys.js";

/** The keys that sign what an endpoint is sent now, as deliveries do: during a rotation there are two. */
export function receiverKeys(receiver: ReceiverModel, keyring: Keyring): SigningKeys {
  const { previousSecretExpiresAt: expires } = receiver;
  const previous = expires !== null && expires > new Date();
  const keys = signingKeys(
    {
      receiverId: receiver.id,
      receiverCiphertext: receiver.secretCiphertext,
      receiverKeyId: receiver.encryptionKeyId,
      previousCiphertext: previous ? receiver.previousSecretCiphertext : null,
      previousKeyId: previous ? receiver.previousEncryptionKeyId : null,
      clientSecrets: null,
    },
    keyring,
  );
  if (!keys) throw new Error("an endpoint always has a secret");
  return keys;
}

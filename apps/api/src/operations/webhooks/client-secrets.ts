import type { Context } from "../../context.js";
import type { Client } from "../../credentials/authenticate-client.js";
import type { signingKeys } from "../../outbox/signing-keys.js";

type Signers = Parameters<typeof signingKeys>[0];

const NO_RECEIVER = {
  receiverId: null,
  receiverCiphertext: null,
  receiverKeyId: null,
  previousCiphertext: null,
  previousKeyId: null,
} as const satisfies Omit<Signers, "clientSecrets">;

/** The secrets that sign a client's callbacks: its live ones, the oldest first; two during a rotation. */
export async function clientSecretsOf(
  { database: { prisma } }: Context,
  { credentialId, merchantId, mode }: Client,
): Promise<Signers> {
  const { clientId } = await prisma.credential.findUniqueOrThrow({
    where: { id: credentialId },
    select: { clientId: true },
  });
  const live = await prisma.credential.findMany({
    where: {
      merchantId,
      mode,
      clientId,
      kind: "client",
      revokedAt: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }],
    },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  const clientSecrets = live.flatMap(({ id, secretCiphertext, encryptionKeyId, expiresAt, lastUsedAt }) =>
    secretCiphertext === null || encryptionKeyId === null
      ? []
      : {
          credentialId: id,
          ciphertext: secretCiphertext,
          keyId: encryptionKeyId,
          ends: expiresAt !== null,
          used: lastUsedAt !== null,
        },
  );
  return { ...NO_RECEIVER, clientSecrets };
}

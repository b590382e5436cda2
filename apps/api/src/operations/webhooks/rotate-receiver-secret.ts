import { Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { ROTATION_OVERLAP_SECONDS } from "../../credentials/rotate-credential.js";
import { OperationError } from "../../operation-error.js";
import { change } from "../administration/change.js";
import { type ReceiverChange, type ReceiverView, requireReceiver, viewReceiver } from "./receiver.js";
import { newReceiverSecret } from "./receiver-secret.js";
import { recordReceiverChange } from "./record-receiver-change.js";

/**
 * Gives an endpoint a new secret, shown only here. For a day deliveries are signed with the old one too.
 * @throws OperationError ReceiverNotFound, ReceiverRotationUnderWay while an old secret still signs.
 */
export async function rotateReceiverSecret(
  context: Context,
  input: ReceiverChange & { receiverId: string },
): Promise<{ receiver: ReceiverView; secret: string }> {
  const { merchantId, mode, receiverId: id } = input;
  await requireReceiver(context.database.prisma, input, id);
  const { secret, sealed } = newReceiverSecret(context.keyring, id);
  return change(context, input, async (tx) => {
    // The update decides: of two rotations at once the second finds an overlap.
    const rotated = await tx.$executeRaw`
      UPDATE receivers SET
        previous_secret_ciphertext = secret_ciphertext, previous_encryption_key_id = encryption_key_id,
        previous_secret_expires_at = clock_timestamp() + ${ROTATION_OVERLAP_SECONDS}::int * interval '1 second',
        secret_ciphertext = ${sealed.ciphertext}, encryption_key_id = ${sealed.keyId}
      WHERE id = ${id}::uuid AND merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode AND removed_at IS NULL
        AND (previous_secret_expires_at IS NULL OR previous_secret_expires_at <= clock_timestamp())`;
    const receiver = await requireReceiver(tx, input, id);
    if (rotated !== 1) throw new OperationError(Refusal.ReceiverRotationUnderWay);
    await recordReceiverChange(tx, input, id, "receiver.rotate_secret", {
      old_secret_expires_at: receiver.previousSecretExpiresAt?.toISOString() ?? null,
    });
    return { receiver: viewReceiver(receiver), secret };
  });
}

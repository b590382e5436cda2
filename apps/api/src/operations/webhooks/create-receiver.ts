import { randomUUID } from "node:crypto";
import { type CreateReceiverRequest, MAX_RECEIVERS, Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { OperationError } from "../../operation-error.js";
import { hostOf } from "../../outbox/host-of.js";
import { change } from "../administration/change.js";
import { checkAddress } from "./check-address.js";
import { type ReceiverChange, type ReceiverView, viewReceiver } from "./receiver.js";
import { newReceiverSecret } from "./receiver-secret.js";
import { recordReceiverChange, refuseTakenAddress } from "./record-receiver-change.js";

/** A new endpoint. The secret is shown only here. */
export type CreatedReceiver = { receiver: ReceiverView; secret: string };

/**
 * Adds an endpoint of a merchant in one mode.
 * @throws OperationError InvalidFields for an address that is not delivered to, ReceiverExists, TooManyReceivers.
 */
export async function createReceiver(
  context: Context,
  input: ReceiverChange & CreateReceiverRequest,
): Promise<CreatedReceiver> {
  const { merchantId, mode, address, events } = input;
  await checkAddress(context, mode, address);
  const id = randomUUID();
  const { secret, sealed } = newReceiverSecret(context.keyring, id);
  const receiver = await refuseTakenAddress(() =>
    change(context, input, async (tx) => {
      // Counted one after the other. Otherwise two at once could both be the last.
      await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`endpoints of ${mode} ${merchantId}`}, 0))::text`;
      const count = await tx.receiver.count({ where: { merchantId, mode, removedAt: null } });
      if (count >= MAX_RECEIVERS) throw new OperationError(Refusal.TooManyReceivers);
      const made = await tx.receiver.create({
        data: {
          id,
          merchantId,
          mode,
          address,
          events,
          secretCiphertext: sealed.ciphertext,
          encryptionKeyId: sealed.keyId,
        },
      });
      await recordReceiverChange(tx, input, id, "receiver.create", {
        mode,
        host: hostOf(address),
        events: events.join(","),
      });
      return made;
    }),
  );
  return { receiver: viewReceiver(receiver), secret };
}

import type { ChangeReceiverRequest } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { hostOf } from "../../outbox/host-of.js";
import { change } from "../administration/change.js";
import { checkAddress } from "./check-address.js";
import { type ReceiverChange, type ReceiverView, requireReceiver, viewReceiver } from "./receiver.js";
import { recordReceiverChange, refuseTakenAddress } from "./record-receiver-change.js";

/** An endpoint as it is now, and whether the call changed it. */
export type ChangedReceiver = { receiver: ReceiverView; changed: boolean };

/**
 * Gives an endpoint another address, other events, or both. Waiting deliveries go to the new address, which is not verified yet. The events count from
 * now on.
 * @throws OperationError ReceiverNotFound, InvalidFields, ReceiverExists.
 */
export async function changeReceiver(
  context: Context,
  input: ReceiverChange & { receiverId: string } & ChangeReceiverRequest,
): Promise<ChangedReceiver> {
  const { merchantId, mode, receiverId, address, events } = input;
  const { prisma } = context.database;
  const before = await requireReceiver(prisma, input, receiverId);
  if (address !== undefined && address !== before.address) await checkAddress(context, mode, address);
  return refuseTakenAddress(() =>
    change(context, input, async (tx) => {
      const changed = await tx.receiver.updateMany({
        where: {
          id: receiverId,
          merchantId,
          mode,
          removedAt: null,
          OR: [
            ...(address === undefined ? [] : [{ address: { not: address } }]),
            ...(events === undefined ? [] : [{ NOT: { events: { equals: events } } }]),
          ],
        },
        data: {
          ...(address === undefined ? {} : { address }),
          ...(address === undefined || address === before.address ? {} : { verifiedAt: null }),
          ...(events === undefined ? {} : { events }),
        },
      });
      const receiver = await requireReceiver(tx, input, receiverId);
      if (changed.count === 1)
        await recordReceiverChange(tx, input, receiverId, "receiver.change", {
          host_before: hostOf(before.address),
          host_after: hostOf(receiver.address),
          events_before: before.events.join(","),
          events_after: receiver.events.join(","),
        });
      return { receiver: viewReceiver(receiver), changed: changed.count === 1 };
    }),
  );
}

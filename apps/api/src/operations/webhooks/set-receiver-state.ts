import type { Prisma } from "@tillgate/database";
import type { Context } from "../../context.js";
import { hostOf } from "../../outbox/host-of.js";
import { change } from "../administration/change.js";
import type { ChangedReceiver } from "./change-receiver.js";
import { type ReceiverChange, requireReceiver, viewReceiver } from "./receiver.js";
import { recordReceiverChange } from "./record-receiver-change.js";

export const RECEIVER_STEPS = ["pause", "resume", "enable", "remove"] as const;
export type ReceiverStep = (typeof RECEIVER_STEPS)[number];

type Step = {
  from: Prisma.ReceiverWhereInput;
  to: () => Prisma.ReceiverUpdateManyMutationInput;
  told: string;
};

/** For each step: the state it starts from, the state it writes, and its name in the merchant's timeline. */
const STEPS: Record<ReceiverStep, Step> = {
  pause: { from: { pausedAt: null }, to: () => ({ pausedAt: new Date() }), told: "receiver.paused" },
  resume: { from: { pausedAt: { not: null } }, to: () => ({ pausedAt: null }), told: "receiver.resumed" },
  enable: {
    from: { disabledAt: { not: null } },
    to: () => ({ disabledAt: null, disabledReason: null }),
    told: "receiver.enabled",
  },
  remove: { from: {}, to: () => ({ removedAt: new Date() }), told: "receiver.removed" },
};

/**
 * Changes an endpoint's state: pauses it (deliveries are kept and sent later), resumes it, enables a disabled one (given-up
 * deliveries are not sent automatically), or removes it for good. A step that is already done changes nothing.
 * @throws OperationError ReceiverNotFound, also for one that was removed.
 */
export async function setReceiverState(
  context: Context,
  input: ReceiverChange & { receiverId: string; step: ReceiverStep },
): Promise<ChangedReceiver> {
  const { merchantId, mode, receiverId: id, step } = input;
  const { from, to, told } = STEPS[step];
  await requireReceiver(context.database.prisma, input, id);
  const result = await change(context, input, async (tx) => {
    const { count } = await tx.receiver.updateMany({
      where: { ...from, id, merchantId, mode, removedAt: null },
      data: to(),
    });
    // Not requireReceiver: after its removal it is not found.
    const receiver = await tx.receiver.findUniqueOrThrow({ where: { id } });
    if (count === 1) {
      const host = hostOf(receiver.address);
      await tx.timelineEntry.create({
        data: { merchantId, mode, kind: told, receiverId: id, details: { host } },
      });
      await recordReceiverChange(tx, input, id, `receiver.${step}`, { host });
    }
    return { receiver: viewReceiver(receiver), changed: count === 1 };
  });
  // Waiting deliveries follow at once instead of at the next poll.
  if (result.changed && !input.dryRun) context.hints.changed(id);
  return result;
}

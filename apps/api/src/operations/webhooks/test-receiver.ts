import type { WebhookTest } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { type ReceiverScope, requireReceiver } from "./receiver.js";
import { receiverKeys } from "./receiver-keys.js";
import { sendTestEvent } from "./send-test-event.js";

/**
 * Sends a test event to an endpoint, paused and disabled ones too. Its health does not change, but a 2xx verifies its address.
 * @throws OperationError ReceiverNotFound.
 */
export async function testReceiver(
  context: Context,
  scope: ReceiverScope,
  receiverId: string,
): Promise<WebhookTest> {
  const receiver = await requireReceiver(context.database.prisma, scope, receiverId);
  const keys = receiverKeys(receiver, context.keyring);
  const { address, mode } = receiver;
  const test = await sendTestEvent(context, { address, mode, keys });
  // What was tried is the address of before: one that was changed meanwhile is not verified.
  if (test.delivered && receiver.verifiedAt === null)
    await context.database.prisma.receiver.updateMany({
      where: { id: receiverId, address, verifiedAt: null },
      data: { verifiedAt: new Date() },
    });
  return test;
}

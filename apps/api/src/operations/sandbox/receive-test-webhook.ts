import { TEST_RECEIVER_PATH } from "@tillgate/contract";
import { type ReceivedHeaders, verifyWebhook } from "@tillgate/webhooks";
import type { Context } from "../../context.js";
import { isIssuedId } from "../../ids/issued-id.js";
import { readClock } from "../../readers/database-clock.js";
import { receiverKeys } from "../webhooks/receiver-keys.js";

/** Checks a webhook of the sandbox as a shop's server should. @returns whether one of the merchant's endpoints at this address was sent it. */
export async function receiveTestWebhook(
  { database: { pool, prisma }, keyring }: Context,
  merchantId: string,
  { headers, body }: { headers: ReceivedHeaders; body: Uint8Array },
): Promise<boolean> {
  if (!isIssuedId(merchantId)) return false;
  const receivers = await prisma.receiver.findMany({
    where: {
      merchantId,
      mode: "sandbox",
      removedAt: null,
      address: { endsWith: `${TEST_RECEIVER_PATH}/${merchantId}` },
    },
  });
  const keys = receivers.flatMap((receiver) => receiverKeys(receiver, keyring).keys);
  const nowSeconds = Math.floor((await readClock(pool)).getTime() / 1_000);
  return verifyWebhook({ headers, body, keys, nowSeconds }).status === "ok";
}

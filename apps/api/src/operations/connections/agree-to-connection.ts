import { randomUUID } from "node:crypto";
import { type ConnectRequest, Refusal, returnAddress } from "@tillgate/contract";
import { hashSecret, newSecret } from "@tillgate/database";
import type { Context } from "../../context.js";
import { OperationError } from "../../operation-error.js";
import { change, recordChange } from "../administration/change.js";
import type { ConsoleAccess } from "../console/console-access.js";

/** How long a shop has to exchange the code, in seconds. */
const CODE_SECONDS = 300;

/**
 * A user of the console agrees that a shop gets credentials of a merchant: a code is made for the shop, which is bound to its address and to
 * the challenge that it sent.
 * @returns where the user goes back to, with the code.
 * @throws OperationError MerchantSuspended.
 */
export async function agreeToConnection(
  context: Context,
  { merchantId, by }: Pick<ConsoleAccess, "merchantId" | "by">,
  asked: ConnectRequest,
): Promise<string> {
  const id = randomUUID();
  const code = newSecret("tgo_");
  const { origin } = new URL(asked.shop_url);
  await change(context, {}, async (tx) => {
    const merchant = await tx.merchant.findUniqueOrThrow({
      where: { id: merchantId },
      select: { suspendedAt: true },
    });
    if (merchant.suspendedAt !== null) throw new OperationError(Refusal.MerchantSuspended);
    await tx.$executeRaw`
      INSERT INTO shop_connections (id, merchant_id, created_by_id, platform, shop_name, shop_origin, return_url, code_hash, code_challenge, expires_at, credential_ids)
      VALUES (${id}::uuid, ${merchantId}::uuid, ${by.id}::uuid, ${asked.platform}, ${asked.shop_name}, ${origin}, ${asked.return_url},
        ${hashSecret(code)}, ${asked.code_challenge}, clock_timestamp() + make_interval(secs => ${CODE_SECONDS}), '{}')`;
    await recordChange(tx, {
      administrator: by,
      merchantId,
      action: "credential.connect",
      subject: id,
      details: { platform: asked.platform, shop: origin, name: asked.shop_name },
    });
  });
  return returnAddress(asked, { code });
}

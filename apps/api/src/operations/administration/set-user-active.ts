import type { Mode } from "@tillgate/contract";
import type { WalletUserModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { Change } from "./administrator.js";
import { change, recordChange } from "./change.js";
import { requireUser } from "./find-wallet.js";

/**
 * Deactivates a wallet user (its sessions end, it receives no payouts, refunds still reach it) or activates it again.
 * @returns the user, and whether that changed anything.
 * @throws OperationError NotFound.
 */
export async function setUserActive(
  context: Context,
  input: Change & { mode: Mode; user: string; active: boolean },
): Promise<{ user: WalletUserModel; changed: boolean }> {
  const { id } = await requireUser(context, input.mode, input.user);
  const { active } = input;
  return change(context, input, async (tx) => {
    const { count } = await tx.walletUser.updateMany({ where: { id, active: !active }, data: { active } });
    if (count === 1) {
      if (!active)
        await tx.$executeRaw`UPDATE wallet_sessions SET revoked_at = clock_timestamp()
          WHERE wallet_user_id = ${id}::uuid AND revoked_at IS NULL`;
      await recordChange(tx, {
        administrator: input.administrator,
        merchantId: null,
        action: active ? "user.activate" : "user.deactivate",
        subject: id,
        details: { mode: input.mode },
      });
    }
    return { user: await tx.walletUser.findUniqueOrThrow({ where: { id } }), changed: count === 1 };
  });
}

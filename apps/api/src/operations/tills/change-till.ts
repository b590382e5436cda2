import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import { change, recordChange } from "../administration/change.js";
import type { ConsoleAccess } from "../console/console-access.js";
import { requireTill, type TillModel } from "./till.js";

/**
 * Renames a till, pauses it or opens it again. An order that is open there stays. What is as it shall be changes nothing.
 * @throws OperationError TillNotFound.
 */
export async function changeTill(
  context: Context,
  { merchantId, mode, by, tillId }: MerchantScope & Pick<ConsoleAccess, "by"> & { tillId: string },
  { name, paused }: { name?: string | undefined; paused?: boolean | undefined },
): Promise<TillModel> {
  const before = await requireTill(context, { merchantId, mode }, tillId);
  return change(context, {}, async (tx) => {
    const renamed =
      name === undefined
        ? 0
        : (await tx.till.updateMany({ where: { id: before.id, name: { not: name } }, data: { name } })).count;
    const moved =
      paused === undefined
        ? 0
        : (
            await tx.till.updateMany({
              where: { id: before.id, pausedAt: paused ? null : { not: null } },
              data: { pausedAt: paused ? new Date() : null },
            })
          ).count;
    if (renamed + moved > 0)
      await recordChange(tx, {
        administrator: by,
        merchantId,
        action: "till.change",
        subject: before.id,
        details: {
          mode,
          ...(name !== undefined && renamed > 0 && { name }),
          ...(paused !== undefined && moved > 0 && { paused }),
        },
      });
    return tx.till.findUniqueOrThrow({ where: { id: before.id } });
  });
}

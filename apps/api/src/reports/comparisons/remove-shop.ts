import { ErrorCode } from "@tillgate/contract";
import { queryFirstRow } from "@tillgate/service";
import { z } from "zod";
import { changeWithAuditOnConnection, recordOnConnection } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { ConsoleAccess } from "../../identity/console/access.js";
import type { MerchantScope } from "../../identity/credentials/authenticate.js";
import { SHOP_ID } from "./list.js";

const REMOVE = `
  DELETE FROM shop_comparisons s WHERE s.merchant_id = $1 AND s.mode = $2 AND ${SHOP_ID} = $3 RETURNING s.site`;

/** Removes a shop, so that it causes no alarm. The shop's next run adds it again. @throws OperationError ShopNotFound. */
export const removeShop = (
  context: Context,
  { merchantId, mode, by }: MerchantScope & Pick<ConsoleAccess, "by">,
  id: string,
): Promise<void> =>
  changeWithAuditOnConnection(context, {}, async (connection) => {
    const shop = await queryFirstRow(connection, z.object({ site: z.string() }), REMOVE, [
      merchantId,
      mode,
      id,
    ]);
    if (shop === undefined) throw new OperationError(ErrorCode.ShopNotFound);
    await recordOnConnection(connection, {
      administrator: by,
      merchantId,
      action: "shop.remove",
      subject: id,
      details: { mode, site: shop.site },
    });
  });

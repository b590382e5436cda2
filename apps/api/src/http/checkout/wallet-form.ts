import { Refusal } from "@tillgate/contract";
import type { Request } from "express";
import type { Context } from "../../context.js";
import { OperationError } from "../../operation-error.js";
import { verifyFormToken } from "../../operations/checkout/form-token.js";
import { readShopper, type Shopper, type ShopperRead } from "../../operations/shoppers/read-shopper.js";
import { viewerOf } from "./caller.js";

/**
 * The session and shopper of a form that really came from the wallet's page, visitor and session.
 * @throws OperationError FormRejected.
 */
export async function walletOfForm(
  context: Context,
  request: Request,
  formToken: string,
): Promise<ShopperRead> {
  const { visitor, session } = viewerOf(request);
  const read = await readShopper(context, session);
  await verifyFormToken(context, formToken, { orderId: null, visitor, session: read });
  return read;
}

/** The same where somebody must be signed in. @throws OperationError NotSignedIn. */
export function requireSignedIn(read: ShopperRead): ShopperRead & { shopper: Shopper } {
  const { shopper } = read;
  if (!shopper) throw new OperationError(Refusal.NotSignedIn);
  return { ...read, shopper };
}

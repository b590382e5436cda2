import { type Mode, Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { OperationError } from "../../operation-error.js";
import { requireSandbox, spendAccount } from "../shoppers/sandbox-only.js";
import type { Presented } from "./own-device.js";
import type { Checkout } from "./read-checkout.js";
import { letIn, type SignedIn } from "./sign-in.js";

/**
 * The shopper as whom anybody signs in without a PIN. A check of the table lets it be a sandbox shopper only, so a live order
 * finds nobody.
 */
const findOpenShopper = ({ database }: Context, mode: Mode) =>
  database.prisma.walletUser.findUnique({
    where: { openIn: mode, active: true },
    select: { id: true, mode: true, name: true },
  });

/**
 * Signs in without a PIN, as the sandbox's open shopper. It counts as the PIN for this order: who tries a shop out pays with
 * one more step.
 * @throws OperationError SandboxOnly, UnknownShopper, TooManyAttempts.
 */
export async function signInOpenly(
  context: Context,
  { order }: Pick<Checkout, "order">,
  { clientAddress, before }: { clientAddress: string; before: Presented & { browser: string } },
): Promise<SignedIn> {
  requireSandbox(order.mode);
  await spendAccount(context, clientAddress);
  const user = await findOpenShopper(context, order.mode);
  if (!user) throw new OperationError(Refusal.UnknownShopper);
  return {
    ...(await letIn(context, user, { orderId: order.id, before, remembered: false })),
    wrongPinsBefore: false,
  };
}

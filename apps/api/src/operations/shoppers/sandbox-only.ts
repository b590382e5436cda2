import { type Mode, Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { clientNetwork } from "../../limits/client-network.js";
import { OperationError } from "../../operation-error.js";
import { spend } from "../checkout/checkout-limits.js";

/** Shoppers that one address may make in the sandbox in a minute, PINs that it may reset, and sign-ins without one. */
const ACCOUNTS_A_MINUTE = 20;

/** What shoppers do alone exists in the sandbox only. @throws OperationError SandboxOnly. */
export function requireSandbox(mode: Mode): void {
  if (mode !== "sandbox") throw new OperationError(Refusal.SandboxOnly);
}

/** Counts a shopper that is made, a PIN that is reset, or a sign-in without one. @throws OperationError TooManyAttempts. */
export const spendAccount = (context: Context, clientAddress: string): Promise<void> =>
  spend(context, `sandbox-account:${clientNetwork(clientAddress)}`, ACCOUNTS_A_MINUTE);

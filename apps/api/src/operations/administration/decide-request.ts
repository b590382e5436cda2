import { randomUUID } from "node:crypto";
import { ledger } from "@tillgate/database";
import type { Context } from "../../context.js";
import { isIssuedId } from "../../ids/issued-id.js";
import { notFound } from "../../operation-error.js";
import { currencyOf } from "../../readers/currencies.js";
import type { Change } from "./administrator.js";
import { callForAdministrator } from "./call-ledger.js";
import type { Money } from "./money.js";

export type DecidedRequest = {
  id: string;
  kind: "deposit" | "withdrawal" | "single_limit";
  status: "approved" | "rejected";
  amount: Money;
  transferId: string | null;
};

/**
 * Approves or rejects a request that waits for a second administrator. The asker may reject it, which takes it back, but
 * not approve it.
 * @throws OperationError NotFound, NeedsSecondAdministrator, AlreadyDecided, InsufficientBalance, WalletClosed.
 */
export async function decideRequest(
  context: Context,
  input: Change & { request: string; approve: boolean },
): Promise<DecidedRequest> {
  if (!isIssuedId(input.request)) throw notFound(`request ${input.request}`);
  const row = await callForAdministrator(context, input, ledger.decideRequest, () => ({
    requestId: input.request,
    approve: input.approve,
    transferId: randomUUID(),
    administratorId: input.administrator.id,
  }));
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    amount: { minor: row.amount, currency: await currencyOf(context, row.currency) },
    transferId: row.transfer_id,
  };
}

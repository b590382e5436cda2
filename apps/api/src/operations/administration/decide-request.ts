import { randomUUID } from "node:crypto";
import type { Context } from "../../context.js";
import { currencyOf } from "../currencies.js";
import { isIssuedId } from "../partner/recipient-of-token.js";
import type { Change } from "./administrator.js";
import { callForAdministrator } from "./call-ledger.js";
import { notFound } from "./errors.js";
import type { Money } from "./money.js";

/** The columns of `approval_requests` that are told. */
type RequestRow = {
  id: string;
  kind: "deposit" | "withdrawal" | "single_limit";
  status: "approved" | "rejected";
  currency: string;
  amount: bigint;
  transfer_id: string | null;
};

export type DecidedRequest = Pick<RequestRow, "id" | "kind" | "status"> & {
  amount: Money;
  transferId: string | null;
};

/**
 * Approves or rejects what waits for a second administrator. Whoever asked may reject it, which takes it back, but not
 * approve it.
 * @throws AdministrationError NotFound, NeedsSecondAdministrator, AlreadyDecided, InsufficientBalance, WalletClosed.
 */
export async function decideRequest(
  context: Context,
  input: Change & { request: string; approve: boolean },
): Promise<DecidedRequest> {
  if (!isIssuedId(input.request)) throw notFound(`request ${input.request}`);
  const row = await callForAdministrator<RequestRow>(context, input, {
    sql: "SELECT id, kind, status, currency, amount, transfer_id FROM decide_request($1, $2, $3, $4)",
    values: () => [input.request, input.approve, randomUUID(), input.administrator.id],
  });
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    amount: { minor: row.amount, currency: await currencyOf(context, row.currency) },
    transferId: row.transfer_id,
  };
}

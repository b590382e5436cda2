import { randomUUID } from "node:crypto";
import { FieldRule, fieldError, MAX_TILLS, Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import { newPaymentToken } from "../../ids/payment-token.js";
import { OperationError } from "../../operation-error.js";
import { change, recordChange } from "../administration/change.js";
import type { ConsoleAccess } from "../console/console-access.js";
import type { TillModel } from "./till.js";

export type NewTill = { name: string; terminal_id: string; currency: string };

/**
 * Makes a till of a merchant in one mode, in a currency that the merchant has a wallet in.
 * @throws OperationError InvalidFields (currency), TerminalTaken, TooManyTills.
 */
export async function createTill(
  context: Context,
  { merchantId, mode, by }: MerchantScope & Pick<ConsoleAccess, "by">,
  { name, terminal_id: terminalId, currency }: NewTill,
): Promise<TillModel> {
  const id = randomUUID();
  try {
    return await change(context, {}, async (tx) => {
      // Counted one after the other. Otherwise two at once could both be the last.
      await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`tills of ${mode} ${merchantId}`}, 0))::text`;
      if ((await tx.till.count({ where: { merchantId, mode } })) >= MAX_TILLS)
        throw new OperationError(Refusal.TooManyTills);
      const wallet = { merchantId, mode, currency, kind: "merchant", closedAt: null } as const;
      if ((await tx.account.count({ where: wallet })) === 0)
        throw new OperationError(Refusal.InvalidFields, {
          fields: { currency: [fieldError("currency", FieldRule.OwnCurrency.text)] },
        });
      const till = await tx.till.create({
        data: {
          id,
          merchantId,
          mode,
          name,
          terminalId,
          currency,
          token: newPaymentToken(),
          createdById: by.id,
        },
      });
      await recordChange(tx, {
        administrator: by,
        merchantId,
        action: "till.create",
        subject: id,
        details: { mode, name, terminal_id: terminalId, currency },
      });
      return till;
    });
  } catch (error) {
    // Only the terminal id can be taken: id and token are random.
    if (error instanceof Error && "code" in error && error.code === "P2002")
      throw new OperationError(Refusal.TerminalTaken);
    throw error;
  }
}

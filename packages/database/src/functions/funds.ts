import { z } from "zod";
import { ledgerFunction, row, value } from "./ledger-function.js";
import { toRowSchema } from "./rows.js";

export const decideRequest = ledgerFunction({
  name: "decide_request",
  parameters: { requestId: "uuid", approve: "boolean", transferId: "uuid", administratorId: "uuid" },
  returns: row(
    toRowSchema(
      z.object({
        id: z.string(),
        kind: z.enum(["deposit", "withdrawal", "single_limit"]),
        status: z.enum(["approved", "rejected"]),
        currency: z.string(),
        amount: z.bigint(),
        transfer_id: z.string().nullable(),
      }),
    ),
  ),
});

/** Posts a deposit or withdrawal of `amount` minor units, or requests a second administrator's approval. */
export const moveFunds = ledgerFunction({
  name: "move_funds",
  parameters: {
    kind: "transfer_kind",
    accountId: "uuid",
    house: "account_kind",
    amount: "bigint",
    externalReference: "text",
    transferId: "uuid",
    requestId: "uuid",
    administratorId: "uuid",
  },
  /** `booked` or `repeated` with the transfer, `requested` or `waiting` with the request. */
  returns: row(
    toRowSchema(
      z.object({ outcome: z.enum(["booked", "repeated", "requested", "waiting"]), id: z.string() }),
    ),
  ),
});

/** Sets the limit, in minor units, up to which one administrator may move live funds, or requests approval to raise it. */
export const setSingleLimit = ledgerFunction({
  name: "set_single_limit",
  parameters: { currency: "text", limit: "bigint", requestId: "uuid", administratorId: "uuid" },
  /** `set`, or `requested` with the request. */
  returns: row(toRowSchema(z.object({ outcome: z.enum(["set", "requested"]), id: z.string().nullable() }))),
});

/** Tops up a sandbox shopper, once per wallet, key and amount; returns the transfer's ID, even on a repeat. */
export const topUpShopper = ledgerFunction({
  name: "top_up_shopper",
  parameters: {
    walletUserId: "uuid",
    mode: "mode",
    currency: "text",
    amount: "bigint",
    key: "text",
    transferId: "uuid",
  },
  returns: value(z.string()),
});

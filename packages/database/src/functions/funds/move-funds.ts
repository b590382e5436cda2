import { Refusal } from "@tillgate/contract";
import { z } from "zod";
import { notAnAdministrator } from "../audit/record-change.js";
import { moneyDoesNotMove } from "../ledger/book-transfers.js";
import { ledgerFunction, row } from "../ledger-function.js";
import { columnsOf } from "../rows.js";

/** Moves money between a wallet and the outside, or asks for a second administrator. */
export const moveFunds = ledgerFunction({
  name: "move_funds",
  takes: {
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
  answers: row(
    columnsOf(z.object({ outcome: z.enum(["booked", "repeated", "requested", "waiting"]), id: z.string() })),
  ),
  refuses: {
    ...moneyDoesNotMove,
    ...notAnAdministrator,
    TG060: Refusal.ReferenceTaken,
    TG064: Refusal.WalletNotFound,
  },
});

import { Refusal } from "@tillgate/contract";
import { z } from "zod";
import { notAnAdministrator } from "../audit/record-change.js";
import { ledgerFunction, row } from "../ledger-function.js";
import { columnsOf } from "../rows.js";

/** Sets the limit up to which one administrator alone moves live funds of a currency, in minor units. */
export const setSingleLimit = ledgerFunction({
  name: "set_single_limit",
  takes: { currency: "text", limit: "bigint", requestId: "uuid", administratorId: "uuid" },
  /** `set`, or `requested` with the request. */
  answers: row(columnsOf(z.object({ outcome: z.enum(["set", "requested"]), id: z.string().nullable() }))),
  refuses: { ...notAnAdministrator, TG065: Refusal.CurrencyNotFound, TG066: Refusal.RaiseWaiting },
});

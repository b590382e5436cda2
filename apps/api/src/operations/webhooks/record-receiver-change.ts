import { Refusal } from "@tillgate/contract";
import { OperationError } from "../../operation-error.js";
import { type Recorded, recordChange, type Transaction } from "../administration/change.js";
import type { ReceiverChange } from "./receiver.js";

/** Writes the audit record of a change, as the last step of its transaction. */
export const recordReceiverChange = (
  tx: Transaction,
  { merchantId, by }: ReceiverChange,
  receiverId: string,
  action: `receiver.${string}`,
  details: Recorded["details"] = {},
): Promise<void> => recordChange(tx, { administrator: by, merchantId, action, subject: receiverId, details });

/** Turns the database's "there is one already" into the refusal: addresses are the only thing that is unique. */
export async function refuseTakenAddress<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "P2002")
      throw new OperationError(Refusal.ReceiverExists);
    throw error;
  }
}

import { type AuditAction, Refusal } from "@tillgate/contract";
import { OperationError } from "../../operation-error.js";
import { type Recorded, recordChange, type Transaction } from "../administration/change.js";
import type { ReceiverChange } from "./receiver.js";

/** The audit record of a change. What a program changed names its mode, which must be the credential's, and its call. */
export const recordOfReceiverChange = (
  { merchantId, mode, by }: ReceiverChange,
  subject: string,
  action: AuditAction & `receiver.${string}`,
  details: Recorded["details"] = {},
): Recorded => ({
  administrator: by,
  merchantId,
  action,
  subject,
  details: "credentialId" in by ? { ...details, mode, request_id: by.requestId } : details,
});

/** Writes the audit record of a change, as the last step of its transaction. */
export const recordReceiverChange = (
  tx: Transaction,
  ...change: Parameters<typeof recordOfReceiverChange>
): Promise<void> => recordChange(tx, recordOfReceiverChange(...change));

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

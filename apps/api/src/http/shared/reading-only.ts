import { Refusal } from "@tillgate/contract";
import type { Request } from "express";
import { OperationError } from "../../operation-error.js";

/** Refuses what would change something, of a credential that only reads: everything but GET. @throws OperationError ReadOnlyCredential. */
export function refuseChangesOf({ readOnly }: { readOnly: boolean }, request: Request): void {
  if (readOnly && request.method !== "GET" && request.method !== "HEAD")
    throw new OperationError(Refusal.ReadOnlyCredential);
}

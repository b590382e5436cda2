import type { Mode } from "@tillgate/contract";
import type { Manager } from "./administrator.js";
import type { AuditRecord } from "./change.js";

/** A console user's action on a merchant's money or orders: who, why, and in which request. */
export type ConsoleAct = { by: Manager; reason: string | null; requestId: string };

type Acted = Required<Pick<AuditRecord, "action" | "subject">> & {
  merchantId: string;
  mode: Mode;
  details?: AuditRecord["details"];
};

/** Creates the audit record of a console user's action, with mode, reason and request ID in its details. */
export const toActAuditRecord = (
  { by, reason, requestId }: ConsoleAct,
  { merchantId, mode, action, subject, details }: Acted,
): AuditRecord => ({
  administrator: by,
  merchantId,
  action,
  subject,
  details: { mode, ...details, reason, request_id: requestId },
});

import type { Mode } from "@tillgate/contract";
import type { Manager } from "./administrator.js";
import type { AuditRecord } from "./change.js";

/** What a console user does with a merchant's money or orders: who, why, and by which call. */
export type ConsoleAct = { by: Manager; reason: string | null; requestId: string };

type Acted = Required<Pick<AuditRecord, "action" | "subject">> & {
  merchantId: string;
  mode: Mode;
  details?: AuditRecord["details"];
};

/** The audit record of it. */
export const recordOfAct = (
  { by, reason, requestId }: ConsoleAct,
  { merchantId, mode, action, subject, details }: Acted,
): AuditRecord => ({
  administrator: by,
  merchantId,
  action,
  subject,
  details: { mode, ...details, reason, request_id: requestId },
});

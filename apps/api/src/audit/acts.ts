import type { Mode } from "@tillgate/contract";
import type { Manager } from "./administrator.js";
import type { AuditRecord, ChangeRecord } from "./change.js";

export type ConsoleAct = { by: Manager; reason: string | null; requestId: string };

type Acted = Required<Pick<AuditRecord, "action" | "subject">> & {
  merchantId: string;
  mode: Mode;
  details?: AuditRecord["details"];
};

export const toActAuditRecord = (
  { by, reason, requestId }: ConsoleAct,
  { merchantId, mode, action, subject, details }: Acted,
): ChangeRecord => ({
  administrator: by,
  merchantId,
  action,
  subject,
  details: { mode, ...details, reason, request_id: requestId },
});

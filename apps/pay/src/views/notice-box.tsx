import type { ReactNode } from "react";
import type { Notice } from "../notice";
import { texts, waitText } from "../texts";

/** What came of the last step. Refusals interrupt a screen reader, the rest waits its turn. */
export function NoticeBox({ notice }: { notice: Notice | null }): ReactNode {
  if (notice === null) return null;
  return (
    <p className="notice" role="alert" data-testid="pay-notice" data-notice={notice.code} id="notice">
      {texts.notice[notice.code]}
      {notice.waitSeconds === null ? null : ` ${waitText(notice.waitSeconds)}`}
    </p>
  );
}

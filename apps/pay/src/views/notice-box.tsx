import type { ReactNode } from "react";
import type { Notice, NoticeCode } from "../notice";
import { fill, texts, waitText } from "../texts";
import { WholeSums } from "./whole-sums";

/** Notices after which a field is what has to be corrected: the focus goes there, and the field names its notice. */
const ABOUT_FIELDS: readonly NoticeCode[] = [
  "wrong_sign_in",
  "invalid_field",
  "wrong_pin",
  "pin_needed",
  "invalid_pin",
];
export const isAboutFields = (notice: Notice | null): boolean =>
  notice !== null && ABOUT_FIELDS.includes(notice.code);

/** What came of the last step. It takes the focus, with and without scripts, so that it is read before all else. */
export function NoticeBox({ notice }: { notice: Notice | null }): ReactNode {
  if (notice === null) return null;
  const more = [
    notice.missing === null ? null : fill(texts.missing, { missing: notice.missing }),
    notice.waitSeconds === null ? null : waitText(notice.waitSeconds),
  ];
  return (
    <p
      className="notice"
      data-testid="pay-notice"
      data-notice={notice.code}
      id="notice"
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: the answer to what was just done is where a reader goes on.
      autoFocus={!isAboutFields(notice)}
    >
      <WholeSums>{[texts.notice[notice.code], ...more].filter((text) => text !== null).join(" ")}</WholeSums>
    </p>
  );
}

/** Waits unseen in every view that has forms, for the script to show when no answer comes to one. */
export function LostAnswer(): ReactNode {
  return (
    <p className="notice" data-testid="pay-lost-answer" data-lost-answer="" tabIndex={-1} hidden>
      {texts.lostAnswer}
    </p>
  );
}

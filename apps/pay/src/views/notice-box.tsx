import type { ReactNode } from "react";
import type { Notice, NoticeCode } from "../notice";
import { fill, texts, waitText } from "../texts";
import { WholeSums } from "./whole-sums";

/** Notices that ask for a correction of a field: the focus goes there, and the field names its notice. */
const ABOUT_FIELDS: readonly NoticeCode[] = [
  "wrong_sign_in",
  "invalid_field",
  "wrong_pin",
  "pin_needed",
  "invalid_pin",
];
export const isAboutFields = (notice: Notice | null): boolean =>
  notice !== null && ABOUT_FIELDS.includes(notice.code);

/** The outcome of the last step. It takes the focus, with and without scripts, so that it is read first. */
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

/** Hidden in every view with forms. The script shows it when no answer comes. */
export function LostAnswer(): ReactNode {
  return (
    <p className="notice" data-testid="pay-lost-answer" data-lost-answer="" tabIndex={-1} hidden>
      {texts.lostAnswer}
    </p>
  );
}

import type { ReactNode } from "react";
import { formatTimeLeft } from "#countdown.ts";
import type { Notice, NoticeCode } from "#notice.ts";
import { NoWrapAmounts, Phrase, useLocalization } from "./localization";

/** Notices about a field to correct. That field takes the focus and is described by the notice. */
const FIELD_NOTICES: readonly NoticeCode[] = [
  "wrong_sign_in",
  "phone_without_country",
  "invalid_field",
  "wrong_pin",
  "pin_needed",
  "invalid_pin",
  "pins_differ",
  "trivial_pin",
  "same_pin",
];
export const isFieldNotice = (notice: Notice | null): boolean =>
  notice !== null && FIELD_NOTICES.includes(notice.code);

export type NoticeBoxProps = {
  notice: Notice | null;
  /** Whether the notice is on a wallet page, where no payment is in progress. */
  wallet?: boolean;
  focus?: boolean;
};

/** Renders the last step's result. Unless a field must be corrected, the notice receives focus, even without scripts, so that screen readers announce it first. */
export function NoticeBox({
  notice,
  wallet = false,
  focus = !isFieldNotice(notice),
}: NoticeBoxProps): ReactNode {
  const { texts, fill, sum } = useLocalization();
  if (notice === null) return null;
  const { [notice.code]: ofWallet }: Partial<Record<NoticeCode, string>> = texts.account.notice;
  const text = (wallet ? ofWallet : undefined) ?? texts.notice[notice.code];
  const missing = notice.missing === null ? "" : ` ${fill(texts.missing, { missing: sum(notice.missing) })}`;
  return (
    <p
      className="notice"
      data-testid="pay-notice"
      data-notice={notice.code}
      id="notice"
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: the result of the last step is what the reader needs first.
      autoFocus={focus}
    >
      <NoWrapAmounts>{`${text}${missing}`}</NoWrapAmounts>
      {notice.waitSeconds === null ? null : <Wait seconds={notice.waitSeconds} />}
    </p>
  );
}

function Wait({ seconds }: { seconds: number }): ReactNode {
  const { texts, wait } = useLocalization();
  const milliseconds = seconds * 1000;
  return (
    <>
      {" "}
      <span className="without-script">{wait(seconds)}</span>
      <span className="with-script">
        <Phrase text={texts.wait.clock} placeholder="time">
          <span
            role="timer"
            data-testid="pay-wait"
            data-expires-in-ms={milliseconds}
            data-over={texts.wait.over}
          >
            {formatTimeLeft(milliseconds)}
          </span>
        </Phrase>
      </span>
    </>
  );
}

/** Renders a hidden message, which the script shows when no response arrives. @param ended true on a receipt, where nothing can be charged */
export function LostResponse({ ended = false }: { ended?: boolean }): ReactNode {
  const { texts } = useLocalization();
  return (
    <div
      className="notice"
      data-testid="pay-lost-answer"
      data-lost-response=""
      data-offline={ended ? texts.lostResponse.step : texts.lostResponse.offline}
      data-unknown={ended ? texts.lostResponse.step : texts.lostResponse.unknown}
      data-unpaid={texts.lostResponse.unpaid}
      data-again={ended ? "" : undefined}
      tabIndex={-1}
      hidden
    >
      <p data-lost-text="" />
      <button type="button" className="button quiet" data-testid="pay-try-again">
        {texts.lostResponse.again}
      </button>
    </div>
  );
}

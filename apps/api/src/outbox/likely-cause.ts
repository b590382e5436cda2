import { isLikelyCause, LIKELY_CAUSES } from "@tillgate/contract";
import { beginsLikeWebPage } from "./is-web-page.js";

/** A failed attempt, as it is stored. */
export type Failure = {
  errorKind: string | null;
  httpStatus: number | null;
  /** The start of the answer, when it is known. */
  answerStart?: string | null | undefined;
};

/**
 * The likely cause of a failed attempt, as one sentence or two for the merchant.
 * @returns null for an attempt that did not fail.
 */
export function likelyCause({ errorKind, httpStatus, answerStart }: Failure): string | null {
  if (errorKind === null) return null;
  if (isLikelyCause(errorKind)) return LIKELY_CAUSES[errorKind];
  const cause = byStatus(httpStatus);
  return beginsLikeWebPage(answerStart) ? `${cause} ${LIKELY_CAUSES.web_page}` : cause;
}

/** For failures that the answer's status explains. */
function byStatus(httpStatus: number | null): string {
  if (httpStatus === null) return LIKELY_CAUSES.no_status;
  const known = `status_${httpStatus}`;
  if (isLikelyCause(known)) return LIKELY_CAUSES[known];
  const text = httpStatus >= 500 ? LIKELY_CAUSES.server_error : LIKELY_CAUSES.other_status;
  return text.replace("{status}", String(httpStatus));
}

import { isLikelyCause, LIKELY_CAUSES } from "@tillgate/contract";
import { z } from "zod";
import { parseRedirectTarget, startsLikeWebPage } from "./send-attempt.js";

export type Failure = {
  errorKind: string | null;
  httpStatus: number | null;
  answerStart?: string | null | undefined;
};

/** Describes the likely cause of a failed attempt. @returns null for an attempt that did not fail. */
export function findLikelyCause({ errorKind, httpStatus, answerStart }: Failure): string | null {
  if (errorKind === null) return null;
  const target = errorKind === "redirect" ? parseRedirectTarget(answerStart) : null;
  if (target !== null) return `${LIKELY_CAUSES.redirect} It redirects to ${target}.`;
  if (isLikelyCause(errorKind)) return LIKELY_CAUSES[errorKind];
  const cause = findCauseOfStatus(httpStatus);
  return startsLikeWebPage(answerStart) ? `${cause} ${LIKELY_CAUSES.web_page}` : cause;
}

function findCauseOfStatus(httpStatus: number | null): string {
  if (httpStatus === null) return LIKELY_CAUSES.no_status;
  const textKey = `status_${httpStatus}`;
  if (isLikelyCause(textKey)) return LIKELY_CAUSES[textKey];
  const text = httpStatus >= 500 ? LIKELY_CAUSES.server_error : LIKELY_CAUSES.other_status;
  return text.replace("{status}", String(httpStatus));
}

/** Longer words of a response are not displayed. */
const MAX_CHARACTERS = 64;

const word = z.string().trim().min(1).max(MAX_CHARACTERS).optional().catch(undefined);
const responseBodySchema = z.object({ outcome: word, status: word, action: word, order_status: word });

export type ShopStep = { step: string | null; orderStatus: string | null };

/** Extracts from a shop's JSON response what the shop did with an event. Missing parts are null. @param answerStart the first KiB of the response. */
export function parseShopStep(answerStart: string | null): ShopStep {
  const body = responseBodySchema.safeParse(
    answerStart?.trimStart().startsWith("{") ? parseJson(answerStart) : null,
  );
  if (!body.success) return { step: null, orderStatus: null };
  const { outcome, status, action, order_status } = body.data;
  const step = [outcome ?? status, action].filter((part) => part !== undefined);
  return { step: step.length === 0 ? null : step.join(", "), orderStatus: order_status ?? null };
}

/** Returns undefined if the text is not JSON, such as a truncated response. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

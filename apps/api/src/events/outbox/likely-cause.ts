import { isLikelyCause, LIKELY_CAUSES } from "@tillgate/contract";
import { z } from "zod";
import { beginsLikeWebPage, redirectTarget } from "./send-attempt.js";

/** A failed attempt, as stored. */
export type Failure = {
  errorKind: string | null;
  httpStatus: number | null;
  /** The start of the response, if known. */
  answerStart?: string | null | undefined;
};

/** The likely cause of a failed attempt, as one or two sentences for the merchant. @returns null for an attempt that did not fail. */
export function likelyCause({ errorKind, httpStatus, answerStart }: Failure): string | null {
  if (errorKind === null) return null;
  const target = errorKind === "redirect" ? redirectTarget(answerStart) : null;
  if (target !== null) return `${LIKELY_CAUSES.redirect} It leads to ${target}.`;
  if (isLikelyCause(errorKind)) return LIKELY_CAUSES[errorKind];
  const cause = byStatus(httpStatus);
  return beginsLikeWebPage(answerStart) ? `${cause} ${LIKELY_CAUSES.web_page}` : cause;
}

/** For failures that the HTTP status explains. */
function byStatus(httpStatus: number | null): string {
  if (httpStatus === null) return LIKELY_CAUSES.no_status;
  const known = `status_${httpStatus}`;
  if (isLikelyCause(known)) return LIKELY_CAUSES[known];
  const text = httpStatus >= 500 ? LIKELY_CAUSES.server_error : LIKELY_CAUSES.other_status;
  return text.replace("{status}", String(httpStatus));
}

/** Longest word shown of a response. */
const MAX_CHARACTERS = 64;

const word = z.string().trim().min(1).max(MAX_CHARACTERS).optional().catch(undefined);
const answerSchema = z.object({ outcome: word, status: word, action: word, order_status: word });

/** What the shop reports it did, and its order's status. */
export type ShopStep = { step: string | null; orderStatus: string | null };

/**
 * What a shop reports that it did with an event: its response body, a JSON object. Our connector and plugin report both; any shop may
 * report what it did (`outcome` or `status`, `action`) and its order's status (`order_status`).
 * @param answerStart the first KiB of the response.
 */
export function shopStep(answerStart: string | null): ShopStep {
  const answer = answerSchema.safeParse(
    answerStart?.trimStart().startsWith("{") ? parsed(answerStart) : null,
  );
  if (!answer.success) return { step: null, orderStatus: null };
  const { outcome, status, action, order_status } = answer.data;
  const words = [outcome ?? status, action].filter((one) => one !== undefined);
  return { step: words.length === 0 ? null : words.join(", "), orderStatus: order_status ?? null };
}

/** @returns undefined if it is not JSON, such as a response longer than the stored part. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

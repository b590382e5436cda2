import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { ErrorCode } from "@tillgate/contract";
import type { Response } from "express";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { CallerTerms, Client } from "../../identity/credentials/authenticate.js";
import { findRepeatedPayout } from "../../money/payouts/create.js";
import { UnavailableError } from "../../platform/availability.js";
import { takeCallControl, takePayoutControl } from "../../platform/test-controls.js";

/** Retry-After of a test control's 429. */
const RETRY_AFTER_SECONDS = 1;
const CONTROL_HEADER = "Tillgate-Test-Control";

/**
 * Applies the merchant's oldest test control for API calls, if any.
 * @throws OperationError TooManyRequests or UnavailableError, if the control simulates that error; UnavailableError after a simulated timeout.
 */
export async function applyTestControl(
  context: Context,
  caller: Client & CallerTerms,
  response: Response,
): Promise<void> {
  if (!mayHaveControl(context, caller)) return;
  const control = await takeCallControl(context, caller.merchantId);
  if (!control) return;
  response.set(CONTROL_HEADER, control.control);
  switch (control.control) {
    case "call_unavailable":
      throw new UnavailableError("simulated by a sandbox test control");
    case "call_rate_limited":
      throw new OperationError(ErrorCode.TooManyRequests, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    case "call_timeout":
      await waitWhileConnected(response, control.seconds * 1_000);
      response.destroy();
      throw new UnavailableError("a test control closed the connection");
    case "call_answer_lost":
      dropResponse(response);
  }
}

/** Consumes a test control that requires approval of the next payout, unless the request is a repeat. @returns whether approval is required. */
export async function applyPayoutControl(
  context: Context,
  caller: Client & CallerTerms,
  { idempotency_key: key }: { idempotency_key: string },
): Promise<boolean> {
  if (!mayHaveControl(context, caller) || (await findRepeatedPayout(context, caller, key))) return false;
  return takePayoutControl(context, caller.merchantId);
}

/** Returns whether a test control may exist for the call; false for live calls. */
const mayHaveControl = (context: Context, { merchantId, mode, controlled }: Client & CallerTerms): boolean =>
  mode === "sandbox" && (controlled || isRecentlyCreated(context, merchantId));

function isRecentlyCreated({ memory: { controlled } }: Context, merchantId: string): boolean {
  const until = controlled.get(merchantId);
  if (until === undefined) return false;
  if (performance.now() < until) return true;
  controlled.delete(merchantId);
  return false;
}

async function waitWhileConnected(response: Response, ms: number): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const ignored = () => undefined;
  await Promise.race([
    delay(ms, undefined, { signal }).catch(ignored),
    once(response, "close", { signal }).catch(ignored),
  ]);
  waiting.abort();
}

/** Closes the connection instead of sending the response. The operation is already complete. */
function dropResponse(response: Response): void {
  response.end = () => {
    response.destroy();
    return response;
  };
}

import { randomUUID } from "node:crypto";
import {
  backfillResponseSchema,
  receiverTestResponseSchema,
  replayListResponseSchema,
  replayPreviewResponseSchema,
  replayResponseSchema,
  resendFailedResponseSchema,
  toInstant,
  toLocalTime,
  type WebhookTest,
} from "@tillgate/contract";
import { z } from "zod";
import { ApiError } from "#internal-api.ts";
import { isTextKey, type Translate } from "#texts/texts.ts";
import type { Replays, Resend } from "#views/replays.tsx";
import { choiceField, rejectField, requiredField, requiredFields } from "./forms";
import type { Notice } from "./page";
import { type Action, done, type PageRequest } from "./request";

const resendScopeSchema = z.enum(["failed", "all"]);
/** Value of a `datetime-local` field. */
const BROWSER_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/** Converts a `datetime-local` value in the user's time zone into a time for the API; null if the value is invalid. */
function parseLocalTime(text: string, timeZone: string): string | null {
  const isTime = BROWSER_TIME.test(text) && !Number.isNaN(Date.parse(`${text}Z`));
  return isTime ? toInstant(text, timeZone).toISOString() : null;
}

const DAY_MS = 86_400_000;
const fieldTime = (at: number, timeZone: string): string =>
  toLocalTime(new Date(at), timeZone).time.slice(0, 16);

/**
 * Returns the form's initial values: the last 24 hours or, after a resend that exceeded one call's limit, that resend's range, so that the user can
 * resend the rest.
 */
export function resendDefaults({ caller: { timeZone }, query }: PageRequest): Resend {
  const rangeParameter = (name: string) => query(`resend_${name}`);
  return {
    from: rangeParameter("from") ?? fieldTime(Date.now() - DAY_MS, timeZone),
    to: rangeParameter("to") ?? fieldTime(Date.now() + 60_000, timeZone),
    what: resendScopeSchema.safeParse(rangeParameter("what")).data ?? "failed",
    asOf: rangeParameter("as_of") ?? new Date().toISOString(),
    isContinuation: rangeParameter("from") !== undefined,
  };
}

type ResendTarget = {
  /** Path of the API call; `page` is the path of the page with the result. */
  path: (request: PageRequest) => string;
  page: (request: PageRequest) => string;
};

/** Creates an action that resends a range. If the range exceeds one call's limit, redirects to the form with the range filled in for the rest. */
export const resendRange =
  ({ path, page }: ResendTarget): Action =>
  async (request, form) => {
    const fields = requiredFields(form, "from", "to");
    const { timeZone } = request.caller;
    const from = parseLocalTime(fields.from, timeZone) ?? rejectField("from", "error.time");
    const to = parseLocalTime(fields.to, timeZone) ?? rejectField("to", "error.time");
    if (from >= to) rejectField("to", "error.laterThanFrom");
    const scope = choiceField(form, "what", resendScopeSchema);
    const as_of = form.get("as_of") ?? undefined;
    const { resent, skipped, more } = await request.change(path(request), resendFailedResponseSchema, {
      ...{ from, to, what: scope },
      ...(as_of ? { as_of } : {}),
    });
    const text = more ? ("resend.more" as const) : ("resend.done" as const);
    const notice = { tone: more ? ("note" as const) : ("good" as const), text, values: { resent, skipped } };
    const resendQuery = new URLSearchParams({
      ...{ resend_from: fields.from, resend_to: fields.to, resend_what: scope },
      ...(as_of ? { resend_as_of: as_of } : {}),
    });
    return { to: more ? `${page(request)}?${resendQuery}` : page(request), flash: { notice } };
  };

const SHOWN_REPLAYS = "5";
const REPLAY_STEPS = ["cancel", "resume"] as const;

type Range = { from: string; to?: string };

/** Converts two `datetime-local` values into a range; an empty end means now. Returns null if a value is invalid. */
function parseRange(from: string, to: string, timeZone: string): Range | null {
  const [begins, ends] = [parseLocalTime(from, timeZone), parseLocalTime(to, timeZone)];
  if (begins === null || (to !== "" && ends === null)) return null;
  return { from: begins, ...(ends === null ? {} : { to: ends }) };
}

/** Loads the endpoint's latest replays, and a preview of the range in the URL if the range is valid. */
export async function loadReplays({ read, caller, apiPath, part, query }: PageRequest): Promise<Replays> {
  const path = (...resendQuery: string[]) => apiPath("receivers", part("id"), "replays", ...resendQuery);
  const from = query("replay_from") ?? "";
  const to = query("replay_to") ?? "";
  const range = parseRange(from, to, caller.timeZone);
  const preview = async (range: Range) => {
    try {
      return await read(path("preview"), replayPreviewResponseSchema, range);
    } catch (error) {
      // For an invalid range in the URL, show the form without a preview.
      if (error instanceof ApiError && error.status === 400) return null;
      throw error;
    }
  };
  const [{ replays }, previewed] = await Promise.all([
    read(path(), replayListResponseSchema, { per_page: SHOWN_REPLAYS }),
    range === null ? null : preview(range),
  ]);
  return {
    replays,
    preview: previewed,
    from,
    to,
    isInvalid: from !== "" && previewed === null,
    key: randomUUID(),
  };
}

/** Starts the previewed replay, only once per idempotency key of the form. */
const startReplay: Action = async ({ change, caller, apiPath, consolePath, part }, form) => {
  const [from = "", to = ""] = ["from", "to"].map((name) => form.get(name) ?? undefined);
  const range = parseRange(from, to, caller.timeZone) ?? rejectField(null, "error.time");
  const { total } = await change(apiPath("receivers", part("id"), "replays"), replayResponseSchema, {
    ...range,
    skip_failed: form.get("skip_failed") === "yes",
    idempotency_key: form.get("key") ?? "",
  });
  return done(consolePath("webhooks", part("id")), "replay.started", { total });
};

const step =
  (name: (typeof REPLAY_STEPS)[number]): Action =>
  async ({ change, apiPath, consolePath, part }, form) => {
    await change(apiPath("replays", form.get("replay") ?? "", name), replayResponseSchema);
    return done(consolePath("webhooks", part("id")), `replay.done.${name}`);
  };

export const REPLAY_ACTIONS: Record<string, Action> = {
  replay: startReplay,
  ...Object.fromEntries(REPLAY_STEPS.map((name) => [`replay_${name}`, step(name)])),
};

/** The page's times are whole seconds, inclusive. */
const SECOND_MS = 1_000;

function readTimeField(form: URLSearchParams, name: string): number {
  const at = Date.parse(requiredField(form, name));
  return Number.isNaN(at) ? rejectField(null, "error.time") : at;
}

/** Backfills the events in the submitted range for an endpoint. Repeating the action does not send an event twice. */
export const sendMissed: Action = async ({ change, apiPath, consolePath, part }, form) => {
  const range = {
    from: new Date(readTimeField(form, "from")).toISOString(),
    to: new Date(readTimeField(form, "to") + SECOND_MS).toISOString(),
  };
  const path = apiPath("receivers", part("id"), "send-missed");
  const { sent, more } = await change(path, backfillResponseSchema, range);
  const text = more ? ("missed.more" as const) : ("missed.done" as const);
  const notice = { tone: more ? ("note" as const) : ("good" as const), text, values: { sent } };
  return { to: consolePath("webhooks", part("id")), flash: { notice } };
};

/** Returns the likely cause of a failed test. The text for a web page differs from that of a delivery, because a test is not retried. */
function describeTestFailure(t: Translate, { error, http_status: status }: WebhookTest): string {
  if (error === "html_answer") return t("cause.web_page");
  if (error !== null && error !== "status") return t(`cause.${error}`);
  if (status === null) return t("cause.no_status");
  const textKey = `cause.status_${status}`;
  if (isTextKey(textKey)) return t(textKey);
  return t(status >= 500 ? "cause.server_error" : "cause.other_status", { status });
}

/** Sends a test event to an endpoint. @returns whether the event was delivered, and the notice to show */
export async function testEndpoint(
  { change, apiPath, t }: PageRequest,
  receiverId: string,
): Promise<{ delivered: boolean; notice: Notice }> {
  const path = apiPath("receivers", receiverId, "test");
  const test = await change(path, receiverTestResponseSchema);
  const { delivered, http_status, latency_ms } = test;
  const values = { status: http_status ?? 0, ms: latency_ms };
  return {
    delivered,
    notice: delivered
      ? { tone: "good", text: "webhooks.testArrived", values }
      : { tone: "bad", text: "webhooks.testFailed", values: { cause: describeTestFailure(t, test) } },
  };
}

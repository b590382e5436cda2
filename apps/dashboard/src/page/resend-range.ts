import { localTime, momentOf, resendFailedAnswerSchema } from "@tillgate/contract";
import { z } from "zod";
import { change } from "../edge/console-edge";
import type { Resend } from "../views/resend-range";
import { allNeeded, choiceOf, refuseField } from "./form-reader";
import type { Action, PageRequest } from "./request";

const whatSchema = z.enum(["failed", "all"]);
/** What a browser's field of a time sends. */
const BROWSER_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/** The moment that a field of a browser names by the person's clock, for the api; null where it names none. */
export function typedMoment(text: string, timeZone: string): string | null {
  const isTime = BROWSER_TIME.test(text) && !Number.isNaN(Date.parse(`${text}Z`));
  return isTime ? momentOf(text, timeZone).toISOString() : null;
}

const DAY_MS = 86_400_000;
const fieldTime = (at: number, timeZone: string): string =>
  localTime(new Date(at), timeZone).time.slice(0, 16);

/** What the form begins with: the last day; or the rest of a range of which a call sent its most. */
export function resendOf({
  caller: { timeZone },
  query,
}: Pick<PageRequest, "caller"> & { query: (name: string) => string | undefined }): Resend {
  const given = (name: string) => query(`resend_${name}`);
  return {
    from: given("from") ?? fieldTime(Date.now() - DAY_MS, timeZone),
    to: given("to") ?? fieldTime(Date.now() + 60_000, timeZone),
    what: whatSchema.safeParse(given("what")).data ?? "failed",
    asOf: given("as_of") ?? new Date().toISOString(),
    goesOn: given("from") !== undefined,
  };
}

type Ways = {
  /** The api's path, and the page that shows the result. */
  path: (request: PageRequest) => string;
  page: (request: PageRequest) => string;
};

/** Sends the deliveries of a range again. With more than one call sends, the page comes back with the rest filled in. */
export const resendRange =
  ({ path, page }: Ways): Action =>
  async (request, form) => {
    const fields = allNeeded(form, "from", "to");
    const { timeZone } = request.caller;
    const from = typedMoment(fields.from, timeZone) ?? refuseField("from", "error.time");
    const to = typedMoment(fields.to, timeZone) ?? refuseField("to", "error.time");
    if (from >= to) refuseField("to", "error.laterThanFrom");
    const what = choiceOf(form, "what", whatSchema);
    const as_of = form.get("as_of") ?? undefined;
    const { resent, skipped, more } = await change(request.caller, path(request), resendFailedAnswerSchema, {
      ...{ from, to, what },
      ...(as_of ? { as_of } : {}),
    });
    const text = more ? ("resend.more" as const) : ("resend.done" as const);
    const notice = { tone: more ? ("note" as const) : ("good" as const), text, values: { resent, skipped } };
    const rest = new URLSearchParams({
      ...{ resend_from: fields.from, resend_to: fields.to, resend_what: what },
      ...(as_of ? { resend_as_of: as_of } : {}),
    });
    return { to: more ? `${page(request)}?${rest}` : page(request), flash: { notice } };
  };

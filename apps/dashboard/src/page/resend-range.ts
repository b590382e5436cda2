import { resendFailedAnswerSchema } from "@tillgate/contract";
import { z } from "zod";
import { change } from "../edge/console-edge";
import type { Resend } from "../views/resend-range";
import { allNeeded, choiceOf, refuseField } from "./form-reader";
import type { Action, PageRequest } from "./request";

const whatSchema = z.enum(["failed", "all"]);
/** What a browser's field of a time sends; it is meant in UTC. */
export const BROWSER_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

const DAY_MS = 86_400_000;
const fieldTime = (at: number): string => new Date(at).toISOString().slice(0, 16);

/** What the form begins with: the last day; or the rest of a range of which a call sent its most. */
export function resendOf(query: (name: string) => string | undefined): Resend {
  const given = (name: string) => query(`resend_${name}`);
  return {
    from: given("from") ?? fieldTime(Date.now() - DAY_MS),
    to: given("to") ?? fieldTime(Date.now() + 60_000),
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
    for (const name of ["from", "to"] as const)
      if (!BROWSER_TIME.test(fields[name])) refuseField(name, "error.time");
    if (fields.from >= fields.to) refuseField("to", "error.laterThanFrom");
    const what = choiceOf(form, "what", whatSchema);
    const as_of = form.get("as_of") ?? undefined;
    const { resent, skipped, more } = await change(request.caller, path(request), resendFailedAnswerSchema, {
      ...{ from: `${fields.from}:00Z`, to: `${fields.to}:00Z`, what },
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

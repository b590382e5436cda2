import { randomUUID } from "node:crypto";
import { replayAnswerSchema, replayListAnswerSchema, replayPreviewAnswerSchema } from "@tillgate/contract";
import { change, EdgeRefusal, read } from "../edge/console-edge";
import type { Replays } from "../views/replays";
import { refuseField } from "./form-reader";
import type { Action, PageRequest } from "./request";
import { typedMoment } from "./resend-range";

/** How many of an endpoint's replays its page shows. */
const SHOWN = "5";
const STEPS = ["cancel", "resume"] as const;

type Range = { from: string; to?: string };

/** The range of two fields for the api; an empty end is now. Null where a field names no time. */
function rangeOf(from: string, to: string, timeZone: string): Range | null {
  const [begins, ends] = [typedMoment(from, timeZone), typedMoment(to, timeZone)];
  if (begins === null || (to !== "" && ends === null)) return null;
  return { from: begins, ...(ends === null ? {} : { to: ends }) };
}

/** The replays to the endpoint of the page, and what one of the range in the address would send, where it names one. */
export async function replaysOf({
  caller,
  place,
  part,
  query,
}: Pick<PageRequest, "caller" | "place" | "part"> & {
  query: (name: string) => string | undefined;
}): Promise<Replays> {
  const path = (...rest: string[]) => place("receivers", part("id"), "replays", ...rest);
  const from = query("replay_from") ?? "";
  const to = query("replay_to") ?? "";
  const range = rangeOf(from, to, caller.timeZone);
  const preview = async (range: Range) => {
    try {
      return await read(caller, path("preview"), replayPreviewAnswerSchema, range);
    } catch (error) {
      // The range of an address that somebody typed: the form stays, with no preview under it.
      if (error instanceof EdgeRefusal && error.status === 400) return null;
      throw error;
    }
  };
  const [{ replays }, previewed] = await Promise.all([
    read(caller, path(), replayListAnswerSchema, { per_page: SHOWN }),
    range === null ? null : preview(range),
  ]);
  return {
    replays,
    preview: previewed,
    from,
    to,
    wrong: from !== "" && previewed === null,
    key: randomUUID(),
  };
}

/** Begins the replay that was previewed: once, however often its button is pressed. */
const start: Action = async ({ caller, place, here, part }, form) => {
  const [from = "", to = ""] = ["from", "to"].map((name) => form.get(name) ?? undefined);
  const range = rangeOf(from, to, caller.timeZone) ?? refuseField(null, "error.time");
  const { total } = await change(caller, place("receivers", part("id"), "replays"), replayAnswerSchema, {
    ...range,
    skip_failed: form.get("skip_failed") === "yes",
    idempotency_key: form.get("key") ?? "",
  });
  const notice = { tone: "good" as const, text: "replay.begun" as const, values: { total } };
  return { to: here("webhooks", part("id")), flash: { notice } };
};

const step =
  (name: (typeof STEPS)[number]): Action =>
  async ({ caller, place, here, part }, form) => {
    await change(caller, place("replays", form.get("replay") ?? "", name), replayAnswerSchema);
    const notice = { tone: "good" as const, text: `replay.done.${name}` as const };
    return { to: here("webhooks", part("id")), flash: { notice } };
  };

/** The actions of the endpoint's page that are about replays. */
export const REPLAY_ACTIONS: Record<string, Action> = {
  replay: start,
  ...Object.fromEntries(STEPS.map((name) => [`replay_${name}`, step(name)])),
};

import { sendMissedAnswerSchema } from "@tillgate/contract";
import { change } from "../edge/console-edge";
import { needed, refuseField } from "./form-reader";
import type { Action } from "./request";

/** The times of the page are whole seconds, and the last one is meant with them. */
const SECOND_MS = 1_000;

function timeOf(form: URLSearchParams, name: string): number {
  const at = Date.parse(needed(form, name));
  return Number.isNaN(at) ? refuseField(null, "error.time") : at;
}

/** Sends an endpoint what it missed between the times that its page counted. Nothing goes twice, however often it is sent. */
export const sendMissed: Action = async ({ caller, place, here, part }, form) => {
  const range = {
    from: new Date(timeOf(form, "from")).toISOString(),
    to: new Date(timeOf(form, "to") + SECOND_MS).toISOString(),
  };
  const path = place("receivers", part("id"), "send-missed");
  const { sent, more } = await change(caller, path, sendMissedAnswerSchema, range);
  const text = more ? ("missed.more" as const) : ("missed.done" as const);
  const notice = { tone: more ? ("note" as const) : ("good" as const), text, values: { sent } };
  return { to: here("webhooks", part("id")), flash: { notice } };
};

import { consoleDoneAnswerSchema, consoleViewAnswerSchema, type ViewedList } from "@tillgate/contract";
import { change } from "../edge/console-edge";
import { needed } from "./form-reader";
import type { Action } from "./request";

/** The forms by which a user keeps views of a list. */
export const viewActions = (list: ViewedList): Record<string, Action> => ({
  "save-view": async ({ caller, place, here }, form) => {
    const fields = { list, name: needed(form, "name"), query: needed(form, "query") };
    const { view } = await change(caller, place("views"), consoleViewAnswerSchema, fields);
    return { to: `${here(list)}?${view.query}`, flash: { notice: { tone: "good", text: "view.saved" } } };
  },
  "rename-view": async ({ caller, place, here }, form) => {
    const path = place("views", needed(form, "of"));
    const { view } = await change(caller, path, consoleViewAnswerSchema, { name: needed(form, "name") });
    return { to: `${here(list)}?${view.query}`, flash: { notice: { tone: "good", text: "form.saved" } } };
  },
  "remove-view": async ({ caller, place, here }, form) => {
    await change(caller, place("views", needed(form, "of"), "remove"), consoleDoneAnswerSchema);
    return { to: here(list), flash: { notice: { tone: "good", text: "view.removed" } } };
  },
});

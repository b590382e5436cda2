import { createHash } from "node:crypto";
import type { FormState, Question } from "./page";

/** The form is shown again with a question; null: as it was typed, to be changed. */
export class Unconfirmed extends Error {
  override readonly name = "Unconfirmed";
  constructor(readonly question: FormState["question"]) {
    super("The form needs a confirmation");
  }
}

/**
 * Asks before the form acts. A confirmation counts only for what was shown: when an amount or a name has changed since, it is
 * asked again.
 * @param confirmed what must still be the same; left out: the whole question.
 * @throws Unconfirmed
 */
export function confirmFirst(form: URLSearchParams, question: Question, confirmed: unknown = question): void {
  const digest = createHash("sha256").update(JSON.stringify(confirmed)).digest("base64url");
  if (form.has("change")) throw new Unconfirmed(null);
  if (form.get("confirmed") !== digest) throw new Unconfirmed({ ...question, digest });
}

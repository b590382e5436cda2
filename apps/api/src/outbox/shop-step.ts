import { z } from "zod";

/** The longest word that is shown of an answer. */
const MAX_CHARACTERS = 64;

const word = z.string().trim().min(1).max(MAX_CHARACTERS).optional().catch(undefined);
const answerSchema = z.object({ outcome: word, status: word, action: word, order_status: word });

/**
 * What a shop says that it did with an event: the words of its answer, a JSON object. Our connector and our plugin say `applied` or
 * `repeated`; any shop may name what it did (`outcome` or `status`, `action`) and how its order stands now (`order_status`).
 * @param answerStart the first KiB of the answer.
 * @returns null where it says nothing of that kind.
 */
export function shopStep(answerStart: string | null): string | null {
  if (!answerStart?.trimStart().startsWith("{")) return null;
  const answer = answerSchema.safeParse(parsed(answerStart));
  if (!answer.success) return null;
  const { outcome, status, action, order_status } = answer.data;
  const words = [outcome ?? status, action, order_status].filter((one) => one !== undefined);
  return words.length === 0 ? null : words.join(", ");
}

/** @returns undefined for what is no JSON, such as an answer that is longer than what is kept of it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

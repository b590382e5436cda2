import type { ConnectorContext } from "./context.js";

/** Adds an order note unless the order already has it, so that a retry after a crash does not duplicate the note. */
export async function addNoteOnce(
  context: ConnectorContext,
  storeOrderId: number,
  text: string,
): Promise<void> {
  const notes = await context.store.notes(storeOrderId);
  if (notes.some((note) => normalize(note) === normalize(text))) return;
  await context.store.addNote(storeOrderId, text);
}

/** Removes markup, decodes `&amp;` and collapses whitespace, because plugins may change notes in these ways. */
const normalize = (note: string): string =>
  note
    .replace(/<[^<>]*>/g, "")
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ")
    .trim();

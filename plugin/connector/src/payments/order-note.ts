import type { ConnectorContext } from "./context.js";

/**
 * Writes an order note that is not there yet. A repeat after a crash between a change and its note, or between the note
 * and its record, thus leaves one note.
 */
export async function addNoteOnce(
  context: ConnectorContext,
  storeOrderId: number,
  text: string,
): Promise<void> {
  const notes = await context.store.notes(storeOrderId);
  if (notes.some((note) => plain(note) === plain(text))) return;
  await context.store.addNote(storeOrderId, text);
}

/** Shops may wrap a note in markup or write entities for signs; the words stay. */
const plain = (note: string): string =>
  note
    .replace(/<[^<>]*>/g, "")
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ")
    .trim();

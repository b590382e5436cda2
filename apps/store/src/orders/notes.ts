import { queryOneRow, queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Queryable } from "../database/database.js";

const noteSchema = z.object({
  id: z.bigint(),
  order_id: z.bigint(),
  author: z.string(),
  note: z.string(),
  created_at: z.date(),
});

export type NoteRow = z.output<typeof noteSchema>;

export type NewNote = {
  orderId: bigint;
  note: string;
  /** Author of the note; default: "WooCommerce". */
  author?: string | undefined;
};

export const addNote = (
  queryable: Queryable,
  { orderId, note, author = "WooCommerce" }: NewNote,
): Promise<NoteRow> =>
  queryOneRow(
    queryable,
    noteSchema,
    `INSERT INTO order_note (order_id, author, note, created_at)
     VALUES ($1, $2, $3, date_trunc('second', clock_timestamp())) RETURNING *`,
    [orderId, author, note],
  );

/** Lists the notes of an order, newest first; notes from the same second are in the order in which they were added. */
export const listNotes = (queryable: Queryable, orderId: bigint): Promise<NoteRow[]> =>
  queryRows(
    queryable,
    noteSchema,
    "SELECT * FROM order_note WHERE order_id = $1 ORDER BY created_at DESC, id",
    [orderId],
  );

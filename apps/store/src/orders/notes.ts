import { oneRow, type Queryable } from "../database/database.js";

export type NoteRow = {
  id: bigint;
  order_id: bigint;
  author: string;
  note: string;
  created_at: Date;
};

export type NewNote = {
  orderId: bigint;
  note: string;
  /** "WooCommerce" unless a person wrote it, as in WooCommerce. */
  author?: string | undefined;
};

/** Writes a note on an order. */
export const addNote = (
  queryable: Queryable,
  { orderId, note, author = "WooCommerce" }: NewNote,
): Promise<NoteRow> =>
  oneRow<NoteRow>(
    queryable,
    `INSERT INTO order_note (order_id, author, note, created_at)
     VALUES ($1, $2, $3, date_trunc('second', clock_timestamp())) RETURNING *`,
    [orderId, author, note],
  );

/** The notes of an order, newest first. */
export async function listNotes(queryable: Queryable, orderId: bigint): Promise<NoteRow[]> {
  const { rows } = await queryable.query<NoteRow>(
    "SELECT * FROM order_note WHERE order_id = $1 ORDER BY created_at DESC, id",
    [orderId],
  );
  return rows;
}

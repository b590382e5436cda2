import { firstRow, oneRow, type Queryable } from "../database/database.js";

export interface NoteRow {
  id: bigint;
  order_id: bigint;
  author: string;
  note: string;
  customer_note: boolean;
  created_at: Date;
}

export interface NewNote {
  orderId: bigint;
  note: string;
  /** "WooCommerce" unless a person wrote it, as in WooCommerce. */
  author?: string;
  /** Whether the shopper sees it. */
  customerNote?: boolean;
}

/** Writes a note on an order. */
export function addNote(
  queryable: Queryable,
  { orderId, note, author, customerNote }: NewNote,
): Promise<NoteRow> {
  return oneRow<NoteRow>(
    queryable,
    `INSERT INTO order_note (order_id, author, note, customer_note, created_at)
     VALUES ($1, $2, $3, $4, date_trunc('second', clock_timestamp())) RETURNING *`,
    [orderId, author ?? "WooCommerce", note, customerNote ?? false],
  );
}

/** The notes of an order, newest first. */
export async function listNotes(queryable: Queryable, orderId: bigint): Promise<NoteRow[]> {
  const { rows } = await queryable.query<NoteRow>(
    "SELECT * FROM order_note WHERE order_id = $1 ORDER BY created_at DESC, id",
    [orderId],
  );
  return rows;
}

export const findNote = (queryable: Queryable, orderId: bigint, id: bigint): Promise<NoteRow | undefined> =>
  firstRow<NoteRow>(queryable, "SELECT * FROM order_note WHERE order_id = $1 AND id = $2", [orderId, id]);

export const deleteNote = async (queryable: Queryable, id: bigint): Promise<void> => {
  await queryable.query("DELETE FROM order_note WHERE id = $1", [id]);
};

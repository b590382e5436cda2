import { z } from "zod";

/** Columns as the drivers of PostgreSQL and SQLite give them. */

/** PostgreSQL gives whole numbers of 64 bits as text. */
export const wholeNumber = z.coerce.number().int();
export const bigWholeNumber = z.coerce.bigint();
export const truth = z.union([z.boolean(), z.number().transform((value) => value !== 0)]);
/** SQLite keeps milliseconds. */
export const time = z.union([z.date(), z.number().transform((milliseconds) => new Date(milliseconds))]);
/** SQLite keeps JSON as text. */
export const json = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (typeof value === "string" ? JSON.parse(value) : value), schema);

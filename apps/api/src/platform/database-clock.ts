import { oneRowOf, type Queryable } from "@tillgate/service";
import { z } from "zod";

export const clockSchema = z.object({ now: z.date() });

/** What time it is by the database's clock. */
export const readClock = async (queryable: Queryable): Promise<Date> =>
  (await oneRowOf(queryable, clockSchema, "SELECT clock_timestamp() AS now")).now;

const serverSchema = clockSchema.extend({ standby: z.boolean() });

/** The same, and whether the server that answers is a standby, which takes no writes. */
export const readServer = (queryable: Queryable): Promise<z.output<typeof serverSchema>> =>
  oneRowOf(queryable, serverSchema, "SELECT clock_timestamp() AS now, pg_is_in_recovery() AS standby");

/**
 * Commits next to nothing: a message that nobody reads, in the log that a standby follows. It waits for the disk, and for the
 * standby where commits do.
 */
export const commitNothing = async (queryable: Queryable): Promise<void> => {
  await queryable.query("SELECT pg_logical_emit_message(true, 'tillgate', '')");
};

/**
 * Asks for a little room on the disk that holds the tables, by sorting more than fits into memory, and gives it back.
 * @throws with SQLSTATE 53100 when there is none.
 */
export const useCapacity = async (queryable: Queryable): Promise<void> => {
  await queryable.query(
    `SET LOCAL work_mem = '64kB';
     SELECT count(*) FROM (SELECT md5(number::text) FROM generate_series(1, 20000) AS number ORDER BY 1 OFFSET 0) AS sorted`,
  );
};

import { type Queryable, queryOneRow } from "@tillgate/service";
import { z } from "zod";

export const clockSchema = z.object({ now: z.date() });

export const readClock = async (queryable: Queryable): Promise<Date> =>
  (await queryOneRow(queryable, clockSchema, "SELECT clock_timestamp() AS now")).now;

const serverSchema = clockSchema.extend({ standby: z.boolean() });

/** Reads the server's time, and whether it is a standby, which accepts no writes. */
export const readServer = (queryable: Queryable): Promise<z.output<typeof serverSchema>> =>
  queryOneRow(queryable, serverSchema, "SELECT clock_timestamp() AS now, pg_is_in_recovery() AS standby");

/** Commits a minimal transaction. Like any commit, it waits for the disk and, if so configured, for the standby. */
export const commitProbe = async (queryable: Queryable): Promise<void> => {
  await queryable.query("SELECT pg_logical_emit_message(true, 'tillgate', '')");
};

/** Allocates a little space on the tables' disk, with a sort that exceeds `work_mem`. @throws an error with SQLSTATE 53100 if the disk is full. */
export const probeFreeSpace = async (queryable: Queryable): Promise<void> => {
  await queryable.query(
    `SET LOCAL work_mem = '64kB';
     SELECT count(*) FROM (SELECT md5(number::text) FROM generate_series(1, 20000) AS number ORDER BY 1 OFFSET 0) AS sorted`,
  );
};

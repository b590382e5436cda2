import { oneRowOf, type Queryable } from "@tillgate/service";
import { z } from "zod";

export const clockSchema = z.object({ now: z.date() });

/** What time it is by the database's clock. */
export const readClock = async (queryable: Queryable): Promise<Date> =>
  (await oneRowOf(queryable, clockSchema, "SELECT clock_timestamp() AS now")).now;

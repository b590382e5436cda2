import { withConnection } from "@tillgate/migrate";
import { rowsOf } from "@tillgate/service";
import pg from "pg";
import { z } from "zod";

/** How long a connection may be made, in milliseconds. */
const CONNECT_LIMIT_MS = 5_000;
/** Processes that start together do it one after the other: two changes of one role at once are an error. */
const LOCK = "SELECT pg_advisory_xact_lock(hashtext('tillgate limits of a role'))";
const SETTINGS = `
  SELECT unnest(setconfig) AS setting FROM pg_db_role_setting
  WHERE setrole = current_user::regrole AND setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())`;
const settingSchema = z.object({ setting: z.string() });

/** The limits of a session that every program of Tillgate works under, as PostgreSQL's settings, in milliseconds. */
export type SessionLimits = { statement_timeout: number; idle_in_transaction_session_timeout: number };

/**
 * Makes the limits settings of the role itself in this database: a pooler hands on connections that it opened, and what a
 * client asks for at its own start does not reach them. A role may set its own.
 * @param directUrl the database without the pooler: it holds for connections that are opened afterwards.
 */
export async function applyRoleLimits(directUrl: string, limits: SessionLimits): Promise<void> {
  return await withConnection(
    {
      connectionString: directUrl,
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
      query_timeout: CONNECT_LIMIT_MS,
      application_name: "tillgate limits",
    },
    async (client) => {
      await client.query("BEGIN");
      await client.query(LOCK);
      const found = new Set((await rowsOf(client, settingSchema, SETTINGS)).map(({ setting }) => setting));
      for (const [name, milliseconds] of Object.entries(limits)) {
        const value = `${milliseconds}ms`;
        if (found.has(`${name}=${value}`)) continue;
        const database = pg.escapeIdentifier(client.database ?? "");
        await client.query(`ALTER ROLE CURRENT_USER IN DATABASE ${database} SET ${name} = '${value}'`);
      }
      await client.query("COMMIT");
    },
  );
}

/** Does `work` until it has succeeded once; calls at the same time share one try. */
export function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    });
    return done;
  };
}

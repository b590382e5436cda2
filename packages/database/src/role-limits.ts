import { withConnection } from "@tillgate/migrate";
import { queryRows } from "@tillgate/service";
import pg from "pg";
import { z } from "zod";

const CONNECT_LIMIT_MS = 5_000;
/** Serializes concurrent starts, because concurrent changes of a role fail. */
const LOCK = "SELECT pg_advisory_xact_lock(hashtext('tillgate limits of a role'))";
const SETTINGS = `
  SELECT unnest(setconfig) AS setting FROM pg_db_role_setting
  WHERE setrole = current_user::regrole AND setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())`;
const settingSchema = z.object({ setting: z.string() });

/** PostgreSQL settings, in milliseconds. */
export type SessionLimits = { statement_timeout: number; idle_in_transaction_session_timeout: number };

/** Sets the limits for the role's new connections, because a pooler does not pass on a client's settings. `directUrl` bypasses the pooler. */
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
      const settings = new Set(
        (await queryRows(client, settingSchema, SETTINGS)).map(({ setting }) => setting),
      );
      for (const [name, milliseconds] of Object.entries(limits)) {
        const value = `${milliseconds}ms`;
        if (settings.has(`${name}=${value}`)) continue;
        const database = pg.escapeIdentifier(client.database ?? "");
        await client.query(`ALTER ROLE CURRENT_USER IN DATABASE ${database} SET ${name} = '${value}'`);
      }
      await client.query("COMMIT");
    },
  );
}

/** Returns a function that runs `work` until it has succeeded once. Concurrent calls share an attempt. */
export function runOnce(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    });
    return done;
  };
}

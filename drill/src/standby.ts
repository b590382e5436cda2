import { appendFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import {
  type EmbeddedServer,
  restoreBackup,
  startEmbeddedServer,
  takeBackup,
} from "@tillgate/database/embedded";
import { withClient } from "./connected.js";

/** WAL retained for a standby that connects later. */
const RETAINED_WAL = "1GB";

export type Primary = {
  /** Superuser URL. */
  url: string;
  dataDirectory: string;
};

/** Lets standbys connect to an embedded server with the superuser's password. Copies of the server inherit this setting. */
export async function allowStandbys({ url, dataDirectory }: Primary): Promise<void> {
  // Without this line, the password opens only databases, not replication connections.
  await appendFile(
    path.join(dataDirectory, "pg_hba.conf"),
    "host replication all 127.0.0.1/32 scram-sha-256\n",
  );
  await withClient(url, async (client) => {
    await client.query(`ALTER SYSTEM SET wal_keep_size = '${RETAINED_WAL}'`);
    await client.query("SELECT pg_reload_conf()");
  });
}

/** Sets whether a commit waits for a standby. @param url superuser URL of the primary. */
export const setSynchronous = (url: string, synchronous: boolean): Promise<void> =>
  withClient(url, async (client) => {
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${synchronous ? "*" : ""}'`);
    await client.query("SELECT pg_reload_conf()");
  });

/**
 * Copies a running primary, and starts the copy as its streaming standby.
 * @param options.port port at which the standby reaches the primary.
 * @param options.settings additional PostgreSQL settings of the standby.
 */
export async function startStandby(options: {
  primary: Primary;
  port: number | string;
  dataDirectory: string;
  settings?: Record<string, string>;
}): Promise<EmbeddedServer> {
  const { primary, port, dataDirectory } = options;
  const copies = `${dataDirectory}-copy`;
  await takeBackup({ ...primary, folder: copies });
  await restoreBackup({ folder: copies, dataDirectory, to: undefined });
  await rm(copies, { recursive: true });
  // The copy remains a standby until it is promoted, instead of recovering an archive to its end.
  await rm(path.join(dataDirectory, "recovery.signal"));
  await writeFile(path.join(dataDirectory, "standby.signal"), "");
  const settings = {
    primary_conninfo: `host=127.0.0.1 port=${port} user=postgres password=${new URL(primary.url).password} application_name=standby`,
    wal_keep_size: RETAINED_WAL,
    ...options.settings,
  };
  const lines = Object.entries(settings).map(([key, value]) => `${key} = '${value}'\n`);
  await writeFile(path.join(dataDirectory, "postgresql.auto.conf"), lines.join(""));
  return startEmbeddedServer({ dataDirectory });
}

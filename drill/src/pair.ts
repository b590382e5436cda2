import { appendFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  type EmbeddedServer,
  restoreBackup,
  startEmbeddedServer,
  takeBackup,
} from "@tillgate/database/embedded";
import { countStandbys, withClient } from "./connected.js";
import type { Databases, Fault, StartDatabases } from "./databases.js";
import { type Link, openLink } from "./link.js";
import { signalTree } from "./program.js";
import { waitUntil } from "./until.js";

const HEAL_LIMIT_MS = 60_000;
/** WAL retained for a standby that connects later. */
const RETAINED_WAL = "1GB";
const STANDBY_CUT_MS = 4_000;

type Machine = { name: string; dataDirectory: string; server: EmbeddedServer };

export type Pair = Databases & {
  replication: Link;
  killPrimary(): Promise<void>;
  /** Promotes the standby and gives it a new standby. */
  takeOver(): Promise<void>;
  killStandby(): Promise<void>;
};

export const startPair: StartDatabases<Pair> = async ({ folder, synchronous }) => {
  let machines = 0;
  const createMachine = (): { name: string; dataDirectory: string } => {
    machines += 1;
    return { name: `server ${machines}`, dataDirectory: path.join(folder, `server-${machines}`) };
  };
  const first = createMachine();
  let primary: Machine = { ...first, server: await startEmbeddedServer(first) };
  // Replication connections need this line; passwords open only databases otherwise.
  await appendFile(
    path.join(primary.dataDirectory, "pg_hba.conf"),
    "host replication all 127.0.0.1/32 scram-sha-256\n",
  );
  await execute(primary, `ALTER SYSTEM SET wal_keep_size = '${RETAINED_WAL}'`, "SELECT pg_reload_conf()");
  const clients = await openLink(primary.server.port);
  const replication = await openLink(primary.server.port);
  const superuserPassword = new URL(primary.server.url).password;

  const follow = async (): Promise<Machine> => {
    const { name, dataDirectory } = createMachine();
    const copies = `${dataDirectory}-copy`;
    await takeBackup({ url: primary.server.url, dataDirectory: primary.dataDirectory, folder: copies });
    await restoreBackup({ folder: copies, dataDirectory, to: undefined });
    await rm(copies, { recursive: true });
    // A standby until promoted, instead of recovering an archive to its end.
    await rm(path.join(dataDirectory, "recovery.signal"));
    await writeFile(path.join(dataDirectory, "standby.signal"), "");
    const settings = {
      primary_conninfo: `host=127.0.0.1 port=${replication.port} user=postgres password=${superuserPassword} application_name=standby`,
      wal_keep_size: RETAINED_WAL,
      ...(synchronous && { synchronous_standby_names: "*" }),
    };
    const lines = Object.entries(settings).map(([key, value]) => `${key} = '${value}'\n`);
    await writeFile(path.join(dataDirectory, "postgresql.auto.conf"), lines.join(""));
    return { name, dataDirectory, server: await startEmbeddedServer({ dataDirectory }) };
  };
  const waitForRecovery = (): Promise<void> =>
    waitUntil("the standby follows", HEAL_LIMIT_MS, async () =>
      (await countStandbys(primary.server.url, synchronous)) === 1 ? true : undefined,
    ).then(() => undefined);

  let standby = await follow();
  if (synchronous)
    await execute(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()");
  await waitForRecovery();
  return {
    get nodes() {
      return [primary, standby].map(({ name, server }) => ({ name, postgresPort: server.port }));
    },
    superuserPassword,
    directPort: clients.port,
    pooledPort: clients.port,
    replication,
    killPrimary: () => killAll(primary),
    async takeOver() {
      const failedNode = primary;
      await execute(standby, "SELECT pg_promote()");
      primary = standby;
      clients.leadTo(primary.server.port);
      replication.leadTo(primary.server.port);
      standby = await follow();
      await rm(failedNode.dataDirectory, { recursive: true });
    },
    async killStandby() {
      await killAll(standby);
      standby = { ...standby, server: await startEmbeddedServer(standby) };
    },
    recovered: waitForRecovery,
    async stop() {
      await Promise.all([primary, standby].map(({ server }) => server.stop()));
      clients.close();
      replication.close();
    },
  };
};

async function killAll({ server }: Machine): Promise<void> {
  await signalTree(server.pid, "SIGKILL");
  await server.ended;
}

const execute = ({ server }: Machine, ...statements: string[]): Promise<void> =>
  withClient(server.url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });

export const PAIR_FAULTS: readonly Fault<Pair>[] = [
  {
    name: "kill -9 of the primary",
    async inject(pair) {
      await pair.killPrimary();
      await pair.takeOver();
    },
  },
  {
    name: "the primary cut from its standby, then killed",
    async inject(pair) {
      pair.replication.cut();
      await delay(STANDBY_CUT_MS);
      await pair.killPrimary();
      pair.replication.restore();
      await pair.takeOver();
    },
  },
  { name: "kill -9 of the standby", inject: (pair) => pair.killStandby() },
];

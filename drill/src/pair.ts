import { rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type EmbeddedServer, startEmbeddedServer } from "@tillgate/database/embedded";
import { countStandbys, withClient } from "./connected.js";
import type { Databases, Fault, StartDatabases } from "./databases.js";
import { type Link, openLink } from "./link.js";
import { signalTree } from "./program.js";
import { allowStandbys, setSynchronous, startStandby } from "./standby.js";
import { waitUntil } from "./until.js";

const HEAL_LIMIT_MS = 60_000;
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
  const toPrimary = ({ server: { url }, dataDirectory }: Machine) => ({ url, dataDirectory });
  await allowStandbys(toPrimary(primary));
  const clients = await openLink(primary.server.port);
  const replication = await openLink(primary.server.port);
  const superuserPassword = new URL(primary.server.url).password;

  const follow = async (): Promise<Machine> => {
    const machine = createMachine();
    const server = await startStandby({
      primary: toPrimary(primary),
      port: replication.port,
      dataDirectory: machine.dataDirectory,
      ...(synchronous && { settings: { synchronous_standby_names: "*" } }),
    });
    return { ...machine, server };
  };
  const waitForRecovery = (): Promise<void> =>
    waitUntil("the standby follows", HEAL_LIMIT_MS, async () =>
      (await countStandbys(primary.server.url, synchronous)) === 1 ? true : undefined,
    ).then(() => undefined);

  let standby = await follow();
  if (synchronous) await setSynchronous(primary.server.url, true);
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
      await withClient(standby.server.url, (client) => client.query("SELECT pg_promote()"));
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

import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { canShift } from "./clock.js";
import type { Cluster } from "./cluster.js";
import { withClient } from "./connected.js";
import type { Apis, Fault } from "./databases.js";
import { canMount } from "./disk.js";
import type { Node } from "./node.js";
import { readPostmasterPid, signalAll, signalTree } from "./program.js";
import { waitUntil } from "./until.js";

/** systemd's delay before it restarts a killed program. */
const RESTART_MS = 3_000;
/** Time until a killed machine returns, longer than its lease, because it would otherwise remain the leader. */
const MACHINE_BACK_MS = 16_000;
const FREEZE_MS = 30_000;
/** Duration of a cut from etcd, longer than a leader keeps its lease without etcd. */
const ETCD_CUT_MS = 20_000;
const STANDBY_CUT_MS = 4_000;
/**
 * Bytes that a primary writes while it is cut off. With Patroni's default limit of 1 MiB (`maximum_lag_on_failover`), no standby would be promoted
 * for a while.
 */
const UNACKNOWLEDGED_BYTES = 4 * 1_048_576;
const CLIENT_CUT_MS = 6_000;
const SWITCHOVER_LIMIT_MS = 60_000;
const FULL_MS = 10_000;
const CLOCK_OFF_SECONDS = 600;
const CLOCK_OFF_MS = 20_000;
const CLOCK_REPORTED_LIMIT_MS = 10_000;
const CLOCK_TOLERANCE_SECONDS = 5;
/** Maximum pause before the second of two faults. */
const SECOND_FAULT_MS = 5_000;

const killPostgres = async ({ dataDirectory }: Node): Promise<void> =>
  void (await signalTree(readPostmasterPid(dataDirectory), "SIGKILL"));

async function killNode(node: Node): Promise<void> {
  // Patroni first, so that it does not notice PostgreSQL's exit.
  node.patroni.kill();
  await killPostgres(node);
}

/** Freezes all processes of a node except etcd. @returns their process IDs. */
const freeze = async ({ patroni, dataDirectory }: Node): Promise<number[]> => [
  ...(await signalTree(patroni.pid, "SIGSTOP")),
  ...(await signalTree(readPostmasterPid(dataDirectory), "SIGSTOP")),
];

export const FAULTS: readonly Fault<Cluster>[] = [
  {
    name: "kill -9 of the primary",
    inject: async (cluster) => killPostgres(await cluster.leader()),
  },
  {
    name: "kill -9 of the primary and its Patroni",
    async inject(cluster) {
      const leader = await cluster.leader();
      await killNode(leader);
      await delay(MACHINE_BACK_MS);
      leader.patroni.start();
    },
  },
  {
    name: "the primary's machine frozen for 30 s",
    async inject(cluster) {
      const pids = await freeze(await cluster.leader());
      await delay(FREEZE_MS);
      signalAll(pids, "SIGCONT");
    },
  },
  {
    name: "the primary cut from etcd",
    async inject(cluster) {
      const { links } = await cluster.leader();
      for (const link of links.etcd) link.cut();
      await delay(ETCD_CUT_MS);
      for (const link of links.etcd) link.restore();
    },
  },
  {
    name: "the primary cut from its standbys, then killed",
    async inject(cluster, apis) {
      const leader = await cluster.leader();
      leader.links.peers.cut();
      await withClient(apis.superuserUrl(leader.postgresPort), (client) =>
        client.query("SELECT pg_logical_emit_message(false, 'drill', repeat('x', $1))", [
          UNACKNOWLEDGED_BYTES,
        ]),
      );
      await delay(STANDBY_CUT_MS);
      await killNode(leader);
      leader.links.peers.restore();
      await delay(MACHINE_BACK_MS);
      leader.patroni.start();
    },
  },
  {
    name: "the primary cut from its clients",
    async inject(cluster) {
      const { links } = await cluster.leader();
      links.clients.cut();
      await delay(CLIENT_CUT_MS);
      links.clients.restore();
    },
  },
  {
    name: "kill -9 of the standby",
    async inject(cluster) {
      const leader = await cluster.leader();
      const standby = await cluster.synchronousStandby().catch(() => undefined);
      const other = cluster.nodes.find((node) => node !== leader);
      const target = standby ?? other;
      if (target) await killPostgres(target);
    },
  },
  {
    name: "kill -9 of etcd's leader",
    async inject(cluster) {
      const { etcd } = await cluster.etcdLeader();
      etcd.kill();
      await delay(RESTART_MS);
      etcd.start();
    },
  },
  { name: "a switchover", inject: (cluster) => switchOver(cluster) },
  {
    name: "kill -9 of pgbouncer",
    async inject({ pgbouncer }) {
      pgbouncer.kill();
      await delay(RESTART_MS);
      pgbouncer.start();
    },
  },
  {
    name: "kill -9 of the primary, and of etcd's leader within 5 s",
    async inject(cluster) {
      const { etcd } = await cluster.etcdLeader();
      await killPostgres(await cluster.leader());
      await delay(Math.random() * SECOND_FAULT_MS);
      etcd.kill();
      await delay(RESTART_MS);
      etcd.start();
    },
  },
  {
    name: "kill -9 of the primary during an upgrade of the API",
    async inject(cluster, apis) {
      const upgrade = apis.restart();
      await delay(Math.random() * SECOND_FAULT_MS);
      await killPostgres(await cluster.leader());
      await upgrade;
    },
  },
  ...(canMount ? [{ name: "the primary's disk full for 10 s", inject: fillDisk }] : []),
  {
    name: "a standby deleted and rebuilt",
    inject: async (cluster) => cluster.rebuild(await cluster.synchronousStandby()),
  },
  ...(canShift
    ? [
        {
          name: "a primary whose clock is ten minutes ahead",
          inject: (cluster: Cluster, apis: Apis) => leadWithWrongClock(cluster, apis, CLOCK_OFF_SECONDS),
        },
        {
          name: "a primary whose clock is ten minutes behind",
          inject: (cluster: Cluster, apis: Apis) => leadWithWrongClock(cluster, apis, -CLOCK_OFF_SECONDS),
        },
      ]
    : []),
];

/** Requests a switchover until Patroni accepts it, because Patroni rejects a switchover while it knows of no healthy standby. */
async function switchOver(cluster: Cluster, candidate?: Node): Promise<void> {
  const leader = await cluster.leader();
  let response = "nothing";
  await waitUntil("a switchover", SWITCHOVER_LIMIT_MS, async () => {
    const { isAccepted, text } = await cluster.switchOver(leader, candidate);
    response = text;
    return isAccepted || undefined;
  }).catch((cause: unknown) => {
    throw new Error(`Patroni did not accept the switchover in time; last response: ${response}`, { cause });
  });
}

async function fillDisk(cluster: Cluster): Promise<void> {
  const { disk } = await cluster.leader();
  try {
    await disk.fill();
    await delay(FULL_MS);
  } finally {
    await disk.free();
  }
}

const readinessSchema = z.object({ status: z.literal("ok"), clock_offset_seconds: z.number() });

/** Makes a standby with a wrong clock the primary for a while. The clock jumps before the switchover, and is corrected after the switchover back. */
async function leadWithWrongClock(cluster: Cluster, { origins }: Apis, seconds: number): Promise<void> {
  const leader = await cluster.leader();
  const wrong = await cluster.synchronousStandby();
  await wrong.clock.set(0);
  try {
    await cluster.restart(wrong);
    await cluster.recovered();
    await wrong.clock.set(seconds);
    await switchOver(cluster, wrong);
    for (const origin of origins)
      await waitUntil(`${origin} is ready and reports the clock`, CLOCK_REPORTED_LIMIT_MS, async () => {
        const response = await fetch(`${origin}/readyz`);
        const { clock_offset_seconds: offset } = readinessSchema.parse(await response.json());
        return Math.abs(offset + seconds) < CLOCK_TOLERANCE_SECONDS || undefined;
      });
    await delay(CLOCK_OFF_MS);
    await switchOver(cluster, leader);
  } finally {
    await wrong.clock.set(0);
  }
}

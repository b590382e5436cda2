import { randomBytes } from "node:crypto";
import path from "node:path";
import { z } from "zod";
import { freePorts } from "../../scripts/testing/free-port.js";
import { openClock } from "./clock.js";
import { countStandbys } from "./connected.js";
import { type Databases, type StartDatabases, superuserUrl } from "./databases.js";
import { openDisk } from "./disk.js";
import { giveToAccount, writeFromTemplate } from "./files.js";
import { createFrontPrograms } from "./front.js";
import { openLink } from "./link.js";
import type { Node } from "./node.js";
import { createProgram, findPostgresAccount, type Program, readPostmasterPid } from "./program.js";
import { type Caller, callerOf, createCertificate } from "./tls.js";
import { waitUntil } from "./until.js";

const HOST = "127.0.0.1";
const NAMES = ["one", "two", "three"] as const;
const START_LIMIT_MS = 120_000;
const HEAL_LIMIT_MS = 120_000;

/** Three Patroni machines, whose primary is reached through HAProxy, with and without pgbouncer. */
export type Cluster = Databases<Node> & {
  haproxy: Program;
  pgbouncer: Program;
  leader(): Promise<Node>;
  synchronousStandby(): Promise<Node>;
  etcdLeader(): Promise<Node>;
  /** Without a candidate, Patroni chooses the standby. */
  switchOver(leader: Node, candidate?: Node): Promise<{ isAccepted: boolean; text: string }>;
  restart(node: Node): Promise<void>;
  /** Resolves when the standby has started on a new copy of the primary's data. */
  rebuild(standby: Node): Promise<void>;
};

const membersSchema = z.object({
  members: z.array(
    z.object({ name: z.string(), role: z.string(), state: z.string(), lag: z.unknown().optional() }),
  ),
});
type Members = z.output<typeof membersSchema>["members"];

/** Starts three Patroni machines with the templates in `deploy/high-availability`. Resolves when the other machines follow the leader. */
export const startCluster: StartDatabases<Cluster> = async ({ folder, synchronous, users }) => {
  const account = findPostgresAccount();
  const superuserPassword = randomBytes(16).toString("hex");
  const passwords = {
    SUPERUSER_PASSWORD: superuserPassword,
    REPLICATION_PASSWORD: randomBytes(16).toString("hex"),
    REWIND_PASSWORD: randomBytes(16).toString("hex"),
    PATRONI_PASSWORD: randomBytes(16).toString("hex"),
  };
  const ports = await freePorts(20);
  const port = (): number => ports.shift() ?? 0;
  const machines = NAMES.map((name) => ({
    name,
    home: path.join(folder, name),
    etcdPort: port(),
    etcdPeerPort: port(),
    postgresPort: port(),
    patroniPort: port(),
    etcdMetricsPort: port(),
  }));
  const [haproxyPort, pooledPort, haproxyMetricsPort] = [port(), port(), port()];
  await giveToAccount(folder, account);
  const tls = await createCertificate(path.join(folder, "tls"), account);
  const call = callerOf(tls);

  const etcdCluster = machines.map(({ name, etcdPeerPort }) => `${name}=https://${HOST}:${etcdPeerPort}`);
  const nodes: Node[] = [];
  for (const machine of machines) {
    const { name, home, postgresPort, patroniPort } = machine;
    await giveToAccount(home, account);
    const disk = await openDisk(home, account);
    const programs = process.env.TILLGATE_DRILL_POSTGRES ?? "/usr/lib/postgresql/15/bin";
    const clock = await openClock(home, programs, account);
    const clients = await openLink(postgresPort);
    const peers = await openLink(postgresPort);
    const etcdLinks = await Promise.all(machines.map(({ etcdPort }) => openLink(etcdPort)));
    const values = {
      ...passwords,
      NAME: name,
      SCOPE: "tillgate",
      HOST_ONE: HOST,
      HOST_TWO: HOST,
      HOST_THREE: HOST,
      API_ONE: HOST,
      API_TWO: HOST,
      SYNCHRONOUS: String(synchronous),
      WATCHDOG: '"off"',
      ARCHIVE_COMMAND: '"true"',
      ETCD_DATA: path.join(home, "etcd"),
      ETCD_STATE: "new",
      ETCD_TLS: tls.folder,
      ETCD_CLIENT_URL: `https://${HOST}:${machine.etcdPort}`,
      ETCD_PEER_URL: `https://${HOST}:${machine.etcdPeerPort}`,
      ETCD_METRICS_URL: `http://${HOST}:${machine.etcdMetricsPort}`,
      ETCD_CLUSTER: etcdCluster.join(","),
      ETCD_HOSTS: etcdLinks.map((link) => `${HOST}:${link.port}`).join(","),
      PATRONI_TLS: tls.folder,
      PATRONI_LISTEN: `${HOST}:${patroniPort}`,
      PATRONI_ADDRESS: `${HOST}:${patroniPort}`,
      POSTGRES_LISTEN: `${HOST}:${postgresPort}`,
      POSTGRES_ADDRESS: `${HOST}:${peers.port}`,
      POSTGRES_DATA: path.join(disk.folder, "postgres"),
      POSTGRES_SOCKETS: home,
      POSTGRES_BIN: clock.programs,
      POSTGRES_PGPASS: path.join(home, "pgpass"),
    };
    const startProgram = async (program: string, file: string, before: string[]) =>
      createProgram({
        name: `${program} ${name}`,
        command: program,
        arguments: [...before, await writeFromTemplate(file, path.join(home, file), values, account)],
        logFile: path.join(home, `${program}.log`),
        account,
      });
    nodes.push({
      name,
      etcd: await startProgram("etcd", "etcd.conf.yml", ["--config-file"]),
      patroni: await startProgram("patroni", "patroni.yml", []),
      disk,
      clock,
      dataDirectory: values.POSTGRES_DATA,
      postgresPort,
      patroniPort,
      links: { clients, peers, etcd: etcdLinks },
    });
  }
  for (const { etcd } of nodes) etcd.start();
  await Promise.all(machines.map(({ etcdPort }) => waitForEtcd(call, etcdPort)));
  for (const { patroni } of nodes) patroni.start();

  const readMembers = async (): Promise<Members> => {
    for (const { patroniPort } of nodes) {
      const response = await call(`https://${HOST}:${patroniPort}/cluster`).catch(() => undefined);
      if (response?.status === 200) return membersSchema.parse(JSON.parse(response.text)).members;
    }
    throw new Error("no Patroni node responded");
  };
  const findNode = (description: string, is: (member: Members[number]) => boolean): Promise<Node> =>
    waitUntil(description, HEAL_LIMIT_MS, async () => {
      const found = (await readMembers()).find(is);
      return nodes.find(({ name }) => name === found?.name);
    });
  const secrets = { superuserPassword, certificateAuthority: tls.authority };
  const waitForRecovery = (): Promise<void> =>
    waitUntil("all members follow the leader", HEAL_LIMIT_MS, async () => {
      const members = await readMembers();
      const leads = members.filter(({ role, state }) => role === "leader" && state === "running");
      const follow = members.filter(
        ({ role, state, lag }) =>
          role === (synchronous ? "sync_standby" : "replica") &&
          (state === "running" || state === "streaming") &&
          lag === 0,
      );
      const leader = nodes.find(({ name }) => name === leads[0]?.name);
      if (leader === undefined || leads.length > 1 || follow.length < nodes.length - 1) return undefined;
      // Patroni returns what the members last reported, which just after a fault is the state before the fault.
      const standbys = await countStandbys(
        superuserUrl(secrets, leader.postgresPort, "postgres"),
        synchronous,
      );
      return standbys === follow.length ? true : undefined;
    }).then(() => undefined);

  const { haproxy, pgbouncer } = await createFrontPrograms({
    folder,
    account,
    nodes,
    haproxyPort,
    haproxyMetricsPort,
    pooledPort,
    certificateAuthority: tls.authority,
    users,
  });
  haproxy.start();
  pgbouncer.start();
  const cluster: Cluster = {
    nodes,
    haproxy,
    pgbouncer,
    ...secrets,
    async switchOver(node, candidate) {
      const { status, text } = await call(`https://${HOST}:${node.patroniPort}/switchover`, {
        body: JSON.stringify({ leader: node.name, candidate: candidate?.name }),
        password: passwords.PATRONI_PASSWORD,
        timeoutMs: HEAL_LIMIT_MS,
      });
      return { isAccepted: status === 200, text };
    },
    async restart(node) {
      const { status, text } = await call(`https://${HOST}:${node.patroniPort}/restart`, {
        body: "{}",
        password: passwords.PATRONI_PASSWORD,
        timeoutMs: HEAL_LIMIT_MS,
      });
      if (status !== 200) throw new Error(`Patroni did not restart ${node.name}: ${text}`);
    },
    async rebuild(node) {
      const before = readPostmasterPid(node.dataDirectory);
      const { status, text } = await call(`https://${HOST}:${node.patroniPort}/reinitialize`, {
        body: "{}",
        password: passwords.PATRONI_PASSWORD,
      });
      if (status !== 200) throw new Error(`Patroni did not rebuild ${node.name}: ${text}`);
      await waitUntil(
        `${node.name} runs on its new data`,
        HEAL_LIMIT_MS,
        async () => readPostmasterPid(node.dataDirectory) !== before || undefined,
      );
    },
    directPort: haproxyPort,
    pooledPort,
    leader: () => findNode("a leader", ({ role, state }) => role === "leader" && state === "running"),
    synchronousStandby: () => findNode("a synchronous standby", ({ role }) => role === "sync_standby"),
    etcdLeader: () =>
      findEtcdLeader(
        call,
        nodes,
        machines.map(({ etcdPort }) => etcdPort),
      ),
    recovered: waitForRecovery,
    async stop() {
      await Promise.all([haproxy, pgbouncer].map((member) => member.stop()));
      await Promise.all(nodes.map(({ patroni }) => patroni.stop()));
      await Promise.all(nodes.map(({ etcd }) => etcd.stop()));
      await Promise.all(nodes.map(({ disk }) => disk.close()));
      for (const { links } of nodes)
        for (const link of [links.clients, links.peers, ...links.etcd]) link.close();
    },
  };
  try {
    await waitForRecovery();
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return cluster;
};

const etcdVersionSchema = z.object({ etcdcluster: z.string() });

/** Waits until etcd has agreed on its cluster version. Until then, Patroni would exit, and in the drill there is no systemd to restart it. */
const waitForEtcd = (call: Caller, port: number): Promise<true> =>
  waitUntil("etcd", START_LIMIT_MS, async () => {
    const { text } = await call(`https://${HOST}:${port}/version`);
    return etcdVersionSchema.parse(JSON.parse(text)).etcdcluster === "not_decided" ? undefined : true;
  });

const etcdStatusSchema = z.object({ header: z.object({ member_id: z.string() }), leader: z.string() });

async function findEtcdLeader(call: Caller, nodes: readonly Node[], ports: readonly number[]): Promise<Node> {
  return waitUntil("an etcd leader", HEAL_LIMIT_MS, async () => {
    for (const [at, port] of ports.entries()) {
      const { text } = await call(`https://${HOST}:${port}/v3/maintenance/status`, { body: "{}" });
      const { header, leader } = etcdStatusSchema.parse(JSON.parse(text));
      if (header.member_id === leader) return nodes[at];
    }
    return undefined;
  });
}

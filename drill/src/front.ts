import path from "node:path";
import { writeFor, writeFromTemplate } from "./files.js";
import type { Node } from "./node.js";
import { type Account, createProgram, type Program } from "./program.js";

const HOST = "127.0.0.1";

/** Creates HAProxy and pgbouncer with their configuration files, but does not start them. */
export async function createFrontPrograms(parts: {
  folder: string;
  account: Account | undefined;
  nodes: readonly Node[];
  haproxyPort: number;
  haproxyMetricsPort: number;
  certificateAuthority: string;
  pooledPort: number;
  users: Readonly<Record<string, string>>;
}): Promise<{ haproxy: Program; pgbouncer: Program }> {
  const { folder, account, nodes, haproxyPort, haproxyMetricsPort, pooledPort, certificateAuthority, users } =
    parts;
  const userFile = path.join(folder, "users.txt");
  const lines = Object.entries(users).map(([name, password]) => `"${name}" "${password}"\n`);
  await writeFor(account, userFile, lines.join(""));
  const values: Record<string, string> = {
    HAPROXY_SOCKET: path.join(folder, "haproxy.sock"),
    HAPROXY_LISTEN: `${HOST}:${haproxyPort}`,
    HAPROXY_METRICS: `${HOST}:${haproxyMetricsPort}`,
    CLUSTER_CA: certificateAuthority,
    HAPROXY_HOST: HOST,
    HAPROXY_PORT: String(haproxyPort),
    PGBOUNCER_HOST: HOST,
    PGBOUNCER_PORT: String(pooledPort),
    PGBOUNCER_USERS: userFile,
    PGBOUNCER_LOG: path.join(folder, "pgbouncer.log"),
    PGBOUNCER_PID: path.join(folder, "pgbouncer.pid"),
  };
  for (const { name, links, patroniPort } of nodes) {
    values[`POSTGRES_${name.toUpperCase()}`] = `${HOST}:${links.clients.port}`;
    values[`PATRONI_HOST_${name.toUpperCase()}`] = HOST;
    values[`PATRONI_PORT_${name.toUpperCase()}`] = String(patroniPort);
  }
  const of = async (command: string, file: string, before: string[]): Promise<Program> =>
    createProgram({
      name: command,
      command,
      arguments: [...before, await writeFromTemplate(file, path.join(folder, file), values, account)],
      logFile: path.join(folder, `${command}.out`),
      account,
    });
  return {
    haproxy: await of("haproxy", "haproxy.cfg", ["-db", "-f"]),
    pgbouncer: await of("pgbouncer", "pgbouncer.ini", ["-q"]),
  };
}

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startEmbeddedServer } from "@tillgate/database/embedded";
import type { Databases, StartDatabases } from "../databases.js";
import { signalTree } from "../program.js";
import { type System, startSystem } from "../system.js";
import { waitUntil } from "../until.js";
import { checkHistory } from "./check.js";
import { toEdn } from "./edn.js";
import { readHistory } from "./operation.js";
import { describeVerdict, isSound } from "./report.js";
import { startTraffic } from "./traffic.js";

const CLIENTS = 32;
const QUIET_MS = { from: 5_000, to: 30_000 };
/** systemd's delay before it restarts a killed program. */
const RESTART_MS = 1_000;
const READY_LIMIT_MS = 60_000;
const REPORT_EVERY_MS = 60_000;

/** Prints the verdict on a recorded history, and writes the history as EDN if a file is given. @returns whether it is strictly serializable. */
export async function judge(file: string, edn?: string): Promise<boolean> {
  const verdict = await checkHistory(readHistory(file));
  console.log(describeVerdict(verdict));
  if (edn !== undefined) {
    const stream = createWriteStream(edn);
    for await (const line of toEdn(() => readHistory(file)))
      if (!stream.write(`${line}\n`)) await once(stream, "drain");
    stream.end();
    await once(stream, "close");
  }
  return isSound(verdict);
}

type Single = Databases & { kill(): Promise<void> };

/** Starts one server without a standby. The server is restarted when it is killed. */
const startSingle: StartDatabases<Single> = async ({ folder }) => {
  const dataDirectory = path.join(folder, "postgres");
  let server = await startEmbeddedServer({ dataDirectory });
  const { port } = server;
  return {
    nodes: [{ name: "server", postgresPort: port }],
    superuserPassword: new URL(server.url).password,
    directPort: port,
    pooledPort: port,
    recovered: async () => undefined,
    async kill() {
      await signalTree(server.pid, "SIGKILL");
      await server.ended;
      server = await startEmbeddedServer({ dataDirectory, port });
    },
    stop: () => server.stop(),
  };
};

/** Kills the HTTP processes and PostgreSQL in turn, until the record is long enough. @returns how many processes were killed. */
async function killInTurn(
  { apis, origins, cluster }: System<Single>,
  isLong: () => boolean,
): Promise<number> {
  const victims = [
    ...origins.map((origin, at) => async (): Promise<void> => {
      apis[at]?.kill();
      await delay(RESTART_MS);
      apis[at]?.start();
      await waitUntil(origin, READY_LIMIT_MS, async () => (await fetch(`${origin}/readyz`)).ok || undefined);
    }),
    () => cluster.kill(),
  ];
  for (let kills = 0; ; kills += 1) {
    const until = performance.now() + QUIET_MS.from + Math.random() * (QUIET_MS.to - QUIET_MS.from);
    while (performance.now() < until) {
      if (isLong()) return kills;
      await delay(RESTART_MS);
    }
    await victims[kills % victims.length]?.();
  }
}

/** Records a history while two HTTP processes and PostgreSQL are killed in turn. @returns whether the history is strictly serializable. */
export async function runHistory({
  operations,
  keep,
}: {
  operations: number;
  keep: boolean;
}): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), "tillgate-history-"));
  const file = path.join(folder, "history.jsonl");
  const system = await startSystem(folder, false, startSingle);
  const interrupt = (): void => void system.stop().finally(() => process.exit(130));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    const traffic = await startTraffic(system, file, { clients: CLIENTS });
    const report = setInterval(() => console.log(`${traffic.count} operations`), REPORT_EVERY_MS);
    const kills = await killInTurn(system, () => traffic.count >= operations).finally(() =>
      clearInterval(report),
    );
    await traffic.end();
    await traffic.readFinalStatements();
    console.log(`Kills: ${kills}. History: ${file}`);
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
    await system.stop();
  }
  const isStrict = await judge(file);
  if (!keep) await rm(folder, { recursive: true });
  return isStrict;
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type EmbeddedServer, startEmbeddedServer } from "@tillgate/database/embedded";
import { countStandbys } from "@tillgate/drill/connected";
import { allowStandbys, setSynchronous, startStandby } from "@tillgate/drill/standby";
import { waitUntil } from "@tillgate/drill/until";
import { createOrder, cycle, getOrigin } from "../calls.js";
import type { Figure } from "../figure.js";
import { compare, overHttp, type Side } from "../load.js";
import { speedRow } from "../rows.js";
import type { System } from "../system.js";
import { createPayoutCalls, MANY_CONNECTIONS } from "./payouts.js";

const START_LIMIT_MS = 60_000;
const TARGET = { atLeast: 0.7 };

/** Payouts and orders whose commits wait for one standby on the same machine, compared with a single server. */
export const replication: Figure = {
  name: "replication",
  async measure(system) {
    const origin = getOrigin(system);
    const nextPayout = await createPayoutCalls(system, system.merchants);
    const merchant = cycle(system.merchants);
    const nextOrder = () => createOrder(merchant());
    const folder = await mkdtemp(path.join(tmpdir(), "tillgate-bench-standby-"));
    const standby = await createStandby(system, path.join(folder, "postgres"));
    const requests = {
      payouts: overHttp({ origin, next: nextPayout }),
      manyPayouts: overHttp({ origin, next: nextPayout, connections: MANY_CONNECTIONS }),
      orders: overHttp({ origin, next: nextOrder }),
    };
    const alone =
      (side: Side): Side =>
      (length) =>
        standby.stop().then(() => side(length));
    const replicated =
      (side: Side): Side =>
      (length) =>
        standby.start().then(() => side(length));
    try {
      const load = await compare({
        payouts: alone(requests.payouts),
        manyPayouts: alone(requests.manyPayouts),
        orders: alone(requests.orders),
        replicatedPayouts: replicated(requests.payouts),
        replicatedManyPayouts: replicated(requests.manyPayouts),
        replicatedOrders: replicated(requests.orders),
      });
      const reference = "without standby";
      const waiting = "each commit waits for a standby";
      return [
        speedRow(`POST /payout, ${waiting}`, load.replicatedPayouts, load.payouts, reference, TARGET),
        speedRow(
          `POST /payout, ${MANY_CONNECTIONS} connections, ${waiting}`,
          load.replicatedManyPayouts,
          load.manyPayouts,
          reference,
          TARGET,
        ),
        speedRow(`POST /orders, ${waiting}`, load.replicatedOrders, load.orders, reference, TARGET),
      ];
    } finally {
      await standby.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Creates a stopped standby. `start` resolves when commits wait for it, `stop` when they no longer do; both are idempotent. */
async function createStandby(
  { adminUrl, databaseDirectory }: System,
  dataDirectory: string,
): Promise<{ start(): Promise<void>; stop(): Promise<void> }> {
  const primary = { url: adminUrl, dataDirectory: databaseDirectory };
  await allowStandbys(primary);
  let server: EmbeddedServer | undefined = await startStandby({
    primary,
    port: new URL(adminUrl).port,
    dataDirectory,
  });
  const stop = async (): Promise<void> => {
    await setSynchronous(adminUrl, false);
    await server?.stop();
    server = undefined;
  };
  await stop();
  return {
    async start() {
      if (server) return;
      server = await startEmbeddedServer({ dataDirectory });
      await waitForStandby(adminUrl, false);
      await setSynchronous(adminUrl, true);
      await waitForStandby(adminUrl, true);
    },
    stop,
  };
}

/** Waits until the standby follows the primary. @throws Error if it does not follow in time. */
const waitForStandby = (url: string, synchronous: boolean): Promise<unknown> =>
  waitUntil("the standby follows", START_LIMIT_MS, async () =>
    (await countStandbys(url, synchronous)) === 1 ? true : undefined,
  );

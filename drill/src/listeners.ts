import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { rawKey, verifyWebhook } from "@tillgate/webhooks";
import { createApiClients } from "./api-clients.js";
import type { System } from "./system.js";

/** `received`: IDs of webhooks with a valid signature and time. */
export type Receiver = { address: string; received: ReadonlySet<string>; close(): void };

export async function startReceiver({ access }: System): Promise<Receiver> {
  const received = new Set<string>();
  const keys = [rawKey(access.merchant.client_secret)];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { headers } = request;
    const verified = verifyWebhook({ headers, body, keys, nowSeconds: Date.now() / 1_000 });
    if (verified.status === "ok") received.add(verified.id);
    response.writeHead(verified.status === "ok" ? 204 : 401).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  if (bound === null || typeof bound === "string")
    throw new Error("the receiver is not listening on a TCP port");
  return {
    address: `http://127.0.0.1:${bound.port}/hook`,
    received,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const END_LIMIT_MS = 60_000;

/** Follows `GET /events` by its cursor, from each process in turn. */
export type EventReader = { seen: readonly string[]; end(): Promise<void> };

export function startEventReader({ access, origins }: System): EventReader {
  const nextApi = createApiClients(origins, access.merchant);
  const seen: string[] = [];
  let endBy = Number.POSITIVE_INFINITY;
  let after: string | undefined;
  const read = async (): Promise<void> => {
    while (performance.now() < endBy) {
      const list = await nextApi()
        .pay.events.list({ per_page: 100, wait: 1, ...(after && { after }) })
        .catch(() => undefined);
      if (list === undefined) await delay(200);
      else {
        after = list.next;
        seen.push(...list.events.map(({ id }) => id));
        // Everything up to the end has been read once a read finds nothing more.
        if (endBy < Number.POSITIVE_INFINITY && list.events.length === 0) return;
      }
    }
  };
  const reading = read();
  return {
    seen,
    end() {
      endBy = performance.now() + END_LIMIT_MS;
      return reading;
    },
  };
}

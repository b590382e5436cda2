import { proveLedger } from "@tillgate/database";
import { rowsOf } from "@tillgate/service";
import { z } from "zod";
import { connected } from "./connected.js";
import type { Journal, Kind } from "./journal.js";
import type { EventReader, Receiver } from "./listeners.js";
import type { System } from "./system.js";
import { until } from "./until.js";

/** How long calls of unknown outcome may take to be answered after the last fault. */
const SEND_AGAIN_LIMIT_MS = 30_000;
const DELIVERY_LIMIT_MS = 10 * 60_000;
/** Concurrent retries. */
const CALLERS = 8;

/** One guarantee, and the violations found. */
export type Check = { name: string; faults: string[] };

/** The table and columns that hold a call's idempotency key and the id in its response. */
const FOUND: Record<Kind, string> = {
  order: "SELECT reference AS key, id FROM orders WHERE reference IS NOT NULL",
  payment: "SELECT id AS key, trx_id AS id FROM orders WHERE trx_id IS NOT NULL",
  refund: "SELECT reference AS key, id FROM refunds WHERE reference IS NOT NULL",
  payout: "SELECT reference AS key, id FROM payouts",
};
const foundSchema = z.object({ key: z.string(), id: z.string() });

/**
 * Retries calls without a response, as a client does after an outage.
 * @returns their number, and those that got no response again.
 */
export async function sendAgain(journal: Journal): Promise<{ count: number; faults: string[] }> {
  const left = journal.wishes.filter(({ acknowledged, underWay }) => acknowledged === undefined && !underWay);
  const count = left.length;
  const faults: string[] = [];
  const caller = async (): Promise<void> => {
    for (let wish = left.shift(); wish !== undefined; wish = left.shift()) {
      const sent = wish;
      await until(sent.key, SEND_AGAIN_LIMIT_MS, async () => (await journal.send(sent)) || undefined).catch(
        () => void faults.push(`${sent.kind} ${sent.key} is never answered`),
      );
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return { count, faults };
}

/** Each idempotency key is in the database once, with the id that its caller received. */
export async function keysOnce(journal: Journal, url: string): Promise<Check> {
  const faults: string[] = [];
  await connected(url, async (client) => {
    for (const [kind, statement] of Object.entries(FOUND)) {
      const ids = new Map<string, string[]>();
      for (const { key, id } of await rowsOf(client, foundSchema, statement))
        ids.set(key, [...(ids.get(key) ?? []), id]);
      for (const { key, acknowledged } of journal.wishes.filter((wish) => wish.kind === kind)) {
        const found = ids.get(key) ?? [];
        if (acknowledged !== undefined && (found.length !== 1 || found[0] !== acknowledged))
          faults.push(
            `${kind} ${key} was answered as ${acknowledged}; the books have ${found.join(", ") || "nothing"}`,
          );
      }
    }
  });
  return { name: `each of ${journal.wishes.length} keys is in the books once, as it was answered`, faults };
}

export async function proofHolds(url: string): Promise<Check> {
  const { rules } = await proveLedger(url);
  const faults = rules.flatMap(({ rule, violations }) =>
    violations.map((violation) => `${rule}: ${violation}`),
  );
  return { name: `the ledger's proof holds, ${rules.length} rules`, faults };
}

const idSchema = z.object({ id: z.string() });

/** The reader received all events of its merchant, each once, in commit order. */
export async function eventsInOrder(reader: EventReader, { access }: System, url: string): Promise<Check> {
  const inBooks = await connected(url, (client) =>
    rowsOf(
      client,
      idSchema,
      `SELECT id FROM events WHERE mode = 'sandbox' AND merchant_id =
         (SELECT merchant_id FROM credentials WHERE client_id = $1 LIMIT 1) ORDER BY turn, number`,
      [access.merchant.client_id],
    ),
  );
  const expected = inBooks.map(({ id }) => id);
  const at = expected.findIndex((id, place) => reader.seen[place] !== id);
  const faults: string[] = [];
  if (reader.seen.length !== expected.length)
    faults.push(`the reader saw ${reader.seen.length} events, the books have ${expected.length}`);
  if (at >= 0) faults.push(`place ${at}: the reader saw ${reader.seen[at]}, the books have ${expected[at]}`);
  return { name: `a reader of GET /events saw ${expected.length} events, each once and in order`, faults };
}

const deliverySchema = z.object({ id: z.string(), status: z.string() });

/** Each event with a callback address was delivered to it. */
export async function webhooksArrive(receiver: Receiver, url: string): Promise<Check> {
  const missing = (): Promise<{ all: number; missing: string[] }> =>
    connected(url, async (client) => {
      const rows = await rowsOf(
        client,
        deliverySchema,
        "SELECT event_id AS id, status::text FROM deliveries",
      );
      const lost = rows.filter(({ id, status }) => status !== "delivered" || !receiver.received.has(id));
      return { all: rows.length, missing: lost.map(({ id, status }) => `${id} is ${status}`) };
    });
  await until("webhooks", DELIVERY_LIMIT_MS, async () =>
    (await missing()).missing.length === 0 ? true : undefined,
  ).catch(() => undefined);
  const found = await missing();
  return { name: `each of ${found.all} webhooks arrived`, faults: found.missing };
}

const digestSchema = z.object({ digest: z.string() });
const DIGEST = ["orders", "transfers", "entries", "events", "refunds", "payouts", "idempotency_keys"]
  .map(
    (table) =>
      `SELECT '${table} ' || count(*) || ' ' || coalesce(sum(hashtextextended(row::text, 0)), 0) AS part FROM ${table} AS row`,
  )
  .join(" UNION ALL ");

/** All servers hold the same rows. */
export async function serversAgree(system: System): Promise<Check> {
  const { nodes } = system.cluster;
  const digests = () =>
    Promise.all(
      nodes.map(({ postgresPort }) =>
        connected(system.superuserUrl(postgresPort), async (client) => {
          const [row] = await rowsOf(
            client,
            digestSchema,
            `SELECT string_agg(part, E'\\n' ORDER BY part) AS digest FROM (${DIGEST}) AS parts`,
          );
          return row?.digest ?? "";
        }),
      ),
    );
  const same = (all: readonly string[]): boolean => new Set(all).size === 1;
  // A standby lags a little.
  await until("the standbys", SEND_AGAIN_LIMIT_MS, async () =>
    same(await digests()) ? true : undefined,
  ).catch(() => undefined);
  const found = await digests();
  const faults = same(found)
    ? []
    : nodes.map(({ name }, at) => `${name}: ${found[at]?.replaceAll("\n", ", ")}`);
  return { name: `all ${nodes.length} servers have the same books`, faults };
}

import { proveLedger } from "@tillgate/database";
import { queryRows } from "@tillgate/service";
import { z } from "zod";
import { withClient } from "./connected.js";
import { checkHistory as judgeHistory } from "./history/check.js";
import { readHistory } from "./history/operation.js";
import { describeAnomalies, describeSize } from "./history/report.js";
import type { Traffic } from "./history/traffic.js";
import type { Journal, Kind } from "./journal.js";
import type { EventReader, Receiver } from "./listeners.js";
import type { System } from "./system.js";
import { waitUntil } from "./until.js";

const SEND_AGAIN_LIMIT_MS = 30_000;
const DELIVERY_LIMIT_MS = 10 * 60_000;
const CALLERS = 8;

export type Check = { name: string; violations: string[] };

const FOUND: Record<Kind, string> = {
  order: "SELECT reference AS key, id FROM orders WHERE reference IS NOT NULL",
  payment: "SELECT id AS key, trx_id AS id FROM orders WHERE trx_id IS NOT NULL",
  refund: "SELECT reference AS key, id FROM refunds WHERE reference IS NOT NULL",
  payout: "SELECT reference AS key, id FROM payouts",
};
const foundSchema = z.object({ key: z.string(), id: z.string() });

/** Retries unacknowledged calls, as a client does after an outage. @returns their number, and a message for each call that is still unacknowledged. */
export async function retryUnknown(journal: Journal): Promise<{ count: number; violations: string[] }> {
  const unknown = journal.operations.filter(
    ({ acknowledged, underWay }) => acknowledged === undefined && !underWay,
  );
  const count = unknown.length;
  const violations: string[] = [];
  const caller = async (): Promise<void> => {
    for (let operation = unknown.shift(); operation !== undefined; operation = unknown.shift()) {
      const sent = operation;
      await waitUntil(
        sent.key,
        SEND_AGAIN_LIMIT_MS,
        async () => (await journal.send(sent)) || undefined,
      ).catch(() => void violations.push(`${sent.kind} ${sent.key} was never acknowledged`));
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return { count, violations };
}

export async function checkKeys(journal: Journal, url: string): Promise<Check> {
  const violations: string[] = [];
  await withClient(url, async (client) => {
    for (const [kind, statement] of Object.entries(FOUND)) {
      const ids = new Map<string, string[]>();
      for (const { key, id } of await queryRows(client, foundSchema, statement))
        ids.set(key, [...(ids.get(key) ?? []), id]);
      for (const { key, acknowledged } of journal.operations.filter((operation) => operation.kind === kind)) {
        const found = ids.get(key) ?? [];
        if (acknowledged !== undefined && (found.length !== 1 || found[0] !== acknowledged))
          violations.push(
            `${kind} ${key} was acknowledged as ${acknowledged}; the ledger has ${found.join(", ") || "nothing"}`,
          );
      }
    }
  });
  return {
    name: `of ${journal.operations.length} idempotency keys, each acknowledged one is in the database once, with the id of its response`,
    violations,
  };
}

/** Reads the final statements, and checks that the recorded calls are strictly serializable. */
export async function checkHistory(traffic: Traffic, file: string): Promise<Check> {
  try {
    await traffic.readFinalStatements();
  } catch (error) {
    return { name: "the recorded wallets can be read at the end", violations: [String(error)] };
  }
  const verdict = await judgeHistory(readHistory(file));
  return {
    name: `the recorded history is strictly serializable: ${describeSize(verdict)}`,
    violations: describeAnomalies(verdict),
  };
}

export async function checkProof(url: string): Promise<Check> {
  const { rules } = await proveLedger(url);
  const violations = rules.flatMap(({ rule, violations }) =>
    violations.map((violation) => `${rule}: ${violation}`),
  );
  return { name: `the ledger satisfies all ${rules.length} rules`, violations };
}

const idSchema = z.object({ id: z.string() });

/** Checks that the reader received all events of its merchant exactly once, oldest first. */
export async function checkEvents(reader: EventReader, { access }: System, url: string): Promise<Check> {
  const inBooks = await withClient(url, (client) =>
    queryRows(
      client,
      idSchema,
      `SELECT id FROM events WHERE mode = 'sandbox' AND merchant_id =
         (SELECT merchant_id FROM credentials WHERE client_id = $1 LIMIT 1) ORDER BY turn, number`,
      [access.merchant.client_id],
    ),
  );
  const expected = inBooks.map(({ id }) => id);
  const at = expected.findIndex((id, index) => reader.seen[index] !== id);
  const violations: string[] = [];
  if (reader.seen.length !== expected.length)
    violations.push(
      `the reader received ${reader.seen.length} events, but the database has ${expected.length}`,
    );
  if (at >= 0)
    violations.push(
      `position ${at}: the reader received ${reader.seen[at]}, but the database has ${expected[at]}`,
    );
  return {
    name: `a reader of GET /events received ${expected.length} events, each once and oldest first`,
    violations,
  };
}

const deliverySchema = z.object({ id: z.string(), status: z.string() });

export async function checkWebhooks(receiver: Receiver, url: string): Promise<Check> {
  const findMissing = (): Promise<{ all: number; missing: string[] }> =>
    withClient(url, async (client) => {
      const rows = await queryRows(
        client,
        deliverySchema,
        "SELECT event_id AS id, status::text FROM deliveries",
      );
      const undelivered = rows.filter(
        ({ id, status }) => status !== "delivered" || !receiver.received.has(id),
      );
      return { all: rows.length, missing: undelivered.map(({ id, status }) => `${id} is ${status}`) };
    });
  await waitUntil("webhooks", DELIVERY_LIMIT_MS, async () =>
    (await findMissing()).missing.length === 0 ? true : undefined,
  ).catch(() => undefined);
  const found = await findMissing();
  return {
    name: `each of ${found.all} webhooks was delivered with a valid signature`,
    violations: found.missing,
  };
}

const digestSchema = z.object({ digest: z.string() });
const DIGEST = ["orders", "transfers", "entries", "events", "refunds", "payouts", "idempotency_keys"]
  .map(
    (table) =>
      `SELECT '${table} ' || count(*) || ' ' || coalesce(sum(hashtextextended(row::text, 0)), 0) AS part FROM ${table} AS row`,
  )
  .join(" UNION ALL ");

/** Checks that all servers have the same rows in the tables of {@link DIGEST}. */
export async function checkServers(system: System): Promise<Check> {
  const { nodes } = system.cluster;
  const readDigests = () =>
    Promise.all(
      nodes.map(({ postgresPort }) =>
        withClient(system.superuserUrl(postgresPort), async (client) => {
          const [row] = await queryRows(
            client,
            digestSchema,
            `SELECT string_agg(part, E'\\n' ORDER BY part) AS digest FROM (${DIGEST}) AS parts`,
          );
          return row?.digest ?? "";
        }),
      ),
    );
  const areEqual = (all: readonly string[]): boolean => new Set(all).size === 1;
  await waitUntil("the standbys", SEND_AGAIN_LIMIT_MS, async () =>
    areEqual(await readDigests()) ? true : undefined,
  ).catch(() => undefined);
  const found = await readDigests();
  const violations = areEqual(found)
    ? []
    : nodes.map(({ name }, at) => `${name}: ${found[at]?.replaceAll("\n", ", ")}`);
  return { name: `all ${nodes.length} servers have the same rows`, violations };
}

import { type PayClient, TillgateApiError } from "@tillgate/client";
import type { ComparedOrder, OrderDifference } from "@tillgate/contract";
import type {
  ComparisonRun,
  PaymentDifferences,
  PlacedPayment,
  RunTotals,
  Totals,
} from "../records/records.js";
import { collectOrder } from "./collect-order.js";
import type { ConnectorContext } from "./context.js";
import { allClients, isRetiredKeyRejected, tillgateClient } from "./credentials.js";

export type Difference = Omit<OrderDifference, "subject_id" | "values" | "accepted"> & { subjectId: string };

const toDifference = ({
  subject_id: subjectId,
  values: _values,
  accepted: _accepted,
  ...difference
}: OrderDifference): Difference => ({ ...difference, subjectId });

export type ComparedPayment = {
  payment: PlacedPayment;
  /** Client for the key with which the payment was started or, if that key is no longer configured, for the current key. */
  client: PayClient;
  /** Read before the order. */
  known: PaymentDifferences;
  /** Null if the payment is skipped. */
  order: ComparedOrder | null;
  /** Why the payment is skipped. */
  error: unknown;
  differences: readonly Difference[];
};

/** Compares one payment outside of a run. @throws the client's errors, and those of {@link collectOrder} and {@link tillgateClient} */
export async function comparePayment(
  context: ConnectorContext,
  payment: PlacedPayment,
): Promise<Difference[]> {
  const client = tillgateClient(context, payment.credential);
  const order = await collectOrder(context, payment, await context.comparisons.ofPayment(payment.id));
  const run = await context.comparisons.last();
  const startedAt = run?.startedAt ?? new Date(context.clocks.nowMs("tillgate"));
  const { orders } = await client.comparisons.send(toDay(startedAt), { orders: [order] });
  return orders.flatMap(({ differences }) => differences.map(toDifference));
}

/** Compares one payment, and replaces its stored differences. @throws the errors of {@link comparePayment} */
export async function updateDifferences(
  context: ConnectorContext,
  payment: PlacedPayment,
): Promise<Difference[]> {
  const differences = await comparePayment(context, payment);
  const run = (await context.comparisons.last())?.run ?? 0;
  await context.comparisons.replace(run, payment, differences);
  return differences;
}

/**
 * Sends a batch to Tillgate. A payment is marked as skipped if Tillgate rejects it, or if it belongs to a retired key that Tillgate no longer
 * accepts.
 * @throws the client's other errors
 */
export async function comparePayments(
  context: ConnectorContext,
  run: ComparisonRun,
  batch: readonly ComparedPayment[],
): Promise<ComparedPayment[]> {
  const compared: ComparedPayment[] = [];
  for (const client of new Set(batch.map((one) => one.client))) {
    const own = batch.filter((one) => one.client === client);
    compared.push(...(await sendPayments(context, client, run, own, addTotals(run, compared))));
  }
  return compared;
}

type CountedPayment = Pick<ComparedPayment, "client" | "order">;

const add = ({ compared, skipped }: Totals, batch: readonly CountedPayment[]): Totals => {
  const orders = batch.filter(({ order }) => order !== null).length;
  return { compared: compared + orders, skipped: skipped + batch.length - orders };
};

export const addTotals = ({ live, ...all }: RunTotals, batch: readonly CountedPayment[]): RunTotals => ({
  ...add(all, batch),
  live: add(
    live,
    batch.filter(({ client }) => client.mode === "live"),
  ),
});

/** Tillgate treats each mode as a separate shop. */
const totalsOf = ({ compared, skipped, live }: RunTotals, { mode }: PayClient): Totals =>
  mode === "live" ? live : { compared: compared - live.compared, skipped: skipped - live.skipped };

/**
 * Sends payments with one client. Payments that Tillgate rejects are sent again as skipped, so that their earlier differences remain. If
 * Tillgate rejects a retired key, all payments of that key are sent as skipped, with the current key.
 */
async function sendPayments(
  context: ConnectorContext,
  client: PayClient,
  run: ComparisonRun,
  batch: readonly ComparedPayment[],
  before: RunTotals,
): Promise<ComparedPayment[]> {
  const orders = batch.flatMap(({ order }) => order ?? []);
  const skip = (error: unknown, ids: ReadonlySet<string>) =>
    batch.map((one) =>
      one.order !== null && ids.has(one.order.order_id) ? { ...one, order: null, error } : one,
    );
  try {
    const comparison = await client.comparisons.send(toDay(run.startedAt), {
      orders,
      skipped_orders: batch.flatMap(({ order, payment }) =>
        order === null ? [payment.order.tillgateOrderId] : [],
      ),
      progress: { ...totalsOf(addTotals(before, batch), client), completed: false },
    });
    const found = new Map(
      comparison.orders.map(({ order_id, differences }) => [order_id, differences.map(toDifference)]),
    );
    return batch.map((one) => ({ ...one, differences: found.get(one.payment.order.tillgateOrderId) ?? [] }));
  } catch (error) {
    if (isRetiredKeyRejected(context, client, error)) {
      const ids = new Set(orders.map(({ order_id }) => order_id));
      const skipped = skip(error, ids).map((one) => ({ ...one, client: context.tillgate }));
      return sendPayments(context, context.tillgate, run, skipped, before);
    }
    const rejected = rejectedOrders(orders, error);
    if (rejected.size === 0) throw error;
    return sendPayments(context, client, run, skip(error, rejected), before);
  }
}

function rejectedOrders(orders: readonly ComparedOrder[], error: unknown): Set<string> {
  const fields = error instanceof TillgateApiError ? Object.keys(error.fieldErrors) : [];
  return new Set(
    orders
      .filter((_, index) => fields.some((field) => `${field}.`.startsWith(`orders.${index}.`)))
      .map(({ order_id }) => order_id),
  );
}

/**
 * Reports a run's start or end with each key, because each account has a separate run.
 * @throws the client's errors, unless a retired key is rejected
 */
export async function sendProgress(
  context: ConnectorContext,
  run: ComparisonRun,
  totals: RunTotals,
  completed: boolean,
): Promise<void> {
  for (const client of allClients(context)) {
    try {
      const progress = { ...totalsOf(totals, client), completed };
      await client.comparisons.send(toDay(run.startedAt), { orders: [], progress });
    } catch (error) {
      if (!isRetiredKeyRejected(context, client, error)) throw error;
    }
  }
}

const toDay = (time: Date): string => time.toISOString().slice(0, 10);

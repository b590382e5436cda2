import { randomBytes, randomUUID } from "node:crypto";
import { type LedgerGroup, ledger } from "@tillgate/database";
import { inTransaction } from "@tillgate/service";
import type pg from "pg";
import { createReference, cycle, mapInBatches } from "../calls.js";
import { hasCpuAccounting, readCpuMs } from "../cpu.js";
import { createDigits } from "../direct-calls.js";
import type { Figure, Result, Target } from "../figure.js";
import { openShopperWallet } from "../parties.js";
import { connectExplaining, type ExplainingClient, type Work } from "../plan.js";
import { pickSize } from "../sized.js";
import { roundToCents } from "../statistics.js";
import type { System } from "../system.js";

const MAX_GROUP = 64;
const GROUPS = [1, 8, 32, MAX_GROUP];
/** Number of items, enough for the kernel's resolution of CPU time (10 ms). */
const ITEMS = pickSize(1_280, 128);
const JUDGED_GROUP = 32;
const PAYER_CURRENCY = "USD";

const QUOTE_ORDERS = `
  INSERT INTO shopper_quotes (id, mode, order_id, wallet_user_id, account_id, payer_currency, payer_amount, rate, expires_at)
  SELECT gen_random_uuid(), o.mode, o.id, item.shopper, item.wallet, $4, ceil(o.amount / e.rate), e.rate, clock_timestamp() + interval '1 hour'
  FROM unnest($1::text[], $2::uuid[], $3::uuid[]) AS item (order_id, shopper, wallet) JOIN orders o ON o.id = item.order_id
  CROSS JOIN LATERAL (
    SELECT rate * (100 - spread_percent) / 100 AS rate FROM exchange_rates
    WHERE mode = o.mode AND base = $4 AND quote = o.currency ORDER BY effective_from DESC, created_at DESC LIMIT 1) e
  RETURNING id, order_id AS "orderId", wallet_user_id AS "walletUserId"`;
/** Leases new deliveries, so that the system's worker does not claim them first. */
const LEASE_DELIVERIES = `
  UPDATE deliveries SET leased_by = gen_random_uuid(), leased_at = clock_timestamp(), leased_until = clock_timestamp() + interval '1 minute',
    leased_as = 'prompt', leased_host = 'shop.example'
  WHERE event_id IN (SELECT id FROM events WHERE order_id = ANY ($1)) RETURNING id`;

type Operation = {
  title: string;
  item: string;
  target?: Target;
  /** Sizes of the groups. Default: {@link GROUPS}. */
  groups?: readonly number[];
  prepare(items: number, size: number): Promise<pg.QueryConfig[]>;
};

/** The cost of one item in PostgreSQL, for groups of items on one connection: CPU time, statements, triggers, buffers, WAL. */
export const cost: Figure = {
  name: "cost",
  async measure(system) {
    if (!hasCpuAccounting) return [];
    const { pathname, username } = new URL(system.sandbox.database_url);
    const explaining = await connectExplaining(new URL(pathname, system.adminUrl).href, username);
    const client = await system.pool.connect();
    try {
      const results: Result[] = [];
      for (const operation of defineOperations(system))
        for (const size of operation.groups ?? GROUPS)
          results.push(await measureOperation({ client, explaining }, operation, size));
      return results;
    } finally {
      client.release();
      await explaining.end();
    }
  },
};

type Connections = { client: pg.PoolClient; explaining: ExplainingClient };

async function measureOperation(
  { client, explaining }: Connections,
  { title, item, target, prepare }: Operation,
  size: number,
): Promise<Result> {
  const [warmUp, explainWarmUp, explained, ...calls] = await prepare(ITEMS + 3 * size, size);
  if (!warmUp || !explainWarmUp || !explained)
    throw new Error(`${title}: prepare() returned fewer than three calls.`);
  // Plans the statement. The plan is then cached.
  await client.query(warmUp);
  const pid = await readNumber(client, "SELECT pg_backend_pid()");
  const readLog = () => readNumber(client, "SELECT pg_current_wal_insert_lsn() - '0/0'");
  const log = await readLog();
  const cpuMs = readCpuMs(pid);
  for (const call of calls) await client.query(call);
  const items = calls.length * size;
  const spentMs = (readCpuMs(pid) - cpuMs) / items;
  const logBytes = ((await readLog()) - log) / items;
  await explaining.explain(explainWarmUp);
  const work = await explaining.explain(explained);
  return {
    what: `${title}, group of ${size}: CPU ms of PostgreSQL per ${item}`,
    measured: describeWork(work, size, logBytes),
    reference: "",
    value: roundToCents(spentMs),
    ...(size === JUDGED_GROUP && target && { target }),
  };
}

const describeWork = (work: Work, size: number, logBytes: number): string => {
  const per = (count: number): string => (count / size).toFixed(1);
  return `${per(work.statements)} statements, ${per(work.foreignKeys)} foreign keys and ${per(work.triggers)} other triggers checked, ${per(work.buffers)} buffers, ${Math.round(logBytes)} bytes of WAL, ${(1 / size).toFixed(2)} commits`;
};

async function readNumber(client: pg.PoolClient, sql: string): Promise<number> {
  const { rows } = await client.query<[string]>({ text: sql, rowMode: "array" });
  return Number(rows[0]?.[0]);
}

const times = <Item>(count: number, create: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => create(at));

const grouped = <Args extends Record<string, unknown>>(
  fn: LedgerGroup<Args, unknown>,
  item: string,
  make: (count: number) => Promise<Args[]> | Args[],
  more: { title?: string; target?: Target } = {},
): Operation => ({
  title: fn.name,
  item,
  ...more,
  prepare: async (count, size) => toCalls(fn, await make(count), size),
});

const toCalls = <Args extends Record<string, unknown>>(
  { name, sql, valuesOfGroup }: LedgerGroup<Args, unknown>,
  items: readonly Args[],
  size: number,
): pg.QueryConfig[] =>
  times(Math.ceil(items.length / size), (at) => ({
    name,
    text: sql,
    values: valuesOfGroup(items.slice(at * size, (at + 1) * size)),
  }));

function defineOperations({ pool, merchants, shoppers }: System): Operation[] {
  const merchant = cycle(merchants);
  const shopper = cycle(shoppers);
  let otherPayers: Promise<{ id: string; walletId: string }[]> | undefined;
  const payersInOtherCurrency = () =>
    (otherPayers ??= mapInBatches(shoppers, async (payer) => ({
      id: payer.id,
      walletId: await openShopperWallet(pool, payer, PAYER_CURRENCY),
    })));

  const orders = (count: number, callbackUrl: string | null = null) =>
    times(count, () => {
      const { id: merchantId, credentialId } = merchant();
      return {
        id: `POS-20000101-${createDigits()}`,
        token: randomBytes(24).toString("base64url"),
        merchantId,
        mode: "sandbox" as const,
        credentialId,
        amount: 1_250n,
        currency: "EUR",
        paymentMethod: "both",
        reference: createReference(),
        description: null,
        terminalId: null,
        orderNumber: null,
        custom: null,
        callbackUrl,
        returnUrl: null,
        cancelUrl: null,
        expiresInSeconds: 3_600,
        operation: "create_order",
        idempotencyKey: createReference(),
        requestHash: randomBytes(32),
        metadata: null,
        locale: null,
        requestId: null,
        traceparent: null,
      };
    });
  const payments = async (count: number, callbackUrl: string | null = null) => {
    const created = orders(count, callbackUrl);
    for (const call of toCalls(ledger.createOrders, created, MAX_GROUP)) await pool.query(call);
    return created.map(({ id, merchantId }) => ({
      merchantId,
      payment: {
        orderId: id,
        mode: "sandbox" as const,
        payerAccountId: shopper().walletId,
        quoteId: null,
        walletUserId: null,
        trxId: `TRX-${createDigits()}`,
        transferId: randomUUID(),
        topUpTransferId: null,
        confirmation: null,
        requestId: null,
      },
    }));
  };
  const payFromWallets = async (
    connection: Pick<pg.PoolClient, "query">,
    items: Awaited<ReturnType<typeof payments>>,
  ) => {
    const calls = toCalls(
      ledger.payOrders,
      items.map(({ payment }) => payment),
      MAX_GROUP,
    );
    for (const call of calls) await connection.query(call);
  };
  const convertedPayments = async (count: number) => {
    const items = await payments(count);
    const payer = cycle(await payersInOtherCurrency());
    const payers = items.map(() => payer());
    const { rows } = await pool.query<{ id: string; orderId: string; walletUserId: string }>(QUOTE_ORDERS, [
      items.map(({ payment }) => payment.orderId),
      payers.map(({ id }) => id),
      payers.map(({ walletId }) => walletId),
      PAYER_CURRENCY,
    ]);
    const quotes = new Map(rows.map((quote) => [quote.orderId, quote]));
    return items.map(({ payment }) => {
      const quote = quotes.get(payment.orderId);
      if (!quote) throw new Error(`Order ${payment.orderId} has no quote.`);
      return { ...payment, payerAccountId: null, quoteId: quote.id, walletUserId: quote.walletUserId };
    });
  };
  const deliveries = async (count: number): Promise<pg.QueryConfig[]> => {
    const items = await payments(count, "https://shop.example/webhook");
    const rows = await inTransaction(pool, async (connection) => {
      await payFromWallets(connection, items);
      const orderIds = items.map(({ payment }) => payment.orderId);
      return (await connection.query<{ id: string }>(LEASE_DELIVERIES, [orderIds])).rows;
    });
    const { name, sql, values } = ledger.settleAttempt;
    return rows.map(({ id }) => ({
      name,
      text: sql,
      values: values({
        delivery: id,
        number: 1,
        status: "delivered",
        nextDelayMs: 0,
        givenUpBecause: null,
        address: "https://shop.example/webhook",
        host: "shop.example",
        startedAt: new Date(),
        latencyMs: 20,
        httpStatus: 200,
        errorKind: null,
        answerStart: null,
        requestHeaders: "{}",
      }),
    }));
  };
  const payouts = (count: number) =>
    times(count, () => {
      const recipient = shopper();
      return {
        payoutId: `PO${createDigits()}`,
        merchantId: merchant().id,
        mode: "sandbox" as const,
        idempotencyKey: createReference(),
        reference: createReference(),
        quoteId: null,
        walletUserId: recipient.id,
        recipientAccountId: recipient.walletId,
        amount: 100n,
        senderCurrency: "EUR",
        fee: 0n,
        rate: "1",
        receiverAmount: 100n,
        receiverCurrency: "EUR",
        description: null,
        trxId: `PP${createDigits()}`,
        transferId: randomUUID(),
        needsApproval: false,
        metadata: null,
        traceparent: null,
      };
    });

  return [
    grouped(ledger.createOrders, "order", orders),
    grouped(
      ledger.payOrders,
      "payment",
      async (count) => (await payments(count)).map(({ payment }) => payment),
      { target: { atMost: 0.4 } },
    ),
    grouped(ledger.payOrders, "payment", convertedPayments, { title: "pay_orders with conversion" }),
    grouped(ledger.executePayouts, "payout", payouts, { target: { atMost: 0.3 } }),
    grouped(ledger.refundPayments, "refund", async (count) => {
      const paid = await payments(count);
      await payFromWallets(pool, paid);
      return paid.map(({ merchantId, payment }) => ({
        refundId: `RF-20000101-${createDigits()}`,
        merchantId,
        mode: "sandbox" as const,
        trxId: payment.trxId,
        amount: 100n,
        reason: null,
        reference: null,
        transferId: randomUUID(),
        idempotencyKey: createReference(),
        requestHash: randomBytes(32),
        metadata: null,
        credentialId: null,
        requestId: null,
      }));
    }),
    { title: ledger.settleAttempt.name, item: "delivery", groups: [1], prepare: deliveries },
  ];
}

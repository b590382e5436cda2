import { randomUUID } from "node:crypto";
import type pg from "pg";
import {
  cancelOrder,
  createOrder,
  newRefundId,
  newTrxId,
  type OrderRow,
  paidOrder,
  quoteOrder,
  type RefundRow,
  refundPayment,
} from "../../ledger-calls.js";
import { openSandboxDatabase, record, type SandboxDatabase } from "../../sandbox-database.js";
import {
  createQuote,
  executePayout,
  newPartnerTrxId,
  newPayoutId,
  type PayoutRow,
} from "../payouts/payout-calls.js";

/** Account and minor units, in EUR by default. */
export type Line = [account: string, amount: number, currency?: string];
/** Forged fields in the audit record of a decision; null: no record. */
export type DecisionRecord = Partial<Record<"action" | "subject" | "amount" | "merchant", string>> | null;
export type Scene = Awaited<ReturnType<typeof openScene>>;

/** Creates a ledger with every kind of record, and the accounts that a forger would use. */
export async function openScene() {
  const database = await openSandboxDatabase();
  const { pool, merchant, otherMerchant, shoppers, house } = database;
  const id = async (sql: string, values: unknown[] = []): Promise<string> =>
    String((await pool.query<{ id: string }>(sql, values)).rows[0]?.id);
  const account = (owner: string, kind: string, currency = "EUR") =>
    id(
      "SELECT id FROM accounts WHERE merchant_id = $1 AND kind::text = $2 AND currency = $3 AND mode = 'sandbox'",
      [owner, kind, currency],
    );
  const amelie = record(record(shoppers, "Amélie"), "EUR");
  await pool.query("UPDATE merchants SET refunds_need_approval = true WHERE id = $1", [merchant.id]);
  const heldRefund = await refundPayment(database, await paidOrder(database), { amount: 100n });
  await pool.query("UPDATE merchants SET refunds_need_approval = false WHERE id = $1", [merchant.id]);
  const live = async (order: "ASC" | "DESC") =>
    id(
      `INSERT INTO accounts (id, mode, currency, kind, merchant_id, balance) SELECT gen_random_uuid(), 'live', 'EUR', 'merchant', id, 0
       FROM merchants ORDER BY id ${order} LIMIT 1 RETURNING id`,
    );
  const endpoint = (owner: string) =>
    id(
      `INSERT INTO receivers (id, mode, merchant_id, address, events, secret_ciphertext, encryption_key_id)
       VALUES (gen_random_uuid(), 'sandbox', $1, 'https://shop.example.com/hook', '{}', '', 'k') RETURNING id`,
      [owner],
    );
  await cancelOrder(
    database,
    await createOrder(database, { merchant: otherMerchant, callbackUrl: "https://other.example.com/hook" }),
  );
  return {
    database,
    endpoint: await endpoint(merchant.id),
    otherEndpoint: await endpoint(otherMerchant.id),
    credential: merchant.credentialId,
    otherCredential: otherMerchant.credentialId,
    /** A delivery of the other merchant. */
    otherDelivery: await id("SELECT id FROM deliveries WHERE merchant_id = $1", [otherMerchant.id]),
    merchant: merchant.id,
    other: otherMerchant.id,
    wallet: await account(merchant.id, "merchant"),
    hold: await account(merchant.id, "hold"),
    otherWallet: await account(otherMerchant.id, "merchant"),
    otherHold: await account(otherMerchant.id, "hold"),
    amelie,
    samuel: record(record(shoppers, "Samuel"), "EUR"),
    samuelFrancs: record(record(shoppers, "Samuel"), "XAF"),
    samuelHimself: await id("SELECT id FROM wallet_users WHERE name LIKE 'Samuel%'"),
    testShopper: record(database.testShopper, "EUR"),
    issuing: record(record(house, "issuing"), "EUR"),
    issuingFrancs: record(record(house, "issuing"), "XAF"),
    funding: record(record(house, "funding"), "EUR"),
    fees: record(record(house, "fees"), "EUR"),
    fx: record(record(house, "fx"), "EUR"),
    fxFrancs: record(record(house, "fx"), "XAF"),
    liveFunding: await id(
      "SELECT id FROM accounts WHERE kind = 'funding' AND mode = 'live' AND currency = 'EUR'",
    ),
    liveWallet: await live("ASC"),
    otherLiveWallet: await live("DESC"),
    administrators: (
      await pool.query<{ id: string }>("SELECT id FROM console_users WHERE role = 'administrator' LIMIT 2")
    ).rows.map((row) => row.id),
    deposit: await id("SELECT id FROM transfers WHERE kind = 'deposit' LIMIT 1"),
    paid: await paidOrder(database, { amount: 1_000n, key: "a key of money" }),
    pending: await createOrder(database, { amount: 40n }),
    heldRefund,
    heldPayout: await executePayout(database, { waits: true }),
    payout: await executePayout(database),
    quote: await createQuote(database),
    francsRate: async () => {
      const { rows } = await pool.query<{ rate: string }>(
        `SELECT trim_scale(rate * (100 - spread_percent) / 100)::text AS rate FROM exchange_rates
         WHERE mode = 'sandbox' AND base = 'EUR' AND quote = 'XAF' AND effective_from <= now() ORDER BY effective_from DESC, created_at DESC LIMIT 1`,
      );
      return String(rows[0]?.rate);
    },
  };
}

/** A forger's transaction. */
export class Forger {
  constructor(
    readonly client: pg.PoolClient,
    readonly scene: Scene,
  ) {}

  query(sql: string, ...values: unknown[]) {
    return this.client.query(sql, values);
  }

  /** Writes a transfer with its entries. @returns its ID. */
  async transfer(
    kind: string,
    lines: Line[],
    {
      mode = "sandbox",
      reference = undefined as string | null | undefined,
      corrects = null as string | null,
    } = {},
  ): Promise<string> {
    const id = randomUUID();
    const named = kind === "deposit" || kind === "withdrawal" ? `forged ${id}` : null;
    await this.query(
      "INSERT INTO transfers (id, mode, kind, external_reference, corrects) VALUES ($1, $2, $3, $4, $5)",
      id,
      mode,
      kind,
      reference === undefined ? named : reference,
      corrects,
    );
    await this.query(
      `INSERT INTO entries (transfer_id, account_id, mode, currency, amount)
       SELECT $1, account, $2::mode, currency, amount FROM unnest($3::uuid[], $4::text[], $5::bigint[]) AS line (account, currency, amount)`,
      id,
      mode,
      lines.map(([account]) => account),
      lines.map(([, , currency]) => currency ?? "EUR"),
      lines.map(([, amount]) => amount),
    );
    return id;
  }

  event(
    name: string,
    of: { order?: string; refund?: string; payout?: string; merchant?: string; mode?: string },
  ) {
    return this.query(
      "SELECT emit_event($1, $2, $3, $4, $5, $6)",
      of.mode ?? "sandbox",
      of.merchant ?? this.scene.merchant,
      name,
      of.order ?? null,
      of.refund ?? null,
      of.payout ?? null,
    );
  }

  /** Inserts the `report.ready` event of a wallet's day. @param day date in SQL. */
  report(account: string, day: string) {
    return this.query(
      `INSERT INTO events (mode, merchant_id, name, account_id, report_date) VALUES ('sandbox', $1, 'report.ready', $2, ${day})`,
      this.scene.merchant,
      account,
    );
  }

  /** Marks an order (default: the pending order) as paid by a transfer with these lines. */
  async pay(
    lines: Line[] | string,
    payer: Record<string, unknown> & {
      account?: string;
      currency?: string;
      amount?: number;
      quote?: string;
      at?: Date;
      order?: string;
    } = {},
  ) {
    const { pending, amelie } = this.scene;
    const transfer = typeof lines === "string" ? lines : await this.transfer("payment", lines);
    await this.query(
      `UPDATE orders SET status = 'PAID', state = 'PAID', paid_at = coalesce($8, clock_timestamp()), trx_id = $2, transfer_id = $3, payer_account_id = $4,
         payer_currency = $5, payer_amount = $6, quote_id = $7, version = version + 1 WHERE id = $1`,
      payer.order ?? pending.id,
      newTrxId(),
      transfer,
      payer.account ?? amelie,
      payer.currency ?? "EUR",
      payer.amount ?? 40,
      payer.quote ?? null,
      payer.at ?? null,
    );
    await this.event("pos.order.paid", { order: payer.order ?? pending.id });
  }

  /** Refunds 100 minor units of the paid order by a transfer with these lines. @returns the refund's ID. */
  async refund(
    lines: Line[] | string,
    of: {
      amount?: number;
      payerAmount?: number;
      merchant?: string;
      event?: boolean;
      createdAt?: Date;
      settledAt?: Date;
    } = {},
  ) {
    const { paid, merchant } = this.scene;
    const id = newRefundId();
    const transfer = typeof lines === "string" ? lines : await this.transfer("refund", lines);
    await this.query(
      `INSERT INTO refunds (id, mode, merchant_id, order_id, amount, currency, status, transfer_id, created_at, settled_at, payer_amount)
       VALUES ($1, 'sandbox', $2, $3, $4, 'EUR', 'completed', $5, coalesce($7, clock_timestamp()), coalesce($8, clock_timestamp()), $6)`,
      id,
      of.merchant ?? merchant,
      paid.id,
      of.amount ?? 100,
      transfer,
      of.payerAmount ?? of.amount ?? 100,
      of.createdAt ?? null,
      of.settledAt ?? null,
    );
    if (of.event !== false) await this.event("refund.completed", { order: paid.id, refund: id });
    return id;
  }

  /** Creates a pending refund of 100 minor units, held by a transfer with these lines. */
  async holdRefund(lines: Line[] | string) {
    const hold = typeof lines === "string" ? lines : await this.transfer("hold", lines);
    await this.query(
      `INSERT INTO refunds (id, mode, merchant_id, order_id, amount, currency, status, hold_transfer_id)
       VALUES ($1, 'sandbox', $2, $3, 100, 'EUR', 'pending', $4)`,
      newRefundId(),
      this.scene.merchant,
      this.scene.paid.id,
      hold,
    );
  }

  /** Writes the audit record of the first administrator's decision on the pending payout or refund; null writes no record. */
  async recordDecision(
    honest: { action: string; subject: string; amount: string; merchant: string },
    transfer: string,
    forged: DecisionRecord,
  ) {
    if (!forged) return;
    const { action, subject, amount, merchant } = { ...honest, ...forged };
    await this.query(
      "SELECT record_change($1, $2, $3, $4, json_build_object('mode', 'sandbox', 'currency', 'EUR', 'amount_minor', $5::text, 'transfer_id', $6::uuid))",
      merchant,
      this.scene.administrators[0],
      action,
      subject,
      amount,
      transfer,
    );
  }

  /** Decides the pending refund by a transfer with these lines. */
  async decideRefund(status: "completed" | "failed", lines: Line[] | string, record: DecisionRecord = {}) {
    const { heldRefund } = this.scene;
    const kind = status === "completed" ? "refund" : "hold_return";
    const transfer = typeof lines === "string" ? lines : await this.transfer(kind, lines);
    await this.query(
      "UPDATE refunds SET status = $2, transfer_id = $3, settled_at = clock_timestamp(), payer_amount = $4 WHERE id = $1",
      heldRefund.id,
      status,
      transfer,
      status === "completed" ? 100 : null,
    );
    await this.event(`refund.${status}`, { order: heldRefund.order_id, refund: heldRefund.id });
    const action = status === "completed" ? "refund.approve" : "refund.reject";
    const honest = { action, subject: heldRefund.id, amount: "100", merchant: this.scene.merchant };
    await this.recordDecision(honest, transfer, record);
  }

  /** Pays out 1000 minor units to Samuel with a fee of 30, by a transfer with these lines. */
  async payOut(
    lines: Line[] | string,
    of: {
      amount?: number;
      fee?: number;
      rate?: string;
      receives?: number;
      currency?: string;
      account?: string;
      quote?: string;
      event?: boolean;
      hold?: boolean;
      createdAt?: Date;
      processedAt?: Date;
    } = {},
  ) {
    const { merchant, samuel, samuelHimself } = this.scene;
    const id = newPayoutId();
    const transfer =
      typeof lines === "string" ? lines : await this.transfer(of.hold ? "hold" : "payout", lines);
    await this.query(
      `INSERT INTO payouts (id, mode, merchant_id, reference, quote_id, wallet_user_id, recipient_account_id, amount, sender_currency, fee, rate,
         receiver_amount, receiver_currency, status, trx_id, transfer_id, hold_transfer_id, processed_at, created_at)
       VALUES ($1, 'sandbox', $2, $1, $3, $4, $5, $6, 'EUR', $7, $8, $9, $10, $11, $12, $13, $14,
         CASE WHEN $14::uuid IS NULL THEN coalesce($15, clock_timestamp()) END, coalesce($16, clock_timestamp()))`,
      id,
      merchant,
      of.quote ?? null,
      samuelHimself,
      of.account ?? samuel,
      of.amount ?? 1_000,
      of.fee ?? 30,
      of.rate ?? "1",
      of.receives ?? 1_000,
      of.currency ?? "EUR",
      of.hold ? "pending" : "completed",
      of.hold ? null : newPartnerTrxId(),
      of.hold ? null : transfer,
      of.hold ? transfer : null,
      of.processedAt ?? null,
      of.createdAt ?? null,
    );
    if (of.quote)
      await this.query(
        "UPDATE quotes SET used_at = least(clock_timestamp(), expires_at) WHERE id = $1",
        of.quote,
      );
    await this.query("SELECT take_usage(1, ARRAY[p]) FROM payouts p WHERE id = $1", id);
    if (!of.hold && of.event !== false) await this.event("payout.completed", { payout: id });
  }

  /** Decides the pending payout by a transfer with these lines. @returns the transfer's ID. */
  async decidePayout(status: "completed" | "failed", lines: Line[], record: DecisionRecord = {}) {
    const { heldPayout } = this.scene;
    const transfer = await this.transfer(status === "completed" ? "payout" : "hold_return", lines);
    await this.query(
      "UPDATE payouts SET status = $2, transfer_id = $3, processed_at = clock_timestamp(), trx_id = $4 WHERE id = $1",
      heldPayout.id,
      status,
      transfer,
      status === "completed" ? newPartnerTrxId() : null,
    );
    await this.event(`payout.${status}`, { payout: heldPayout.id });
    const action = status === "completed" ? "payout.approve" : "payout.reject";
    const honest = { action, subject: heldPayout.id, amount: "1000", merchant: this.scene.merchant };
    await this.recordDecision(honest, transfer, record);
    return transfer;
  }

  /** Raises a currency's limit with both administrators, or rejects the increase. */
  async decideLimit(limit: number, { currency = "EUR", approve = true } = {}) {
    const [asks, decides] = this.scene.administrators;
    const { rows } = await this.query(
      "SELECT id FROM set_single_limit($1, $2, gen_random_uuid(), $3)",
      ...[currency, limit, asks],
    );
    await this.query("SELECT decide_request($1, $2, gen_random_uuid(), $3)", rows[0]?.id, approve, decides);
  }

  /** The database within this transaction. */
  get #database(): SandboxDatabase {
    return { ...this.scene.database, pool: this.client } as unknown as SandboxDatabase;
  }

  /** Quotes a payout of 1000 minor units to Samuel with a fee of 30. */
  quotePayout() {
    return createQuote(this.#database);
  }

  /** Quotes an order (default: the pending order) in Samuel's francs. */
  quoteInFrancs(rate: string, payerAmount?: bigint, order = this.scene.pending) {
    const { samuelFrancs } = this.scene;
    return quoteOrder(this.#database, order, {
      wallet: samuelFrancs,
      rate,
      ...(payerAmount !== undefined && { payerAmount }),
    });
  }
}

export type { OrderRow, PayoutRow, RefundRow };

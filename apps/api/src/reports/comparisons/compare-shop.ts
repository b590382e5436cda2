import type { ComparedOrder, Comparison, ComparisonRequest, OrderDifference } from "@tillgate/contract";
import { queryOneRow } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import type { Client } from "../../identity/credentials/authenticate.js";
import { parseSite } from "../../identity/credentials/last-used.js";
import { inTurns } from "../../platform/in-turns.js";
import { compareOrder, type Difference } from "./compare-order.js";
import { KEY_PREFIX } from "./list.js";
import { readPayments } from "./read-payments.js";
import { type FoundDifference, type OrderDifferences, saveDifferences } from "./save-differences.js";
import { differenceTexts } from "./texts.js";

/**
 * Compares a shop's orders with Tillgate's and saves the differences. Moves no money and changes no order.
 * @param siteHeader the call's `Tillgate-Site`. If it is missing or invalid, the API key identifies the shop.
 * @throws the errors of {@link saveDifferences}.
 */
export async function compareShop(
  context: Context,
  client: Client,
  siteHeader: string | undefined,
  { orders, ...call }: ComparisonRequest,
): Promise<Comparison> {
  const orderIds = orders.map(({ order_id }) => order_id);
  const payments = await readPayments(context, client, orderIds);
  const found: OrderDifferences[] = [];
  await inTurns(orders, (turn) => {
    for (const sent of turn) {
      const differences = compareOrder(sent, payments.get(sent.order_id) ?? null);
      if (differences.length > 0)
        found.push({
          orderId: sent.order_id,
          orderNumber: sent.order_number,
          orderUrl: sent.order_url,
          differences: differences.map((one) => ({ ...one, accepted: isAccepted(sent, one) })),
        });
    }
  });
  const site = parseSite(siteHeader) ?? (await readKeyName(context, client));
  await saveDifferences(context, { ...client, site }, { ...call, orderIds, found });
  const described: Comparison["orders"] = [];
  await inTurns(found, (turn) => {
    for (const { orderId, differences } of turn)
      described.push({ order_id: orderId, differences: differences.map(describe) });
  });
  return { orders: described };
}

const english = differenceTexts("en");

/** Returns whether the shop has accepted the difference with its current values. */
const isAccepted = ({ accepted = [] }: ComparedOrder, found: Difference): boolean =>
  accepted.some(
    ({ subject, subject_id, field, kind, text }) =>
      subject === found.subject &&
      subject_id === found.subject_id &&
      field === found.field &&
      kind === found.kind &&
      text === english.text(kind, found.values),
  );

const describe = (difference: FoundDifference): OrderDifference => ({
  ...difference,
  text: english.text(difference.kind, difference.values),
  advice: english.advice(difference.kind),
});

/** Returns the name of a key, which identifies a shop that sends no site. */
async function readKeyName({ database: { pool } }: Context, { credentialId }: Client): Promise<string> {
  const text = `SELECT '${KEY_PREFIX}' || client_id AS name FROM credentials WHERE id = $1`;
  return (await queryOneRow(pool, z.object({ name: z.string() }), text, [credentialId])).name;
}

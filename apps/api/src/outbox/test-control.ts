import { randomBytes } from "node:crypto";
import { DELIVERY_CONTROLS, type DeliveryControl } from "@tillgate/contract";
import { firstRowOf, oneRowOf } from "@tillgate/service";
import { rawKey } from "@tillgate/webhooks";
import type pg from "pg";
import { z } from "zod";
import { TAKE_CONTROL } from "../test-controls/take-control.js";
import { type LeasedDelivery, postpone } from "./queries.js";
import type { Settler } from "./settle-together.js";
import type { SigningKeys } from "./signing-keys.js";

/** How often a delivery that waits for the next one looks for it, in milliseconds. */
const LOOK_AGAIN_MS = 500;

/** What a control makes of an attempt; `held`: it is not made now. */
export type MetControl = "held" | "delivery_never" | "delivery_twice" | "delivery_badly_signed" | undefined;

const controlSchema = z.object({ control: z.enum(DELIVERY_CONTROLS), seconds: z.int() });

/** The oldest control that fits, written into the delivery in the same statement. */
const TAKE = `
  WITH taken AS (${TAKE_CONTROL})
  UPDATE deliveries SET test_control = taken.control, held_seconds = taken.seconds, controlled_at = clock_timestamp() FROM taken
  WHERE id = $3 AND leased_by = $4 AND test_control IS NULL RETURNING taken.control, taken.seconds`;

/** Whether a later event of the merchant has arrived at the same receiver, or the wait is over. */
const IS_FREE = `
  SELECT clock_timestamp() >= d.controlled_at + d.held_seconds * interval '1 second' OR EXISTS (
    SELECT FROM events later JOIN deliveries arrived ON arrived.event_id = later.id
    WHERE later.merchant_id = d.merchant_id AND later.mode = d.mode AND (later.turn, later.number) > (e.turn, e.number)
      AND arrived.queue_id = d.queue_id AND arrived.status = 'delivered') AS free
  FROM deliveries d JOIN events e ON e.id = d.event_id WHERE d.id = $1`;

/**
 * What the merchant ordered of its sandbox for this delivery: taken before its first attempt, and kept with it. A late one, and
 * one that waits for the next, give their lease back.
 */
export async function meetControl(
  settler: Settler,
  delivery: LeasedDelivery,
  worker: string,
): Promise<MetControl> {
  if (delivery.testControl === "delivery_reversed" && delivery.attemptCount === 0)
    return end(settler, async (client) => {
      const { free } = await oneRowOf(client, z.object({ free: z.boolean() }), IS_FREE, [delivery.id]);
      if (free) return undefined;
      await postpone(client, [delivery.id], worker, LOOK_AGAIN_MS);
      return "held";
    });
  if (!delivery.controlled) return undefined;
  return end(settler, async (client) => {
    const values = [delivery.merchantId, DELIVERY_CONTROLS, delivery.id, worker];
    const taken = await firstRowOf(client, controlSchema, TAKE, values);
    return taken && begin(client, { ...taken, id: delivery.id, worker });
  });
}

async function begin(
  client: pg.PoolClient,
  { control, seconds, id, worker }: { control: DeliveryControl; seconds: number; id: string; worker: string },
): Promise<MetControl> {
  if (control !== "delivery_late" && control !== "delivery_reversed") return control;
  await postpone(client, [id], worker, control === "delivery_late" ? seconds * 1_000 : LOOK_AGAIN_MS);
  return "held";
}

/** Keys that no receiver has. */
export function keysOfNobody(): SigningKeys {
  const key = rawKey(randomBytes(32).toString("hex"));
  return { keys: [key], simpleKey: key };
}

/** Does it in one of the worker's transactions. */
async function end(
  settler: Settler,
  work: (client: pg.PoolClient) => Promise<MetControl>,
): Promise<MetControl> {
  let met: MetControl;
  await settler.end({
    write: async (client) => {
      met = await work(client);
    },
  });
  return met;
}

import type { OrderModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { isPageToken, signPageToken } from "./page-token.js";

/** How long after an order's time a visitor who saw it pending is still led back, in seconds. */
const WITNESS_SECONDS = 3_600;

/** The proof that one visitor had an order's page open while it was pending, and how long it lasts, in seconds. */
export type Witness = { token: string; maxAgeSeconds: number };

/** Signs the proof for a visitor of a pending order. A settled order gives none. */
export async function signWitness(
  context: Pick<Context, "keyring">,
  order: Pick<OrderModel, "id" | "status" | "expiresAt">,
  { visitor, readAt }: { visitor: string; readAt: Date },
): Promise<Witness | null> {
  if (order.status !== "PENDING" || visitor === "") return null;
  const until = Math.ceil(order.expiresAt.getTime() / 1_000) + WITNESS_SECONDS;
  const token = await signPageToken(context, "witness token", { orderId: order.id, bound: [visitor] }, until);
  return { token, maxAgeSeconds: Math.max(1, until - Math.floor(readAt.getTime() / 1_000)) };
}

/** Whether a visitor had the page of an order open while it was pending. */
export const isWitness = async (
  context: Pick<Context, "keyring">,
  order: Pick<OrderModel, "id">,
  { visitor, witness }: { visitor: string; witness: string | undefined },
): Promise<boolean> =>
  witness !== undefined &&
  isPageToken(context, "witness token", witness, { orderId: order.id, bound: [visitor] });

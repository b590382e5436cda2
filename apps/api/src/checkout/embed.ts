import { ErrorCode, MAX_EMBED_ORIGINS, type Mode, parseEmbedOrigin } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Change } from "../audit/administrator.js";
import { changeWithAudit, recordChange } from "../audit/change.js";
import type { Context } from "../context.js";
import { invalidValue, OperationError } from "../errors.js";
import { type Checkout, readCheckout } from "./read.js";
import { FORM_LIFETIME, isPageToken, signPageToken } from "./tokens.js";

type Side = { merchantId: string; mode: Mode };

export async function readEmbedOrigins(
  { database: { prisma } }: Context,
  { merchantId, mode }: Side,
): Promise<string[]> {
  const rows = await prisma.embedOrigin.findMany({
    where: { merchantId, mode },
    orderBy: { origin: "asc" },
  });
  return rows.map(({ origin }) => origin);
}

/**
 * Replaces a merchant's embed origins, with an audit record if they change.
 * @throws OperationError InvalidValue for text that is not an origin, or for too many origins.
 */
export async function setEmbedOrigins(
  context: Context,
  { merchantId, mode, origins, administrator }: Omit<Change, "dryRun"> & Side & { origins: string[] },
): Promise<void> {
  const requested = [...new Set(origins.map((text) => requireOrigin(text, mode)))].sort();
  if (requested.length > MAX_EMBED_ORIGINS)
    throw invalidValue(`At most ${MAX_EMBED_ORIGINS} origins are allowed.`);
  await changeWithAudit(context, {}, async (tx) => {
    await tx.$queryRaw`SELECT id FROM merchants WHERE id = ${merchantId}::uuid FOR NO KEY UPDATE`;
    const stored = await tx.embedOrigin.findMany({ where: { merchantId, mode } });
    const before = stored.map(({ origin }) => origin).sort();
    if (before.join() === requested.join()) return;
    await tx.embedOrigin.deleteMany({ where: { merchantId, mode } });
    await tx.embedOrigin.createMany({ data: requested.map((origin) => ({ merchantId, mode, origin })) });
    await recordChange(tx, {
      administrator,
      merchantId,
      action: "merchant.embed_origins",
      subject: merchantId,
      details: { mode, before: before.join(" "), after: requested.join(" ") },
    });
  });
}

function requireOrigin(text: string, mode: Mode): string {
  const origin = parseEmbedOrigin(text, mode);
  if (origin !== null) return origin;
  const rule = mode === "live" ? "an https URL of a shop" : "an http or https URL of a shop";
  throw invalidValue(`"${text}" is not ${rule}, such as https://shop.example.`);
}

/** Signs a form token for a frame. A frame has no visitor cookie, so the token is bound to the order and its embed origins. */
const signEmbedToken = (
  context: Pick<Context, "keyring">,
  orderId: string,
  origins: readonly string[],
): Promise<string> => signPageToken(context, "embed token", { orderId, bound: origins }, FORM_LIFETIME);

/** @throws OperationError FormRejected if the token is forged, expired, or for another use or order, or if the embed origins have changed. */
export async function verifyEmbedToken(context: Context, token: string, order: OrderModel): Promise<void> {
  const bound = await readEmbedOrigins(context, order);
  if (!(await isPageToken(context, "embed token", token, { orderId: order.id, bound })))
    throw new OperationError(ErrorCode.FormRejected);
}

export type EmbeddedCheckout = Pick<Checkout, "order" | "currency" | "merchant" | "readAt"> & {
  origins: string[];
  /** Token of the sandbox's test buttons; null in live mode. */
  formToken: string | null;
};

/**
 * Reads an order for its embedded checkout, where shoppers are anonymous, even if they are signed in on the payment page.
 * @throws OperationError OrderNotFound.
 */
export async function viewEmbed(context: Context, token: string): Promise<EmbeddedCheckout> {
  const { order, currency, merchant, readAt } = await readCheckout(context, token, undefined);
  const origins = await readEmbedOrigins(context, order);
  const formToken = order.mode === "sandbox" ? await signEmbedToken(context, order.id, origins) : null;
  return { order, currency, merchant, readAt, origins, formToken };
}

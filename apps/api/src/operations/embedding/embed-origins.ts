import { embedOriginOf, MAX_EMBED_ORIGINS, type Mode } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { invalidValue } from "../../operation-error.js";
import type { Change } from "../administration/administrator.js";
import { change, recordChange } from "../administration/change.js";

type Side = { merchantId: string; mode: Mode };

/** The origins whose pages may show a merchant's payments of a mode in a frame. */
export async function readEmbedOrigins(
  { database: { prisma } }: Context,
  { merchantId, mode }: Side,
): Promise<string[]> {
  const found = await prisma.embedOrigin.findMany({
    where: { merchantId, mode },
    orderBy: { origin: "asc" },
  });
  return found.map(({ origin }) => origin);
}

/**
 * Sets them all, with the audit record; nothing is recorded when nothing changes.
 * @throws OperationError InvalidValue for what is no origin of a shop, or for too many.
 */
export async function setEmbedOrigins(
  context: Context,
  { merchantId, mode, origins, administrator }: Change & Side & { origins: string[] },
): Promise<void> {
  const wanted = [...new Set(origins.map((typed) => requireOrigin(typed, mode)))].sort();
  if (wanted.length > MAX_EMBED_ORIGINS) throw invalidValue(`${MAX_EMBED_ORIGINS} origins are the most.`);
  await change(context, {}, async (tx) => {
    await tx.$queryRaw`SELECT id FROM merchants WHERE id = ${merchantId}::uuid FOR NO KEY UPDATE`;
    const found = await tx.embedOrigin.findMany({ where: { merchantId, mode } });
    const before = found.map(({ origin }) => origin).sort();
    if (before.join() === wanted.join()) return;
    await tx.embedOrigin.deleteMany({ where: { merchantId, mode } });
    await tx.embedOrigin.createMany({ data: wanted.map((origin) => ({ merchantId, mode, origin })) });
    await recordChange(tx, {
      administrator,
      merchantId,
      action: "merchant.embed_origins",
      subject: merchantId,
      details: { mode, before: before.join(" "), after: wanted.join(" ") },
    });
  });
}

function requireOrigin(typed: string, mode: Mode): string {
  const origin = embedOriginOf(typed, mode);
  if (origin !== null) return origin;
  const wanted = mode === "live" ? "an https address of a shop" : "an http or https address of a shop";
  throw invalidValue(`"${typed}" is not ${wanted}, such as https://shop.example.`);
}

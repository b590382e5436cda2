import { firstRow, oneRow, type Transaction } from "../database/database.js";
import { type MetaChange, mergeMetaData } from "../orders/meta-data.js";
import { announce } from "../webhooks/announce.js";
import type { ProductRow } from "./product.js";

/** The advisory lock of whoever writes products. */
const productWriterLock = 7_201_001;

/** A stock-keeping unit that another product has. */
export class SkuTaken extends Error {
  override readonly name = "SkuTaken";
  constructor(
    readonly productId: bigint,
    readonly sku: string,
  ) {
    super("Invalid or duplicated SKU.");
  }
}

/** Fields of a product that a caller may write, all optional. */
export interface ProductFields {
  name?: string | undefined;
  slug?: string | undefined;
  status?: ProductRow["status"] | undefined;
  description?: string | undefined;
  shortDescription?: string | undefined;
  sku?: string | undefined;
  /** Minor units; null takes the price away. */
  regularPrice?: bigint | null | undefined;
  virtual?: boolean | undefined;
  downloadable?: boolean | undefined;
  manageStock?: boolean | undefined;
  stockQuantity?: number | undefined;
  metaData?: MetaChange[] | undefined;
}

const slugOf = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 180);

/** A slug that no other product has: the wished one, or with the lowest free number behind it. */
async function freeSlug(transaction: Transaction, wished: string, own: bigint): Promise<string> {
  const base = slugOf(wished) || "product";
  const { rows } = await transaction.query<{ slug: string }>(
    "SELECT slug FROM product WHERE id <> $1 AND (slug = $2 OR slug LIKE $3)",
    [own, base, `${base}-%`],
  );
  const taken = new Set(rows.map(({ slug }) => slug));
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
}

async function refuseTakenSku(transaction: Transaction, sku: string | undefined, own: bigint): Promise<void> {
  if (!sku) return;
  const taken = await firstRow<{ id: bigint }>(
    transaction,
    "SELECT id FROM product WHERE sku = $1 AND id <> $2",
    [sku, own],
  );
  if (taken) throw new SkuTaken(taken.id, sku);
}

/**
 * Writes a product: a new one, or changes of a given one.
 *
 * @throws SkuTaken
 */
export async function writeProduct(
  transaction: Transaction,
  before: ProductRow | undefined,
  fields: ProductFields,
): Promise<ProductRow> {
  // Products are few and rarely written: one writer at a time keeps slugs and stock-keeping units unique. Orders, which
  // take stock, do not wait for this lock.
  await transaction.query("SELECT pg_advisory_xact_lock($1)", [productWriterLock]);
  const id = before?.id ?? (await oneRow<{ id: bigint }>(transaction, "SELECT nextval('post_id') AS id")).id;
  await refuseTakenSku(transaction, fields.sku, id);
  const name = fields.name ?? before?.name ?? "Product";
  const slug =
    before && fields.slug === undefined ? before.slug : await freeSlug(transaction, fields.slug || name, id);
  const manageStock = fields.manageStock ?? before?.manage_stock ?? false;
  const price = fields.regularPrice === undefined ? (before?.regular_price ?? null) : fields.regularPrice;
  const row = await oneRow<ProductRow>(
    transaction,
    `INSERT INTO product (id, slug, name, status, description, short_description, sku, regular_price, virtual,
        downloadable, manage_stock, stock_quantity, meta_data, created_at, modified_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
        date_trunc('second', clock_timestamp()), date_trunc('second', clock_timestamp()))
     ON CONFLICT (id) DO UPDATE SET slug = excluded.slug, name = excluded.name, status = excluded.status,
        description = excluded.description, short_description = excluded.short_description, sku = excluded.sku,
        regular_price = excluded.regular_price, virtual = excluded.virtual, downloadable = excluded.downloadable,
        manage_stock = excluded.manage_stock, stock_quantity = excluded.stock_quantity,
        meta_data = excluded.meta_data, modified_at = excluded.modified_at
     RETURNING *`,
    [
      id,
      slug,
      name,
      fields.status ?? before?.status ?? "publish",
      fields.description ?? before?.description ?? "",
      fields.shortDescription ?? before?.short_description ?? "",
      fields.sku ?? before?.sku ?? "",
      price,
      fields.virtual ?? before?.virtual ?? false,
      fields.downloadable ?? before?.downloadable ?? false,
      manageStock,
      manageStock ? (fields.stockQuantity ?? before?.stock_quantity ?? 0) : null,
      JSON.stringify(await mergeMetaData(transaction, before?.meta_data ?? [], fields.metaData ?? [])),
    ],
  );
  if (!before) await announce(transaction, "product.created", id);
  await announce(transaction, "product.updated", id);
  return row;
}

import { firstRow, type Queryable } from "../database/database.js";
import type { MetaEntry } from "../orders/meta-data.js";

export interface ProductRow {
  id: bigint;
  slug: string;
  name: string;
  status: "draft" | "pending" | "private" | "publish" | "trash";
  description: string;
  short_description: string;
  sku: string;
  regular_price: bigint | null;
  virtual: boolean;
  downloadable: boolean;
  manage_stock: boolean;
  stock_quantity: number | null;
  artwork: string | null;
  menu_order: number;
  meta_data: MetaEntry[];
  created_at: Date;
  modified_at: Date;
}

/** A product that a shopper can put in the cart has a price. */
export interface PricedProduct extends ProductRow {
  regular_price: bigint;
}

export const isPriced = (product: ProductRow): product is PricedProduct => product.regular_price !== null;

/** Pieces that can still be bought; undefined when the stock is not counted. */
export const piecesLeft = (product: ProductRow): number | undefined =>
  product.manage_stock ? Math.max(0, product.stock_quantity ?? 0) : undefined;

/** The products of the shop window: those of the catalogue, not those that a program made over REST. */
export async function listShopWindow(queryable: Queryable): Promise<PricedProduct[]> {
  const { rows } = await queryable.query<ProductRow>(
    "SELECT * FROM product WHERE status = 'publish' AND artwork IS NOT NULL ORDER BY menu_order, id",
  );
  return rows.filter(isPriced);
}

export async function findPublishedProduct(
  queryable: Queryable,
  slug: string,
): Promise<PricedProduct | undefined> {
  const product = await firstRow<ProductRow>(
    queryable,
    "SELECT * FROM product WHERE slug = $1 AND status = 'publish'",
    [slug],
  );
  return product && isPriced(product) ? product : undefined;
}

export const findProduct = (queryable: Queryable, id: bigint): Promise<ProductRow | undefined> =>
  firstRow<ProductRow>(queryable, "SELECT * FROM product WHERE id = $1", [id]);

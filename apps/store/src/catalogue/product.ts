import { firstRow, oneRow, type Queryable } from "../database/database.js";

export type Product = {
  id: bigint;
  slug: string;
  name: string;
  description: string;
  short_description: string;
  /** Empty for a product that was made over REST. */
  sku: string;
  /** Minor units of the shop's currency. */
  regular_price: bigint;
  virtual: boolean;
  downloadable: boolean;
  manage_stock: boolean;
  stock_quantity: number | null;
  /** The drawing that the pages show; a product that was made over REST has none. */
  artwork: string | null;
};

/** Pieces that can still be bought; undefined when the stock is not counted. */
export const piecesLeft = ({ stock_quantity }: Product): number | undefined =>
  stock_quantity === null ? undefined : Math.max(0, stock_quantity);

/** The products of the shop window: those of the catalogue, not those that a program made over REST. */
export async function listShopWindow(queryable: Queryable): Promise<Product[]> {
  const { rows } = await queryable.query<Product>(
    "SELECT * FROM product WHERE artwork IS NOT NULL ORDER BY menu_order, id",
  );
  return rows;
}

export const findProductBySlug = (queryable: Queryable, slug: string): Promise<Product | undefined> =>
  firstRow<Product>(queryable, "SELECT * FROM product WHERE slug = $1", [slug]);

export const findProduct = (queryable: Queryable, id: bigint): Promise<Product | undefined> =>
  firstRow<Product>(queryable, "SELECT * FROM product WHERE id = $1", [id]);

export type NewProduct = {
  name: string;
  /** Minor units. */
  price: bigint;
  virtual: boolean;
  downloadable: boolean;
  /** Pieces in stock; undefined when they are not counted. */
  stock: number | undefined;
};

/** Makes a product that is no part of the shop window. */
export const makeProduct = (queryable: Queryable, product: NewProduct): Promise<Product> =>
  oneRow<Product>(
    queryable,
    `WITH next AS (SELECT nextval('post_id') AS id)
     INSERT INTO product (id, slug, name, regular_price, virtual, downloadable, manage_stock, stock_quantity,
        created_at, modified_at)
     SELECT id, 'product-' || id, $1, $2, $3, $4, $5::integer IS NOT NULL, $5,
        date_trunc('second', clock_timestamp()), date_trunc('second', clock_timestamp()) FROM next RETURNING *`,
    [product.name, product.price, product.virtual, product.downloadable, product.stock],
  );

/** Sets how many pieces there are of a product whose stock is counted. @returns undefined when there is no such product */
export const setStock = (queryable: Queryable, id: bigint, pieces: number): Promise<Product | undefined> =>
  firstRow<Product>(
    queryable,
    `UPDATE product SET stock_quantity = CASE WHEN manage_stock THEN $2::integer END,
        modified_at = date_trunc('second', clock_timestamp()) WHERE id = $1 RETURNING *`,
    [id, pieces],
  );

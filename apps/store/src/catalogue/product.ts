import { queryFirstRow, queryOneRow, queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Queryable } from "../database/database.js";

export const productSchema = z.object({
  id: z.bigint(),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  short_description: z.string(),
  /** Stock keeping unit; empty for a product created over REST. */
  sku: z.string(),
  /** Minor units of the shop's currency. */
  regular_price: z.bigint(),
  virtual: z.boolean(),
  downloadable: z.boolean(),
  manage_stock: z.boolean(),
  stock_quantity: z.int().nullable(),
  /** Illustration of the product; null for a product created over REST. */
  artwork: z.string().nullable(),
});

export type Product = z.output<typeof productSchema>;

/** Returns the remaining stock, at least 0; undefined if stock is not managed. */
export const getStock = ({ stock_quantity }: Product): number | undefined =>
  stock_quantity === null ? undefined : Math.max(0, stock_quantity);

/** Lists the storefront's products: those of the catalogue, not those created through the REST API. */
export const listStorefront = (queryable: Queryable): Promise<Product[]> =>
  queryRows(
    queryable,
    productSchema,
    "SELECT * FROM product WHERE artwork IS NOT NULL ORDER BY menu_order, id",
  );

export const findProductBySlug = (queryable: Queryable, slug: string): Promise<Product | undefined> =>
  queryFirstRow(queryable, productSchema, "SELECT * FROM product WHERE slug = $1", [slug]);

export const findProduct = (queryable: Queryable, id: bigint): Promise<Product | undefined> =>
  queryFirstRow(queryable, productSchema, "SELECT * FROM product WHERE id = $1", [id]);

export type NewProduct = {
  name: string;
  /** Minor units. */
  price: bigint;
  virtual: boolean;
  downloadable: boolean;
  /** Pieces in stock; undefined if stock is not managed. */
  stock: number | undefined;
};

/** Creates a product that the storefront does not list. */
export const createProduct = (queryable: Queryable, product: NewProduct): Promise<Product> =>
  queryOneRow(
    queryable,
    productSchema,
    `WITH next AS (SELECT nextval('post_id') AS id)
     INSERT INTO product (id, slug, name, regular_price, virtual, downloadable, manage_stock, stock_quantity,
        created_at, modified_at)
     SELECT id, 'product-' || id, $1, $2, $3, $4, $5::integer IS NOT NULL, $5,
        date_trunc('second', clock_timestamp()), date_trunc('second', clock_timestamp()) FROM next RETURNING *`,
    [product.name, product.price, product.virtual, product.downloadable, product.stock],
  );

/** Sets a product's stock; if stock is not managed, updates only the modification time. @returns undefined if the product does not exist */
export const setStock = (queryable: Queryable, id: bigint, pieces: number): Promise<Product | undefined> =>
  queryFirstRow(
    queryable,
    productSchema,
    `UPDATE product SET stock_quantity = CASE WHEN manage_stock THEN $2::integer END,
        modified_at = date_trunc('second', clock_timestamp()) WHERE id = $1 RETURNING *`,
    [id, pieces],
  );

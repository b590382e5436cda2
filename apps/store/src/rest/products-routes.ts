import type { Router } from "express";
import { parseDecimal } from "../amounts.js";
import { findProduct, type ProductRow } from "../catalogue/product.js";
import { type ProductFields, SkuTaken, writeProduct } from "../catalogue/write-product.js";
import { firstRow, oneRow } from "../database/database.js";
import { announce } from "../webhooks/announce.js";
import * as parameter from "./parameters.js";
import { productView } from "./product-view.js";
import { RestError } from "./rest-error.js";
import { describeList, parametersOf, pathId, queryOf, type RestContext, route } from "./rest-request.js";

const statuses = ["draft", "pending", "private", "publish"] as const;

const writable = {
  name: parameter.text.optional(),
  slug: parameter.text.optional(),
  // The shop sells simple products only; the word is read so that a wrong one is refused.
  type: parameter.oneOf(["simple", "grouped", "external", "variable"]).optional(),
  status: parameter.oneOf<ProductRow["status"]>([...statuses]).optional(),
  description: parameter.text.optional(),
  short_description: parameter.text.optional(),
  sku: parameter.text.optional(),
  regular_price: parameter.text.optional(),
  virtual: parameter.boolean.optional(),
  downloadable: parameter.boolean.optional(),
  manage_stock: parameter.boolean.optional(),
  stock_quantity: parameter.integer().optional(),
  meta_data: parameter.metaData.optional(),
};

/** A price; what is not one counts as none, as in WooCommerce. */
function priceOf(text: string | undefined): bigint | null | undefined {
  if (text === undefined) return undefined;
  const minor = parseDecimal(text);
  return minor === undefined || minor < 0n ? null : minor;
}

function readProduct(given: Record<string, unknown>): ProductFields {
  const written = parameter.readParameters(writable, given);
  if (written.type !== undefined && written.type !== "simple") {
    throw new RestError(
      "woocommerce_rest_invalid_product_type",
      "This shop sells simple products only.",
      400,
    );
  }
  return {
    name: written.name,
    slug: written.slug,
    status: written.status,
    description: written.description,
    shortDescription: written.short_description,
    sku: written.sku,
    regularPrice: priceOf(written.regular_price),
    virtual: written.virtual,
    downloadable: written.downloadable,
    manageStock: written.manage_stock,
    stockQuantity: written.stock_quantity,
    metaData: written.meta_data,
  };
}

const invalidId = (status: number): RestError =>
  new RestError("woocommerce_rest_product_invalid_id", "Invalid ID.", status);

const skuError = (error: SkuTaken): RestError =>
  new RestError("product_invalid_sku", error.message, 400, {
    status: 400,
    resource_id: Number(error.productId),
    unique_sku: `${error.sku}-1`,
  });

const listParameters = {
  ...parameter.collection,
  status: parameter.list(parameter.oneOf<ProductRow["status"] | "any">(["any", ...statuses])).optional(),
  sku: parameter.list(parameter.text).optional(),
  slug: parameter.text.optional(),
  orderby: parameter
    .oneOf(["date", "id", "title", "slug", "modified", "menu_order", "price"])
    .default("date"),
};

const sortColumns = {
  date: "created_at",
  id: "id",
  title: "name",
  slug: "slug",
  modified: "modified_at",
  menu_order: "menu_order",
  price: "regular_price",
} as const;

/** The routes of `/products`. */
export function addProductRoutes(router: Router, { database, links }: RestContext): void {
  const write = (id: bigint | undefined, fields: ProductFields): Promise<ProductRow> =>
    database
      .transaction(async (transaction) => {
        const select = "SELECT * FROM product WHERE id = $1 FOR UPDATE";
        const before = id === undefined ? undefined : await firstRow<ProductRow>(transaction, select, [id]);
        if (id !== undefined && !before) throw invalidId(400);
        return writeProduct(transaction, before, fields);
      })
      .catch((error: unknown) => {
        throw error instanceof SkuTaken ? skuError(error) : error;
      });

  router.get(
    "/products",
    route(async (request, response) => {
      const asked = parameter.readParameters(listParameters, queryOf(request));
      const wanted = asked.status ?? ["any"];
      const search = asked.search?.trim();
      const values = [
        wanted.includes("any") ? statuses : wanted,
        search ? `%${search.replace(/[\\%_]/g, "\\$&")}%` : null,
        asked.include && asked.include.length > 0 ? asked.include : null,
        asked.exclude ?? null,
        asked.sku && asked.sku.length > 0 ? asked.sku : null,
        asked.slug ?? null,
      ];
      const condition = `status = ANY($1) AND ($2::text IS NULL OR name ILIKE $2 OR sku ILIKE $2)
        AND ($3::bigint[] IS NULL OR id = ANY($3)) AND ($4::bigint[] IS NULL OR id <> ALL($4))
        AND ($5::text[] IS NULL OR sku = ANY($5)) AND ($6::text IS NULL OR slug = $6)`;
      const { total } = await oneRow<{ total: bigint }>(
        database,
        `SELECT count(*) AS total FROM product WHERE ${condition}`,
        values,
      );
      const direction = asked.order === "asc" ? "ASC" : "DESC";
      const { rows } = await database.query<ProductRow>(
        `SELECT * FROM product WHERE ${condition}
          ORDER BY ${sortColumns[asked.orderby]} ${direction}, id ${direction} LIMIT $7 OFFSET $8`,
        [...values, asked.per_page, asked.offset ?? (asked.page - 1) * asked.per_page],
      );
      describeList(request, response, links, {
        total: Number(total),
        page: asked.page,
        perPage: asked.per_page,
      });
      response.json(rows.map((product) => productView(product, links)));
    }),
  );

  router.post(
    "/products",
    route(async (request, response) => {
      const product = await write(undefined, readProduct(parametersOf(request)));
      response
        .status(201)
        .location(links.of(`products/${product.id}`))
        .json(productView(product, links));
    }),
  );

  router.get(
    "/products/:id",
    route(async (request, response) => {
      const product = await findProduct(database, pathId(request, "id"));
      if (!product) throw invalidId(404);
      response.json(productView(product, links));
    }),
  );

  const update = route(async (request, response) => {
    const id = pathId(request, "id");
    response.json(productView(await write(id, readProduct(parametersOf(request))), links));
  });
  router.put("/products/:id", update);
  router.patch("/products/:id", update);
  router.post("/products/:id", update);

  router.delete(
    "/products/:id",
    route(async (request, response) => {
      const id = pathId(request, "id");
      const { force } = parameter.readParameters(
        { force: parameter.boolean.default(false) },
        parametersOf(request),
      );
      const product = await database.transaction(async (transaction) => {
        const row = await firstRow<ProductRow>(
          transaction,
          force
            ? "DELETE FROM product WHERE id = $1 RETURNING *"
            : "UPDATE product SET status = 'trash' WHERE id = $1 AND status <> 'trash' RETURNING *",
          [id],
        );
        if (row) await announce(transaction, "product.deleted", id);
        return row;
      });
      if (!product) throw invalidId(404);
      response.json(productView(product, links));
    }),
  );
}

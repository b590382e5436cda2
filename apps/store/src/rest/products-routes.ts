import type { Router } from "express";
import { formatDecimal } from "../amounts.js";
import { createProduct, findProduct, type Product, setStock } from "../catalogue/product.js";
import * as parameter from "./parameters.js";
import { type RestContext, RestError, readParameters, readPathId } from "./rest-request.js";

const writable = {
  name: parameter.text.default("Product"),
  regular_price: parameter.amount.default(0n),
  virtual: parameter.boolean.default(false),
  downloadable: parameter.boolean.default(false),
  manage_stock: parameter.boolean.default(false),
  stock_quantity: parameter.integer().default(0),
};

const invalidId = (status: number): RestError =>
  new RestError("woocommerce_rest_product_invalid_id", "Invalid ID.", status);

export function addProductRoutes(router: Router, { database, storeUrl }: RestContext): void {
  const view = (product: Product): Record<string, unknown> => ({
    id: Number(product.id),
    name: product.name,
    slug: product.slug,
    permalink: `${storeUrl}/product/${product.slug}/`,
    type: "simple",
    status: "publish",
    description: product.description,
    short_description: product.short_description,
    sku: product.sku,
    price: formatDecimal(product.regular_price),
    regular_price: formatDecimal(product.regular_price),
    virtual: product.virtual,
    downloadable: product.downloadable,
    manage_stock: product.manage_stock,
    stock_quantity: product.stock_quantity,
  });

  router.post("/products", async (request, response) => {
    const { name, regular_price, virtual, downloadable, manage_stock, stock_quantity } =
      parameter.parseParameters(writable, readParameters(request));
    const stock = manage_stock ? stock_quantity : undefined;
    const product = { name, price: regular_price, virtual, downloadable, stock };
    response.status(201).json(view(await createProduct(database, product)));
  });

  router.get("/products/:id", async (request, response) => {
    const product = await findProduct(database, readPathId(request, "id"));
    if (!product) throw invalidId(404);
    response.json(view(product));
  });

  router.put("/products/:id", async (request, response) => {
    const { stock_quantity } = parameter.parseParameters(
      { stock_quantity: parameter.integer() },
      readParameters(request),
      ["stock_quantity"],
    );
    const product = await setStock(database, readPathId(request, "id"), stock_quantity);
    if (!product) throw invalidId(400);
    response.json(view(product));
  });
}

import type { Router } from "express";
import { readCart, setCartLine } from "../carts/cart.js";
import { findProductBySlug, listStorefront } from "../catalogue/product.js";
import { CartPage } from "./cart-page.js";
import { HomePage, ProductPage } from "./catalogue-pages.js";
import { FORM_TOKEN_FIELD } from "./form-fields.js";
import { sendPage } from "./page.js";
import {
  CsrfError,
  countCartPieces,
  PageNotFound,
  parseId,
  queryText,
  readFormText,
  type ShopContext,
} from "./shop-context.js";

const parsePieces = (text: string): number | undefined => (/^\d{1,6}$/.test(text) ? Number(text) : undefined);

export function addCatalogueRoutes(router: Router, context: ShopContext): void {
  const { database, visitors } = context;
  const { currency } = context.config;

  router.get("/", async (request, response) => {
    const { formToken } = visitors.identify(request, response);
    const products = await listStorefront(database);
    const pieces = await countCartPieces(context, request, response);
    sendPage(
      response,
      <HomePage products={products} currency={currency} formToken={formToken} cartPieces={pieces} />,
    );
  });

  router.get("/product/:slug", async (request, response) => {
    const slug = request.params.slug;
    const product = typeof slug === "string" ? await findProductBySlug(database, slug) : undefined;
    if (!product) throw new PageNotFound();
    const { formToken } = visitors.identify(request, response);
    const pieces = await countCartPieces(context, request, response);
    sendPage(
      response,
      <ProductPage product={product} currency={currency} formToken={formToken} cartPieces={pieces} />,
    );
  });

  router.get("/cart", async (request, response) => {
    const { cartId, formToken } = visitors.identify(request, response);
    const cart = await readCart(database, cartId);
    const notice = queryText(request, "notice");
    sendPage(response, <CartPage cart={cart} currency={currency} formToken={formToken} notice={notice} />);
  });

  router.post("/cart/add", async (request, response) => {
    const visitor = visitors.identifyForm(request, readFormText(request, FORM_TOKEN_FIELD));
    if (!visitor) throw new CsrfError();
    const productId = parseId(readFormText(request, "product_id"));
    const quantity = parsePieces(readFormText(request, "quantity"));
    if (productId === undefined || !quantity) throw new PageNotFound();
    const cartError = await setCartLine(database, visitor.cartId, productId, (current) => current + quantity);
    response.redirect(303, `/cart?notice=${cartError ?? "added"}`);
  });

  router.post("/cart/update", async (request, response) => {
    const visitor = visitors.identifyForm(request, readFormText(request, FORM_TOKEN_FIELD));
    if (!visitor) throw new CsrfError();
    const removed = parseId(readFormText(request, "remove"));
    if (removed !== undefined) {
      await setCartLine(database, visitor.cartId, removed, () => 0);
      response.redirect(303, "/cart?notice=removed");
      return;
    }
    let notice = "updated";
    for (const line of (await readCart(database, visitor.cartId)).lines) {
      const quantity = parsePieces(readFormText(request, `quantity_${line.product.id}`));
      if (quantity === undefined || quantity === line.quantity) continue;
      notice = (await setCartLine(database, visitor.cartId, line.product.id, () => quantity)) ?? notice;
    }
    response.redirect(303, `/cart?notice=${notice}`);
  });
}

import { getDigits } from "@tillgate/money";
import type { Response, Router } from "express";
import { formatPrice, SHOP_DECIMALS } from "../amounts.js";
import { readCart } from "../carts/cart.js";
import { type PlaceOrderResult, placeOrder } from "../carts/place-order.js";
import {
  type CheckoutErrors,
  type CheckoutField,
  type CheckoutForm,
  CheckoutPage,
  checkoutFields,
} from "./checkout-page.js";
import { FORM_TOKEN_FIELD } from "./form-fields.js";
import { orderAddress } from "./order-summary.js";
import { sendPage } from "./page.js";
import { CsrfError, readFormText, type ShopContext } from "./shop-context.js";
import type { Visitor } from "./visitor.js";

const readForm = (readField: (name: CheckoutField) => string): CheckoutForm => ({
  email: readField("email"),
  first_name: readField("first_name"),
  last_name: readField("last_name"),
  address_1: readField("address_1"),
  postcode: readField("postcode"),
  city: readField("city"),
  customer_note: readField("customer_note"),
});

const SAMPLE: Partial<CheckoutForm> = {
  email: "amelie@example.com",
  first_name: "Amélie",
  last_name: "Laurent",
  address_1: "12 Rue des Tanneurs",
  postcode: "67000",
  city: "Strasbourg",
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns a field's error message; empty if the field is valid. */
function findProblem(name: CheckoutField, value: string): string {
  const { called, longest, required } = checkoutFields[name];
  if ([...value].length > longest) return `Your ${called} can have up to ${longest} characters.`;
  if (required && value === "") return `Please enter your ${called}.`;
  const isWrong = name === "email" && !/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value);
  return isWrong ? "Enter an e-mail address such as name@example.com." : "";
}

/** Returns the error messages of a form by field; empty if the form is valid. */
const check = (form: CheckoutForm): CheckoutErrors =>
  Object.fromEntries(
    Object.entries(readForm((name) => findProblem(name, form[name]))).filter(([, problem]) => problem !== ""),
  );

/** Explains why an amount cannot be paid in a currency without rounding; undefined if the amount can be paid. */
function findAmountProblem(total: bigint, currency: string): string | undefined {
  const surplus = 10n ** BigInt(Math.max(0, SHOP_DECIMALS - getDigits(currency)));
  if (total % surplus === 0n) return undefined;
  const amount = formatPrice(total, currency);
  return `${amount} can’t be paid because ${currency} doesn’t allow that many decimal places. Please contact the shop.`;
}

const toSentence = (result: Exclude<PlaceOrderResult, { outcome: "placed" }>): string => {
  if (result.outcome === "cart-changed") {
    return "Your cart has changed. Please check it and place your order again.";
  }
  if (result.outcome === "cart-empty") return "Your cart is empty.";
  return result.left === 0
    ? `“${result.product}” has just sold out. Please remove it from your cart.`
    : `Only ${result.left} of “${result.product}” left. Please update your cart.`;
};

export function addCheckoutRoutes(router: Router, context: ShopContext): void {
  const { database, visitors } = context;
  const { currency } = context.config;

  const show = async (
    response: Response,
    visitor: Visitor,
    form: CheckoutForm,
    problem: { errors?: CheckoutErrors; notice?: string | undefined; status?: number },
  ): Promise<void> => {
    const cart = await readCart(database, visitor.cartId);
    if (cart.submissionToken === undefined) {
      response.redirect(303, "/cart");
      return;
    }
    sendPage(
      response,
      <CheckoutPage
        cart={cart}
        submissionToken={cart.submissionToken}
        currency={currency}
        formToken={visitor.formToken}
        form={form}
        errors={problem.errors ?? {}}
        notice={problem.notice}
      />,
      problem.status ?? 200,
    );
  };

  router.get("/checkout", async (request, response) => {
    await show(
      response,
      visitors.identify(request, response),
      readForm((name) => SAMPLE[name] ?? ""),
      {},
    );
  });

  router.post("/checkout", async (request, response) => {
    const visitor = visitors.identifyForm(request, readFormText(request, FORM_TOKEN_FIELD));
    const submissionToken = readFormText(request, "submission");
    if (!visitor || !uuid.test(submissionToken)) throw new CsrfError();
    const form = readForm((name) => readFormText(request, name));
    const errors = check(form);
    if (Object.keys(errors).length > 0) {
      await show(response, visitor, form, { errors, status: 422 });
      return;
    }
    const { total } = await readCart(database, visitor.cartId);
    const notice = findAmountProblem(total, currency);
    if (notice !== undefined) {
      await show(response, visitor, form, { notice, status: 422 });
      return;
    }
    const { customer_note, ...billing } = form;
    const result = await placeOrder(database, {
      cartId: visitor.cartId,
      submissionToken,
      currency,
      billing,
      customerNote: customer_note,
    });
    if (result.outcome !== "placed") {
      await show(response, visitor, form, { notice: toSentence(result), status: 409 });
      return;
    }
    response.redirect(303, orderAddress("order-pay", result.order));
  });
}

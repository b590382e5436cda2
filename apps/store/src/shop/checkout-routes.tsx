import { digitsOf } from "@tillgate/money";
import type { Request, Response, Router } from "express";
import { priceOf, shopDecimals } from "../amounts.js";
import { readCart } from "../carts/cart.js";
import { type Placed, placeOrder } from "../carts/place-order.js";
import { type CheckoutErrors, type CheckoutForm, CheckoutPage } from "./checkout-page.js";
import { formTokenField } from "./form-fields.js";
import { orderAddress } from "./order-summary.js";
import { sendPage } from "./page.js";
import { FormRefused, formText, page, type ShopContext } from "./shop-context.js";
import type { Visitor } from "./visitor.js";

const emptyForm: CheckoutForm = {
  first_name: "",
  last_name: "",
  email: "",
  address_1: "",
  postcode: "",
  city: "",
  customer_note: "",
};

/** The fields, what they are called in sentences, and the characters that they take. */
const fields: { name: keyof CheckoutForm; called: string; longest: number }[] = [
  { name: "email", called: "e-mail address", longest: 200 },
  { name: "first_name", called: "first name", longest: 100 },
  { name: "last_name", called: "last name", longest: 100 },
  { name: "address_1", called: "street", longest: 200 },
  { name: "postcode", called: "postcode", longest: 20 },
  { name: "city", called: "town", longest: 100 },
  { name: "customer_note", called: "note", longest: 500 },
];

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const readForm = (request: Request): CheckoutForm => ({
  email: formText(request, "email"),
  first_name: formText(request, "first_name"),
  last_name: formText(request, "last_name"),
  address_1: formText(request, "address_1"),
  postcode: formText(request, "postcode"),
  city: formText(request, "city"),
  customer_note: formText(request, "customer_note"),
});

/** What is wrong with a form, in sentences. */
function check(form: CheckoutForm): CheckoutErrors {
  const errors: CheckoutErrors = {};
  for (const { name, called, longest } of fields) {
    if ([...form[name]].length > longest) {
      errors[name] = `Your ${called} may have ${longest} characters at most.`;
    }
  }
  if (form.email === "") errors.email = "Please enter your e-mail address.";
  else if (!/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(form.email)) {
    errors.email = "Please enter an e-mail address like name@example.com.";
  }
  if (form.first_name === "") errors.first_name = "Please enter your first name.";
  if (form.last_name === "") errors.last_name = "Please enter your last name.";
  return errors;
}

/** Why an amount cannot be paid in a currency, or undefined when it can: it is never rounded. */
function amountProblem(total: bigint, currency: string): string | undefined {
  const surplus = 10n ** BigInt(Math.max(0, shopDecimals - digitsOf(currency)));
  if (total % surplus === 0n) return undefined;
  const amount = priceOf(total, currency);
  return `${amount} cannot be paid: ${currency} has no such small amounts. Please tell the shop.`;
}

const sentenceOf = (placed: Exclude<Placed, { outcome: "placed" }>): string => {
  if (placed.outcome === "cart-changed") {
    return "Your cart has changed since you saw it. Please check it and place the order again.";
  }
  if (placed.outcome === "cart-empty") return "Your cart is empty.";
  return placed.left === 0
    ? `“${placed.product}” has just sold out. Please take it out of your cart.`
    : `There are only ${placed.left} of “${placed.product}” left. Please change your cart.`;
};

/** The way from the cart to an order. */
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

  router.get(
    "/checkout",
    page(async (request, response) => {
      await show(response, visitors.recognise(request, response), emptyForm, {});
    }),
  );

  router.post(
    "/checkout",
    page(async (request, response) => {
      const visitor = visitors.recogniseForm(request, formText(request, formTokenField));
      const submissionToken = formText(request, "submission");
      if (!visitor || !uuid.test(submissionToken)) throw new FormRefused();
      const form = readForm(request);
      const errors = check(form);
      if (Object.keys(errors).length > 0) {
        await show(response, visitor, form, { errors, status: 422 });
        return;
      }
      const { total } = await readCart(database, visitor.cartId);
      const notice = amountProblem(total, currency);
      if (notice !== undefined) {
        await show(response, visitor, form, { notice, status: 422 });
        return;
      }
      const { customer_note, ...billing } = form;
      const placed = await placeOrder(database, {
        cartId: visitor.cartId,
        submissionToken,
        currency,
        billing,
        customerNote: customer_note,
      });
      if (placed.outcome !== "placed") {
        await show(response, visitor, form, { notice: sentenceOf(placed), status: 409 });
        return;
      }
      response.redirect(303, orderAddress("order-pay", placed.order));
    }),
  );
}

import type { ReactElement } from "react";
import { formatPrice } from "../amounts.js";
import type { Cart } from "../carts/cart.js";
import { FormToken, TextField } from "./form-fields.js";
import { Page } from "./page.js";

export const checkoutFields = {
  email: { label: "E-mail", called: "e-mail address", longest: 200, autoComplete: "email", required: true },
  first_name: {
    label: "First name",
    called: "first name",
    longest: 100,
    autoComplete: "given-name",
    required: true,
  },
  last_name: {
    label: "Last name",
    called: "last name",
    longest: 100,
    autoComplete: "family-name",
    required: true,
  },
  address_1: {
    label: "Street and number",
    called: "street",
    longest: 200,
    autoComplete: "address-line1",
    required: false,
  },
  postcode: {
    label: "Postcode",
    called: "postcode",
    longest: 20,
    autoComplete: "postal-code",
    required: false,
  },
  city: { label: "Town", called: "town", longest: 100, autoComplete: "address-level2", required: false },
  customer_note: {
    label: "Order notes",
    called: "note",
    longest: 500,
    autoComplete: "off",
    required: false,
  },
} as const;
export type CheckoutField = keyof typeof checkoutFields;
export type CheckoutForm = Record<CheckoutField, string>;
export type CheckoutErrors = Partial<CheckoutForm>;

export type CheckoutPageProps = {
  cart: Cart;
  submissionToken: string;
  currency: string;
  formToken: string;
  form: CheckoutForm;
  errors: CheckoutErrors;
  notice: string | undefined;
};

function ErrorSummary({ errors }: { errors: CheckoutErrors }): ReactElement | null {
  const entries = Object.entries(errors);
  if (entries.length === 0) return null;
  return (
    <div className="notice bad" role="alert" data-testid="checkout-errors">
      <p>Please check the following:</p>
      <ul>
        {entries.map(([name, text]) => (
          <li key={name}>
            <a href={`#${name}`}>{text}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function CheckoutPage(props: CheckoutPageProps): ReactElement {
  const { cart, currency, formToken, submissionToken, form, errors, notice } = props;
  const field = (name: CheckoutField) => {
    const { label, longest, autoComplete, required } = checkoutFields[name];
    const type = name === "email" ? "email" : "text";
    const fieldProps = { name, value: form[name], error: errors[name] };
    return <TextField {...fieldProps} {...{ label, type, autoComplete, required }} maxLength={longest} />;
  };
  return (
    <Page title="Check out" cartPieces={cart.pieces} scripts={["script-runs.js", "checkout.js"]}>
      <h1>Check out</h1>
      {notice ? (
        <p className="notice bad" role="alert" data-testid="notice">
          {notice}
        </p>
      ) : null}
      <ErrorSummary errors={errors} />
      <form method="post" action="/checkout" className="checkout" noValidate id="checkout">
        <FormToken value={formToken} />
        <input type="hidden" name="submission" value={submissionToken} />
        <div>
          <fieldset>
            <legend>Shipping address</legend>
            <p className="hint">Sample address. Nothing will be shipped.</p>
            {field("email")}
            <div className="pair">
              {field("first_name")}
              {field("last_name")}
            </div>
            {field("address_1")}
            <div className="pair">
              {field("postcode")}
              {field("city")}
            </div>
            {field("customer_note")}
          </fieldset>
          <fieldset>
            <legend>Payment method</legend>
            <label className="method">
              <input type="radio" name="payment_method" value="tillgate" defaultChecked />
              <span>
                <strong>Tillgate</strong>
                <span className="hint">
                  Scan a code with your phone, or pay with your wallet on this device.
                </span>
              </span>
            </label>
          </fieldset>
        </div>
        <aside className="summary" aria-labelledby="summary">
          <h2 id="summary">Your order</h2>
          <ul>
            {cart.lines.map(({ product, quantity, total }) => (
              <li key={product.slug}>
                <span>
                  {quantity} × {product.name}
                </span>
                <span>{formatPrice(total, currency)}</span>
              </li>
            ))}
          </ul>
          <p className="total">
            <span>Total</span>
            <strong data-testid="checkout-total">{formatPrice(cart.total, currency)}</strong>
          </p>
          <button type="submit" data-testid="place-order">
            Place order
          </button>
          <p className="hint">You’ll see the amount again before you pay.</p>
        </aside>
      </form>
    </Page>
  );
}

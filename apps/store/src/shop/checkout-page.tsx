import type { ReactElement } from "react";
import { priceOf } from "../amounts.js";
import type { Cart } from "../carts/cart.js";
import { FormToken, TextField } from "./form-fields.js";
import { Page } from "./page.js";

/** What the shopper fills in, by the names of the fields. */
export interface CheckoutForm {
  first_name: string;
  last_name: string;
  email: string;
  address_1: string;
  postcode: string;
  city: string;
  customer_note: string;
}

export type CheckoutErrors = Partial<Record<keyof CheckoutForm, string>>;

export interface CheckoutPageProps {
  cart: Cart;
  submissionToken: string;
  currency: string;
  formToken: string;
  form: CheckoutForm;
  errors: CheckoutErrors;
  notice: string | undefined;
}

function ErrorSummary({ errors }: { errors: CheckoutErrors }): ReactElement | null {
  const entries = Object.entries(errors);
  if (entries.length === 0) return null;
  return (
    <div className="notice bad" role="alert" data-testid="checkout-errors">
      <p>Please correct this first:</p>
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

/** Where the shopper says who and where they are. */
export function CheckoutPage(props: CheckoutPageProps): ReactElement {
  const { cart, currency, formToken, submissionToken, form, errors, notice } = props;
  const field = (name: keyof CheckoutForm) => ({ name, value: form[name], error: errors[name] });
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
            <legend>Where it goes</legend>
            <TextField {...field("email")} label="E-mail" type="email" autoComplete="email" maxLength={200} />
            <div className="pair">
              <TextField
                {...field("first_name")}
                label="First name"
                autoComplete="given-name"
                maxLength={100}
              />
              <TextField
                {...field("last_name")}
                label="Last name"
                autoComplete="family-name"
                maxLength={100}
              />
            </div>
            <TextField
              {...field("address_1")}
              label="Street and number"
              autoComplete="address-line1"
              required={false}
              maxLength={200}
            />
            <div className="pair">
              <TextField
                {...field("postcode")}
                label="Postcode"
                autoComplete="postal-code"
                required={false}
                maxLength={20}
              />
              <TextField
                {...field("city")}
                label="Town"
                autoComplete="address-level2"
                required={false}
                maxLength={100}
              />
            </div>
            <TextField
              {...field("customer_note")}
              label="A note to us"
              autoComplete="off"
              required={false}
              maxLength={500}
            />
          </fieldset>
          <fieldset>
            <legend>How you pay</legend>
            <label className="method">
              <input type="radio" name="payment_method" value="tillgate" defaultChecked />
              <span>
                <strong>Tillgate</strong>
                <span className="hint">
                  Scan a code with your phone, or pay on this screen from your wallet.
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
                <span>{priceOf(total, currency)}</span>
              </li>
            ))}
          </ul>
          <p className="total">
            <span>Total</span>
            <strong data-testid="checkout-total">{priceOf(cart.total, currency)}</strong>
          </p>
          <button type="submit" data-testid="place-order">
            Place the order
          </button>
          <p className="hint">You see the amount once more before you pay.</p>
        </aside>
      </form>
    </Page>
  );
}

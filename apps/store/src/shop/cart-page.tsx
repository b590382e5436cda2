import type { ReactElement } from "react";
import { formatPrice } from "../amounts.js";
import type { Cart } from "../carts/cart.js";
import { getStock } from "../catalogue/product.js";
import { limits } from "../config.js";
import { FormToken } from "./form-fields.js";
import { Artwork, Page } from "./page.js";

/** Notices of the cart, by their name in the URL. */
const notices: Record<string, { text: string; kind: "good" | "bad" }> = {
  added: { text: "Added to your cart.", kind: "good" },
  updated: { text: "Cart updated.", kind: "good" },
  removed: { text: "Removed from your cart.", kind: "good" },
  cancelled: { text: "Payment cancelled. You haven’t been charged.", kind: "bad" },
  "order-cancelled": {
    text: "This order was cancelled. If you’ve just paid, contact us before you pay again.",
    kind: "bad",
  },
  "sold-out": { text: "This product is sold out.", kind: "bad" },
  "only-so-many": {
    text: "That’s more than you can order. Your cart now has as many as possible.",
    kind: "bad",
  },
  "too-many-lines": {
    text: `You can have up to ${limits.cartLines} different products in your cart.`,
    kind: "bad",
  },
  "no-such-product": { text: "This product is no longer available.", kind: "bad" },
};

export type CartPageProps = {
  cart: Cart;
  currency: string;
  formToken: string;
  notice: string | undefined;
};

function CartForm({ cart, currency, formToken }: Omit<CartPageProps, "notice">): ReactElement {
  return (
    <form method="post" action="/cart/update">
      <FormToken value={formToken} />
      {/* The first button is the one that Enter presses, so it must not remove anything. */}
      <button type="submit" className="hidden" tabIndex={-1} aria-hidden="true">
        Update the cart
      </button>
      <ul className="lines">
        {cart.lines.map(({ product, quantity, total }) => (
          <li key={product.slug} data-testid={`cart-line-${product.slug}`}>
            <span className="thumbnail">
              <Artwork name={product.artwork} />
            </span>
            <span className="what">
              <a href={`/product/${product.slug}`}>{product.name}</a>
              <span className="each">{formatPrice(product.regular_price, currency)} each</span>
            </span>
            <span className="quantity">
              <label className="hidden" htmlFor={`quantity-${product.id}`}>
                Quantity of {product.name}
              </label>
              <input
                id={`quantity-${product.id}`}
                name={`quantity_${product.id}`}
                type="number"
                inputMode="numeric"
                min={0}
                max={Math.min(getStock(product) ?? limits.pieces, limits.pieces)}
                defaultValue={quantity}
                data-testid={`quantity-${product.slug}`}
              />
            </span>
            <span className="sum">{formatPrice(total, currency)}</span>
            <button
              type="submit"
              name="remove"
              value={String(product.id)}
              className="quiet"
              data-testid={`remove-${product.slug}`}
            >
              Remove<span className="hidden">: {product.name}</span>
            </button>
          </li>
        ))}
      </ul>
      <div className="total">
        <span>Total</span>
        <strong data-testid="cart-total">{formatPrice(cart.total, currency)}</strong>
      </div>
      <div className="actions">
        <button type="submit" className="secondary" data-testid="update-cart">
          Update the cart
        </button>
        <a className="button" href="/checkout" data-testid="to-checkout">
          Check out
        </a>
      </div>
    </form>
  );
}

export function CartPage({ cart, currency, formToken, notice }: CartPageProps): ReactElement {
  const message = notice === undefined ? undefined : notices[notice];
  return (
    <Page title="Your cart" cartPieces={cart.pieces}>
      <div className="narrow wide">
        <h1>Your cart</h1>
        {message ? (
          <p className={`notice ${message.kind}`} role="status" data-testid="notice">
            {message.text}
          </p>
        ) : null}
        {cart.lines.length === 0 ? (
          <div data-testid="cart-empty">
            <p>Your cart is empty.</p>
            <p>
              <a className="button" href="/">
                Browse products
              </a>
            </p>
          </div>
        ) : (
          <CartForm cart={cart} currency={currency} formToken={formToken} />
        )}
      </div>
    </Page>
  );
}

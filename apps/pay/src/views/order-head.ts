import type { CheckoutView } from "@tillgate/contract";

/** What the page and the frame in a shop's page both show of an order. */
export type OrderHead = Pick<CheckoutView, "merchant" | "expires_in_ms"> & {
  order: Pick<
    CheckoutView["order"],
    | "status"
    | "version"
    | "amount"
    | "refunded_amount"
    | "description"
    | "reference"
    | "qr_data"
    | "expires_at"
  >;
};

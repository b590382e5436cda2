import type { CheckoutView } from "@tillgate/contract";
import type { ReactNode } from "react";

/** An order status other than PENDING, or the type of a message page. */
export type IconName =
  | Exclude<CheckoutView["order"]["status"], "PENDING">
  | "NOT_FOUND"
  | "UNAVAILABLE"
  | "REFUSED"
  | "FAILED";

const X = "M17 17l14 14M31 17L17 31";
const EXCLAMATION = "M24 13v14M24 34v.01";

/** Path of each icon, drawn in a circle. The icons are decorative, because the text next to them names the state. */
const strokes: Record<IconName, string> = {
  PAID: "M15 25l6.5 6.5L34 18",
  CANCELLED: X,
  EXPIRED: "M24 14v11l7 4",
  REFUND_PENDING: "M20 17l-6 6 6 6M14 23h13a6 6 0 0 1 0 12h-3",
  NOT_FOUND: "M18 19a6 6 0 1 1 8.5 5.5c-1.7.8-2.5 1.8-2.5 3.5M24 35v.01",
  UNAVAILABLE: EXCLAMATION,
  REFUSED: X,
  FAILED: EXCLAMATION,
  REFUNDED: "M20 17l-6 6 6 6M14 23h13a6 6 0 0 1 0 12h-3",
};

export function StatusIcon({ status }: { status: IconName }): ReactNode {
  return (
    <svg className="sign" viewBox="0 0 48 48" aria-hidden="true" data-status={status}>
      <circle cx="24" cy="24" r="22" />
      <path d={strokes[status]} />
    </svg>
  );
}

/** Renders Tillgate's logo, never in the merchant's colour, because shoppers sign in to their own wallet, not to the shop. */
export function WalletMark(): ReactNode {
  return (
    <svg className="wallet-mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M9 11h14M16 11v12" />
    </svg>
  );
}

import type { CheckoutLink } from "@tillgate/contract";

/** What the page of a payment link shows. `wrong` is what was typed and refused; `nonce` lets the merchant's colour through. */
export type LinkScreen =
  | { kind: "link"; link: CheckoutLink; wrong: string | null; nonce: string | null }
  | { kind: "slow" | "unavailable" | "not_found" | "refused" };

import type { CheckoutView } from "@tillgate/contract";
import type { Notice } from "../notice";

/** What one request of the page shows. */
export type Screen =
  | { kind: "order"; token: string; view: CheckoutView; notice: Notice | null }
  | { kind: "not_found" }
  | { kind: "unavailable"; token: string }
  | { kind: "refused"; token: string; why: "origin" | "method" | "form" };

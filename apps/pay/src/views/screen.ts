import type { CheckoutView } from "@tillgate/contract";
import type { PageView } from "#http/addresses.ts";
import type { Spoken } from "#http/page-locale.ts";
import type { Notice } from "#notice.ts";

/** A screen, in the language of its reader. */
export type Shown = Spoken & { screen: Screen };

/** What one request of the page shows. */
export type Screen =
  | OrderScreen
  | { kind: "not_found" }
  | { kind: "unavailable"; token: string }
  | { kind: "refused"; token: string; why: "origin" | "method" | "form" };

export type OrderScreen = {
  kind: "order";
  token: string;
  view: CheckoutView;
  notice: Notice | null;
  show: PageView;
  /** The browser has said that the page's script runs in it. */
  scripted: boolean;
  /** Of the style with the merchant's colour; null where there is none. */
  nonce: string | null;
};

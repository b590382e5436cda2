import type { CheckoutView } from "@tillgate/contract";
import type { PageView } from "#http/addresses.ts";
import type { PageLocale } from "#http/page-locale.ts";
import type { Notice } from "#notice.ts";

export type ScreenProps = PageLocale & { screen: Screen };

export type Screen =
  | OrderScreen
  | { kind: "not_found" }
  | { kind: "unavailable"; token: string }
  | { kind: "rejected"; token: string; why: "origin" | "method" | "size" | "form" };

export type OrderScreen = {
  kind: "order";
  token: string;
  view: CheckoutView;
  notice: Notice | null;
  show: PageView;
  /** Whether the script cookie is set. */
  scripted: boolean;
  /** Nonce of the inline style with the merchant's colour; null if there is none. */
  nonce: string | null;
};

import type {
  Mode,
  WalletActivityPage,
  WalletConversion,
  WalletReceipt,
  WalletSignIns,
  WalletView,
} from "@tillgate/contract";
import type { Done } from "#http/addresses.ts";
import type { PageLocale } from "#http/page-locale.ts";
import type { Notice } from "#notice.ts";

export type WalletCommon = {
  view: WalletView;
  notice: Notice | null;
  /** Fields with an error, in order. */
  wrong: readonly string[];
  done: Done | null;
  /** Input of the rejected form. Never a PIN. */
  typed: Readonly<Record<string, string>>;
};

/** The payment that a visitor came from and returns to. */
export type OriginOrder = { token: string; merchant: string; amount: string; currency: string };

export type Prefill = { currency: string; amount: string };

export type WalletScreen =
  | (WalletCommon & { kind: "home"; activity: WalletActivityPage })
  | (WalletCommon & { kind: "sign_in"; mode: Mode; next: string })
  | (WalletCommon & { kind: "activity"; page: WalletActivityPage; currency: string | null })
  | (WalletCommon & { kind: "receipt"; receipt: WalletReceipt })
  | (WalletCommon & { kind: "security"; signIns: WalletSignIns })
  | (WalletCommon & { kind: "new"; mode: Mode; order: OriginOrder | null; currencies: string[] })
  | (WalletCommon & { kind: "forgot_pin"; mode: Mode; order: OriginOrder | null })
  | (WalletCommon & {
      kind: "top_up";
      order: OriginOrder | null;
      currencies: string[];
      topUpKey: string;
      wanted: Prefill;
    })
  | (WalletCommon & { kind: "convert"; currencies: string[] })
  | (WalletCommon & { kind: "conversion"; conversion: WalletConversion })
  | { kind: "not_found" }
  | { kind: "unavailable"; address: string }
  | { kind: "rejected"; why: "origin" | "method" | "size" | "form" };

export type WalletScreenProps = PageLocale & { screen: WalletScreen };

export type ScreenOf<Kind extends WalletScreen["kind"]> = Extract<WalletScreen, { kind: Kind }>;

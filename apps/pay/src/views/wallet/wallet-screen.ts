import type {
  Mode,
  WalletActivityPage,
  WalletConversion,
  WalletReceipt,
  WalletSignIns,
  WalletView,
} from "@tillgate/contract";
import type { Done } from "#http/addresses.ts";
import type { Spoken } from "#http/page-locale.ts";
import type { Notice } from "#notice.ts";

/** Who is signed in, and what else every page of the wallet has. */
export type WalletCommon = {
  view: WalletView;
  /** Why the form that was sent was not taken. */
  notice: Notice | null;
  /** The fields of that form that have to be corrected, the first one first. */
  wrong: readonly string[];
  /** What the step before did. */
  done: Done | null;
  /** What was typed into the form that was not taken. Never a PIN. */
  typed: Readonly<Record<string, string>>;
};

/** The payment that a visitor comes from, and goes back to. */
export type FromOrder = { token: string; merchant: string; amount: string; currency: string };

/** What the address asks to be filled in. */
export type Wanted = { currency: string; amount: string };

/** What a page of the wallet shows. */
export type WalletScreen =
  | (WalletCommon & { kind: "home"; activity: WalletActivityPage })
  | (WalletCommon & { kind: "sign_in"; mode: Mode; next: string })
  | (WalletCommon & { kind: "activity"; page: WalletActivityPage; currency: string | null })
  | (WalletCommon & { kind: "receipt"; receipt: WalletReceipt })
  | (WalletCommon & { kind: "security"; signIns: WalletSignIns })
  | (WalletCommon & { kind: "new"; mode: Mode; order: FromOrder | null; currencies: string[] })
  | (WalletCommon & { kind: "forgot_pin"; mode: Mode; order: FromOrder | null })
  | (WalletCommon & {
      kind: "top_up";
      order: FromOrder | null;
      currencies: string[];
      topUpKey: string;
      wanted: Wanted;
    })
  | (WalletCommon & { kind: "convert"; currencies: string[] })
  | (WalletCommon & { kind: "conversion"; conversion: WalletConversion })
  | { kind: "not_found" }
  | { kind: "unavailable"; address: string }
  | { kind: "refused"; why: "origin" | "method" | "form" };

export type WalletShown = Spoken & { screen: WalletScreen };

/** A screen of one kind. */
export type ScreenOf<Kind extends WalletScreen["kind"]> = Extract<WalletScreen, { kind: Kind }>;

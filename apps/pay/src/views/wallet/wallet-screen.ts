import type { Mode, WalletActivityPage, WalletReceipt, WalletSignIns, WalletView } from "@tillgate/contract";
import type { Spoken } from "../../http/page-locale";
import type { Done } from "../../http/wallet-address";
import type { Notice } from "../../notice";

/** Who is signed in, and what else every page of the wallet has. */
export type WalletCommon = {
  view: WalletView;
  /** Why the form that was sent was not taken. */
  notice: Notice | null;
  /** What the step before did. */
  done: Done | null;
};

/** What a page of the wallet shows. */
export type WalletScreen =
  | (WalletCommon & { kind: "home"; activity: WalletActivityPage })
  | (WalletCommon & { kind: "sign_in"; mode: Mode; next: string })
  | (WalletCommon & { kind: "activity"; page: WalletActivityPage; currency: string | null })
  | (WalletCommon & { kind: "receipt"; receipt: WalletReceipt })
  | (WalletCommon & { kind: "security"; signIns: WalletSignIns })
  | { kind: "not_found" }
  | { kind: "unavailable"; address: string }
  | { kind: "refused"; why: "origin" | "method" | "form" };

export type WalletShown = Spoken & { screen: WalletScreen };

/** A screen of one kind. */
export type ScreenOf<Kind extends WalletScreen["kind"]> = Extract<WalletScreen, { kind: Kind }>;

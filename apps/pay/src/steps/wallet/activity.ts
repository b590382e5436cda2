import { walletActivityQuerySchema } from "@tillgate/contract";
import { readActivity, readReceipt } from "../../edge/wallet-edge";
import { currencyCode } from "../../http/page-address";
import { one } from "../../http/wallet-address";
import { mustRead, type WalletPage } from "./wallet-page";

/** All movements, in pages that are named by a movement. */
export const activityPage: WalletPage = {
  signedIn: true,
  async show({ caller, query }, common) {
    const currency = currencyCode(one(query, "currency"));
    const asked = walletActivityQuerySchema.safeParse({
      currency: currency ?? undefined,
      before: one(query, "before") ?? undefined,
      after: one(query, "after") ?? undefined,
    });
    if (!asked.success) return null;
    const page = await readActivity(caller, asked.data);
    // A place that is none of this shopper's movements is no page.
    if (!page.ok && page.reason === "invalid_field") return null;
    return { kind: "activity", ...common, page: await mustRead(Promise.resolve(page)), currency };
  },
};

/** The receipt of one movement. */
export const receiptPage: WalletPage = {
  signedIn: true,
  async show({ caller, params }, common) {
    const id = params?.id;
    if (typeof id !== "string") return null;
    return { kind: "receipt", ...common, receipt: await mustRead(readReceipt(caller, id)) };
  },
};

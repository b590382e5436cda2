import { walletActionRequestSchema } from "@tillgate/contract";
import { readActivity, takeWalletStep } from "../../edge/wallet-edge";
import { WALLET, WALLET_SIGN_IN, withQuery } from "../../http/wallet-address";
import { mustRead, refusedHere, refusedStep, type WalletPage } from "./wallet-page";

/** Movements that the first page shows. */
const SHOWN = 5;

/** Balances and the latest movements. Its form signs out. */
export const homePage: WalletPage = {
  signedIn: true,
  async show({ caller }, common) {
    const read = await mustRead(readActivity(caller, {}));
    const activity = {
      ...read,
      activity: read.activity.slice(0, SHOWN),
      next: read.activity.length > SHOWN ? WALLET : read.next,
    };
    return { kind: "home", ...common, activity };
  },
  async take({ caller }, form) {
    const fields = walletActionRequestSchema.safeParse({ form_token: form.get("form_token") });
    if (!fields.success) return refusedHere("form_rejected");
    const outcome = await takeWalletStep(caller, ["sign-out"], fields.data.form_token);
    // Signing out of an ended session is a success.
    if (!outcome.ok && outcome.reason !== "not_signed_in") return refusedStep(outcome);
    return { to: withQuery(WALLET_SIGN_IN, { done: "signed_out" }), session: "ended" };
  },
};

import { z } from "zod";
import { choiceField } from "./forms";
import type { Notice } from "./page";

/** Reads the requested state of a wallet, and chooses the notice for the next page. @throws FormRejected if the field is neither true nor false */
export function readWalletState(form: URLSearchParams, currency: string): { open: boolean; notice: Notice } {
  const open = choiceField(form, "open", z.enum(["true", "false"])) === "true";
  const text = open ? "admin.merchants.walletOpen" : "admin.wallet.closed";
  return { open, notice: { tone: "good", text, values: { currency } } };
}

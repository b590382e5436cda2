import { z } from "zod";
import { choiceOf } from "./forms";
import type { Notice } from "./page";

/** What a form makes of a wallet, and what the next page says of it. @throws FormRefused. */
export function walletStateOf(form: URLSearchParams, currency: string): { open: boolean; notice: Notice } {
  const open = choiceOf(form, "open", z.enum(["true", "false"])) === "true";
  const text = open ? "admin.merchants.walletOpen" : "admin.wallet.closed";
  return { open, notice: { tone: "good", text, values: { currency } } };
}

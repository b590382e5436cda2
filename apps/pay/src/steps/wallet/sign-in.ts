import {
  modeSchema,
  registerShopperRequestSchema,
  resetPinRequestSchema,
  walletSignInRequestSchema,
} from "@tillgate/contract";
import { getNextAddress, pageAddress, queryValue, WALLET, withQuery } from "#http/addresses.ts";
import { createShopper, readCurrencies, resetPin, signInToWallet } from "#internal-api/wallet.ts";
import { readIdentifier, readPin, signInFields } from "#steps/sign-in-fields.ts";
import { parseLocalAmount } from "#typed-amount.ts";
import {
  type FormResult,
  orderFromQuery,
  toApiError,
  toSchemaError,
  toValidationError,
  unwrapRead,
  type Visit,
  type WalletPage,
} from "./wallet-page";

export const signInPage: WalletPage = {
  signedIn: false,
  async show(visit, common) {
    const next = getNextAddress(visit.query);
    if (visit.view.shopper !== null) return { to: next };
    return { kind: "sign_in", ...common, mode: readMode(visit), next };
  },
  take: takeSignIn,
};

async function takeSignIn(visit: Visit, form: URLSearchParams): Promise<FormResult> {
  const identifier = readIdentifier(form);
  const fields = walletSignInRequestSchema.safeParse({ ...signInFields(form), mode: readMode(visit) });
  if (!fields.success) return toSchemaError(fields.error, identifier);
  const outcome = await signInToWallet(visit.caller, fields.data);
  if (!outcome.ok) {
    const error = toApiError(outcome);
    return "notice" in error ? { ...error, notice: { ...error.notice, identifier } } : error;
  }
  const { device, wrong_pins_before: _, ...session } = outcome.data;
  return { to: getNextAddress(visit.query), session, device };
}

const readMode = ({ query, view }: Visit) =>
  modeSchema.safeParse(queryValue(query, "mode")).data ?? view.usual_mode;

/** Creates a sandbox wallet, with or without a payment to return to. In live mode, the page only explains who opens wallets. */
export const newPage: WalletPage = {
  signedIn: false,
  async show(visit, common) {
    const order = await orderFromQuery(visit);
    const mode = order?.mode ?? readMode(visit);
    if (visit.view.shopper !== null && common.notice === null)
      return { to: order === null ? WALLET : pageAddress(order.token) };
    const { currencies } = await unwrapRead(readCurrencies(visit.caller));
    return { kind: "new", ...common, mode, order, currencies: currencies.map(({ currency }) => currency) };
  },
  take: takeCreateShopper,
};

async function takeCreateShopper(visit: Visit, form: URLSearchParams): Promise<FormResult> {
  const order = await orderFromQuery(visit);
  const fields = registerShopperRequestSchema.safeParse({
    form_token: form.get("form_token"),
    mode: order?.mode ?? readMode(visit),
    name: form.get("name"),
    phone: form.get("phone")?.trim(),
    email: form.get("email")?.trim(),
    pin: readPin(form),
    currency: form.get("currency"),
    amount: parseLocalAmount(form.get("amount") ?? "", visit.locale, form.get("currency") ?? ""),
    order_token: order?.token,
  });
  if (!fields.success) return toSchemaError(fields.error);
  if (readPin(form, "repeated_pin") !== fields.data.pin) return toValidationError("pins_differ");
  const outcome = await createShopper(visit.caller, fields.data);
  // In this form `pin` is the new PIN.
  if (!outcome.ok)
    return { ...toApiError(outcome), ...(outcome.reason === "trivial_pin" ? { wrong: ["pin"] } : {}) };
  const { device, wrong_pins_before: _, ...session } = outcome.data;
  const to = order === null ? withQuery(WALLET, { done: "made" }) : pageAddress(order.token);
  return { to, session, device };
}

/** Resets a forgotten PIN in the sandbox. In live mode, the page only says whom to contact. */
export const forgotPinPage: WalletPage = {
  signedIn: false,
  async show(visit, common) {
    const order = await orderFromQuery(visit);
    return { kind: "forgot_pin", ...common, order, mode: order?.mode ?? readMode(visit) };
  },
  take: takeResetPin,
};

async function takeResetPin(visit: Visit, form: URLSearchParams): Promise<FormResult> {
  const identifier = readIdentifier(form);
  const fields = resetPinRequestSchema.safeParse({
    form_token: form.get("form_token"),
    mode: readMode(visit),
    identifier: form.get("identifier"),
    new_pin: readPin(form, "new_pin"),
  });
  if (!fields.success) return toSchemaError(fields.error, identifier);
  if (readPin(form, "repeated_pin") !== fields.data.new_pin)
    return toValidationError("pins_differ", identifier);
  const outcome = await resetPin(visit.caller, fields.data);
  if (!outcome.ok) {
    const error = toApiError(outcome);
    return "notice" in error ? { ...error, notice: { ...error.notice, identifier } } : error;
  }
  const { device, wrong_pins_before: _, ...session } = outcome.data;
  const order = await orderFromQuery(visit);
  const to = order === null ? withQuery(WALLET, { done: "pin_set" }) : pageAddress(order.token);
  return { to, session, device };
}

import { changePinRequestSchema, walletActionRequestSchema } from "@tillgate/contract";
import { type Done, WALLET_SECURITY, WALLET_SIGN_IN, withQuery } from "#http/addresses.ts";
import { changePin, readSignIns, takeWalletStep } from "#internal-api/wallet.ts";
import { readPin } from "#steps/sign-in-fields.ts";
import {
  type FormResult,
  toApiError,
  toSchemaError,
  toValidationError,
  unwrapRead,
  type Visit,
  type WalletPage,
} from "./wallet-page";

/** Manages sessions, devices, passkeys and the PIN. The form field `step` names the action. */
export const securityPage: WalletPage = {
  signedIn: true,
  async show({ caller }, common) {
    return { kind: "security", ...common, signIns: await unwrapRead(readSignIns(caller)) };
  },
  async take(visit, form) {
    const id = form.get("id") ?? "";
    switch (form.get("step")) {
      case "end-session":
        return endSignIn(visit, form, ["sessions", id, "end"], "session_ended");
      case "forget-device":
        return endSignIn(visit, form, ["devices", id, "forget"], "device_forgotten");
      case "revoke-passkey":
        return endSignIn(visit, form, ["passkeys", id, "revoke"], "passkey_removed");
      case "sign-out-everywhere":
        return endSignIn(visit, form, ["sign-out-everywhere"], "signed_out_everywhere");
      case "change-pin":
        return takeNewPin(visit, form);
      default:
        return toValidationError("form_rejected");
    }
  },
};

async function endSignIn(
  { caller }: Visit,
  form: URLSearchParams,
  step: readonly string[],
  done: Done,
): Promise<FormResult> {
  const fields = walletActionRequestSchema.safeParse({ form_token: form.get("form_token") });
  if (!fields.success) return toValidationError("form_rejected");
  const outcome = await takeWalletStep(caller, step, fields.data.form_token);
  // Ending a sign-in that has already ended is a success.
  if (!outcome.ok && outcome.reason !== "not_found") return toApiError(outcome);
  const signedOut = outcome.ok && outcome.data.signed_out;
  return signedOut
    ? { to: withQuery(WALLET_SIGN_IN, { done }), session: "ended" }
    : { to: withQuery(WALLET_SECURITY, { done }), session: outcome.ok ? outcome.data.renewed_session : null };
}

async function takeNewPin({ caller }: Visit, form: URLSearchParams): Promise<FormResult> {
  const fields = changePinRequestSchema.safeParse({
    form_token: form.get("form_token"),
    pin: readPin(form),
    new_pin: readPin(form, "new_pin"),
  });
  if (!fields.success) return toSchemaError(fields.error);
  if (readPin(form, "repeated_pin") !== fields.data.new_pin) return toValidationError("pins_differ");
  const outcome = await changePin(caller, fields.data);
  if (!outcome.ok) return toApiError(outcome);
  return {
    to: withQuery(WALLET_SECURITY, { done: "pin_changed" }),
    session: outcome.data.renewed_session,
  };
}

import { consoleSessionTokenAnswerSchema } from "@tillgate/contract";
import type { GetServerSidePropsContext } from "next";
import { change } from "../edge/console-edge";
import type { Visitor } from "../http/visitor";
import { pathOf } from "../place-path";
import { fieldOf, refuseField } from "./form-reader";
import { keepSession } from "./page-cookies";

type Shown = { kind: "totp" | "recovery-code" | "passkey"; fields: object };

/** What a form brings along: a passkey's signature, which the script fills in, or a code. */
function shownIn(form: URLSearchParams): Shown | null {
  const signed = fieldOf(form, "second_factor_passkey");
  if (signed !== "")
    return { kind: "passkey", fields: { credential: credentialOf(signed, "second_factor") } };
  const code = fieldOf(form, "second_factor");
  if (code === "") return null;
  return { kind: /^[\d\s]{6,}$/.test(code) ? "totp" : "recovery-code", fields: { code } };
}

/** What a browser made with a passkey: the api judges it. @throws FormRefused for what is no JSON. */
export function credentialOf(text: string, field: string | null): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuseField(field, "refusal.passkey_refused");
  }
}

/** A form about money or secrets brings the second factor along: one form, one step. The session gets another token. */
export async function showSecondFactor(
  context: GetServerSidePropsContext,
  visitor: Visitor,
  form: URLSearchParams,
): Promise<void> {
  const shown = shownIn(form);
  if (shown === null) return;
  const path = pathOf("second-factor", shown.kind);
  const { session } = await change(visitor.caller, path, consoleSessionTokenAnswerSchema, shown.fields);
  visitor.caller = { ...visitor.caller, session };
  keepSession(context, session);
}

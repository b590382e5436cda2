import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";
import { presentForm } from "./present-form.js";

/**
 * The ceremonies of passkeys, of both sites. A form with an `input[data-passkey]` is held back until the browser's passkey has
 * filled that input in, and is then sent as any other. The input's data say the rest: `passkey` is `get` or `create`; `options`
 * holds what the browser needs, or `from` is the address that answers it to the form; `failed`, `known` (the authenticator has
 * one already) and `unknown` (a browser without passkeys) are what the form then says.
 */

/** Forms whose passkey was just used: they are sent as they are. */
const ready = new WeakSet<HTMLFormElement>();

/** What our own server needs to know of a form, to say what its passkey is to sign. */
const ASKED_WITH = ["form_token", "wallet_id", "quote_id"];

/** @returns null where our server has nothing to sign. */
async function ask<Options>(form: HTMLFormElement, address: string): Promise<Options | null> {
  const body = new URLSearchParams();
  for (const name of ASKED_WITH) {
    const value = new FormData(form).get(name);
    if (typeof value === "string") body.set(name, value);
  }
  const response = await fetch(address, { method: "POST", body }).catch((problem: unknown) => {
    // A form that its site sends and follows says by itself that nothing answers.
    if (form.dataset.once === undefined) throw problem;
    return null;
  });
  return response?.ok ? response.json() : null;
}

async function credentialFor(form: HTMLFormElement, { dataset }: HTMLInputElement): Promise<unknown> {
  const { passkey, options, from = "" } = dataset;
  if (passkey === "create") {
    const optionsJSON: PublicKeyCredentialCreationOptionsJSON | null =
      options === undefined ? await ask(form, from) : JSON.parse(options);
    return optionsJSON && startRegistration({ optionsJSON });
  }
  const optionsJSON: PublicKeyCredentialRequestOptionsJSON | null = await ask(form, from);
  return optionsJSON && startAuthentication({ optionsJSON });
}

async function use(
  form: HTMLFormElement,
  input: HTMLInputElement,
  button: HTMLElement | null,
): Promise<void> {
  const say = (text: string | undefined) => {
    const error = presentForm(form)?.querySelector<HTMLElement>("[data-passkey-error]");
    if (!error) return;
    error.textContent = text ?? "";
    error.hidden = text === undefined;
  };
  say(undefined);
  if (!browserSupportsWebAuthn()) return say(input.dataset.unknown);
  form.setAttribute("aria-busy", "true");
  try {
    // Without anything to sign the form says by itself what is wrong: a session that has ended, an api that is away.
    const made = await credentialFor(form, input);
    const present = presentForm(form);
    const filled = present?.querySelector<HTMLInputElement>("input[data-passkey]");
    if (!present || !filled) return;
    if (made) filled.value = JSON.stringify(made);
    ready.add(present);
    present.requestSubmit(present === form ? button : null);
  } catch (problem) {
    const known = problem instanceof Error && problem.name === "InvalidStateError";
    say((known && input.dataset.known) || input.dataset.failed);
  } finally {
    form.removeAttribute("aria-busy");
  }
}

/** Listens before the site's own listeners, which let a form go once. */
export function startPasskeys(): void {
  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      if (!(form instanceof HTMLFormElement) || ready.delete(form)) return;
      const input = form.querySelector<HTMLInputElement>("input[data-passkey]");
      const code = form.querySelector<HTMLInputElement>("[name=second_factor]");
      if (input === null || (code?.value.trim() ?? "") !== "") return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (form.getAttribute("aria-busy") === "true") return;
      const question = form.dataset.confirm;
      if (question !== undefined && !confirm(question)) return;
      delete form.dataset.confirm;
      void use(form, input, event.submitter);
    },
    true,
  );
}

import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";
import { findCurrentForm } from "./current-form.js";

/**
 * WebAuthn ceremonies of both sites. When a form with an `input[data-passkey]` is submitted, the browser's passkey first fills that input. The
 * input's data: `passkey` is `get` or `create`; `options` holds the WebAuthn options, or `from` is the URL to request them from; `failed`, `known`
 * (already registered) and `unknown` (not supported) are error texts.
 */

const ready = new WeakSet<HTMLFormElement>();

/** The server needs these fields to create a challenge. */
const CHALLENGE_FIELDS = ["form_token", "wallet_id", "quote_id"];

/**
 * Requests the WebAuthn options.
 * @returns null if the server sent none, or if it is unreachable and the site's script submits the form.
 * @throws the network error if the server is unreachable and no script submits the form.
 */
async function fetchOptions<Options>(form: HTMLFormElement, address: string): Promise<Options | null> {
  const body = new URLSearchParams();
  for (const name of CHALLENGE_FIELDS) {
    const value = new FormData(form).get(name);
    if (typeof value === "string") body.set(name, value);
  }
  const response = await fetch(address, { method: "POST", body }).catch((problem: unknown) => {
    // A form submitted by its site's script reports the failure itself.
    if (form.dataset.once === undefined) throw problem;
    return null;
  });
  return response?.ok ? response.json() : null;
}

async function requestCredential(form: HTMLFormElement, { dataset }: HTMLInputElement): Promise<unknown> {
  const { passkey, options, from = "" } = dataset;
  if (passkey === "create") {
    const optionsJSON: PublicKeyCredentialCreationOptionsJSON | null =
      options === undefined ? await fetchOptions(form, from) : JSON.parse(options);
    return optionsJSON && startRegistration({ optionsJSON });
  }
  const optionsJSON: PublicKeyCredentialRequestOptionsJSON | null = await fetchOptions(form, from);
  return optionsJSON && startAuthentication({ optionsJSON });
}

async function use(
  form: HTMLFormElement,
  input: HTMLInputElement,
  button: HTMLElement | null,
): Promise<void> {
  const showError = (text: string | undefined) => {
    const error = findCurrentForm(form)?.querySelector<HTMLElement>("[data-passkey-error]");
    if (!error) return;
    error.textContent = text ?? "";
    error.hidden = text === undefined;
  };
  showError(undefined);
  if (!browserSupportsWebAuthn()) return showError(input.dataset.unknown);
  form.setAttribute("aria-busy", "true");
  try {
    // Without options, the form is submitted, and its response shows the error, such as an expired session.
    const credential = await requestCredential(form, input);
    const present = findCurrentForm(form);
    const filled = present?.querySelector<HTMLInputElement>("input[data-passkey]");
    if (!present || !filled) return;
    if (credential) filled.value = JSON.stringify(credential);
    ready.add(present);
    present.requestSubmit(present === form ? button : null);
  } catch (problem) {
    const isKnown = problem instanceof Error && problem.name === "InvalidStateError";
    showError((isKnown && input.dataset.known) || input.dataset.failed);
  } finally {
    form.removeAttribute("aria-busy");
  }
}

/**
 * Requests a passkey when a form with an `input[data-passkey]` is submitted, unless its second-factor code is filled in. Listens in the capture
 * phase, before the site's own submit listeners.
 */
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
      const prompt = form.dataset.confirm;
      if (prompt !== undefined && !confirm(prompt)) return;
      delete form.dataset.confirm;
      void use(form, input, event.submitter);
    },
    true,
  );
}

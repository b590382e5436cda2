import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";

/** Forms whose passkey was just used: they are sent as they are. */
const ready = new WeakSet<HTMLFormElement>();

/** What the passkey is to sign, from the console; null where it has none to ask for. */
async function challenge(form: HTMLFormElement): Promise<PublicKeyCredentialRequestOptionsJSON | null> {
  const token = form.querySelector<HTMLInputElement>("[name=form_token]")?.value ?? "";
  const body = new URLSearchParams({ form_token: token });
  const response = await fetch("/api/passkey", { method: "POST", body });
  return response.ok ? response.json() : null;
}

async function credentialFor(form: HTMLFormElement, input: HTMLInputElement): Promise<unknown> {
  if (input.dataset.passkey === "create") {
    const optionsJSON: PublicKeyCredentialCreationOptionsJSON = JSON.parse(input.dataset.options ?? "{}");
    return startRegistration({ optionsJSON });
  }
  const optionsJSON = await challenge(form);
  // The form says by itself what is wrong: a session that has ended, an api that is away.
  return optionsJSON && startAuthentication({ optionsJSON });
}

async function ask(
  form: HTMLFormElement,
  input: HTMLInputElement,
  button: HTMLElement | null,
): Promise<void> {
  const error = form.querySelector<HTMLElement>("[data-passkey-error]");
  const say = (text: string | undefined) => {
    if (error === null) return;
    error.textContent = text ?? "";
    error.hidden = text === undefined;
  };
  say(undefined);
  if (!browserSupportsWebAuthn()) return say(input.dataset.unknown);
  form.setAttribute("aria-busy", "true");
  try {
    const made = await credentialFor(form, input);
    if (made) input.value = JSON.stringify(made);
    ready.add(form);
    form.requestSubmit(button);
  } catch {
    say(input.dataset.failed);
  } finally {
    form.removeAttribute("aria-busy");
  }
}

// Before the console's own listener, which lets a form go once.
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
    void ask(form, input, event.submitter);
  },
  true,
);

import { fetchWithin } from "./fetch-within";
import { parse } from "./view";

/** How long a form waits for its answer before it counts as lost. The server decides what sending it again does. */
const ANSWER_MS = 15_000;

export type SentForm = {
  form: HTMLFormElement;
  button: HTMLElement | null;
  /** Whether it may have reached the server; a browser that is offline sends nothing. */
  reached: boolean;
};

export type FormListener = {
  /** A form is about to be sent. */
  sending(): void;
  /** The page that answered, after the step was taken or refused, and its address. */
  answered(page: Document, address: string): void;
  /** No answer came: it is unknown whether the step was taken. */
  lost(sent: SentForm): void;
};

/**
 * Sends each form once, however often it is clicked, shows that it is under way, and hands over the page that answers. If
 * the connection breaks, the shopper stays on the page, which then finds out the outcome of the step.
 */
export function sendForms(listener: FormListener): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset.once === undefined) return;
    event.preventDefault();
    if (document.querySelector("form[data-sent]") !== null) return;
    if (navigator.onLine) void send(form, event.submitter, listener);
    else listener.lost({ form, button: event.submitter, reached: false });
  });
}

async function send(
  form: HTMLFormElement,
  button: HTMLElement | null,
  listener: FormListener,
): Promise<void> {
  listener.sending();
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  markSent(form);
  try {
    const { response, text } = await fetchWithin(ANSWER_MS, form.action, { method: "POST", body });
    listener.answered(parse(text), response.url);
  } catch {
    releaseForms();
    listener.lost({ form, button, reached: true });
  }
}

/** The texts of buttons while their form is under way. */
const labels = new WeakMap<HTMLButtonElement, ChildNode[]>();

function markSent(form: HTMLFormElement): void {
  form.dataset.sent = "";
  for (const button of document.querySelectorAll<HTMLButtonElement>("form[data-once] button")) {
    button.setAttribute("aria-disabled", "true");
    if (!form.contains(button)) continue;
    labels.set(button, [...button.childNodes]);
    button.textContent = button.dataset.busy ?? button.textContent;
  }
}

/** Makes the forms usable again. */
function releaseForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-sent]")) delete form.dataset.sent;
  for (const button of document.querySelectorAll<HTMLButtonElement>("form[data-once] button")) {
    button.removeAttribute("aria-disabled");
    button.replaceChildren(...(labels.get(button) ?? button.childNodes));
    labels.delete(button);
  }
}

import { fetchWithin } from "./fetch-within";
import { parse } from "./view";

/** A form whose answer has not come after this long counts as lost; the server decides what sending it again does. */
const ANSWER_MS = 15_000;

export type FormListener = {
  /** The page that answered, after the step was taken or refused, and its address. */
  answered(page: Document, address: string): void;
  /** No answer came: whether the step was taken is not known. */
  lost(): void;
};

/**
 * Sends each form once, however often it is clicked, shows that it is under way, and hands over the page that answers.
 * A connection that breaks off leaves the shopper on the page, which then finds out what became of the step.
 */
export function sendForms(listener: FormListener): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset.once === undefined) return;
    event.preventDefault();
    if (document.querySelector("form[data-sent]") === null) void send(form, listener);
  });
}

async function send(form: HTMLFormElement, listener: FormListener): Promise<void> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  markSent(form);
  try {
    const { response, text } = await fetchWithin(ANSWER_MS, form.action, { method: "POST", body });
    listener.answered(parse(text), response.url);
  } catch {
    releaseForms();
    listener.lost();
  }
}

/** What the buttons say that say now that their form is under way. */
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

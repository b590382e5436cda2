/** A form whose answer has not come after this long counts as lost; the server decides what sending it again does. */
const ANSWER_MS = 15_000;

export interface FormListener {
  /** The page that answered, after the step was taken or refused, and its address. */
  answered(page: Document, address: string): void;
  /** No answer came: whether the step was taken is not known. */
  lost(): void;
}

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
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), ANSWER_MS);
  markSent(form);
  try {
    const response = await fetch(form.action, { method: "POST", body, signal: waiting.signal });
    listener.answered(new DOMParser().parseFromString(await response.text(), "text/html"), response.url);
  } catch {
    releaseForms();
    listener.lost();
  } finally {
    clearTimeout(timer);
  }
}

function markSent(form: HTMLFormElement): void {
  form.dataset.sent = "";
  for (const button of document.querySelectorAll<HTMLButtonElement>("form[data-once] button")) {
    button.setAttribute("aria-disabled", "true");
    if (!form.contains(button)) continue;
    button.dataset.label = button.textContent ?? "";
    button.textContent = button.dataset.busy ?? button.dataset.label;
  }
}

/** Makes the forms usable again. */
function releaseForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-sent]")) delete form.dataset.sent;
  for (const button of document.querySelectorAll<HTMLButtonElement>("form[data-once] button")) {
    button.removeAttribute("aria-disabled");
    if (button.dataset.label !== undefined) button.textContent = button.dataset.label;
    delete button.dataset.label;
  }
}

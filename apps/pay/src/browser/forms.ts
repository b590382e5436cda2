import { fetchWithin } from "./polling";
import { parse } from "./view";

/** How long a form waits for its answer before it counts as lost. The server decides what sending it again does. */
const ANSWER_MS = 15_000;

type SentForm = {
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

/** The form that was sent last. A late response to one before it shows a state that the page has left. */
let lastSent: HTMLFormElement | undefined;

async function send(
  form: HTMLFormElement,
  button: HTMLElement | null,
  listener: FormListener,
): Promise<void> {
  listener.sending();
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  markSent(form);
  lastSent = form;
  try {
    const { response, text } = await fetchWithin(ANSWER_MS, form.action, { method: "POST", body });
    if (lastSent === form) listener.answered(parse(text), response.url);
  } catch {
    if (lastSent !== form) return;
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

/** What was sent is decided or dropped by then: the page's server and the api give up sooner. */
const SETTLED_MS = 12_000;
/** How often the order's status is asked until it is known what became of the step. */
const ASK_MS = 3000;

export type LostAnswer = {
  /** No answer came for this form. */
  lost(sent: SentForm): void;
  /** A form is sent again. */
  clear(): void;
  end(): void;
};

/**
 * Says what became of a step whose answer was lost. The server decides: "not charged" is said only after it answered that the
 * order is unpaid, when nothing that was sent can still be under way. Another status replaces the whole view.
 * @param ask asks for the order's status; undefined where no answer came.
 */
export function watchLostAnswer(
  main: HTMLElement,
  ask: () => Promise<string | undefined>,
  announce: (text: string) => void,
): LostAnswer {
  const notice = main.querySelector<HTMLElement>("[data-lost-answer]");
  const text = notice?.querySelector<HTMLElement>("[data-lost-text]");
  const again = notice?.querySelector<HTMLButtonElement>("button");
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last: SentForm | undefined;
  again?.addEventListener("click", () => last?.form.requestSubmit(last.button));

  const show = (state: "offline" | "unknown" | "unpaid" | "") => {
    if (!notice || !text || !again) return;
    notice.dataset.lostAnswer = state;
    notice.hidden = state === "";
    text.textContent = (state && notice.dataset[state]) || "";
    again.hidden = !(state === "unpaid" || notice.dataset.again !== undefined) || !last?.form.isConnected;
    // One message: what the step before said is over, and the state of the connection is in this one.
    for (const other of main.querySelectorAll<HTMLElement>("[data-notice], [data-connection]"))
      if (state !== "") other.hidden = true;
  };
  const check = async (settledAt: number) => {
    const askedAt = Date.now();
    const status = await ask();
    if (timer === undefined) return;
    if (status === "PENDING" && askedAt >= settledAt) {
      show("unpaid");
      announce(text?.textContent ?? "");
    } else {
      const left = settledAt - Date.now();
      timer = setTimeout(() => void check(settledAt), left > 0 ? Math.min(left, ASK_MS) : ASK_MS);
    }
  };
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    lost(sent) {
      stop();
      last = sent;
      show(sent.reached ? "unknown" : "offline");
      notice?.focus();
      if (notice?.dataset.again === undefined)
        timer = setTimeout(() => void check(sent.reached ? Date.now() + SETTLED_MS : 0));
    },
    clear() {
      stop();
      show("");
    },
    end: stop,
  };
}

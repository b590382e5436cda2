import { fetchWithin } from "./polling";
import { parse } from "./view";

/** Time limit for the response to a form. The server makes a retry safe. */
const RESPONSE_TIMEOUT_MS = 15_000;

type SentForm = {
  form: HTMLFormElement;
  button: HTMLElement | null;
  /** Whether the request may have reached the server. An offline browser sends nothing. */
  mayHaveReachedServer: boolean;
};

export type FormListener = {
  sending(): void;
  /** Called with the returned page and its URL, whether or not the step succeeded. */
  responded(page: Document, address: string): void;
  /** Called when no response arrived: the outcome is unknown, or nothing was sent because the browser is offline. */
  lost(sent: SentForm): void;
};

/** Submits forms marked `data-once` without navigation, one at a time. Without a response, the page stays and the listener is notified. */
export function sendForms(listener: FormListener): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset.once === undefined) return;
    event.preventDefault();
    if (document.querySelector("form[data-sent]") !== null) return;
    if (navigator.onLine) void send(form, event.submitter, listener);
    else listener.lost({ form, button: event.submitter, mayHaveReachedServer: false });
  });
}

/** The last submitted form. A late response to an earlier form is outdated. */
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
    const { response, text } = await fetchWithin(RESPONSE_TIMEOUT_MS, form.action, { method: "POST", body });
    if (lastSent === form) listener.responded(parse(text), response.url);
  } catch {
    if (lastSent !== form) return;
    releaseForms();
    listener.lost({ form, button, mayHaveReachedServer: true });
  }
}

/** Original contents of buttons whose form is being sent. */
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

function releaseForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-sent]")) delete form.dataset.sent;
  for (const button of document.querySelectorAll<HTMLButtonElement>("form[data-once] button")) {
    button.removeAttribute("aria-disabled");
    button.replaceChildren(...(labels.get(button) ?? button.childNodes));
    labels.delete(button);
  }
}

/** After this time a lost request has been either processed or dropped, because the page's server and the API time out earlier. */
const SETTLED_MS = 12_000;
const POLL_MS = 3000;

export type LostResponse = {
  /** Called when no response arrived for this form. */
  lost(sent: SentForm): void;
  /** Called when a form is sent again. */
  clear(): void;
  end(): void;
};

/**
 * Reports the outcome of a step whose response was lost. If a request may have reached the server, "not charged" is shown only when a check
 * finds the order unpaid at a time when no request can still be in flight. A notice with `data-again` offers to try again without a check.
 * @param checkStatus requests the status and refreshes the view if it has changed; resolves to undefined if the request fails
 */
export function watchLostResponse(
  main: HTMLElement,
  checkStatus: () => Promise<string | undefined>,
  announce: (text: string) => void,
): LostResponse {
  const notice = main.querySelector<HTMLElement>("[data-lost-response]");
  const text = notice?.querySelector<HTMLElement>("[data-lost-text]");
  const retryButton = notice?.querySelector<HTMLButtonElement>("button");
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last: SentForm | undefined;
  /** Time by which the last request that may have reached the server is settled; undefined if the outcome of every request is known. */
  let settledAt: number | undefined;
  retryButton?.addEventListener("click", () => last?.form.requestSubmit(last.button));

  const show = (state: "offline" | "unknown" | "unpaid" | "") => {
    if (!notice || !text || !retryButton) return;
    notice.dataset.lostResponse = state;
    notice.hidden = state === "";
    text.textContent = (state && notice.dataset[state]) || "";
    retryButton.hidden =
      !(state === "unpaid" || notice.dataset.again !== undefined) || !last?.form.isConnected;
    // This message replaces the notice of the previous step and includes the connection state.
    for (const other of main.querySelectorAll<HTMLElement>("[data-notice], [data-connection]"))
      if (state !== "") other.hidden = true;
  };
  const check = async () => {
    const askedAt = Date.now();
    const status = await checkStatus();
    if (timer === undefined) return;
    if (status === "PENDING" && askedAt >= (settledAt ?? 0)) {
      settledAt = undefined;
      show("unpaid");
      announce(text?.textContent ?? "");
    } else {
      const msLeft = (settledAt ?? 0) - Date.now();
      timer = setTimeout(() => void check(), msLeft > 0 ? Math.min(msLeft, POLL_MS) : POLL_MS);
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
      if (sent.mayHaveReachedServer) settledAt = Date.now() + SETTLED_MS;
      show(settledAt === undefined ? "offline" : "unknown");
      notice?.focus();
      if (notice?.dataset.again === undefined) timer = setTimeout(() => void check());
    },
    clear() {
      stop();
      show("");
    },
    end: stop,
  };
}

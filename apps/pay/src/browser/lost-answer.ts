import type { SentForm } from "./forms";

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

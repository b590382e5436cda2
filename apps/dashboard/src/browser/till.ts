import { amountSize } from "#till-size.ts";
import { startCountdowns } from "./countdown";

/** No amount has more digits. */
const MAX_DIGITS = 12;

/**
 * Types an amount by keys, as at every till: each digit moves the others to the left. The digits of the keyboard do the same.
 * @returns what ends it.
 */
function startKeypad(view: HTMLElement): () => void {
  const box = view.querySelector<HTMLElement>("[data-amount-field]");
  const field = box?.querySelector<HTMLInputElement>("input");
  const keys = view.querySelector<HTMLElement>("[data-keys]");
  if (!box || !field || !keys) return () => {};
  const digits = Number(box.dataset.digits);
  const number = new Intl.NumberFormat(document.documentElement.lang);
  const separator = (type: "group" | "decimal") =>
    number.formatToParts(1_000_000.5).find((part) => part.type === type)?.value ?? "";
  const [group, decimal] = [separator("group"), separator("decimal")];
  // "1,000" without decimals could mean two amounts: a space cannot.
  const groupedIn = (whole: string) => {
    const grouped = number.format(BigInt(whole));
    return digits === 0 ? grouped.replaceAll(group, "\u202f") : grouped;
  };
  let typed = field.value.replace(/\D/g, "").replace(/^0+/, "");
  // The keys are on the page: a phone need not cover it with its own.
  field.inputMode = "none";
  const draw = () => {
    const padded = typed.padStart(digits + 1, "0");
    const whole = groupedIn(padded.slice(0, padded.length - digits));
    field.value = typed === "" ? "" : digits === 0 ? whole : `${whole}${decimal}${padded.slice(-digits)}`;
    box.dataset.size = amountSize(field.value);
  };
  const press = (key: string) => {
    typed = key === "⌫" ? typed.slice(0, -1) : `${typed}${key}`.replace(/^0+/, "").slice(0, MAX_DIGITS);
    draw();
  };
  const click = (event: Event) => {
    const key = event.target instanceof HTMLElement ? event.target.dataset.key : undefined;
    if (key !== undefined) press(key);
  };
  const type = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key === "Backspace" ? "⌫" : event.key;
    if (/^\d$/.test(key) || key === "⌫") press(key);
    else if (key.length > 1) return;
    event.preventDefault();
  };
  keys.addEventListener("click", click);
  field.addEventListener("keydown", type);
  draw();
  field.focus();
  return () => {
    keys.removeEventListener("click", click);
    field.removeEventListener("keydown", type);
  };
}

/** Two rising notes, in hertz, each for so many seconds. */
const NOTES = [880, 1_320] as const;
const NOTE_SECONDS = 0.16;
const LOUDNESS = 0.2;

/** The sound of a paid order. Browsers play it only after a press on the page. */
function paidSound(): { allow(): void; play(): void } {
  let context: AudioContext | undefined;
  return {
    allow() {
      context ??= "AudioContext" in window ? new AudioContext() : undefined;
      void context?.resume();
    },
    play() {
      navigator.vibrate?.(200);
      if (context === undefined) return;
      for (const [index, hertz] of NOTES.entries()) {
        const [tone, volume] = [context.createOscillator(), context.createGain()];
        const startsAt = context.currentTime + index * NOTE_SECONDS;
        tone.frequency.value = hertz;
        volume.gain.value = LOUDNESS;
        tone.connect(volume).connect(context.destination);
        tone.start(startsAt);
        tone.stop(startsAt + NOTE_SECONDS);
      }
    },
  };
}

/**
 * The till's only script. Every step works without it. It types by keys, sends forms without leaving the page, follows the order,
 * says when the connection is gone, and is heard when it is paid.
 */

/** How often the order is looked at, in milliseconds, and how long an answer may take. */
const LOOK_MS = 1_500;
const ANSWER_MS = 8_000;

document.documentElement.classList.add("scripted");
const sound = paidSound();
let endView: () => void = () => {};

const main = (): HTMLElement | null => document.querySelector("main[data-till]");
const stateOf = (view: ParentNode | null): string | undefined =>
  view?.querySelector<HTMLElement>("[data-state]")?.dataset.state;

/** Asks our own server. @returns null where no page of the till came back in time. */
async function ask(address: string, init: RequestInit = {}): Promise<{ page: Document; url: string } | null> {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), ANSWER_MS);
  try {
    const response = await fetch(address, { ...init, signal: waiting.signal });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    // Signed out meanwhile, or an error page: the browser shows it as it is.
    if (response.status < 500 && page.querySelector("main[data-till]") === null)
      location.assign(response.url);
    return response.status < 500 ? { page, url: response.url } : null;
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

function say(lost: boolean): void {
  const line = document.querySelector<HTMLElement>("[data-lost]");
  if (line !== null) line.hidden = !lost;
}

/** Shows what the server has drawn. A paid order is heard once. */
function show({ page, url }: { page: Document; url: string }): void {
  const [before, after] = [main(), page.querySelector<HTMLElement>("main[data-till]")];
  if (before === null || after === null) return;
  const was = stateOf(before);
  const now = stateOf(after);
  // The clock and a question that is open stay as they are while nothing happens.
  if (was === "PENDING" && now === "PENDING" && url === location.href) return;
  endView();
  before.replaceWith(document.adoptNode(after));
  history.replaceState(null, "", url);
  document.title = page.title;
  if (was === "PENDING" && now === "PAID") sound.play();
  startView();
}

function startView(): void {
  const view = main();
  if (view === null) return;
  const ends = [startCountdowns(view), startKeypad(view)];
  const state = stateOf(view);
  const announcer = document.querySelector("[data-announcer]");
  if (announcer !== null && state !== undefined)
    announcer.textContent = view.querySelector("h1")?.textContent ?? "";
  if (state !== undefined && state !== "PENDING")
    view.querySelector<HTMLElement>("[data-testid='till-next']")?.focus();
  const timer = state === "PENDING" ? setInterval(() => void look(), LOOK_MS) : undefined;
  endView = () => {
    clearInterval(timer);
    for (const end of ends) end();
  };
}

let looking = false;
async function look(): Promise<void> {
  if (looking) return;
  looking = true;
  const address = location.href;
  const answer = await ask(address);
  looking = false;
  say(answer === null);
  if (answer !== null && address === location.href) show(answer);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.closest("main[data-till]") === null) return;
  event.preventDefault();
  if (form.dataset.sent !== undefined) return;
  form.dataset.sent = "";
  // Not `form.action`: a field of that name hides it. The press on the button lets the browser play the sound later.
  sound.allow();
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  void ask(form.getAttribute("action") ?? location.href, { method: "POST", body }).then((answer) => {
    delete form.dataset.sent;
    say(answer === null);
    // Not known whether it was taken: the same key makes one order, so pressing again is safe.
    if (answer !== null) show(answer);
  });
});
addEventListener("online", () => {
  // What is typed stays: only an order is looked at.
  if (stateOf(main()) === "PENDING") void look();
  else say(false);
});
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

/** The screen stays on while the till is open, where the browser allows it. */
const stayAwake = () => void navigator.wakeLock?.request("screen").catch(() => {});
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && stayAwake());
stayAwake();
startView();

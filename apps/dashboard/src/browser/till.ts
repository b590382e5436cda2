import { getAmountSize } from "#till-size.ts";
import { startCountdowns } from "./countdown";

/** Script of the till: keypad, forms without navigation, order status, connection state and payment sound. The till works without the script. */

const MAX_DIGITS = 12;

/** Handles the keypad and the keyboard: each digit moves the earlier digits to the left. @returns a function that removes the listeners */
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
  // Without decimals, digits are grouped by spaces: "1,000" would be ambiguous.
  const groupedIn = (integerDigits: string) => {
    const grouped = number.format(BigInt(integerDigits));
    return digits === 0 ? grouped.replaceAll(group, "\u202f") : grouped;
  };
  let typed = field.value.replace(/\D/g, "").replace(/^0+/, "");
  // Suppresses the on-screen keyboard; the page has its own keys.
  field.inputMode = "none";
  const draw = () => {
    const padded = typed.padStart(digits + 1, "0");
    const integerDigits = groupedIn(padded.slice(0, padded.length - digits));
    field.value =
      typed === "" ? "" : digits === 0 ? integerDigits : `${integerDigits}${decimal}${padded.slice(-digits)}`;
    box.dataset.size = getAmountSize(field.value);
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

/** Frequencies of the two notes, in hertz. */
const NOTES = [880, 1_320] as const;
const NOTE_SECONDS = 0.16;
const LOUDNESS = 0.2;

/** Creates the sound and vibration of a paid order, which browsers allow only after a click on the page. */
function createPaidSound(): { allow(): void; play(): void } {
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

const POLL_MS = 1_500;
const RESPONSE_TIMEOUT_MS = 8_000;

document.documentElement.classList.add("scripted");
const sound = createPaidSound();
let endView: () => void = () => {};

const main = (): HTMLElement | null => document.querySelector("main[data-till]");
const getState = (view: ParentNode | null): string | undefined =>
  view?.querySelector<HTMLElement>("[data-state]")?.dataset.state;

/** Fetches a view of the till; navigates to any other page, such as sign-in. @returns null if no response arrives in time, or for a 5xx status */
async function fetchPage(
  address: string,
  init: RequestInit = {},
): Promise<{ page: Document; url: string } | null> {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), RESPONSE_TIMEOUT_MS);
  try {
    const response = await fetch(address, { ...init, signal: waiting.signal });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    if (response.status < 500 && page.querySelector("main[data-till]") === null)
      location.assign(response.url);
    return response.status < 500 ? { page, url: response.url } : null;
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

function showConnection(connectionLost: boolean): void {
  const line = document.querySelector<HTMLElement>("[data-lost]");
  if (line !== null) line.hidden = !connectionLost;
}

/** Replaces the view, unless the same order is still pending. Plays the sound if the pending order has been paid. */
function show({ page, url }: { page: Document; url: string }): void {
  const [before, after] = [main(), page.querySelector<HTMLElement>("main[data-till]")];
  if (before === null || after === null) return;
  const was = getState(before);
  const now = getState(after);
  // Keep the countdown and an open question while the order stays pending.
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
  const stops = [startCountdowns(view), startKeypad(view)];
  const state = getState(view);
  const announcer = document.querySelector("[data-announcer]");
  if (announcer !== null && state !== undefined)
    announcer.textContent = view.querySelector("h1")?.textContent ?? "";
  if (state !== undefined && state !== "PENDING")
    view.querySelector<HTMLElement>("[data-testid='till-next']")?.focus();
  const timer = state === "PENDING" ? setInterval(() => void poll(), POLL_MS) : undefined;
  endView = () => {
    clearInterval(timer);
    for (const end of stops) end();
  };
}

let isPolling = false;
async function poll(): Promise<void> {
  if (isPolling) return;
  isPolling = true;
  const address = location.href;
  const newPage = await fetchPage(address);
  isPolling = false;
  showConnection(newPage === null);
  if (newPage !== null && address === location.href) show(newPage);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.closest("main[data-till]") === null) return;
  event.preventDefault();
  if (form.dataset.sent !== undefined) return;
  form.dataset.sent = "";
  // Read with `getAttribute`, because a field named `action` shadows `form.action`. The click allows the sound to be played later.
  sound.allow();
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  void fetchPage(form.getAttribute("action") ?? location.href, { method: "POST", body }).then((fetched) => {
    delete form.dataset.sent;
    showConnection(fetched === null);
    // The outcome is unknown; the idempotency key makes a retry safe.
    if (fetched !== null) show(fetched);
  });
});
addEventListener("online", () => {
  // Keep the keypad input. Only a pending order needs a check.
  if (getState(main()) === "PENDING") void poll();
  else showConnection(false);
});
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

const stayAwake = () => void navigator.wakeLock?.request("screen").catch(() => {});
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && stayAwake());
stayAwake();
startView();

import { SCRIPT_COOKIE } from "#script-cookie.ts";

/** `offline`: the browser is offline; `lost`: no response; `unavailable`: the page's server cannot reach the API. */
export type Connection = "good" | "offline" | "lost" | "unavailable";

export function announce(text: string): void {
  const announcer = document.querySelector("[data-announcer]");
  if (announcer !== null) announcer.textContent = text;
}

/** Shows and announces a connection problem. Hides the message when the connection is good, or while a lost response is reported. */
export function showConnection(main: HTMLElement, connection: Connection): void {
  const line = main.querySelector<HTMLElement>("[data-connection]");
  if (line === null) return;
  const previousText = line.textContent;
  line.dataset.connection = connection;
  // A step with a lost response shows its own message until the outcome is known.
  const isReported =
    main.querySelector('[data-lost-response="offline"], [data-lost-response="unknown"]') !== null;
  line.hidden = connection === "good" || isReported;
  line.textContent = line.dataset[connection] ?? "";
  if (line.textContent !== previousText) announce(line.textContent);
}

/** Formats the server's UTC times in the shopper's time zone and the page's locale. */
export function localizeTimes(main: HTMLElement): void {
  for (const time of main.querySelectorAll<HTMLTimeElement>("time[data-local-time]")) {
    time.textContent = new Date(time.dateTime).toLocaleString(time.dataset.localTime, {
      dateStyle: "medium",
      timeStyle: "short",
    });
  }
}

export function startPrinting(main: HTMLElement): void {
  main.querySelector('[data-testid="pay-print"]')?.addEventListener("click", () => print());
}

/** Reveals elements that need scripts and sets the script cookie. Reloads a self-refreshing page if the browser stored the cookie. */
export function markScriptRunning(): void {
  document.documentElement.classList.add("scripted");
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that are still in use.
  document.cookie = `${SCRIPT_COOKIE}=1; Path=/pay; SameSite=Lax${secure}`;
  const refreshes = document.querySelector('meta[http-equiv="refresh"]') !== null;
  if (refreshes && document.cookie.includes(`${SCRIPT_COOKIE}=1`)) location.reload();
}

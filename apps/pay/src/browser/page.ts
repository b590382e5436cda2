import { SCRIPT_COOKIE } from "#script-cookie.ts";

/** The state of the connection: the browser is offline, nothing answers, or the service behind the page does not. */
export type Connection = "good" | "offline" | "lost" | "unavailable";

/**
 * Shows on the page what is wrong with the connection, and hides it when the connection is good again.
 * @returns the shown text.
 */
export function showConnection(main: HTMLElement, connection: Connection): string {
  const line = main.querySelector<HTMLElement>("[data-connection]");
  if (line === null) return "";
  line.dataset.connection = connection;
  // A step without an answer says so itself, until it is known what became of it.
  const isSaid = main.querySelector('[data-lost-answer="offline"], [data-lost-answer="unknown"]') !== null;
  line.hidden = connection === "good" || isSaid;
  line.textContent = line.dataset[connection] ?? "";
  return line.textContent;
}

/** Turns the server's UTC times into the shopper's own zone, in the spelling of the page. */
export function localiseMoments(main: HTMLElement): void {
  for (const moment of main.querySelectorAll<HTMLTimeElement>("time[data-moment]")) {
    moment.textContent = new Date(moment.dateTime).toLocaleString(moment.dataset.moment, {
      dateStyle: "medium",
      timeStyle: "short",
    });
  }
}

/** The receipt's print button. */
export function startPrinting(main: HTMLElement): void {
  main.querySelector('[data-testid="pay-print"]')?.addEventListener("click", () => print());
}

/**
 * Shows the elements that need the script, and lets the server know that it runs. A page for browsers without it would
 * refresh itself under the reader, so it is drawn again, once.
 */
export function showThatScriptRuns(): void {
  document.documentElement.classList.add("scripted");
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that are still in use.
  document.cookie = `${SCRIPT_COOKIE}=1; Path=/pay; SameSite=Lax${secure}`;
  const refreshes = document.querySelector('meta[http-equiv="refresh"]') !== null;
  if (refreshes && document.cookie.includes(`${SCRIPT_COOKIE}=1`)) location.reload();
}

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
